import { framework } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { channels, realTimeOf, type EventLog, type LogEntry, type Subscriber } from '../src/index.ts';
import { SharedLog } from './shared-log.ts';

type App = any;

function create(log: EventLog, publish: (app: App, data: any, context: any) => unknown = (app) => app.channel('all')): App {
  const app = framework() as App;
  app.configure(channels({ log }));
  app.use('notes', new MemoryService({ multi: true }));
  app.use('other', new MemoryService());
  app.publish(() => app.channel('all'));
  app.service('notes').publish((data: unknown, context: unknown) => publish(app, data, context));
  return app;
}

interface Heard {
  readonly got: string[];
  readonly closed: string[];
  readonly connection: Record<string, unknown>;
}

function listen(app: App, connection: Record<string, unknown> = {}): Heard {
  const heard: Heard = { got: [], closed: [], connection };
  const subscriber: Subscriber = {
    connection,
    queued: 0,
    transport: { send: ({ name, text }) => void heard.got.push(`${name} ${text}`), mark: () => undefined },
    whenDrained: (callback) => void setImmediate(callback),
    close: (reason) => void heard.closed.push(reason),
  };
  realTimeOf(app).hub.open(subscriber);
  app.channel('all').join(connection);
  return heard;
}

async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

afterEach(() => {
  jest.restoreAllMocks();
});

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('entries of another application', () => {
  it('are plain data in the log, and wait for those in front of them that take time', async () => {
    const log = new SharedLog();
    const slowly = async (app: App, data: any, { remote }: any): Promise<unknown> => {
      if (remote) await wait(30 - data.id * 10);
      return app.channel('all').filter((connection: any) => connection.from <= data.id);
    };
    const [one, two] = [create(log.member(), slowly), create(log.member(), slowly)];
    const [here, there] = [listen(one, { from: 0 }), listen(two, { from: 1 })];
    for (const id of [0, 1, 2]) await one.service('notes').create({ id });
    await until(() => here.got.length === 3);
    await one.service('other').create({ id: 3 });
    await until(() => there.got.length === 3);
    expect(there.got).toEqual(['notes created {"id":1}', 'notes created {"id":2}', 'other created {"id":3}']);
    expect(here.got.slice(0, 3)).toEqual(['notes created {"id":0}', 'notes created {"id":1}', 'notes created {"id":2}']);
    expect(log.entries.map(({ targets }) => targets)).toEqual([
      ...[0, 1, 2].map(() => [{ channel: 'all', filtered: true }]),
      [{ channel: 'all' }],
    ]);
    expect(new Set(log.entries.map(({ key }) => key)).size).toBe(4);
  });

  it('and changes that a log tells, wait for each other, and for what was lost', async () => {
    const log = new SharedLog();
    const app = create(log.member({ watched: ['notes'] }), async (app_: App, data: any) => {
      await wait(10);
      return app_.channel('all').filter(() => data.id > 0);
    });
    const heard = listen(app);
    await app.service('notes').create({ id: 5 });
    for (const id of [0, 1]) log.change({ path: 'notes', event: 'patched', record: { id }, at: 0 });
    log.change({ path: 'nowhere', event: 'patched', record: {}, at: 0 });
    await app.service('other').create({ id: 2 });
    log.lose();
    expect([heard.got, heard.closed]).toEqual([[], []]);
    await until(() => heard.closed.length > 0);
    expect(heard.got).toEqual(['notes patched {"id":1}', 'other created {"id":2}']);
    expect(log.entries).toHaveLength(1);
  });

  it('reach nobody when the publisher fails, and those behind them reach everybody', async () => {
    const log = new SharedLog();
    const failing = (app: App, data: any, { remote }: any): unknown => {
      if (remote && data.id === 0) throw new Error('not here');
      return app.channel('all').filter(() => true);
    };
    const [one, two] = [create(log.member(), failing), create(log.member(), failing)];
    const errors: unknown[] = [];
    two.on('listenerError', (error: Error, source: unknown) => errors.push([error.message, source]));
    const heard = listen(two);
    for (const id of [0, 1]) await one.service('notes').create({ id });
    await until(() => heard.got.length === 1);
    expect([heard.got, errors]).toEqual([['notes created {"id":1}'], [['not here', { path: 'notes', event: 'created' }]]]);
  });
});

