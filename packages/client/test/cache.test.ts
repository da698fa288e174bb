import { afterEach, describe, expect, it } from '@jest/globals';
import { MemoryService } from '@framework/adapter-memory';
import { Random, Variety } from '@framework-internal/random';
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import { createClient, rest, sse } from '../src/index.ts';
import { findOptions, getOptions, liveQuery, type CallOptions } from '../src/query/index.ts';
import { LOGIN, start, type TestApp } from './application.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function setUp() {
  const running = await start();
  const client = createClient<TestApp>(rest(running.url), { events: sse(running.url) });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const connected = new Promise<void>((resolve) => client.on('connect', resolve));
  const service = client.service('messages');
  const stop = liveQuery(client, cache, { services: { messages: service, notes: client.service('notes') }, gather: 1 });
  ends.push(
    () => running.stop(),
    () => {
      stop();
      client.close();
      cache.clear();
    },
  );
  await connected;
  return { running, client, cache, service };
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};

it('has the same lists as the server after each of many random writes', async () => {
  const seed = Number(process.env.CACHE_SEED ?? 20_261_122);
  const steps = Number(process.env.CACHE_RUNS ?? 200);
  const random = new Random(seed);
  const variety = new Variety();
  const { client, cache, service, running } = await setUp();
  const texts = ['a', 'b', 'c', 'd', 'é'];
  const queries = [
    {},
    { text: 'a' },
    { text: { $in: ['a', 'b'] }, $sort: { likes: 1 as const } },
    { likes: { $gt: 3, $lte: 8 }, $sort: { text: 1 as const, id: -1 as const } },
    { $or: [{ text: 'b' }, { likes: 5 }], $sort: { id: -1 as const } },
    { text: { $ne: 'c' }, $limit: 4, $sort: { id: 1 as const } },
    { tags: 'x', $sort: { id: 1 as const } },
    { $sort: { tags: 1 as const, id: -1 as const } },
    { likes: { $nin: [1, 2] }, $select: ['text' as const], $sort: { id: 1 as const } },
    { $skip: 1, $limit: 2, $sort: { id: 1 as const } },
    { at: { $lt: new Date(5) }, $sort: { id: 1 as const } },
  ];
  const lists = queries.map((query) => {
    const options = findOptions('messages', service, { query });
    const observer = new QueryObserver(cache, options);
    ends.push(observer.subscribe(() => undefined));
    return { query, options };
  });
  await until(() => cache.isFetching() === 0);
  let events = 0;
  for (const event of ['created', 'updated', 'patched', 'removed'] as const) service.on(event, () => events++);
  const before = running.app.service('messages');
  let fetches = 0;
  client.service('messages').hooks({ before: { find: [() => void fetches++] } });
  const ids: number[] = [];
  const data = () => ({
    text: random.pick(texts),
    ...(random.oneIn(4) ? {} : { likes: random.below(10) }),
    ...(random.oneIn(3) ? { tags: random.oneIn(2) ? ['x', 'y'] : [] } : {}),
    ...(random.oneIn(3) ? { at: new Date(random.below(10)) } : {}),
  });
  for (let step = 0; step < steps; step++) {
    const seen = events;
    const kind =
      ids.length === 0
        ? 'create'
        : random.pick(ids.length > 12 ? ['patch', 'update', 'remove'] : ['create', 'create', 'patch', 'patch', 'update', 'remove']);
    const id = random.pick(ids);
    if (kind === 'create') ids.push((await before.create(data())).id);
    else if (kind === 'patch') await before.patch(id, random.oneIn(2) ? { likes: random.below(10) } : { text: random.pick(texts) });
    else if (kind === 'update') await before.update(id, data());
    else {
      await before.remove(id);
      ids.splice(ids.indexOf(id), 1);
    }
    variety.took(kind);
    await until(() => events > seen);

    await until(() => cache.isFetching() === 0 && !lists.some(({ options }) => cache.getQueryState(options.queryKey)?.isInvalidated));
    await new Promise((resolve) => setTimeout(resolve, 3));
    await until(() => cache.isFetching() === 0);
    for (const { query, options } of lists) {
      const shown = JSON.stringify(cache.getQueryData(options.queryKey));
      const found = JSON.stringify(await before.find({ query } as never));

      if (shown !== found) throw new Error(`step ${step} ${kind} ${JSON.stringify(query)}: ${shown} and not ${found}`);
    }
    variety.tried(`${kind} ${ids.length} ${step}`);
  }
  console.log(variety.report('caches', seed), `; ${fetches} of ${steps * queries.length} lists were asked for again`);
  variety.expect(steps * 0.9, { create: steps / 10, patch: steps / 10, update: steps / 20, remove: steps / 20 });
  expect(fetches).toBeLessThan(steps * queries.length * 0.6);
});

