import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, start, stopAll } from './harness.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  process.off('unhandledRejection', note);
  await stopAll();
});

type Answer = (error: Error | string | null, allowed?: any) => void;

const fails = {
  'at once': () => {
    throw new Error('the database is away');
  },
  later: async () => {
    await Promise.resolve();
    throw new Error('the database is away');
  },
};

describe.each(Object.entries(fails))('S47 a check of the application that fails %s', (_when, fail) => {
  it.each<[string, object, string]>([
    ['allowRequest', { allowRequest: () => fail(), cors: { origin: '*' } }, 'allowRequest'],
    ['cors.origin', { cors: { origin: () => fail() } }, 'cors.origin'],
    ['cors', { cors: () => fail() }, 'cors'],
  ])('lets nobody in: %s', async (_name, options, told) => {
    const logged: string[] = [];
    const { url } = await start(() => undefined, { ...options, logger: ({ message }: any) => void logged.push(message) });
    const headers = { origin: 'https://app.example.com' };
    for (const transport of ['polling', 'websocket']) {
      await expect(connect(url, { transports: [transport], extraHeaders: headers } as never)).rejects.toThrow(/error/);
    }
    expect((await fetch(`${url}/socket.io/?EIO=4&transport=polling`, { headers })).status).toBeGreaterThanOrEqual(400);
    expect(new Set(logged)).toEqual(new Set([`The option '${told}' failed, and a connection was refused`]));
    expect(unhandled).toEqual([]);
  });
});

describe('an asynchronous check of the application', () => {
  it('may fail behind its answer, which counts', async () => {
    const logged: string[] = [];
    const allowRequest = async (_req: unknown, answer: Answer): Promise<void> => {
      answer(null, true);
      throw new Error('too late');
    };
    const { url } = await start(() => undefined, { allowRequest, logger: ({ message }: any) => void logged.push(message) } as never);
    const socket = await connect(url);
    expect(socket.connected).toBe(true);
    expect(logged).toEqual(["The option 'allowRequest' failed behind its answer"]);
    expect(unhandled).toEqual([]);
  });

  it('is waited for', async () => {
    const allowed = async (answer: Answer): Promise<void> => {
      await Promise.resolve();
      answer(null, true);
    };
    const { url } = await start(() => undefined, {
      allowRequest: (_req, answer) => void allowed(answer as Answer),
      cors: { origin: (_origin: unknown, answer: Answer) => allowed(answer) } as never,
    });
    expect((await connect(url, { extraHeaders: { origin: 'https://app.example.com' } } as never)).connected).toBe(true);
  });
});