describe('a log', () => {
  it('that gathers gets what comes together in one go, and those that wait are told what keeps it from being stored', async () => {
    const log = new SharedLog();
    const app = create(log.member({ gather: 5 }));
    const heard = listen(app);
    for (const id of [0, 1, 2]) app.service('notes').emit('created', { id });
    await until(() => heard.got.length === 3);
    expect(log.appends).toBe(1);
    const errors: string[] = [];
    app.on('listenerError', (error: Error) => errors.push(error.message));
    log.fail = new Error('full');
    for (const id of [3, 4]) app.service('notes').emit('created', { id });
    await until(() => errors.length === 2);
    log.fail = undefined;
    app.service('notes').emit('created', { id: 5 });
    await app.setup();
    await app.teardown();
    // Together, then each by itself.
    expect([errors, heard.got.slice(3), log.appends]).toEqual([['full', 'full'], ['notes created {"id":5}'], 5]);
  });

  it('that refuses one event takes those that were gathered with it, in their order', async () => {
    const log = new SharedLog();
    const { append, ...member } = log.member({ gather: 5 });
    const app = create({
      ...member,
      latest: [0],
      append: async (entries) => {
        if (entries.some(({ text }) => text.includes('large'))) throw new Error('too large');
        await append(entries);
      },
    });
    const heard = listen(app);
    const errors: unknown[] = [];
    app.on('listenerError', (error: Error) => errors.push(error.message));
    for (const text of ['a', 'large', 'b', 'c']) app.service('notes').emit('created', { text });
    await until(() => errors.length > 0);
    await app.teardown();
    expect(heard.got).toEqual(['a', 'b', 'c'].map((text) => `notes created {"text":"${text}"}`));
    expect(errors).toEqual(['too large']);
  });

  it('that takes nothing has no more events waiting than the window may have, and none once the application is closed', async () => {
    const log = new SharedLog();
    let take: () => void = () => undefined;
    let taken = Promise.resolve();
    // It does not end either, and can be started again.
    const member = log.member({ gather: 1, start: async () => undefined, stop: () => new Promise(() => undefined) });
    const app = framework() as App;
    app.configure(
      channels({
        log: { ...member, latest: [0], append: async (entries) => taken.then(() => member.append(entries)) },
        window: { bytes: 2000 },
      }),
    );
    app.use('notes', new MemoryService());
    app.publish(() => app.channel('all'));
    await app.setup();
    const heard = listen(app);
    const errors: string[] = [];
    app.on('listenerError', (error: Error) => errors.push(error.message));
    const emit = (...ids: number[]): void => ids.forEach((id) => app.service('notes').emit('created', { id, text: 'x'.repeat(300) }));
    const ids = (): number[] => heard.got.map((text) => JSON.parse(text.slice('notes created '.length)).id);
    taken = new Promise((resolve) => (take = resolve));
    emit(0, 1, 2);
    await wait(10);
    emit(3, 4);
    await until(() => errors.length === 2);
    expect(errors).toEqual([1, 2].map(() => expect.stringContaining("more than 2000 bytes of them wait ('window.bytes' of channels())")));
    take();
    await until(() => heard.got.length === 3);
    // What is larger than all that may wait is taken where nothing waits.
    app.service('notes').emit('created', { id: 5, text: 'x'.repeat(3000) });
    await until(() => heard.got.length === 4);
    expect(ids()).toEqual([0, 1, 2, 5]);

    taken = new Promise((resolve) => (take = resolve));
    emit(6);
    await wait(10);
    emit(7);
    const { setTimeout: real } = globalThis;
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((ring: () => void, delay: number) => real(ring, delay === 5000 ? 0 : delay)) as never);
    await app.teardown();
    await until(() => errors.length === 4);
    expect(errors.slice(2)).toEqual([6, 7].map(() => expect.stringContaining('The application was closed before')));
    take();
    await app.setup();
    emit(8);
    await until(() => ids().includes(8));
    expect([errors.length, ids().includes(7)]).toEqual([4, false]);
  });

  it('is started before services are set up, and stopped behind them; connections wait for both', async () => {
    const order: string[] = [];
    const log = new SharedLog().member({
      start: async () => {
        await wait(5);
        order.push('start');
      },
      stop: async () => void order.push('stop'),
    });
    const app = create(log);
    app.use('set', {
      find: async () => [],
      setup: async () => void order.push('setup'),
      teardown: async () => void order.push('teardown'),
    });
    void realTimeOf(app).started.then(() => order.push('open'));
    await app.setup();
    await app.teardown();
    let opened = false;
    void realTimeOf(app).started.then(() => (opened = true));
    await wait(1);
    expect([order, opened]).toEqual([['start', 'setup', 'open', 'teardown', 'stop'], false]);
  });

  it('that can not be started keeps the application from it, and connections out', async () => {
    const app = create(new SharedLog().member({ start: () => Promise.reject(new Error('no log')) }));
    await expect(app.setup()).rejects.toThrow('no log');
    await expect(realTimeOf(app).started).rejects.toThrow('no log');
    const watching = create(new SharedLog().member({ watched: ['nowhere'] }));
    await expect(watching.setup()).rejects.toThrow("watches for 'nowhere'");
  });
});

