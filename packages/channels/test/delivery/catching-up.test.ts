import { describe, expect, it } from '@jest/globals';
import { realTimeOf } from '../../src/index.ts';
import { create, open, type App, type Listener } from '../listener.ts';

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(holds: () => unknown): Promise<void> {
  while (!holds()) await wait(1);
}

const numbersOf = ({ texts }: Listener): number[] => texts.map((text) => (text as { number: number }).number);

function tell(app: App, to: string | readonly string[], number: number): void {
  app.service('notes').emit('created', { to, number });
}

function createByChannel(options: object): App {
  const app = create(options);
  app.service('notes').publish(({ to }: { to: string | readonly string[] }) => app.channel(to));
  app.on('login', (_result: unknown, { connection }: { connection: object }) => app.channel('users').join(connection));
  return app;
}

async function logIn(app: App, listener: Listener): Promise<void> {
  const { connection } = listener;
  app.emit('login', { authentication: { payload: { sub: 'ann' } } }, { connection }, { path: 'authentication' });
  // What it is told says from now on that it was logged in.
  await until(() => listener.position.includes('+'));
}

describe('a connection that catches up', () => {
  it('and reads slowly gets nothing twice, however long it takes', async () => {
    const app = createByChannel({ catchUp: 20, maxBuffer: 10 });
    const first = open(app);
    app.channel('a').join(first.connection);
    tell(app, 'a', 0);
    app.emit('disconnect', first.connection);
    for (let number = 1; number <= 6; number++) tell(app, number % 2 === 0 ? 'b' : 'a', number);
    const again = open(app, first.position);
    app.channel('a').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    again.sent = () => (again.queued = 11);
    app.channel('b').join(again.connection);
    await until(() => again.messages.length === 4);
    await wait(60);
    again.sent = () => undefined;
    again.queued = 0;
    again.drained();
    expect(numbersOf(again)).toEqual([1, 3, 5, 2, 4, 6]);
    tell(app, 'a', 7);
    // It counts as one that was always there from now on.
    expect(again.position).toBe(open(app).position);
  });

  it('and falls behind before it joins another channel gets nothing twice', async () => {
    const app = createByChannel({ maxBuffer: 10 });
    const first = open(app);
    app.channel('a').join(first.connection);
    tell(app, 'a', 0);
    app.emit('disconnect', first.connection);
    tell(app, 'b', 1);
    const again = open(app, first.position);
    app.channel('a').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    tell(app, 'a', 2);
    again.queued = 11;
    tell(app, 'a', 3);
    app.channel('b').join(again.connection);
    again.queued = 0;
    again.drained();
    await until(() => again.messages.length >= 3);
    expect(numbersOf(again)).toEqual([2, 1, 3]);
  });

  it.each([
    ['and is not in it any more', false],
    ['and is in it again', true],
  ])(
    'gets an event by a channel that it joins late, also where another one had it that it had left %s, and once',
    async (_what, isBack) => {
      const app = createByChannel({});
      const first = open(app);
      app.channel('a').join(first.connection);
      tell(app, 'a', 0);
      app.emit('disconnect', first.connection);
      const again = open(app, first.position);
      app.channel('a', 'b').join(again.connection);
      realTimeOf(app).hub.ready(again.connection);
      tell(app, ['a', 'b'], 1);
      app.channel('a').leave(again.connection);
      tell(app, ['a', 'late'], 2);
      tell(app, ['a', 'b'], 3);
      if (isBack) app.channel('a').join(again.connection);
      app.channel('late').join(again.connection);
      await until(() => numbersOf(again).includes(2));
      tell(app, 'a', 4);
      tell(app, 'late', 5);
      expect(numbersOf(again)).toEqual(isBack ? [1, 3, 2, 4, 5] : [1, 3, 2, 5]);
      // Whoever is cut then has got no less of the channel that it had left.
      app.emit('disconnect', again.connection);
      const last = open(app, again.position);
      app.channel('a', 'b', 'late').join(last.connection);
      realTimeOf(app).hub.ready(last.connection);
      expect(numbersOf(last)).toEqual(isBack ? [] : [4]);
    },
  );

  it('and leaves a channel in the middle of what it missed there has the rest when it comes back to it', () => {
    const app = createByChannel({ maxBuffer: 10 });
    const first = open(app);
    app.channel('a', 'b').join(first.connection);
    tell(app, 'a', 0);
    app.emit('disconnect', first.connection);
    for (let number = 1; number <= 4; number++) tell(app, number % 2 === 0 ? 'b' : 'a', number);
    const again = open(app, first.position);
    app.channel('a', 'b').join(again.connection);
    again.sent = () => (again.queued = 11);
    realTimeOf(app).hub.ready(again.connection);
    expect(numbersOf(again)).toEqual([1]);
    app.channel('a').leave(again.connection);
    again.queued = 0;
    again.drained();
    expect(numbersOf(again)).toEqual([1, 2]);
    app.emit('disconnect', again.connection);
    const last = open(app, again.position);
    app.channel('a', 'b').join(last.connection);
    realTimeOf(app).hub.ready(last.connection);
    expect(numbersOf(last)).toEqual([3, 4]);
  });

  it('is not looked at again for what it has got when it joins another channel', async () => {
    const app = create();
    let asked = 0;
    app.service('notes').publish(({ to }: { to: string }) =>
      app.channel(to).filter(() => {
        asked += 1;
        return true;
      }),
    );
    const first = open(app);
    app.channel('a').join(first.connection);
    tell(app, 'a', 0);
    app.emit('disconnect', first.connection);
    tell(app, 'b', 1);
    for (let number = 2; number < 100; number++) tell(app, 'a', number);
    const again = open(app, first.position);
    app.channel('a').join(again.connection);
    realTimeOf(app).hub.ready(again.connection);
    expect(again.messages).toHaveLength(98);
    asked = 0;
    app.channel('b').join(again.connection);
    await until(() => again.messages.length > 98);
    expect([numbersOf(again).at(-1), asked]).toEqual([1, 1]);
  });

  it('gets what it missed also when its login comes late', async () => {
    const app = createByChannel({ catchUp: 10 });
    const first = open(app);
    await logIn(app, first);
    tell(app, 'users', 0);
    app.emit('disconnect', first.connection);
    tell(app, 'users', 1);
    const again = open(app, first.position);
    realTimeOf(app).hub.ready(again.connection);
    await wait(60);
    tell(app, 'users', 2);
    await logIn(app, again);
    await until(() => again.messages.length === 2);
    tell(app, 'users', 3);
    expect(numbersOf(again)).toEqual([1, 2, 3]);
    // Once it has caught up it is told where it is, and nothing besides.
    await until(() => /^\w+\.4\+$/.test(again.position));
  });

  it('gets what it missed also when it was cut in the moment of its login', async () => {
    const app = createByChannel({ catchUp: 10 });
    const first = open(app);
    app.emit('login', { authentication: { payload: { sub: 'ann' } } }, { connection: first.connection }, { path: 'authentication' });
    tell(app, 'users', 0);
    app.emit('disconnect', first.connection);
    expect(numbersOf(first)).toEqual([0]);
    tell(app, 'users', 1);
    const again = open(app, first.position);
    realTimeOf(app).hub.ready(again.connection);
    await wait(60);
    await logIn(app, again);
    await wait(20);
    expect(numbersOf(again)).toEqual([1]);
  });

  it('gets nothing before the listeners of its login have joined its channels', async () => {
    const app = createByChannel({});
    const first = open(app);
    await logIn(app, first);
    app.emit('disconnect', first.connection);
    tell(app, 'users', 1);
    tell(app, 'a', 2);
    const again = open(app, first.position);
    app.prependListener('login', () => app.channel('a').join(again.connection));
    realTimeOf(app).hub.ready(again.connection);
    await logIn(app, again);
    await until(() => again.messages.length === 2);
    expect(numbersOf(again)).toEqual([1, 2]);
  });

  it('is told when its login comes too late for that', async () => {
    const app = createByChannel({ catchUp: 10, window: { entries: 2 } });
    const first = open(app);
    await logIn(app, first);
    app.emit('disconnect', first.connection);
    const again = open(app, first.position);
    realTimeOf(app).hub.ready(again.connection);
    await wait(60);
    expect(again.closed).toBeUndefined();
    for (let number = 1; number <= 3; number++) tell(app, 'users', number);
    await until(() => again.closed);
    expect([again.closed, realTimeOf(app).hub.canResume(again.position)]).toEqual(['events lost', false]);
  });
});

describe('a transport that fails', () => {
  it('keeps nobody else from the event, and the application is told', async () => {
    const app = createByChannel({ window: { milliseconds: 40 } });
    const failed: unknown[] = [];
    app.on('listenerError', (error: Error, { path, event }: { path: string; event: string }) => failed.push([error.message, path, event]));
    const [bad, good] = [open(app), open(app)];
    app.channel('a').join(bad.connection, good.connection);
    bad.failure = new Error('The client can not be written to');
    tell(app, 'a', 1);
    expect(numbersOf(good)).toEqual([1]);
    // Both are told where they are after a while.
    await until(() => failed.length === 2);
    expect(failed).toEqual([
      ['The client can not be written to', 'notes', 'created'],
      ['The client can not be written to', '', 'position'],
    ]);
  });
});