it('asks again for what was asked for before events came, and for nothing when the stream is made again', async () => {
  const running = await start();
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const streams: AbortController[] = [];
  const late: typeof fetch = async (input, init) => {
    await opened;
    const controller = new AbortController();
    streams.push(controller);
    return fetch(input, { ...init, signal: controller.signal });
  };
  const client = createClient<TestApp>(rest(running.url), { events: sse(running.url, { fetch: late, maxDelay: 20 }) });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const service = client.service('messages');
  const stop = liveQuery(client, cache, { services: { messages: service }, gather: 1 });
  ends.push(
    () => running.stop(),
    () => {
      stop();
      client.close();
      cache.clear();
    },
  );
  let [connects, fetches] = [0, 0];
  client.on('connect', () => connects++);
  service.hooks({ before: { find: [() => void fetches++] } });
  const options = findOptions('messages', service, { query: { $sort: { id: 1 } } });
  ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
  await until(() => cache.isFetching() === 0);
  await running.app.service('messages').create({ text: 'early' });
  open();
  await until(() => connects === 1);
  await until(() => JSON.stringify(cache.getQueryData(options.queryKey)).includes('early'));
  streams[0]?.abort();
  await until(() => connects === 2);
  await running.app.service('messages').create({ text: 'later' });
  await until(() => JSON.stringify(cache.getQueryData(options.queryKey)).includes('later'));
  expect(fetches).toBe(2);
});

it('changes and asks for single records, forgets them with the login, and asks for all after a reset', async () => {
  const { cache, service, client, running } = await setUp();
  const { id } = await running.app.service('messages').create({ text: 'one' });
  const options = getOptions('messages', service, id);
  const shown = new QueryObserver(cache, options);
  ends.push(shown.subscribe(() => undefined));
  await until(() => shown.getCurrentResult().isSuccess);
  await running.app.service('messages').patch(id, { text: 'two' });
  await until(() => shown.getCurrentResult().data?.text === 'two');
  await running.app.service('messages').remove(id);
  await until(() => shown.getCurrentResult().isError);
  expect(shown.getCurrentResult().error).toMatchObject({ code: 404 });
  await running.app.service('notes').create({ text: 'old' });
  const notes = findOptions('notes', client.service('notes'));
  const list = await cache.fetchQuery(notes);
  expect(list).toMatchObject({ total: 1, data: [{ text: 'old' }] });
  await running.app.service('notes').create({ text: 'new' });
  await until(() => JSON.stringify(cache.getQueryData(notes.queryKey)).includes('new'));
  expect(cache.getQueryData(notes.queryKey)).toMatchObject({ total: 2, data: [{ text: 'old' }, { text: 'new' }] });
  await client.logout().catch(() => undefined);
  expect(cache.getQueryData(notes.queryKey)).toBeUndefined();
});

