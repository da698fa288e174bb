import { channels, realTimeOf, type CloseReason, type Subscriber } from '@framework/channels';
import { framework } from '@framework/core';
import { Random, Variety } from '@framework-internal/random';
import { noteLeftOut } from '@framework-internal/testing';
import { startNetwork } from '@framework-internal/testing/network';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@framework-internal/testing/free-port';
import { hasRedis, startRedis, type RedisServer } from '@framework-internal/testing/redis';
import { createClient } from 'redis';
import { redisEventLog, type RedisClient, type RedisEventLogOptions } from '../src/index.ts';
import { entriesOf, parseId, readEntriesOf } from '../src/redis-client.ts';

if (!hasRedis) noteLeftOut('left out: events in Redis (no redis-server is installed)');

interface Listener {
  readonly numbers: number[];
  readonly positions: (string | undefined)[];
  position: string | undefined;
  closed: CloseReason | undefined;
  readonly connection: Record<string, unknown>;
}

interface Process {
  readonly app: any;
  /** @returns `undefined` when an offset can not be resumed from */
  open(offset?: string, connection?: Record<string, unknown>): Listener | undefined;
  /** As {@link open}, once the process has read as far as the one that told the offset. */
  resume(offset: string | undefined): Promise<Listener | undefined>;
  create(number: number): void;
  stop(): Promise<void>;
}

const processes: Process[] = [];
let key = 0;

afterEach(() => {
  jest.restoreAllMocks();
});

function connectTo(url: string, options: object = {}): Client {
  return createClient({ url, ...options }).on('error', () => undefined) as unknown as Client;
}

type Client = RedisClient & { destroy(): void };

async function start(to: string | Client, name: string, options: RedisEventLogOptions = {}): Promise<Process> {
  const client = typeof to === 'string' ? connectTo(to) : to;
  const app: any = framework();
  app.configure(channels({ log: redisEventLog(client, { key: name, gather: 1, ...options }) }));
  app.use('notes', { find: async () => [] });
  app.service('notes').publish(({ odd }: any) => {
    const all = app.channel('everybody');
    return odd ? all.filter((connection: any) => connection.odd) : all;
  });
  await app.setup();
  const { hub } = realTimeOf(app);
  const started: Process = {
    app,
    open(offset, connection = {}) {
      if (offset !== undefined && !hub.canResume(offset)) return undefined;
      const listener: Listener = { numbers: [], positions: [], position: undefined, closed: undefined, connection };
      const transport: Subscriber['transport'] = {
        send: ({ text, position }) => {
          listener.numbers.push(JSON.parse(text).number);
          listener.positions.push(position);
          listener.position = position;
        },
        mark: (position) => void (listener.position = position),
      };
      const subscriber = {
        connection,
        transport,
        queued: 0,
        whenDrained: setImmediate,
        close: (reason: CloseReason) => (listener.closed = reason),
      };
      hub.open(subscriber as unknown as Subscriber, offset);
      app.channel('everybody').join(connection);
      hub.ready(connection);
      return listener;
    },
    async resume(offset) {
      await hub.reach(offset);
      return started.open(offset);
    },
    create: (number) => app.service('notes').emit('created', { number }),
    async stop() {
      await app.teardown();
      client.destroy();
    },
  };
  processes.push(started);
  return started;
}

/** @returns what timers of so many milliseconds are to do, which they do when it is called; the last one comes last */
function timersOf(milliseconds: number): (() => void)[] {
  const rings: (() => void)[] = [];
  const { setTimeout: real } = globalThis;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number) => {
    if (delay === milliseconds) rings.push(ring);
    return real(ring, delay);
  }) as never);
  return rings;
}

async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);

