import { authenticate } from '@framework/authentication';
import { channels } from '@framework/channels';
import { Random, Variety } from '@framework-internal/random';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  addAuthentication,
  addUsers,
  call,
  connectionId,
  credentials,
  dataOf,
  memory,
  network,
  open,
  openSource,
  start,
  startOpen,
  stopAll,
  until,
  type AnyApplication,
  type Running,
  type Source,
} from './harness.ts';

afterEach(stopAll);

/** The numbers of the messages that a client got. */
const ids = (client: Pick<Source, 'events'>): number[] => dataOf(client, 'messages created').map(({ id }) => id);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

async function create(app: AnyApplication, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await app.service('messages').create({});
}

describe("a browser's client that is cut off", () => {
  it('gets what it missed, in order, nothing twice, cut after cut', async () => {
    const { app, url } = await startOpen();
    const between = await network(url);
    const client = await openSource(between.url, ['messages created']);
    await create(app, 2);
    let [made, connections] = [2, 1];
    for (const missed of [3, 0, 1, 5]) {
      await between.cut(() => create(app, missed));
      connections += 1;
      await until(() => dataOf(client, 'connection').length === connections);
      await create(app, 1);
      made += missed + 1;
      await until(() => ids(client).length === made);
    }
    expect(ids(client)).toEqual(upTo(made));
    expect(dataOf(client, 'reset')).toEqual([]);
  });

  it('gets what it missed though it had no event before', async () => {
    const { app, url } = await startOpen();
    const between = await network(url);
    const client = await openSource(between.url, ['messages created']);
    await between.cut(() => create(app, 2));
    await until(() => ids(client).length === 2);
    expect(dataOf(client, 'reset')).toEqual([]);
  });

  it('is told when it can not be given what it missed, before anything else comes', async () => {
    const { app, url } = await startOpen({ channels: channels({ window: { entries: 5 } }) });
    const between = await network(url);
    const client = await openSource(between.url, ['messages created']);
    await create(app, 1);
    await until(() => ids(client).length === 1);
    await between.cut(() => create(app, 7));
    await until(() => dataOf(client, 'connection').length === 2);
    await create(app, 1);
    await until(() => ids(client).length === 2);
    expect(client.events.map(({ name }) => name)).toEqual(['connection', 'messages created', 'connection', 'reset', 'messages created']);
    expect(ids(client)).toEqual([0, 8]);
    // From here on it resumes again.
    await between.cut(() => create(app, 1));
    await until(() => ids(client).length === 3);
    expect(dataOf(client, 'reset')).toHaveLength(1);
  });

  it('is told each time where clients are given no positions', async () => {
    const { app, url } = await startOpen({ channels: channels({ resume: false }) });
    const reader = await open(url);
    await create(app, 1);
    await until(() => ids(reader).length === 1);
    expect(reader.id()).toBeUndefined();
    expect(reader.events.map(({ name }) => name)).toEqual(['connection', 'reset', 'messages created']);
  });

  it('that says where it was is believed no more than any caller', async () => {
    const { app, url } = await startOpen();
    await create(app, 1);
    const first = await open(url);
    await until(() => first.id() !== undefined);
    const [epoch] = String(first.id()).split('.');
    const offsets = [
      ' ',
      'x',
      `${epoch}.zzzz`,
      `${epoch}.-1`,
      'other.1',
      `${epoch}.1.1.1.1.1`,
      'a'.repeat(5000),
      `${epoch}.1~1~short`,
      'ü',
    ];
    for (const offset of offsets) {
      const reader = await open(url, { 'last-event-id': offset });
      await until(() => reader.id() !== undefined);
      expect(reader.events.slice(0, 2).map(({ name }) => name)).toEqual(['connection', 'reset']);
    }
    const resumed = await open(url, { 'last-event-id': `${epoch}.0` });
    await until(() => ids(resumed).length === 1);
    expect(dataOf(resumed, 'reset')).toEqual([]);
  });

  it('at random, among many, misses nothing, gets nothing twice, and all get the same order', async () => {
    const seed = Number(process.env.STREAM_SEED ?? 20261122);
    const random = new Random(seed);
    const variety = new Variety();
    const { app, url } = await startOpen();
    const clients = await Promise.all(
      upTo(8).map(async () => {
        const between = await network(url);
        return { between, client: await openSource(between.url, ['messages created']) };
      }),
    );
    let made = 0;
    for (let round = 0; round < 60; round++) {
      const cutting = clients.filter(() => random.oneIn(3));
      const [while_, after] = [random.below(5), random.below(3)];
      variety.tried(`${cutting.map((client) => clients.indexOf(client)).join()} ${while_} ${after}`);
      if (cutting.length > 0 && while_ > 0) variety.took('missed');
      await Promise.all(cutting.map(({ between }) => between.cut()));
      await create(app, while_);
      // Some are on their way back, some are there, some are cut again at once.
      for (let turns = random.below(4); turns > 0; turns--) await new Promise((resolve) => setTimeout(resolve, 5));
      await create(app, after);
      made += while_ + after;
    }
    console.log(variety.report('streams that are cut', seed));
    variety.expect(40, { missed: 20 });
    await until(() => clients.every(({ client }) => ids(client).length >= made));
    for (const { client } of clients) {
      expect(ids(client)).toEqual(upTo(made));
      expect(dataOf(client, 'reset')).toEqual([]);
    }
  });
});