describe('connections to an application', () => {
  const isOpen = async (app: App): Promise<unknown> =>
    Promise.race([realTimeOf(app).started.then(() => true), wait(1).then(() => false)]).catch((error: unknown) => (error as Error).message);

  /** One whose service is set up when that is said. */
  function slow(log?: EventLog): { readonly app: App; readonly go: (error?: Error) => void } {
    const app = framework() as App;
    app.configure(log ? channels({ log }) : channels());
    const going: ((error?: Error) => void)[] = [];
    const setup = (): Promise<void> => new Promise((resolve, reject) => going.push((error) => (error ? reject(error) : resolve())));
    app.use('slow', { find: async () => [], setup });
    return { app, go: (error) => going.shift()?.(error) };
  }

  it.each<[string, () => EventLog | undefined, boolean]>([
    ['in memory', () => undefined, true],
    ['that starts', () => new SharedLog().member({ start: async () => undefined }), false],
  ])('wait until services are set up, with a log %s', async (_title, log, before) => {
    const { app, go } = slow(log());
    expect(await isOpen(app)).toBe(before);
    const set = app.setup();
    expect(await isOpen(app)).toBe(false);
    go();
    await set;
    expect(await isOpen(app)).toBe(true);
    // Another server changes nothing.
    app.hooks({ setup: [async (_context: unknown, next: () => Promise<void>) => wait(2).then(next)] });
    const other = app.setup({});
    expect(await isOpen(app)).toBe(true);
    await other;
    await app.teardown();
    expect(await isOpen(app)).toBe(before);
  });

  it('are told where services could not be set up, and taken in where they could the next time', async () => {
    const { app, go } = slow();
    const set = app.setup();
    await wait(1);
    const waits = expect(realTimeOf(app).started).rejects.toThrow('no database');
    go(new Error('no database'));
    await expect(set).rejects.toThrow('no database');
    await waits;
    expect(await isOpen(app)).toBe('no database');
    const again = app.setup();
    expect(await isOpen(app)).toBe(false);
    go();
    await again;
    expect(await isOpen(app)).toBe(true);
  });

  it('are taken in where one of two servers could be started with', async () => {
    const app = framework() as App;
    app.configure(channels());
    let count = 0;
    app.hooks({
      setup: [
        async (_context: unknown, next: () => Promise<void>) => {
          if (count++ > 0) throw new Error('no second');
          await wait(3);
          await next();
        },
      ],
    });
    const first = app.setup({});
    await expect(app.setup({})).rejects.toThrow('no second');
    await first;
    expect(await isOpen(app)).toBe(true);
  });
});

