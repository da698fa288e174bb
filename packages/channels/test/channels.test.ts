import { framework, keepUnpublished } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { channels, realTimeOf } from '../src/index.ts';
import { create, open, type App } from './listener.ts';

describe('app.channel', () => {
  it('gives a channel by name, several as one, and none without a name', () => {
    const app = create();
    const [a, b] = [{}, {}];
    app.channel('one').join(a, a, undefined, b);
    app.channel('two', ['three']).join(b);
    expect(app.channel('one').connections).toEqual([a, b]);
    expect(app.channel('one', 'two', 'three').length).toBe(2);
    expect(app.channels).toEqual(['one', 'two', 'three']);
    expect(() => app.channel()).toThrow('app.channel needs at least one channel name');
    expect(() => app.channel({})).toThrow(TypeError);
  });

  it('gives a channel with nobody for an empty list of names, as of all channels while nobody is connected', async () => {
    const app = create();
    app.use('news', new MemoryService());
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    app.service('news').publish(() => app.channel(app.channels).filter(() => true));
    await app.service('news').create({ text: 'a' });
    expect(warn.mock.calls).toEqual([]);
    const connection = {};
    expect(app.channel(app.channels).leave(connection).join(connection)).toMatchObject({ length: 0, connections: [], data: undefined });
    expect(app.channels).toEqual([]);
  });

  it('forgets a channel with its last connection, and knows it again with the next', () => {
    const app = create();
    const connection = { name: 'a' };
    const channel = app.channel('one').join(connection);
    channel.leave((each: { name: string }) => each.name === 'a');
    expect(app.channels).toEqual([]);
    channel.join(connection);
    expect(app.channels).toEqual(['one']);
    channel.leave(connection, connection);
    expect(app.channel('one').length).toBe(0);
  });

  it('makes others by filter and send, which nobody joins', () => {
    const app = create();
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    const channel = app.channel('one').join(a, b);
    const some = channel.filter(({ name }: { name: string }) => name !== 'a').filter(() => true);
    expect(some.connections).toEqual([b]);
    expect(channel.length).toBe(2);
    expect(channel.send({ x: 1 }).data).toEqual({ x: 1 });
    expect(channel.data).toBeUndefined();
    expect(() => some.join({})).toThrow('join channels by name');
    expect(() => channel.send(1).leave(a)).toThrow('leave channels by name');
  });

  it.each<[string, (connection: object) => unknown, string]>([
    ['a list', (connection) => [connection], 'takes connections, and got a list: several stand behind each other, '],
    ['an empty list', () => [], 'takes connections, and got a list'],
    ['a text', () => 'a', 'takes connections, and got string: as app.on("connection") gives them'],
    ['a number', () => 1, 'takes connections, and got number'],
  ])('neither takes in nor lets go %s in the place of a connection, and says so', (_what, make, said) => {
    const app = create();
    const connection = { name: 'a' };
    const channel = app.channel('one').join(connection);
    expect(() => channel.join({ name: 'b' }, make(connection))).toThrow(`join() ${said}`);
    expect(() => channel.leave(connection, make(connection))).toThrow(`leave() ${said}`);
    expect(channel.connections).toEqual([connection]);
    expect(channel.join(undefined, null).leave(undefined, null, connection).length).toBe(0);
    expect(() => app.channel('one').leave(connection, () => true)).toThrow('leave() takes connections, and got function');
  });

  it.each<[string, () => unknown, string]>([
    ['an asynchronous function', async () => false, 'The function of filter() gave a promise, which is true of everybody'],
    ['a promise that fails', async () => Promise.reject(new Error('no')), 'The function of filter() gave a promise'],
    ['no function', true as never, 'filter() takes a function that says of a connection whether it is meant'],
  ])('filtered by %s sends nothing, and says so', async (_title, predicate, said) => {
    const app = create();
    const failed: string[] = [];
    app.on('listenerError', (error: Error) => failed.push(error.message));
    const listener = open(app);
    app.channel('all').join(listener.connection);
    app.service('notes').publish((note: { all: boolean }) => (note.all ? app.channel('all') : app.channel('all').filter(predicate)));
    await app.service('notes').create([{ all: false }, { all: true }]);
    expect(listener.texts).toEqual([{ id: 1, all: true }]);
    expect(failed).toEqual([expect.stringContaining(said)]);
  });

  it('takes nobody out by a function that gives a promise', () => {
    const app = create();
    const channel = app.channel('one').join({ name: 'a' });
    expect(() => channel.leave(async () => false)).toThrow('The function of leave() gave a promise, which is true of everybody');
    expect(channel.length).toBe(1);
  });

  it('takes in no connection that has ended meanwhile, as a listener may find it that waits for something', async () => {
    const app = create();
    const joining: Promise<unknown>[] = [];
    app.on('login', (_result: unknown, { connection }: { connection: object }) => {
      const waits = new Promise((resolve) => setImmediate(resolve));
      joining.push(waits.then(() => app.channel('users').join(connection)));
    });
    const [gone, there] = [open(app), open(app)];
    for (const { connection } of [gone, there]) app.emit('login', { accessToken: 'a' }, { connection });
    app.emit('disconnect', gone.connection);
    await Promise.all(joining);
    expect(app.channel('users').connections).toEqual([there.connection]);
    app.emit('disconnect', there.connection);
    app.channel('users').join(there.connection, undefined);
    expect(app.channels).toEqual([]);
  });

  it('is there for many connections that come and go', () => {
    const app = create();
    const connections = Array.from({ length: 20_000 }, () => ({}));
    app.channel('many').join(...connections);
    for (const connection of connections.slice(1)) app.emit('disconnect', connection);
    expect(app.channel('many').connections).toEqual([connections[0]]);
  });
});