(hasRedis ? describe : describe.skip)('events of several processes over Redis', () => {
  let redis: RedisServer;
  let name: string;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((each) => each.stop()));
  });
  afterAll(() => redis.kill());

  async function startTwo(options: RedisEventLogOptions = {}): Promise<[Process, Process]> {
    name = `events${String(++key)}`;
    return [await start(redis.url, name, options), await start(redis.url, name, options)];
  }

  it('reach the connections of all in one order, each process in the order in which it made them', async () => {
    const seed = Number(process.env.LOG_SEED ?? 20261122);
    const random = new Random(seed);
    const variety = new Variety();
    const [one, two] = await startTwo();
    const [a, b] = [one.open(), two.open()];
    const made: number[][] = [[], []];
    for (const number of upTo(400)) {
      const from = random.below(2);
      variety.tried(`${number} ${from}`);
      variety.took(`process ${from}`);
      made[from]?.push(number);
      [one, two][from]?.create(number);
      if (random.oneIn(8)) await new Promise((resolve) => setTimeout(resolve, random.below(3)));
    }
    await until(() => a?.numbers.length === 400 && b?.numbers.length === 400);
    console.log(variety.report('events in two processes', seed));
    variety.expect(400, { 'process 0': 150, 'process 1': 150 });
    expect(b?.numbers).toEqual(a?.numbers);
    expect(sorted(a?.numbers ?? [])).toEqual(upTo(400));
    for (const own of made) expect(a?.numbers.filter((number) => own.includes(number))).toEqual(own);
  });

  it('are resumed with any process, in the middle of what was stored together too, and with one that has started since', async () => {
    const [one, two] = await startTwo();
    const listener = one.open();
    for (const number of upTo(6)) one.create(number);
    await until(() => listener?.numbers.length === 6);
    const three = await start(redis.url, name);
    const rest = await Promise.all([two, three].flatMap((each) => upTo(6).map((number) => each.resume(listener?.positions[number]))));
    one.create(6);
    await until(() => rest.every((each) => each?.numbers.includes(6)));
    expect(rest.map((each) => each?.numbers)).toEqual([...upTo(6), ...upTo(6)].map((number) => upTo(7).slice(number + 1)));
    // What is older than what it has read is not known to a process.
    const late = await start(redis.url, name, { replay: 0 });
    expect(late.open(listener?.positions[0])).toBeUndefined();
    const [other] = await startTwo();
    expect(other.open(listener?.positions[0])).toBeUndefined();
  });

  it('are resumed once the application was ended and has begun again', async () => {
    const [one] = await startTwo();
    const [gone, stays] = [one.open(), one.open()];
    one.create(0);
    await until(() => gone?.position !== undefined && gone.numbers.length === 1);
    one.app.emit('disconnect', gone?.connection);
    one.create(1);
    await until(() => stays?.numbers.includes(1));
    await one.app.teardown();
    await one.app.setup();
    const back = await one.resume(gone?.position);
    one.create(2);
    await until(() => back?.numbers.includes(2));
    expect(back?.numbers).toEqual([1, 2]);
  });

  it('with filters are told to those who pass in each process', async () => {
    const [one, two] = await startTwo();
    const listeners = [one, two].flatMap((each) => [each.open(undefined, { odd: true }), each.open()]);
    one.app.service('notes').emit('created', { number: 1, odd: true });
    one.create(2);
    await until(() => listeners.every((each) => each?.numbers.includes(2)));
    expect(listeners.map((each) => each?.numbers)).toEqual([[1, 2], [2], [1, 2], [2]]);
  });

  it('are not lost when the network to Redis is cut', async () => {
    const [one] = await startTwo();
    const between = await startNetwork(redis.port);
    const cut = await start(between.url.replace('http', 'redis'), name);
    const listener = cut.open();
    for (const round of upTo(4)) {
      await between.cut(async () => {
        for (const number of upTo(5)) one.create(round * 5 + number);
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      await until(() => listener?.numbers.length === (round + 1) * 5);
    }
    expect([listener?.numbers, listener?.closed]).toEqual([upTo(20), undefined]);
    await processes.pop()?.stop();
    between.stop();
  });

  it('are told behind what others have written into the stream', async () => {
    const [one, two] = await startTwo();
    const listeners = [one.open(), two.open()];
    const client = await createClient({ url: redis.url }).connect();
    for (const entries of [
      'no JSON',
      'null',
      '{}',
      '[null]',
      '[{"key":"a"}]',
      '[{"key":"a","path":"notes","event":"created","text":5,"targets":[]}]',
      '[{"key":"a","path":"notes","event":"created","text":"{}","targets":[null]}]',
      '[{"key":"a","path":"notes","event":"created","text":"{}","targets":[{"channel":5}]}]',
      '[{"key":"a","path":"notes","event":"created","text":"{}","targets":[{"channel":"everybody","text":5}]}]',
      '[{"key":"a","path":"notes","event":"created","text":"no JSON","targets":[{"channel":"everybody"}]}]',
      '[{"key":"b","path":"notes","event":"created","text":"{\\n}","targets":[{"channel":"everybody"}]}]',
      '[{"key":"c","path":"notes","event":"created","text":"{}","targets":[{"channel":"everybody","text":"no JSON"}]}]',
      '[{"key":"d","path":"notes\\n\\n","event":"created","text":"{}","targets":[{"channel":"everybody"}]}]',
      '[{"key":"e","path":"notes","event":"created\\rdata: x","text":"{}","targets":[{"channel":"everybody"}]}]',
    ])
      await client.xAdd(name, '*', { entries });
    await client.xAdd(name, '*', { other: 'field' });
    for (const epoch of ['', 'another\n\ndata: x', 'x'.repeat(25)]) await client.xAdd(name, '*', { epoch });
    client.destroy();
    one.create(1);
    two.create(2);
    await until(() => listeners.every((each) => each?.numbers.length === 2));
    expect(listeners.map((each) => [sorted(each?.numbers ?? []), each?.closed])).toEqual([
      [[1, 2], undefined],
      [[1, 2], undefined],
    ]);
  });

  it('have positions that clients can tell also where others have written in place of what the stream is called', async () => {
    await startTwo();
    const client = await createClient({ url: redis.url }).connect();
    await client.set(`${name}:epoch`, 'not ours\n\ndata: x');
    await client.xTrim(name, 'MAXLEN', 0);
    client.destroy();
    const third = await start(redis.url, name);
    const listener = third.open();
    third.create(1);
    await until(() => listener?.numbers.length);
    expect((await third.resume(listener?.position))?.numbers).toEqual([]);
  });

  it('that a process has missed, because the stream keeps no more, are told to be lost', async () => {
    const [one] = await startTwo({ keep: 1 });
    const between = await startNetwork(redis.port);
    const cut = await start(between.url.replace('http', 'redis'), name, { keep: 1 });
    const [here, there] = [one.open(), cut.open()];
    one.create(0);
    await until(() => there?.numbers.length === 1);
    await between.cut(async () => {
      for (const number of upTo(400)) {
        one.create(number + 1);
        await until(() => here?.numbers.includes(number + 1));
      }
    });
    await until(() => there?.closed);
    expect(there?.closed).toBe('events lost');
    cut.app.emit('disconnect', there?.connection);
    expect(cut.open(there?.position)).toBeUndefined();
    const next = cut.open();
    one.create(500);
    await until(() => next?.numbers.includes(500));
    await processes.pop()?.stop();
    between.stop();
  });

  it('that a process that was asleep has missed of a stream that keeps few are told to be lost', async () => {
    const [one] = await startTwo({ keep: 20 });
    const listener = one.open();
    one.create(0);
    await until(() => listener?.numbers.length === 1);
    const client = await createClient({ url: redis.url }).connect();
    const texts = upTo(300).map((number) =>
      JSON.stringify([
        { key: `k${number}`, path: 'notes', event: 'created', text: `{"number":${number}}`, targets: [{ channel: 'everybody' }] },
      ]),
    );
    // Nobody reads before the last of them is there.
    await client.eval("for _, text in ipairs(ARGV) do redis.call('XADD', KEYS[1], 'MAXLEN', '~', 100, '*', 'entries', text) end", {
      keys: [name],
      arguments: texts,
    });
    client.destroy();
    await until(() => listener?.closed ?? (listener?.numbers.length ?? 0) > 1);
    expect([listener?.closed, listener?.numbers]).toEqual(['events lost', [0]]);
  });

  it('are stored once when the connection is lost before or behind a write, and refused as Redis refuses them', async () => {
    name = `events${String(++key)}`;
    const client = connectTo(redis.url);
    const send = client.sendCommand.bind(client);
    let lose: 'request' | 'answer' | undefined;
    client.sendCommand = async (command) => {
      const lost = command.includes('entries') ? lose : undefined;
      if (lost) lose = undefined;
      if (lost === 'request') throw new Error('Socket closed unexpectedly');
      const answer = await send(command);
      if (lost === 'answer') throw new Error('Socket closed unexpectedly');
      return answer;
    };
    const [one, two] = [await start(client, name), await start(redis.url, name)];
    const errors: string[] = [];
    one.app.on('listenerError', (error: Error) => errors.push(error.message));
    const listeners = [one.open(), two.open()];
    for (const [number, what] of (['request', 'answer', undefined] as const).entries()) {
      lose = what;
      one.create(number);
      await until(() => listeners.every((each) => each?.numbers.includes(number)));
    }
    expect(listeners.map((each) => each?.numbers)).toEqual([upTo(3), upTo(3)]);
    await send(['DEL', name]);
    await send(['SET', name, 'no stream']);
    one.create(3);
    await until(() => errors.length > 0);
    expect(errors).toEqual([expect.stringMatching(/^WRONGTYPE /)]);
    await send(['DEL', name]);
    client.destroy();
    one.create(4);
    await until(() => errors.length > 1);
    expect(errors[1]).toBe('The client is closed');
  });

  it('are told once when the answer to a write of several is lost, and Redis refuses it when it comes again', async () => {
    name = `events${String(++key)}`;
    const client = connectTo(redis.url);
    const send = client.sendCommand.bind(client);
    const fates = ['answer lost', 'refused'];
    client.sendCommand = async (command) => {
      const fate = command.includes('entries') ? fates.shift() : undefined;
      if (fate === 'refused') throw new Error('ERR not at present');
      const answer = await send(command);
      if (fate !== undefined) throw new Error('Socket closed unexpectedly');
      return answer;
    };
    const [one, two] = [await start(client, name), await start(redis.url, name)];
    const listeners = [one.open(), two.open()];
    for (const number of upTo(3)) one.create(number);
    await until(() => fates.length === 0);
    one.create(3);
    await until(() => listeners.every((each) => each?.numbers.includes(3)));
    expect(listeners.map((each) => each?.numbers)).toEqual([upTo(4), upTo(4)]);
    const three = await start(redis.url, name);
    for (const each of listeners) expect((await three.resume(each?.position))?.numbers).toEqual([]);
  });

  it('are stored once when what is stored in two parts is refused in the second', async () => {
    name = `events${String(++key)}`;
    const client = connectTo(redis.url);
    const send = client.sendCommand.bind(client);
    client.sendCommand = async (command) => {
      if ((command.at(-1)?.length ?? 0) > 8_000_000) throw new Error('ERR max request size exceeded');
      return send(command);
    };
    const one = await start(client, name);
    const listener = one.open();
    one.app.on('listenerError', () => undefined);
    for (const number of upTo(3)) one.create(number);
    one.app.service('notes').emit('created', { number: 3, text: 'x'.repeat(8_000_000) });
    one.create(4);
    await until(() => listener?.numbers.includes(4));
    expect(listener?.numbers).toEqual([0, 1, 2, 4]);
  });

  it('come again where the client has given up to reach Redis', async () => {
    const [one] = await startTwo();
    const between = await startNetwork(redis.port);
    const url = between.url.replace('http', 'redis');
    const client = connectTo(url, { socket: { reconnectStrategy: false } });
    let isReading = false;
    const duplicate = client.duplicate.bind(client);
    client.duplicate = () => {
      const reading = duplicate();
      reading.on('error', () => (isReading = false));
      return reading;
    };
    const cut = await start(client, name);
    const listener = cut.open();
    isReading = true;
    await between.cut(() => until(() => !isReading));
    one.create(1);
    await until(() => listener?.numbers.includes(1));
    expect([listener?.numbers, listener?.closed]).toEqual([[1], undefined]);
    await processes.pop()?.stop();
    between.stop();
  });

  it('of which a client has got a part elsewhere are told to be lost by a process that begins behind them', async () => {
    const [one] = await startTwo({ keep: 100 });
    const between = await startNetwork(redis.port);
    const late = await start(between.url.replace('http', 'redis'), name, { keep: 100 });
    const [here, there] = [one.open(), late.open()];
    one.create(0);
    await until(() => there?.numbers.length === 1);
    await between.cut(async () => {
      for (const number of upTo(400)) {
        one.create(number + 1);
        await until(() => here?.numbers.includes(number + 1));
      }
      // One write of three, which is the last that is there when the other one is back.
      for (const number of [500, 501, 502]) one.create(number);
      await until(() => here?.numbers.includes(502));
    });
    await until(() => there?.closed);
    const stored = here?.numbers.length ?? 0;
    const positions = (here?.positions ?? []).slice(stored - 3);
    expect(here?.numbers.slice(stored - 3)).toEqual([500, 501, 502]);
    expect(new Set(positions.map((position) => position?.split('.').slice(0, 3).join('.'))).size).toBe(1);
    const [next, other] = [late.open(), one.open()];
    // Where it begins is a place for the others too.
    expect(next?.position).toBe(positions[2]);
    one.create(600);
    await until(() => next?.numbers.length && other?.numbers.length);
    expect([next?.numbers, other?.numbers]).toEqual([[600], [600]]);
    // It has the rest of none but the last of them.
    expect(positions.map((position) => late.open(position)?.numbers)).toEqual([undefined, undefined, [600]]);
    await processes.pop()?.stop();
    between.stop();
  });

  it('come again over another connection when nothing comes over the one that was there', async () => {
    const [one] = await startTwo();
    const client = connectTo(redis.url);
    let dead: ((error: Error) => void)[] | undefined = [];
    const duplicate = client.duplicate.bind(client);
    client.duplicate = () => {
      const reading = duplicate();
      const [send, destroy] = [reading.sendCommand.bind(reading), reading.destroy.bind(reading)];
      reading.sendCommand = (command) =>
        dead && command[0] === 'XREAD' && started ? new Promise((_resolve, reject) => dead?.push(reject)) : send(command);
      reading.destroy = () => {
        destroy();
        for (const reject of dead ?? []) reject(new Error('Disconnects client'));
        dead = undefined;
      };
      return reading;
    };
    let started = false;
    const rings = timersOf(10_000);
    const silent = await start(client, name);
    const listener = silent.open();
    one.create(0);
    await until(() => listener?.numbers.length === 1);
    started = true;
    // Its next question is the one that nobody answers.
    one.create(1);
    await until(() => dead?.length);
    one.create(2);
    rings.at(-1)?.();
    await until(() => listener?.numbers.includes(2));
    expect([listener?.numbers, listener?.closed]).toEqual([upTo(3), undefined]);
  });

  it('are stored over another connection when nothing comes over that of the application, which is left as it is', async () => {
    const [one] = await startTwo();
    const listener = one.open();
    const connections = async (): Promise<number> => {
      const asking = await createClient({ url: redis.url }).connect();
      const { length } = await asking.clientList();
      asking.destroy();
      return length;
    };
    const before = await connections();
    const client = connectTo(redis.url);
    const send = client.sendCommand.bind(client);
    let isDead = false;
    client.sendCommand = (command) => (isDead ? new Promise(() => undefined) : send(command));
    const rings = timersOf(20_000);
    const silent = await start(client, name);
    isDead = true;
    const asked = rings.length;
    silent.create(0);
    await until(() => rings.length > asked);
    silent.create(1);
    rings.at(-1)?.();
    await until(() => listener?.numbers.length === 2);
    silent.create(2);
    await until(() => listener?.numbers.length === 3);
    expect([listener?.numbers, client.isOpen]).toEqual([upTo(3), true]);
    await processes.pop()?.stop();
    await until(async () => (await connections()) === before);
  });

  it('that Redis has forgotten, as one does that comes up with an older state, are told to be lost by all processes', async () => {
    const [one] = await startTwo();
    const between = await startNetwork(redis.port);
    const cut = await start(between.url.replace('http', 'redis'), name);
    const listeners = [one.open(), cut.open()];
    one.create(0);
    await until(() => listeners.every((each) => each?.numbers.length === 1));
    const client = await createClient({ url: redis.url }).connect();
    const newest = (await client.xRevRange(name, '+', '-', { COUNT: 1 }))?.[0];
    await client.xDel(name, String(newest?.id));
    client.destroy();
    await between.cut();
    await until(() => listeners.every((each) => each?.closed));
    expect([one, cut].map((each) => each.open(listeners[0]?.position))).toEqual([undefined, undefined]);
    const next = [one.open(), cut.open()];
    one.create(1);
    cut.create(2);
    await until(() => next.every((each) => each?.numbers.length === 2));
    expect(next[0]?.numbers).toEqual(next[1]?.numbers);
    // Both go on in the same stream.
    expect((await cut.resume(next[0]?.positions[0]))?.numbers).toEqual(next[0]?.numbers.slice(1));
    await processes.pop()?.stop();
    between.stop();
  });

  it('that Redis has forgotten are told to be lost also where something new was stored since', async () => {
    const [one] = await startTwo();
    const networks = await Promise.all([startNetwork(redis.port), startNetwork(redis.port)]);
    const [read, unread] = networks;
    const has = await start(read.url.replace('http', 'redis'), name);
    const hasNot = await start(unread.url.replace('http', 'redis'), name);
    const listeners = [one.open(), has.open(), hasNot.open()];
    one.create(0);
    await until(() => listeners.every((each) => each?.numbers.length === 1));
    const client = await createClient({ url: redis.url }).connect();
    // Another server takes over that never had the second one.
    await unread.cut(async () => {
      one.create(1);
      await until(() => listeners[1]?.numbers.length === 2);
      await read.cut(async () => {
        const newest = (await client.xRevRange(name, '+', '-', { COUNT: 1 }))?.[0];
        await client.xDel(name, String(newest?.id));
        one.create(2);
        await until(() => listeners[0]?.numbers.length === 3);
      });
    });
    client.destroy();
    await until(() => listeners.every((each) => each?.closed));
    expect(listeners[2]?.numbers).not.toContain(1);
    for (const network of networks) {
      await processes.pop()?.stop();
      network.stop();
    }
  });

  it('that Redis has forgotten while it could not be read are not taken for told once there is something new', async () => {
    await startTwo();
    const between = await startNetwork(redis.port);
    const cut = await start(between.url.replace('http', 'redis'), name);
    const listener = cut.open();
    cut.create(0);
    await until(() => listener?.numbers.length);
    const { position } = listener ?? {};
    const client = await createClient({ url: redis.url }).connect();
    await between.cut(() => client.del(name));
    client.destroy();
    await until(() => listener?.closed);
    const next = cut.open(undefined, {});
    cut.create(1);
    await until(() => next?.closed ?? next?.numbers.length);
    expect(cut.open(position)).toBeUndefined();
    await processes.pop()?.stop();
    between.stop();
  });

  it.each([[['DEL']], [['FLUSHDB']], [['DEL', 'XADD']]])(
    'that Redis has forgotten before they were read, over connections that went on, are told to be lost: by %j',
    async ([forgets = '', fills]) => {
      const processesOfOne = await startTwo();
      const [one, two] = processesOfOne;
      const listeners = processesOfOne.map((each) => each.open());
      one.create(0);
      await until(() => listeners.every((each) => each?.numbers.length === 1));
      const position = listeners[0]?.position;
      const client = await createClient({ url: redis.url }).connect();
      const entries = JSON.stringify([{ key: 'k', path: 'notes', event: 'created', text: '{"number":1}', targets: [], at: 0 }]);
      const all = client.multi().addCommand(['XADD', name, '*', 'entries', entries]);
      await (forgets === 'DEL' ? all.del(name) : all.flushDb()).exec();
      // Another process has noticed it meanwhile.
      if (fills !== undefined) two.create(2);
      one.create(3);
      await until(() => listeners.every((each) => each?.closed));
      expect(processesOfOne.map((each) => each.open(position))).toEqual([undefined, undefined]);
      client.destroy();
      // Both go on in one stream, once all that notice it have told so: each of them may, after the others.
      const next = processesOfOne.map((each) => each.open(undefined, {}));
      const goesOn = (number: number): boolean => next.every((each) => each?.closed === undefined && each?.numbers.includes(number));
      let number = 4;
      for (; !goesOn(number - 1); number++) {
        for (const [index, each] of processesOfOne.entries()) if (next[index]?.closed) next[index] = each.open(undefined, {});
        processesOfOne[number % 2]?.create(number);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await until(() => next[0]?.position === next[1]?.position);
      expect(next[0]?.position).toEqual(expect.any(String));
    },
  );

  it('of a Redis that was killed and knows nothing any more are told to be lost, and go on', async () => {
    const mortal = await startRedis();
    const [one, two] = [await start(mortal.url, 'mortal'), await start(mortal.url, 'mortal')];
    const [a, b] = [one.open(), two.open()];
    one.create(0);
    await until(() => a?.numbers.length === 1 && b?.numbers.length === 1);
    await mortal.kill();
    const again = await startRedis(mortal.port);
    await until(() => a?.closed && b?.closed);
    expect([one.open(a?.position), two.open(b?.position)]).toEqual([undefined, undefined]);
    const next = [one.open(undefined, {}), two.open(undefined, {})];
    one.create(1);
    two.create(2);
    await until(() => next.every((each) => each?.numbers.length === 2));
    expect(next[0]?.numbers).toEqual(next[1]?.numbers);
    await Promise.all(processes.splice(0).map((each) => each.stop()));
    await again.kill();
  });
});

describe('a log in Redis', () => {
  const logOf = (client: Client): ReturnType<typeof redisEventLog> => redisEventLog(client, { key: 'events' });

  (hasRedis ? it : it.skip)('says at once what Redis refuses it with', async () => {
    const redis = await startRedis(undefined, ['--requirepass', 'secret']);
    const client = connectTo(redis.url.replace('//', '//:wrong@'));
    await expect(logOf(client).start()).rejects.toThrow(/^WRONGPASS /);
    expect(client.isOpen).toBe(false);
    const owner = await createClient({ url: redis.url.replace('//', '//:secret@') }).connect();
    await owner.sendCommand(['ACL', 'SETUSER', 'writer', 'on', '>secret', '~*', '+@all', '-xread']);
    owner.destroy();
    const writer = connectTo(redis.url.replace('//', '//writer:secret@'));
    await expect(logOf(writer).start()).rejects.toThrow(/^NOPERM .*xread/);
    writer.destroy();
    await redis.kill();
  });

  (hasRedis ? it : it.skip)('tells once what keeps it from reading while it runs, and goes on when that is over', async () => {
    const redis = await startRedis();
    const owner = await createClient({ url: redis.url }).connect();
    const allow = (rule: string): Promise<unknown> => owner.sendCommand(['ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '+@all', rule]);
    await allow('+xread');
    const reader = connectTo(redis.url.replace('//', '//reader:secret@'));
    const process = await start(reader, 'refused');
    const listener = process.open();
    const told: unknown[] = [];
    process.app.on('listenerError', (error: Error, source: unknown) => told.push([error.message, source]));
    await allow('-xread');
    await owner.sendCommand(['CLIENT', 'KILL', 'USER', 'reader']);
    await until(() => JSON.stringify(told).includes('NOPERM'));
    await allow('+xread');
    process.create(1);
    await until(() => listener?.numbers.length);
    expect(listener?.numbers).toEqual([1]);
    expect(new Set(told.map((entry) => JSON.stringify(entry))).size).toBe(told.length);
    expect(told).toContainEqual([
      expect.stringMatching(/^Events can not be read from their log at present, and it is tried again: NOPERM .*xread/),
      { path: '', event: null },
    ]);
    await process.stop();
    owner.destroy();
    await redis.kill();
  });

  (hasRedis ? it : it.skip).each([
    ['its memory is full', 'maxmemory', '1', '0', /^Events can not be stored in their log at present, and it is tried again: OOM /],
    ['too few follow it', 'min-replicas-to-write', '1', '0', /^Events can not be stored in their log .* again: NOREPLICAS /],
  ])(
    'tells once that Redis takes no events because %s, and each time anew, and stores them when that is over',
    async (_why, ...setting) => {
      const [name, full, free, text] = setting;
      const redis = await startRedis();
      const owner = await createClient({ url: redis.url }).connect();
      const process = await start(connectTo(redis.url), 'full');
      const listener = process.open();
      const told: unknown[] = [];
      process.app.on('listenerError', (error: Error, source: unknown) => told.push([error.message, source]));
      for (const time of [1, 2]) {
        await owner.sendCommand(['CONFIG', 'SET', name, full]);
        process.create(time);
        await until(() => told.length === time);
        // It is tried again a few times more.
        await new Promise((resolve) => setTimeout(resolve, 700));
        await owner.sendCommand(['CONFIG', 'SET', name, free]);
        await until(() => listener?.numbers.length === time);
      }
      expect(listener?.numbers).toEqual([1, 2]);
      expect(told).toEqual(Array(2).fill([expect.stringMatching(text), { path: '', event: null }]));
      await process.stop();
      owner.destroy();
      await redis.kill();
    },
  );

  it('says in time that Redis can not be reached, and by what', async () => {
    const client = connectTo(`redis://127.0.0.1:${await freePort()}`);
    const rings = timersOf(30_000);
    const refused = new Promise((resolve) => {
      const duplicate = client.duplicate.bind(client);
      client.duplicate = () => {
        const reading = duplicate();
        reading.on('error', resolve);
        return reading;
      };
    });
    const started = expect(logOf(client).start()).rejects.toThrow(/^Redis could not be reached.*: connect ECONNREFUSED/);
    await refused;
    for (const ring of rings) ring();
    await started;
    expect(client.isOpen).toBe(false);
  });

  it('refuses options that are not what they have to be', () => {
    const client = createClient();
    const bad = [{ kee: 1 }, { key: '' }, { key: 5 }, { keep: 0 }, { keep: 1.5 }, { replay: -1 }, { gather: 'x' }];
    for (const options of bad) expect(() => redisEventLog(client, options as never)).toThrow(TypeError);
  });

  it('reads answers of both protocols, and refuses others', () => {
    const entries = [['5-1', ['mark', '1']]];
    const read = [[['events', entries]], { events: entries }, new Map([['events', entries]])].map(readEntriesOf);
    expect(read).toEqual([1, 2, 3].map(() => [{ id: [5, 1], fields: { mark: '1' } }]));
    expect(readEntriesOf(null)).toEqual([]);
    expect(() => entriesOf('OK')).toThrow('no list');
    expect(() => parseId('5')).toThrow("'5'");
  });
});