it('a client that has got more elsewhere is waited for until this process has read as far, and no longer than it may take', async () => {
  const [near, far] = [new SharedLog(), new SharedLog()];
  const app = framework() as App;
  app.configure(channels({ log: far.member({ start: async () => undefined }), catchUp: 50 }));
  app.use('notes', new MemoryService());
  const { hub } = realTimeOf(app);
  await app.setup();
  hub.beginAnew('shared');
  const told = (offset: string): boolean => hub.canResume(offset);
  expect([told('shared.2'), hub.reach('other.2'), hub.reach('shared.0'), hub.reach(5)]).toEqual([false, undefined, undefined, undefined]);
  const [reached, missed] = [hub.reach('shared.2'), hub.reach('shared.9')];
  const entry = { key: 'x', path: 'notes', event: 'created', text: '{}', targets: [], at: 0 };
  far.tell([entry, entry]);
  await reached;
  expect(told('shared.2')).toBe(true);
  await missed;
  expect(told('shared.9')).toBe(false);
  // It has got more than its place says.
  expect([told('shared.1~2~abcdefgh'), told('shared.1~9~abcdefgh'), told('shared.1~2~abcdefgh~9~ABCDEFGH')]).toEqual([true, false, false]);
  const own = framework() as App;
  own.configure(channels({ log: near.member() }));
  expect(realTimeOf(own).hub.reach('shared.9')).toBeUndefined();
});