describe('channels()', () => {
  it('is configured once with options, and as often as one likes without', () => {
    const app = create();
    app.configure(channels()).configure(channels());
    expect(() => app.configure(channels({ resume: false }))).toThrow('has channels already');
    expect(() => channels({ windows: {} } as never)).toThrow("no option 'windows'");
    expect(() => channels({ window: { entries: 0 } })).toThrow("'window.entries'");
  });

  it.each([null, false, '', 0])('refuses what is no object of options: %j', (options) => {
    expect(() => channels(options as never)).toThrow('channels() takes an object of options, and got ');
  });

  it.each([null, {}, 'events', false])('refuses what is no event log: %j', (log) => {
    expect(() => channels({ log } as never)).toThrow("The option 'log' of channels() has to be an event log");
  });

  it.each([['lagTimeout'], ['catchUp'], ['publishTimeout'], ['window.milliseconds']])(
    'refuses times that no timer takes, which would be over at once: %s',
    (name) => {
      const of = (time: number): object => (name === 'window.milliseconds' ? { window: { milliseconds: time } } : { [name]: time });
      expect(() => channels(of(2 ** 31))).toThrow(`'${name}' of channels() has to be a number of milliseconds up to 2147483647`);
      expect(() => channels(of(2 ** 31 - 1))).not.toThrow();
      expect(() => channels({ maxBuffer: 2 ** 40, window: { entries: 2 ** 40, bytes: 2 ** 40 } })).not.toThrow();
    },
  );

  it('reaches services that were there before', async () => {
    const app = framework() as App;
    app.use('notes', new MemoryService());
    app.configure(channels());
    app.service('notes').publish('created', () => app.channel('all'));
    const listener = open(app);
    app.channel('all').join(listener.connection);
    await app.service('notes').create({ text: 'a' });
    expect(listener.texts).toEqual([{ id: 0, text: 'a' }]);
  });
});

