import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { channelMark, parseOffset } from '../../src/delivery/offset.ts';
import { realTimeOf } from '../../src/index.ts';
import { create, open, type App, type Listener } from '../listener.ts';

describe('connections', () => {
  const cleared = jest.spyOn(globalThis, 'clearInterval');
  const set = jest.spyOn(globalThis, 'setInterval');
  beforeEach(() => {
    cleared.mockClear();
    set.mockClear();
  });
  afterAll(() => {
    cleared.mockRestore();
    set.mockRestore();
  });
  /** The timers that were begun, and not ended, by what they do. */
  const running = (): (() => void)[] =>
    set.mock.calls.filter((_, at) => !cleared.mock.calls.some(([timer]) => timer === set.mock.results[at]?.value)).map(([run]) => run);

  it('are told positions while nothing comes for them, also once another one has gone, and once each', () => {
    const app = create();
    app.service('notes').publish(() => app.channel('of others'));
    const [goes, stays, other] = [open(app), open(app), open(app)];
    const marks = jest.spyOn(stays.transport, 'mark');
    app.channel('of others').join(other.connection);
    app.emit('disconnect', goes.connection);
    const before = stays.position;
    app.service('notes').emit('created', { number: 1 });
    expect(stays.position).toBe(before);
    for (const run of running()) run();
    expect([stays.position !== before, stays.position]).toEqual([true, other.position]);
    expect(goes.position).toBe(before);
    for (const run of running()) run();
    expect(marks).toHaveBeenCalledTimes(1);
  });

  it('keep no timer once all have gone, and have one again with the next', () => {
    const app = create();
    const first = open(app);
    app.emit('disconnect', first.connection);
    expect(running()).toEqual([]);
    open(app);
    expect(running().length).toBe(1);
  });
});

it.each(['a filter', 'a listener to what is sent'])('what %s emits comes behind what it was asked about, to everybody', async (what) => {
  const app = create();
  const listeners = [open(app), open(app)];
  let isFirst = true;
  const emitOnce = (): boolean => {
    if (isFirst) {
      isFirst = false;
      app.service('notes').emit('created', { number: 2 });
    }
    return true;
  };
  app.service('notes').publish(() => (what === 'a filter' ? app.channel('all').filter(emitOnce) : app.channel('all')));
  for (const listener of listeners) {
    app.channel('all').join(listener.connection);
    if (what !== 'a filter') listener.sent = emitOnce;
  }
  app.service('notes').emit('created', { number: 1 });
  expect(listeners.map(({ texts }) => texts)).toEqual([1, 1].map(() => [{ number: 1 }, { number: 2 }]));
  // One that is cut in between is to get the second, and no less.
  for (const { messages, position } of listeners)
    expect([messages[1]?.position, messages[0]?.position === position]).toEqual([position, false]);
});

describe('a login', () => {
  it('of a connection that is not open yet is what its first position tells', () => {
    const app = create();
    const { hub } = realTimeOf(app);
    const listener = open(app);
    expect(listener.position).not.toContain('+');
    app.emit('disconnect', listener.connection);
    app.emit('login', { authentication: { payload: { sub: 'ann' } } }, { connection: listener.connection }, { path: 'authentication' });
    hub.open(listener);
    expect(listener.position).toMatch(/\+$/);
  });
});

/** Publishes to the channels that records name, and lets users join theirs. */
function createByChannel(options = {}): App {
  const app = create(options);
  app.service('notes').publish(({ to }: { to: readonly string[] }) => app.channel(...to));
  app.on('login', (_result: unknown, { connection }: { connection: object }) => app.channel('users').join(connection));
  return app;
}

const tell = (app: App, number: number, ...to: readonly string[]): void => void app.service('notes').emit('created', { to, number });
const numbersOf = ({ texts }: Listener): number[] => texts.map((text) => (text as { number: number }).number);

/** @returns once those that listen to logins have joined their channels */
async function logIn(app: App, { connection }: Listener): Promise<void> {
  app.emit('login', { authentication: { payload: { sub: 'ann' } } }, { connection }, { path: 'authentication' });
  await new Promise((resolve) => setImmediate(resolve));
}

/** @returns what a connection was told that has got an event in a channel, and has gone then */
function positionIn(app: App, channel: string): string {
  const listener = open(app);
  app.channel(channel).join(listener.connection);
  tell(app, 1, channel);
  app.emit('disconnect', listener.connection);
  return listener.position;
}

