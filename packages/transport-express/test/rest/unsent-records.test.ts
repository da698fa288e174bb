import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { HookContext } from '@framework/core';
import { send, start, type Running } from '../harness.ts';

/** What became of the records: how many were read, and how often they were let go of. */
const seen = { read: 0, stopped: 0 };

/** Records that hold something open until they are let go of. */
const SOURCES: Readonly<Record<string, () => AsyncIterable<unknown>>> = {
  stream: () => {
    const stream = new Readable({
      objectMode: true,
      read() {
        seen.read += 1;
        this.push({ a: 1 });
      },
    });
    stream.once('close', () => (seen.stopped += 1));
    return stream;
  },
  iterable: () => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: { a: (seen.read += 1) } }),
      return: async () => {
        seen.stopped += 1;
        return { done: true, value: undefined };
      },
    }),
  }),
  'iterable whose end fails': () => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: { a: (seen.read += 1) } }),
      return: () => {
        seen.stopped += 1;
        throw new Error('secret text');
      },
    }),
  }),
};

const found = { find: async ({ route }: { route: { name: string } }): Promise<unknown> => SOURCES[route.name]?.() };
const unowned: unknown[] = [];
const note = (reason: unknown): void => {
  unowned.push(reason);
};

let running: Running;
beforeAll(async () => {
  process.on('unhandledRejection', note);
  running = await start((app) => {
    app.use('refused-late/:name', { ...found }, (_req, _res, next) => next());
    app.use('fails-behind/:name', { ...found }, (_req, _res, next) => next(new Error('secret text')));
    app.use('throws-behind/:name', { ...found }, () => {
      throw new Error('secret text');
    });
    app.use('bad-header/:name', { ...found });
    app.use('bad-header-behind/:name', { ...found }, (_req, _res, next) => next());
    for (const path of ['bad-header/:name', 'bad-header-behind/:name'] as const) {
      const spoil = async (context: HookContext): Promise<void> => {
        context.http.headers = { 'X-Own': 'a\nb' };
      };
      app.service(path).hooks({ after: { all: [spoil] } });
    }
    app.use('fails-in-hook/:name', { ...found });
    const fail = async (): Promise<never> => {
      throw new Error('secret text');
    };
    app.service('fails-in-hook/:name').hooks({ after: { all: [fail] } });
  });
});
afterAll(async () => {
  await running.stop();
  process.off('unhandledRejection', note);
});
beforeEach(() => {
  Object.assign(seen, { read: 0, stopped: 0 });
});

const FAILURES: readonly [service: string, accept: string, status: number][] = [
  ['refused-late', 'text/html', 406],
  ['fails-behind', 'application/json', 500],
  ['throws-behind', 'application/json', 500],
  ['bad-header', 'application/json', 500],
  ['bad-header-behind', 'application/json', 500],
  ['fails-in-hook', 'application/json', 500],
];

it.each(FAILURES.flatMap((failure) => Object.keys(SOURCES).map((source) => [...failure, source] as const)))(
  'records are let go of where the answer is an error instead: %s, for Accept: %s, %i with a %s',
  async (service, accept, status, source) => {
    expect((await send(running.url, `/${service}/${encodeURIComponent(source)}`, { headers: { accept } })).status).toBe(status);
    for (let tries = 0; seen.stopped === 0 && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect([seen.stopped, unowned.splice(0)]).toEqual([1, []]);
  },
);