describe('the start and the end', () => {
  /** A log that says how often it was begun and ended. */
  function counted(fails: () => boolean = () => false): { readonly log: EventLog; readonly told: string[] } {
    const told: string[] = [];
    const log = new SharedLog().member({
      start: async () => {
        told.push('start');
        if (fails()) throw new Error('The log is not there yet');
      },
      stop: async () => void told.push('stop'),
    });
    return { log, told };
  }

  it('a log is begun once, also where a second server is set up', async () => {
    const { log, told } = counted();
    const app = create(log);
    await Promise.all([app.setup(), app.setup()]);
    await app.setup();
    await app.teardown();
    await app.setup();
    expect(told).toEqual(['start', 'stop', 'start']);
  });

  it('an application that could not be set up takes connections in once it can', async () => {
    let isThere = false;
    const { log, told } = counted(() => !isThere);
    const app = create(log);
    await expect(app.setup()).rejects.toThrow('The log is not there yet');
    await expect(realTimeOf(app).started).rejects.toThrow('The log is not there yet');
    isThere = true;
    let fails = true;
    app.use('late', {
      find: async () => [],
      setup: async () => {
        if (fails) throw new Error('The service is not ready yet');
      },
    });
    await expect(app.setup()).rejects.toThrow('The service is not ready yet');
    fails = false;
    await app.setup();
    await realTimeOf(app).started;
    expect(told).toEqual(['start', 'stop', 'start']);
  });

  const ENDED = 'app.teardown() was called before app.setup() had ended: the services are not set up';

  /** A log that starts when it is let, an application with it, and what happens to both. */
  function slow(stops?: (fail: (error: Error) => void) => void): { readonly app: App; readonly told: string[]; readonly let: () => void } {
    const told: string[] = [];
    let goOn = (): void => undefined;
    let fail: (error: Error) => void = () => undefined;
    const log = new SharedLog().member({
      start: async () => {
        told.push('start');
        await new Promise<void>((resolve, reject) => {
          goOn = resolve;
          fail = reject;
        });
        told.push('started');
      },
      stop: async () => {
        told.push('stop');
        stops?.(fail);
      },
    });
    const app = create(log);
    app.use('late', {
      find: async () => [],
      setup: async () => void told.push('setup'),
      teardown: async () => void told.push('teardown'),
    });
    return { app, told, let: () => goOn() };
  }

  it('an application that is ended while its log starts stays down, and so does the log', async () => {
    const { app, told, let: goOn } = slow();
    const set = expect(app.setup()).rejects.toThrow(ENDED);
    await new Promise(setImmediate);
    const waits = expect(realTimeOf(app).started).rejects.toMatchObject({ code: 503 });
    const down = app.teardown();
    await new Promise(setImmediate);
    goOn();
    await Promise.all([set, waits, down]);
    expect(told).toEqual(['start', 'teardown', 'stop', 'started', 'stop']);
    const again = app.setup();
    await new Promise(setImmediate);
    goOn();
    await again;
    await realTimeOf(app).started;
    expect(told.slice(5)).toEqual(['start', 'started', 'setup']);
  });

  it('a log that gives its start up when it is ended need not be waited for', async () => {
    const { app, told } = slow((fail) => fail(new Error('ended')));
    const set = app.setup().catch((error: unknown) => error);
    await new Promise(setImmediate);
    await app.teardown();
    expect(await set).toMatchObject({ message: ENDED, cause: { message: 'ended' } });
    expect(told).toEqual(['start', 'teardown', 'stop']);
  });

  it('an application that is set up while it is torn down is up afterwards, with its log', async () => {
    const { log, told } = counted();
    const app = create(log);
    await app.setup();
    const heard = listen(app);
    await Promise.all([app.teardown(), app.setup()]);
    expect(told).toEqual(['start', 'stop', 'start']);
    await realTimeOf(app).started;
    await app.service('notes').create({ id: 1 });
    await new Promise(setImmediate);
    expect(heard.got).toEqual(['notes created {"id":1}']);
  });

  it('a teardown that comes last leaves all of it down', async () => {
    const { log, told } = counted();
    const app = create(log);
    await app.setup();
    const set = expect(Promise.all([app.teardown(), app.setup()])).rejects.toThrow(ENDED);
    await Promise.all([set, app.teardown()]);
    expect([told[0], told.includes('start', 1)]).toEqual(['start', false]);
  });

  it('a log ends also where a service can not be torn down', async () => {
    const { log, told } = counted();
    const app = create(log);
    app.use('late', {
      find: async () => [],
      teardown: async () => {
        throw new Error('no end');
      },
    });
    await app.setup();
    await expect(app.teardown()).rejects.toThrow('no end');
    expect(told).toEqual(['start', 'stop']);
  });

  it('asks nothing of a durable service that was removed before', async () => {
    const checked: unknown[] = [];
    const { log } = counted();
    const member = {
      transaction: async () => undefined,
      checkService: async (path: string, service: object) => void checked.push([path, service]),
    };
    const app = create(new SharedLog().member({ ...log, ...member }));
    app.use('bills', new MemoryService(), { durable: true });
    const first = app.service('bills');
    await app.unuse('bills');
    app.use('bills', new MemoryService());
    app.use('orders', new MemoryService(), { durable: true });
    await app.setup();
    expect(checked).toEqual([['orders', app.service('orders')]]);
    expect(first).not.toBe(app.service('bills'));
  });

  it('looks at a durable service that comes later before its first write, and again at one that did not pass', async () => {
    const told: string[] = [];
    let refuses = true;
    const app = create(
      new SharedLog().member({
        start: async () => undefined,
        stop: async () => undefined,
        transaction: async (context, work) => {
          told.push(`transaction ${context.method}`);
          await work();
        },
        checkService: async (path) => {
          told.push(`check ${path}`);
          if (refuses) throw new Error('another client');
        },
      }),
    );
    await app.setup();
    app.use('late', new MemoryService(), { durable: true });
    await expect(app.service('late').create({ id: 1 })).rejects.toThrow('another client');
    expect([told.splice(0), await app.service('late').find()]).toEqual([['check late'], []]);
    refuses = false;
    await Promise.all([app.service('late').create({ id: 1 }), app.service('late').create({ id: 2 })]);
    await app.service('late').patch(1, {});
    expect(told.splice(0)).toEqual(['check late', 'transaction create', 'transaction create', 'transaction patch']);
    await app.teardown();
    await app.setup();
    await app.service('late').create({ id: 3 });
    expect(told).toEqual(['check late', 'transaction create']);
  });

  it('tells what listeners send by the context of a durable call, of its service and of others, beside what the call has stored', async () => {
    const log = new SharedLog();
    const member = log.member({ transaction: async (_context, work) => log.tell(await work()) });
    const app = create(member);
    app.use('orders', new MemoryService(), { durable: true, events: ['priced'] });
    const heard = listen(app);
    app.service('orders').on('created', (_record: unknown, context: unknown) => {
      app.service('orders').emit('priced', { price: 1 }, context);
      app.service('other').emit('created', { id: 7 }, context);
    });
    await app.service('orders').create({ id: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.got).toEqual(['orders created {"id":1}', 'orders priced {"price":1}', 'other created {"id":7}']);
  });

  it('stores nothing for a durable call whose service sends the event itself, which is told once', async () => {
    const log = new SharedLog();
    const stored: LogEntry[] = [];
    const app = create(log.member({ transaction: async (_context, work) => void stored.push(...(await work())) }));
    app.use('orders', new MemoryService(), { durable: true, events: ['created'] });
    const heard = listen(app);
    const order = await app.service('orders').create({ id: 1 });
    expect([stored, heard.got]).toEqual([[], []]);
    app.service('orders').emit('created', { ...order, sent: true });
    await until(() => heard.got.length > 0);
    expect(heard.got).toEqual(['orders created {"id":1,"sent":true}']);
    await app.service('orders').patch(1, { paid: true });
    expect(stored.map(({ event }) => event)).toEqual(['patched']);
  });

  it.each(['published here', 'told by the log'])(
    'keeps no more of events than may wait for publishers that do not answer: %s',
    async (way) => {
      const shared = new SharedLog();
      const answers: (() => void)[] = [];
      const publish = (app: App): Promise<unknown> =>
        new Promise((resolve) => answers.push(() => resolve(app.channel('all').filter(() => true))));
      const app = framework() as App;
      app.configure(channels({ log: shared.member(), window: { bytes: 1 }, maxBuffer: 10_000 }));
      const errors: string[] = [];
      app.on('listenerError', (error: Error) => void errors.push(error.message));
      app.use('notes', new MemoryService());
      app.use('other', new MemoryService());
      app.publish(() => app.channel('all'));
      app.service('notes').publish(() => publish(app));
      const heard = listen(app);
      const text = 'x'.repeat(1000);
      for (let id = 0; id < 20; id++) {
        if (way === 'published here') await app.service('notes').create({ id, text });
        else {
          const targets = [{ channel: 'all', filtered: true as const }];
          shared.tell([{ key: String(id), path: 'notes', event: 'created', text: JSON.stringify({ id, text }), targets, at: 1 }]);
        }
      }
      expect(errors.length).toBeGreaterThan(10);
      expect(new Set(errors)).toEqual(
        new Set([expect.stringContaining("The publishers in front of 'notes created' do not answer as fast as events come")]),
      );
      if (way === 'published here') {
        await app.service('other').create({ id: 1 });
        expect(heard.got).toEqual(['other created {"id":1}']);
      }
      const kept = 20 - errors.length;
      const notes = (): string[] => heard.got.filter((line) => line.startsWith('notes'));
      for (let tries = 0; notes().length < kept && tries < 1000; tries++) {
        for (const answer of answers.splice(0)) answer();
        await new Promise(setImmediate);
      }
      expect(notes().map((line) => /"id":(\d+)/.exec(line)?.[1])).toEqual(Array.from({ length: kept }, (_, id) => String(id)));
      const before = errors.length;
      await app.service('notes').create({ id: 100, text });
      expect(errors).toHaveLength(before);
    },
  );

  it('waits for publishers that do not answer no longer than for the log', async () => {
    const real = globalThis.setTimeout;
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((ring: () => void, delay: number) => real(ring, delay === 5000 ? 0 : delay)) as never);
    const app = create(new SharedLog().member(), () => new Promise(() => undefined));
    await app.setup();
    for (let made = 0; made < 10; made++) app.service('notes').emit('created', {});
    // Each of them may take half a minute.
    await app.teardown();
    expect(app.channels).toEqual([]);
  });
});