describe('a connection that is open', () => {
  it('gets an event of two channels that it is in once, as that of the first', () => {
    const app = create();
    app.service('notes').publish(() => [app.channel('a').send({ of: 'a' }), app.channel('b').send({ of: 'b' })]);
    const [both, second] = [open(app), open(app)];
    app.channel('a', 'b').join(both.connection);
    app.channel('b').join(second.connection);
    app.service('notes').emit('created', {});
    expect([both.texts, second.texts]).toEqual([[{ of: 'a' }], [{ of: 'b' }]]);
  });

  it('is told of its login, and of its end, with its position, and once', async () => {
    const app = createByChannel();
    const listener = open(app);
    const marks = jest.spyOn(listener.transport, 'mark');
    await logIn(app, listener);
    expect(listener.position).toMatch(/\+$/);
    await logIn(app, listener);
    expect(marks).toHaveBeenCalledTimes(1);
    app.emit('logout', {}, { connection: listener.connection });
    expect(listener.position).not.toContain('+');
  });
});

describe('a connection that comes back', () => {
  it('and was logged in gets what it missed once it is again, in its order', async () => {
    const app = createByChannel();
    const first = open(app);
    await logIn(app, first);
    tell(app, 1, 'users');
    app.emit('disconnect', first.connection);
    tell(app, 2, 'users');
    tell(app, 3, 'all');
    const again = open(app, first.position);
    app.channel('all').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    expect(numbersOf(again)).toEqual([]);
    await logIn(app, again);
    expect(numbersOf(again)).toEqual([2, 3]);
  });

  it('and was not logged in gets nothing by a login before it has joined what it joins at its start', async () => {
    const app = createByChannel();
    const position = positionIn(app, 'all');
    for (const [number, to] of [
      [2, 'others'],
      [3, 'users'],
      [4, 'all'],
    ] as const)
      tell(app, number, to);
    const again = open(app, position);
    const marks = jest.spyOn(again.transport, 'mark');
    await logIn(app, again);
    expect(numbersOf(again)).toEqual([]);
    expect(marks).not.toHaveBeenCalled();
    app.channel('all').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    expect(numbersOf(again)).toEqual([3, 4]);
  });

  it('gets an event of two channels once, also when it joins the second one later', async () => {
    const app = createByChannel();
    const position = positionIn(app, 'a');
    tell(app, 2, 'a', 'b');
    tell(app, 3, 'b');
    const again = open(app, position);
    app.channel('a').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    expect(numbersOf(again)).toEqual([2]);
    app.channel('b').join(again.connection);
    await new Promise((resolve) => setImmediate(resolve));
    expect(numbersOf(again)).toEqual([2, 3]);
  });

  it('gets an event of two channels by the second one where it is not meant in the first', async () => {
    const app = createByChannel();
    const position = positionIn(app, 'a');
    app.service('notes').publish(() => [app.channel('a').filter(() => false), app.channel('b')]);
    tell(app, 2);
    const again = open(app, position);
    app.channel('a').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    expect(numbersOf(again)).toEqual([]);
    app.channel('b').join(again.connection);
    await new Promise((resolve) => setImmediate(resolve));
    expect(numbersOf(again)).toEqual([2]);
  });

  it('is told what it has got by marks of the present log, as other processes make them', () => {
    const app = createByChannel();
    const { hub } = realTimeOf(app);
    const marksIn = (position: string): unknown[] => [...(parseOffset(position)?.ahead?.keys() ?? [])];
    const told = (epoch: string): unknown[] => {
      const again = open(app, positionIn(app, 'a'));
      app.channel('a').join(again.connection);
      hub.ready(again.connection);
      expect(parseOffset(again.position)?.epoch).toBe(epoch);
      return marksIn(again.position);
    };
    const { epoch } = hub.log;
    expect(told(epoch)).toEqual([channelMark(epoch, 'a')]);
    hub.beginAnew('another');
    expect(told('another')).toEqual([channelMark('another', 'a')]);
  });

  it('and reads slowly gets nothing twice when it joins another channel in the middle of what it missed', async () => {
    const app = createByChannel({ maxBuffer: 10 });
    const position = positionIn(app, 'a');
    for (const [number, to] of [
      [2, 'a'],
      [3, 'b'],
      [4, 'a'],
    ] as const)
      tell(app, number, to);
    const again = open(app, position);
    app.channel('a').join(again.connection);
    again.sent = () => (again.queued = 11);
    realTimeOf(app).hub.ready(again.connection);
    expect(numbersOf(again)).toEqual([2]);
    app.channel('b').join(again.connection);
    await new Promise((resolve) => setImmediate(resolve));
    again.sent = () => undefined;
    again.queued = 0;
    again.drained();
    expect(numbersOf(again)).toEqual([2, 3, 4]);
  });
});

describe('a connection that will be open', () => {
  it('is not once it has ended, before or behind its opening', () => {
    const { membership } = realTimeOf(create()).hub;
    const connection = {};
    membership.announce(connection);
    expect(membership.isOpen(connection)).toBe(true);
    membership.end(connection);
    // Its login may only come to its end now.
    membership.announce(connection);
    expect(membership.isOpen(connection)).toBe(false);
    membership.begin(connection);
    expect(membership.isOpen(connection)).toBe(true);
  });
});