/** Ann and Bob, each with a channel of their own that is joined at the login. */
async function startPrivate(join?: (app: AnyApplication, connection: any, name: string) => unknown): Promise<Running> {
  const running = await start((app) => {
    addAuthentication(app);
    app.use('messages', memory());
    app.service('messages').hooks({ around: { all: [authenticate('jwt')] } });
    app.service('messages').publish((message: any) => app.channel(`for/${message.to}`));
    app.on('login', (result: any, { connection }: any) => {
      if (!connection) return undefined;
      return join ? join(app, connection, result.user.name) : app.channel(`for/${result.user.name}`).join(connection);
    });
  });
  await addUsers(running.app, 'ann', 'bob');
  return running;
}

async function send(app: AnyApplication, ...to: string[]): Promise<void> {
  for (const name of to) await app.service('messages').create({ to: name });
}

/** Logs the stream of a client in. */
function logIn(url: string, client: Pick<Source, 'events'>, name: string): Promise<{ status: number; body: any }> {
  return call(url, 'POST', '/authentication', credentials(name), { 'connection-id': connectionId(client) });
}

describe('a client that was logged in and comes back', () => {
  it('with its token gets what it missed', async () => {
    const { app, url } = await startPrivate();
    const { body } = await call(url, 'POST', '/authentication', credentials('ann'));
    const between = await network(url);
    const client = await openSource(between.url, ['messages created'], { authorization: `Bearer ${body.accessToken}` });
    await send(app, 'ann');
    await between.cut(() => send(app, 'ann', 'bob', 'ann'));
    await until(() => ids(client).length === 3);
    expect([ids(client), dataOf(client, 'reset')]).toEqual([[0, 1, 3], []]);
  });

  it('without credentials gets it once its new stream is logged in again, and nothing before', async () => {
    const { app, url } = await startPrivate();
    const between = await network(url);
    const client = await openSource(between.url, ['messages created']);
    expect((await logIn(url, client, 'ann')).status).toBe(201);
    await send(app, 'ann');
    await until(() => ids(client).length === 1);
    await between.cut(() => send(app, 'ann', 'bob', 'ann'));
    await until(() => dataOf(client, 'connection').length === 2);
    expect(ids(client)).toEqual([0]);
    await logIn(url, client, 'ann');
    await send(app, 'ann');
    await until(() => ids(client).length === 4);
    expect([ids(client), dataOf(client, 'reset')]).toEqual([[0, 1, 3, 4], []]);
  });

  it('as somebody else gets what is theirs, and nothing of the one before', async () => {
    const { app, url } = await startPrivate();
    const between = await network(url);
    const client = await openSource(between.url, ['messages created']);
    await logIn(url, client, 'ann');
    await send(app, 'ann');
    await until(() => ids(client).length === 1);
    await between.cut(() => send(app, 'ann', 'bob', 'ann', 'bob'));
    await until(() => dataOf(client, 'connection').length === 2);
    await logIn(url, client, 'bob');
    await until(() => ids(client).length === 3);
    await send(app, 'ann', 'bob');
    await until(() => ids(client).length === 4);
    expect(dataOf(client, 'messages created').map(({ to }) => to)).toEqual(['ann', 'bob', 'bob', 'bob']);
  });

  it('while its channels are joined late, and is cut again, gets all of it once', async () => {
    const { app, url } = await startPrivate(async (added, connection, name) => {
      added.channel('everybody').join(connection);
      await new Promise((resolve) => setTimeout(resolve, 60));
      added.channel(`for/${name}`).join(connection);
    });
    app.service('messages').publish((message: any) => app.channel(message.to === 'all' ? 'everybody' : `for/${message.to}`));
    const { body } = await call(url, 'POST', '/authentication', credentials('ann'));
    const between = await network(url);
    const client = await openSource(between.url, ['messages created'], { authorization: `Bearer ${body.accessToken}` });
    await until(() => app.channels.includes('for/ann'));
    for (const round of [0, 1, 2]) {
      await between.cut(() => send(app, 'ann', 'all', 'ann'));
      await until(() => ids(client).length === (round + 1) * 3);
    }
    expect(ids(client).sort((a, b) => a - b)).toEqual(upTo(9));
    for (const to of ['ann', 'all']) {
      const own = dataOf(client, 'messages created').filter((message) => message.to === to);
      expect(own.map(({ id }) => id)).toEqual(own.map(({ id }) => id).sort((a: number, b: number) => a - b));
    }
  });
});