it('a publisher that fails later is no failure of the process where the event can not be sent', async () => {
  const app = create(new SharedLog().member(), async () => {
    await Promise.resolve();
    throw new Error('No publisher');
  });
  const failed: string[] = [];
  app.on('listenerError', (error: Error) => failed.push(error.message));
  const unhandled: unknown[] = [];
  const listener = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', listener);
  app.service('notes').emit('created', { count: 1n });
  await wait(20);
  process.off('unhandledRejection', listener);
  expect([unhandled, failed]).toEqual([[], ['Do not know how to serialize a BigInt']]);
});

describe('a service whose changes the log tells itself', () => {
  it('tells each write once, also where it is durable, and the events that it sends by itself', async () => {
    const log = new SharedLog();
    const stored: LogEntry[] = [];
    const member = log.member({
      watched: ['notes'],
      transaction: async (_context, work) => void stored.push(...(await work())),
    });
    const app = framework() as App;
    app.configure(channels({ log: member }));
    app.use('notes', new MemoryService(), { durable: true, events: ['counted'] });
    app.publish(() => app.channel('all'));
    const heard = listen(app);
    await app.service('notes').create({ text: 'one' });
    app.service('notes').emit('counted', { count: 1 });
    expect([stored, heard.got]).toEqual([[], ['notes counted {"count":1}']]);
  });
});