it.each([
  ['a number', { $skip: 1, $sort: { id: 1 as const } }],
  ['a text', { $skip: '1' as never, $sort: { id: 1 as const } }],
  ['a limit that is a text', { $limit: '1' as never, $sort: { id: 1 as const } }],
])('asks again for a list without a page that is cut by %s', async (_, query) => {
  const { cache, service, running } = await setUp();
  const messages = running.app.service('messages');
  await messages.create([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  const options = findOptions('messages', service, { query });
  ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
  await until(() => cache.getQueryData(options.queryKey) !== undefined);
  let removed = 0;
  service.on('removed', () => removed++);
  await messages.remove(1);
  await until(() => removed === 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await until(() => cache.isFetching() === 0);
  expect(cache.getQueryData(options.queryKey)).toEqual(await service.find({ query }));
});

it('has one key for a path with slashes and without', async () => {
  const { client } = await setUp();
  const { queryKey } = findOptions('/notes/', client.service('notes'));
  expect(queryKey).toEqual(findOptions('notes', client.service('notes')).queryKey);
});

it('follows services whose path is written with slashes', async () => {
  const { cache, client, running } = await setUp();
  await running.app.service('skips').create({ place: 1 });
  const skips = client.service('skips');
  ends.push(liveQuery(client, cache, { services: { '/skips': skips }, ids: { '/skips': 'id' }, gather: 1 }));
  const options = findOptions('skips', skips);
  await cache.fetchQuery(options);
  let changed = 0;
  skips.on('patched', () => changed++);
  await running.app.service('skips').patch(1, { place: 2 });
  await until(() => changed === 1);
  expect(cache.getQueryData(options.queryKey)).toMatchObject({ data: [{ id: 1, place: 2 }] });
});

it('knows the ids of a service by its path alone, and by no name that all objects have', async () => {
  const { app, url, stop } = await start();
  ends.push(stop);
  const stored = app.use('constructor', new MemoryService<{ id: number; text: string }>({ startId: 1 })).service('constructor');
  const client = createClient(rest(url), { events: sse(url) });
  ends.push(() => client.close());
  const cache = new QueryClient();
  const service = client.service('constructor');
  const connected = new Promise<void>((resolve) => client.on('connect', resolve));
  ends.push(liveQuery(client, cache, { services: { constructor: service } }));
  await connected;
  for (const text of ['one', 'two']) await stored.create({ text });
  const options = findOptions('constructor', service);
  await cache.fetchQuery(options);
  let changed = 0;
  service.on('patched', () => changed++);
  await stored.patch(2, { text: 'changed' });
  await until(() => changed === 1);
  expect(cache.getQueryData(options.queryKey)).toEqual([
    { id: 1, text: 'one' },
    { id: 2, text: 'changed' },
  ]);
});

it('asks again for all of a service whose event does not say by an id what has changed', async () => {
  const { app, url, stop } = await start();
  ends.push(stop);
  const stored = app.use('tasks', new MemoryService<{ _id: number; text: string }>({ id: '_id', startId: 1 })).service('tasks');
  stored.publish('removed', ({ text }) => app.channel('everybody').send({ gone: text }));
  const client = createClient(rest(url), { events: sse(url) });
  ends.push(() => client.close());
  const cache = new QueryClient();
  const service = client.service('tasks');
  const connected = new Promise<void>((resolve) => client.on('connect', resolve));
  ends.push(liveQuery(client, cache, { services: { tasks: service }, gather: 1 }));
  await connected;
  for (const text of ['one', 'two']) await stored.create({ text });
  const list = findOptions('tasks', service);
  const one = getOptions('tasks', service, 2);
  for (const options of [list, one]) ends.push(new QueryObserver<unknown>(cache, options).subscribe(() => undefined));
  await until(() => [list, one].every(({ queryKey }) => cache.getQueryData(queryKey) !== undefined));
  let removed = 0;
  service.on('removed', () => removed++);
  await stored.remove(2);
  await until(() => removed === 1);
  expect(cache.getQueryData(list.queryKey)).toEqual([
    { _id: 1, text: 'one' },
    { _id: 2, text: 'two' },
  ]);
  await until(() => JSON.stringify(cache.getQueryData(list.queryKey)) === '[{"_id":1,"text":"one"}]');
  await until(() => cache.getQueryState(one.queryKey)?.isInvalidated === true);
});

it('asks again for lists of a path with placeholders, of which an event does not say the values', async () => {
  const { app, url, stop } = await start();
  ends.push(stop);
  const path = 'users/:userId/memos';
  const stored = app.use(path, new MemoryService<{ id: number; userId: string }>({ startId: 1 })).service(path);
  stored.hooks({ before: { find: [({ params }) => void (params.query = { ...params.query, userId: params.route?.userId })] } });
  const client = createClient(rest(url), { events: sse(url) });
  ends.push(() => client.close());
  const cache = new QueryClient();
  const memos = client.service(path);
  const connected = new Promise<void>((resolve) => client.on('connect', resolve));
  ends.push(liveQuery(client, cache, { services: { [path]: memos }, gather: 1 }));
  await connected;
  const [own, others] = ['1', '2'].map((userId) => findOptions(path, memos, { route: { userId } })) as [
    CallOptions<unknown>,
    CallOptions<unknown>,
  ];
  for (const options of [own, others]) ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
  // What is on its way when an event comes is asked for again in any case.
  await until(() => [own, others].every(({ queryKey }) => cache.getQueryState(queryKey)?.status === 'success'));
  await stored.create({ userId: '1' });
  await until(() => (cache.getQueryData(own.queryKey) as object[] | undefined)?.length === 1);
  await stored.create({ userId: '2' });
  await until(() => (cache.getQueryData(others.queryKey) as object[] | undefined)?.length === 1);
  expect(cache.getQueryData(others.queryKey)).toEqual([{ userId: '2', id: 2 }]);
  expect(cache.getQueryData(own.queryKey)).toEqual([{ userId: '1', id: 1 }]);
});

describe('an answer that is on its way when an event comes', () => {
  /** A list whose answers wait, and an event that comes while one does. */
  async function missed() {
    const set = await setUp();
    const messages = set.running.app.service('messages');
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let asked = 0;
    messages.hooks({ after: { find: [() => (asked++ ? undefined : held)] } });
    const options = findOptions('messages', set.service, { query: {} });
    const write = async (): Promise<void> => {
      await until(() => asked === 1);
      const told = new Promise((resolve) => set.service.once('created', resolve));
      await messages.create({ text: 'new' });
      await told;
      // Longer than questions are gathered.
      await new Promise((resolve) => setTimeout(resolve, 20));
      letGo();
    };
    return { ...set, options, write };
  }

  it('is not what is shown in the end, though there was none before it', async () => {
    const { cache, options, write } = await missed();
    ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
    await write();
    await until(() => JSON.stringify(cache.getQueryData(options.queryKey) ?? []) !== '[]');
    expect(cache.getQueryData(options.queryKey)).toMatchObject([{ text: 'new' }]);
  });

  it('does not count as new where nobody shows it yet', async () => {
    const { cache, options, write } = await missed();
    const first = cache.fetchQuery(options);
    await write();
    expect(await first).toEqual([]);
    await until(() => cache.getQueryState(options.queryKey)?.isInvalidated === true);
    expect(await cache.fetchQuery(options)).toMatchObject([{ text: 'new' }]);
  });

  it('is waited for, and not given up for each of many events', async () => {
    const { cache, running, service } = await setUp();
    const messages = running.app.service('messages');
    const options = findOptions('messages', service, { query: { $limit: 1, $sort: { id: -1 } } });
    ends.push(new QueryObserver(cache, options).subscribe(() => undefined));
    await until(() => cache.isFetching() === 0);
    let given = 0;
    service.hooks({ error: { find: [() => void given++] } });
    messages.hooks({ after: { find: [() => new Promise<void>((resolve) => setTimeout(resolve, 20))] } });
    for (let place = 0; place < 30; place++) {
      await messages.create({ text: `${place}` });
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    await until(() => JSON.stringify(cache.getQueryData(options.queryKey)).includes('"29"'));
    expect(given).toBe(0);
  });
});

it('shows nobody what the user before has read', async () => {
  const { url, app, stop } = await start();
  ends.push(stop);
  const bob = { ...LOGIN, email: 'bob@example.com' };
  await app.service('users').create({ email: bob.email, password: bob.password });
  const client = createClient<TestApp>(rest(url), { events: sse(url) });
  ends.push(() => client.close());
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const who = client.service('who');
  ends.push(liveQuery(client, cache, { services: {} }));
  await client.authenticate(LOGIN);
  const shown = new QueryObserver(cache, findOptions('who', who));
  ends.push(shown.subscribe(() => undefined));
  const hidden = findOptions('who', who, { query: { also: 1 } as never });
  await cache.fetchQuery(hidden);
  await until(() => shown.getCurrentResult().data?.email === LOGIN.email);
  await client.authenticate(bob);
  expect(shown.getCurrentResult().data).toBeUndefined();
  expect(cache.getQueryData(hidden.queryKey)).toBeUndefined();
  await until(() => shown.getCurrentResult().data?.email === bob.email);
  await client.logout();
  expect(shown.getCurrentResult().data).toBeUndefined();
  await until(() => shown.getCurrentResult().isError);
});