describe('publishers', () => {
  it('are added by registerPublisher where a service has a method publish of its own, which stays', async () => {
    class Articles extends MemoryService {
      publish(title: string): Promise<unknown> {
        return this.create({ title }) as Promise<unknown>;
      }
    }
    for (const articles of [new Articles(), { publish: (title: string) => title, create: async (data: unknown) => data }]) {
      const app = create();
      const listener = open(app);
      app.channel('readers').join(listener.connection);
      app.use('articles', articles);
      await app.setup();
      app.service('articles').registerPublisher('created', () => app.channel('readers'));
      await app.service('articles').publish('News');
      if (listener.messages.length === 0) await app.service('articles').create({ title: 'News' });
      expect(listener.texts).toMatchObject([{ title: 'News' }]);
      expect(() => app.service('articles').registerPublisher('read', () => null)).toThrow("'read' is not a valid service event");
    }
  });

  it.each([
    ['a record', { text: 'a', secret: 1 }],
    [
      'records',
      [
        { text: 'a', secret: 1 },
        { text: 'b', secret: 2 },
      ],
    ],
  ])(
    'send what callers from outside would get of %s, also where it comes as a copy with the context of another process',
    async (_name, data) => {
      const [here, there] = [create(), create()];
      const listener = open(there);
      there.channel('all').join(listener.connection);
      there.publish(() => there.channel('all'));
      here.service('notes').hooks({
        after: {
          create: (context: any) => {
            const shown = ({ text }: { text: string }): object => ({ text });
            context.dispatch = Array.isArray(context.result) ? context.result.map(shown) : shown(context.result);
          },
        },
      });
      here.service('notes').on('created', (record: unknown, context: unknown) => {
        const copy = JSON.parse(JSON.stringify({ record, context }));
        there.service('notes').emit('created', copy.record, { ...copy.context, app: there, service: there.service('notes') });
      });
      await Promise.all([here.setup(), there.setup()]);
      await here.service('notes').create(data);
      expect(listener.texts).toEqual([data].flat().map(({ text }) => ({ text })));
    },
  );

  it.each<[string, (result: { id: number }[]) => unknown, unknown[], string[]]>([
    ['one value for all', () => ({ made: true }), [{ made: true }, { made: true }], []],
    ['nothing', () => null, [null, null], []],
    [
      'a list without some',
      (result) => result.slice(1).map((record) => ({ ...record })),
      [{ id: 1, text: 'b' }],
      ['context.dispatch of the call has 1 records for 2 in its result'],
    ],
    [
      'an empty list',
      () => [],
      [],
      ['context.dispatch of the call has 0 records for 2', 'context.dispatch of the call has 0 records for 2'],
    ],
    [
      'a longer list of something else',
      () => [{}, {}, {}],
      [],
      ['context.dispatch of the call has 3 records for 2', 'context.dispatch of the call has 3 records for 2'],
    ],
  ])('S34 of several records never send more than %s that the call has for those outside', async (_name, dispatchOf, texts, said) => {
    const app = create();
    const failed: string[] = [];
    app.on('listenerError', (error: Error) => failed.push(error.message));
    const listener = open(app);
    app.channel('all').join(listener.connection);
    app.publish(() => app.channel('all'));
    app.service('notes').hooks({
      after: {
        create: (context: any) => {
          context.dispatch = dispatchOf(context.result);
        },
      },
    });
    await app.service('notes').create([{ text: 'a' }, { text: 'b' }]);
    expect(listener.texts).toEqual(texts);
    expect(failed).toEqual(said.map((start) => expect.stringContaining(start)));
  });

  it('get what a service emits behind a record by itself', async () => {
    const app = create();
    const listener = open(app);
    app.channel('room 5').join(listener.connection);
    const asked: object[] = [];
    app.service('notes').publish((_note: unknown, context: { room: number }) => {
      asked.push(context);
      return app.channel(`room ${String(context.room)}`);
    });
    app.service('notes').emit('created', { text: 'typing' }, { room: 5, params: { user: 'ann' } });
    app.service('notes').emit('created', { text: 'elsewhere' }, { room: 6, path: 'own' });
    app.service('notes').emit('created', { text: 'nowhere' }, 'room 5');
    await app.service('notes').find();
    expect(listener.texts).toEqual([{ text: 'typing' }]);
    const always = { app, service: app.service('notes'), event: 'created' };
    expect(asked).toEqual([
      { ...always, path: 'notes', result: { text: 'typing' }, room: 5, params: { user: 'ann' } },
      { ...always, path: 'own', result: { text: 'elsewhere' }, room: 6 },
      { ...always, path: 'notes', result: { text: 'nowhere' } },
    ]);
  });

  it('are asked in this order: service and event, service, application and event, application', async () => {
    const app = create();
    app.use('others', new MemoryService());
    const asked: string[] = [];
    const publisher = (name: string) => (): void => void asked.push(name);
    app.publish(publisher('application'));
    app.publish('created', publisher('application created'));
    await app.service('notes').create({});
    await app.service('notes').patch(0, {});
    app.service('notes').publish(publisher('service'));
    await app.service('notes').create({});
    app.service('notes').registerPublisher('created', publisher('service created'));
    await app.service('notes').create({});
    await app.service('notes').patch(0, {});
    await app.service('others').create({});
    expect(asked).toEqual(['application created', 'application', 'service', 'service created', 'service', 'application created']);
  });

  it('of all events do not mean those of a service that keeps its events unpublished, but its own publisher of one does', async () => {
    const app = create();
    const listener = open(app);
    app.channel('all').join(listener.connection);
    keepUnpublished(app.service('notes'));
    app.publish(() => app.channel('all')).publish('created', () => app.channel('all'));
    app.service('notes').publish(() => app.channel('all'));
    const { id } = await app.service('notes').create({ text: 'a' });
    expect(listener.texts).toEqual([]);
    app.service('notes').publish('patched', () => app.channel('all'));
    await app.service('notes').patch(id, { text: 'b' });
    await app.service('notes').remove(id);
    expect(listener.texts).toEqual([{ id, text: 'b' }]);
  });

  it('of an event that no service has are refused once the application is set up, with what is likely meant', async () => {
    const app = create();
    app.use('others', new MemoryService(), { events: ['shouted'] });
    app.publish('created', () => null);
    app.publish('shouted', () => null);
    await app.setup();
    await app.teardown();
    app.publish('creatd', () => null);
    await expect(app.setup()).rejects.toThrow(
      new Error(
        "app.publish() has a publisher of 'creatd', and no service has such an event. Did you mean 'created'? Events of one's own are named by the option 'events' of app.use, before app.setup()",
      ),
    );
  });

  it('of an event that its service does not have are refused, with what is likely meant', () => {
    const app = create();
    expect(() => app.service('notes').publish('creatd', () => null)).toThrow(
      new Error(
        "'creatd' is not a valid service event. Did you mean 'created'? The service has created, updated, patched, removed; others are named by the option 'events' of app.use",
      ),
    );
  });

  it('that take too long are told of, and hold up nobody for ever', async () => {
    const app = create({ publishTimeout: 20 });
    const failed: string[] = [];
    app.on('listenerError', (error: Error) => failed.push(error.message));
    const listener = open(app);
    app.channel('all').join(listener.connection);
    app.publish((note: { id: number }) => (note.id === 0 ? new Promise(() => undefined) : app.channel('all')));
    await app.service('notes').create([{}, {}]);
    while (listener.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(listener.texts).toEqual([{ id: 1 }]);
    expect(failed).toEqual(["The publisher of 'notes created' took longer than 20 ms: nobody got the event"]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('of the report');
      },
    ],
    ['rejects', () => Promise.reject(new Error('of the report'))],
  ])('that fail neither fail the call nor end the process where a listener of listenerError %s', async (_how, fail) => {
    const app = create();
    const unowned: unknown[] = [];
    const note = (reason: unknown): void => void unowned.push(reason);
    process.on('unhandledRejection', note);
    const warnings: unknown[] = [];
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation((text) => void warnings.push(String(text)));
    const told: string[] = [];
    app.on('listenerError', fail as () => void);
    app.on('listenerError', (error: Error) => told.push(error.message));
    app.publish('created', () => {
      throw new Error('of a publisher');
    });
    app.publish('removed', () => Promise.reject(new Error('of another')));
    await app.service('notes').create({});
    await app.service('notes').remove(0);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    warn.mockRestore();
    process.off('unhandledRejection', note);
    expect([told, warnings, unowned]).toEqual([
      ['of a publisher', 'of another'],
      ["A listener of 'listenerError' failed", "A listener of 'listenerError' failed"],
      [],
    ]);
  });

  it('cost a thousand connections no more looks at the payload than one', async () => {
    const looks = async (connections: number): Promise<number> => {
      const app = create();
      const listeners = Array.from({ length: connections }, () => open(app));
      app.channel('all').join(...listeners.map(({ connection }) => connection));
      app.publish(() => [app.channel('all'), app.channel('all').filter(() => true)]);
      let made = 0;
      await app.service('notes').create({ text: { toJSON: () => `look ${String(++made)}` } });
      expect(listeners.every(({ texts }) => texts.length === 1)).toBe(true);
      return made;
    };
    const one = await looks(1);
    expect(one).toBeGreaterThan(0);
    expect(await looks(1000)).toBe(one);
  });
});

