import { transportsOf } from '@framework/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addAuthentication, addUsers, ask, call, credentials, open, start, stopAll, type Running } from './harness.ts';

afterEach(stopAll);

const accept = { accept: 'text/event-stream' };

/** Streams that may be logged in, of which there is room for so many. */
async function startStreams(limits: object = {}): Promise<Running> {
  const running = await start((app) => addAuthentication(app), {
    sse: limits,
    first: (app) =>
      app.use((req: any, _res: unknown, next: () => void) => {
        if (req.headers['x-given']) req.authentication = { strategy: 'jwt', accessToken: req.headers['x-given'] };
        next();
      }),
  });
  await addUsers(running.app, 'ann');
  return running;
}

async function tokenOf(url: string): Promise<string> {
  return (await call(url, 'POST', '/authentication', credentials('ann'))).body.accessToken;
}

/** Requests that get no stream, by the status of their answer. */
const refused: Readonly<Record<number, () => Promise<readonly [Running, number | undefined]>>> = {
  400: async () => {
    const running = await startStreams();
    const token = await tokenOf(running.url);
    const { statusCode } = await ask(running.url, { ...accept, authorization: `Bearer ${token}`, 'x-given': token });
    return [running, statusCode];
  },
  401: async () => {
    const running = await startStreams();
    return [running, (await ask(running.url, { ...accept, authorization: 'Bearer not.a.token' })).statusCode];
  },
  403: async () => {
    const running = await startStreams();
    return [running, (await ask(running.url, { ...accept, origin: 'https://evil.example' })).statusCode];
  },
  405: async () => {
    const running = await startStreams();
    return [running, (await ask(running.url, accept, 'POST')).statusCode];
  },
  406: async () => {
    const running = await startStreams();
    return [running, (await ask(running.url, { accept: 'text/html' })).statusCode];
  },
  429: async () => {
    const running = await startStreams({ maxPerAddress: 1 });
    await open(running.url);
    return [running, (await ask(running.url, accept)).statusCode];
  },
  503: async () => {
    const running = await startStreams({ maxStreams: 1 });
    await open(running.url);
    return [running, (await ask(running.url, accept)).statusCode];
  },
};

describe('the description of the stream', () => {
  it.each(Object.entries(refused))('has the answer %s that the server gives', async (status, make) => {
    const [{ app }, given] = await make();
    const described = transportsOf(app).flatMap(({ endpoints = [] }) => endpoints.flatMap(({ errors }) => errors));
    expect([String(given), described.includes(Number(given))]).toEqual([status, true]);
  });

  it('has no answer that is not tried here', async () => {
    const { app } = await startStreams();
    const described = transportsOf(app).flatMap(({ endpoints = [] }) => endpoints.flatMap(({ errors }) => errors));
    expect(described.map(String)).toEqual(Object.keys(refused));
  });
});
