import { once } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { answerOf, ask, open, startOpen, stopAll, until, type AnyApplication } from './harness.ts';

afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

it('a stream that a listener of its beginning ends is over for its client, and is no error', async () => {
  const errors: unknown[] = [];
  const ended = (app: AnyApplication): void => {
    app.on('connection', (connection: object) => app.emit('disconnect', connection));
  };
  const { url } = await startOpen({ logger: (error) => errors.push(error) }, ended);
  const { status, headers } = await answerOf(await ask(url));
  expect([status, headers['content-type'], errors]).toEqual([200, 'text/event-stream', []]);
});

it('the end of a stream is told once, also where the application has told it', async () => {
  const told: object[] = [];
  const { app, url } = await startOpen({}, (added) => {
    added.on('disconnect', (connection: object) => told.push(connection));
  });
  const reader = await open(url);
  const [connection] = app.channel('everybody').connections;
  app.emit('disconnect', connection);
  await once(reader.response, 'close');
  // Another one has come and gone since.
  const other = await open(url);
  other.close();
  await until(() => told.length > 1);
  expect(told.filter((each) => each === connection)).toHaveLength(1);
});

it('signs of life go on for streams that stay, and end with the last', async () => {
  const ping = 1_234_567;
  const timers = jest.spyOn(globalThis, 'setInterval');
  const cleared = jest.spyOn(globalThis, 'clearInterval');
  let gone = 0;
  const { url } = await startOpen({ sse: { ping } }, (added) => {
    added.on('disconnect', () => (gone += 1));
  });
  const readers = [await open(url), await open(url)];
  const own = timers.mock.results.filter((_result, at) => timers.mock.calls[at]?.[1] === ping).map(({ value }) => value as unknown);
  const isCleared: boolean[] = [];
  for (const [at, reader] of readers.entries()) {
    reader.close();
    await until(() => gone > at);
    isCleared.push(cleared.mock.calls.some(([timer]) => timer === own[0]));
  }
  expect([own.length, isCleared]).toEqual([1, [false, true]]);
});

describe('S35 a stream whose logins are told', () => {
  /** A stream in the channel `own`, and what tells of its logins as authentication services do. */
  async function joined(
    first: object = { sub: '1', sid: 's' },
  ): Promise<{ tell: (event: string, payload: object, accessToken: string, path?: string) => number }> {
    const { app, url } = await startOpen();
    await open(url);
    const [connection] = app.channel('everybody').connections;
    const tell = (event: string, payload: object, accessToken: string, path = 'authentication'): number => {
      app.emit(event, { authentication: { payload }, accessToken }, { connection }, { path });
      return app.channel('own').length;
    };
    tell('login', first, 'a');
    app.channel('own').join(connection);
    return { tell };
  }

  it('keeps its channels with another token of its user, and none with a user of the same id of another service', async () => {
    const { tell } = await joined();
    expect(tell('login', { sub: '1', sid: 's' }, 'b')).toBe(1);
    expect(tell('login', { sub: '1', sid: 's' }, 'b', 'administrators')).toBe(0);
  });

  it('keeps none with a login that does not say whose it is, behind another of that kind either', async () => {
    const { tell } = await joined({});
    expect(tell('login', {}, 'b')).toBe(0);
  });

  it('keeps none behind the end of its session, whatever token that has by then, and all behind the end of another', async () => {
    const { tell } = await joined();
    expect(tell('logout', { sub: '1', sid: 'other' }, 'a')).toBe(1);
    expect(tell('logout', { sub: '1', sid: 's' }, 'b')).toBe(0);
  });
});