describe('a connection that comes back', () => {
  async function cutOff(app: App, names: readonly string[]): Promise<string> {
    const first = open(app);
    for (const name of names) app.channel(name).join(first.connection);
    app.service('notes').publish((note: { to: string }) => app.channel(note.to));
    await app.service('notes').create({ to: names[0] });
    app.emit('disconnect', first.connection);
    return first.position;
  }

  it('is given nothing before it is ready, then what it missed in the channels that it is in now', async () => {
    const app = create();
    const position = await cutOff(app, ['a', 'b']);
    for (const to of ['a', 'b', 'c', 'a']) await app.service('notes').create({ to });
    const again = open(app, position);
    app.channel('b').join(again.connection);
    app.channel('c').join(again.connection);
    expect(again.messages).toEqual([]);
    realTimeOf(app).hub.ready(again.connection);
    expect(again.texts).toEqual([
      { id: 2, to: 'b' },
      { id: 3, to: 'c' },
    ]);
    await app.service('notes').create({ to: 'b' });
    expect(again.messages).toHaveLength(3);
  });

  it('is told no position behind what it may still get: cut again while channels come one after another, it gets each event once', async () => {
    const app = create();
    let position = await cutOff(app, ['a', 'b']);
    const got: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (const to of ['a', 'b', 'a']) await app.service('notes').create({ to });
      const again = open(app, position);
      app.channel('a').join(again.connection);
      realTimeOf(app).hub.ready(again.connection);
      // In the odd rounds it is cut before it has joined the other channel.
      if (round % 2 === 0) {
        await app.service('notes').create({ to: 'a' });
        app.channel('b').join(again.connection);
        await Promise.resolve();
      }
      app.emit('disconnect', again.connection);
      position = again.position;
      got.push(...again.texts.map((note) => (note as { id: number }).id));
    }
    const last = open(app, position);
    app.channel('a', 'b').join(last.connection);
    realTimeOf(app).hub.ready(last.connection);
    got.push(...last.texts.map((note) => (note as { id: number }).id));
    expect([...got].sort((a, b) => a - b)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1));
  });

  it('is not waited for longer than it may take', async () => {
    const app = create({ catchUp: 20 });
    const position = await cutOff(app, ['a']);
    await app.service('notes').create({ to: 'a' });
    const again = open(app, position);
    app.channel('a').join(again.connection);
    while (again.messages.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(again.texts).toEqual([{ id: 1, to: 'a' }]);
  });

  it('can not be given what is not kept, and where nothing is kept is told no position', async () => {
    const app = create({ window: { entries: 2 } });
    const position = await cutOff(app, ['a']);
    for (let made = 0; made < 3; made++) await app.service('notes').create({ to: 'a' });
    expect(realTimeOf(app).hub.canResume(position)).toBe(false);
    const silent = create({ resume: false });
    expect(await cutOff(silent, ['a'])).toBe('');
  });
});

describe('a connection that reads slowly', () => {
  it('is served from the window at its own pace, in order', async () => {
    const app = create({ maxBuffer: 100 });
    app.publish(() => app.channel('all'));
    const [slow, quick] = [open(app), open(app)];
    app.channel('all').join(slow.connection, quick.connection);
    await app.service('notes').create({});
    slow.queued = 101;
    for (let made = 0; made < 5; made++) await app.service('notes').create({});
    expect(slow.messages).toHaveLength(1);
    expect(quick.messages).toHaveLength(6);
    slow.queued = 0;
    slow.drained();
    await app.service('notes').create({});
    expect(slow.texts).toEqual(quick.texts);
  });

  it('is closed once what it lacks is not kept any more', async () => {
    const app = create({ maxBuffer: 100, window: { entries: 3 } });
    app.publish(() => app.channel('all'));
    const slow = open(app);
    app.channel('all').join(slow.connection);
    slow.queued = 101;
    for (let made = 0; made < 5; made++) await app.service('notes').create({});
    slow.queued = 0;
    slow.drained();
    expect(slow.closed).toBe('slow consumer');
    expect(slow.messages).toEqual([]);
  });
});
