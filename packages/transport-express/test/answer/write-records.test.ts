import http from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import express, { compression, errorHandler, rest } from '../../src/index.ts';
import { listen, send, start, type Running } from '../harness.ts';

const logged: unknown[] = [];
const unowned: unknown[] = [];
const note = (reason: unknown): void => {
  unowned.push(reason);
};

/** How a source ends, and what became of it. */
let stopped = 0;
/** How often something was asked of a source. */
let asked = 0;
/** Lets a source go on that waits. */
let goOn: () => void = () => undefined;
const failure = (text: string): Error => new Error(`secret: ${text}`);

/** Endless records; what stops them fails. */
const stubborn = (first: number): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => new Promise((resolve) => setTimeout(() => resolve({ done: false, value: 'x'.repeat(20_000) }), first)),
    return: () => {
      stopped += 1;
      return Promise.reject(failure('return'));
    },
  }),
});

const SOURCES: Record<string, () => AsyncIterable<unknown>> = {
  'return-rejects': () => stubborn(1),
  'return-throws': () => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: 'x'.repeat(20_000) }),
      return: () => {
        stopped += 1;
        throw failure('return');
      },
    }),
  }),
  'destroy-fails': () =>
    new Readable({
      objectMode: true,
      read() {
        setTimeout(() => this.push('x'.repeat(20_000)), 1);
      },
      destroy(_error, done) {
        stopped += 1;
        done(failure('destroy'));
      },
    }),
  'next-throws': () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        throw failure('next');
      },
    }),
  }),
  'no-iterator': () => ({
    [Symbol.asyncIterator]: () => {
      throw failure('iterator');
    },
  }),
  'fails-later': () =>
    (async function* () {
      for (let n = 0; n < 10; n++) yield 'x'.repeat(20_000);
      throw failure('later');
    })(),
  'cyclic-later': () =>
    (async function* () {
      yield 'x'.repeat(20_000);
      const record: Record<string, unknown> = {};
      record.self = record;
      yield record;
    })(),
  'error-event': () => {
    const stream = new Readable({ objectMode: true, read: () => undefined });
    setTimeout(() => stream.destroy(failure('event')), 10);
    return stream;
  },
  never: () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => {
        asked += 1;
        return new Promise(() => undefined);
      },
      return: async () => {
        stopped += 1;
        return { done: true, value: undefined };
      },
    }),
  }),
  waits: () => {
    const stream = new Readable({
      objectMode: true,
      read: () => {
        asked += 1;
      },
    });
    stream.once('close', () => (stopped += 1));
    return stream;
  },
  seldom: () =>
    (async function* () {
      try {
        for (;;) {
          yield { n: asked };
          asked += 1;
          await new Promise<void>((resolve) => (goOn = resolve));
        }
      } finally {
        stopped += 1;
      }
    })(),
  mixed: () => Readable.from([undefined, () => 1, { a: '<b>', n: [1, {}] }, [], 'text', { a: undefined }]),
};

let running: Running;
beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  running = await start(
    (app) => {
      app.use('streams/:name', {
        async find({ route }: { route: { name: string } }) {
          return (SOURCES[route.name] as () => unknown)();
        },
      });
    },
    {
      logger: (error) => {
        logged.push(error);
      },
    },
  );
});
afterAll(async () => {
  await running.stop();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});
afterEach(async () => {
  await settle();
  expect(unowned.splice(0)).toEqual([]);
});

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

/** Waits for something that has no event. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 1000; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
}

const hangUp = async (name: string, afterFirst: boolean): Promise<void> => {
  asked = 0;
  const request = http.get(`${running.url}/streams/${name}`, { agent: false });
  request.on('error', () => undefined);
  if (afterFirst) {
    const response = await new Promise<http.IncomingMessage>((resolve) => request.once('response', resolve));
    response.on('error', () => undefined);
    await new Promise((resolve) => response.once('data', resolve));
  } else await until(() => asked > 0);
  request.destroy();
};

describe('S47 a stream of records', () => {
  it.each(['return-rejects', 'return-throws', 'destroy-fails'])(
    '%s while the client hangs up: it is logged, nothing else happens',
    async (name) => {
      logged.length = 0;
      stopped = 0;
      await hangUp(name, true);
      await until(() => logged.length > 0);
      expect([stopped, logged.map((error) => (error as Error).message)]).toEqual([1, [expect.stringContaining('secret')]]);
      expect((await send(running.url, '/streams/mixed')).status).toBe(200);
    },
  );

  it.each(['return-rejects', 'return-throws', 'destroy-fails'])('%s for HEAD: one answer', async (name) => {
    logged.length = 0;
    const { status, text } = await send(running.url, `/streams/${name}`, { method: 'HEAD' });
    await until(() => logged.length > 0);
    expect([[200, 500].includes(status), text, logged.length]).toEqual([true, '', 1]);
  });

  it.each(['next-throws', 'no-iterator', 'error-event'])('%s before the first record: one 500, logged', async (name) => {
    logged.length = 0;
    const answer = await send(running.url, `/streams/${name}`);
    expect(answer).toMatchObject({ status: 500, body: { message: 'An unexpected error occurred on the server' } });
    expect(logged).toHaveLength(1);
    expect(answer.body.data.correlationId).toBe((logged[0] as { correlationId: string }).correlationId);
  });

  it.each(['fails-later', 'cyclic-later'])('%s: the connection is closed, and the reason is logged', async (name) => {
    logged.length = 0;
    await expect(send(running.url, `/streams/${name}`)).rejects.toThrow();
    expect(logged.map((error) => (error as Error).message)).toEqual([expect.stringMatching(/secret: later|circular/)]);
    expect((await send(running.url, '/streams/mixed')).status).toBe(200);
  });

  it('that waits for its first record is stopped when the client hangs up', async () => {
    stopped = 0;
    logged.length = 0;
    await hangUp('waits', false);
    await until(() => stopped > 0);
    await hangUp('never', false);
    await until(() => stopped > 1);
    expect([stopped, logged]).toEqual([2, []]);
  });

  it('is sent as far as it is there while the source waits for more, and is stopped with its next record when the client has hung up', async () => {
    for (const [accept, pieces] of [
      ['application/json', ['[{"n":0}', ',{"n":1}']],
      ['application/x-ndjson', ['{"n":0}\n', '{"n":1}\n']],
    ] as const) {
      [stopped, asked] = [0, 0];
      let text = '';
      const request = http.get(`${running.url}/streams/seldom`, { agent: false, headers: { accept } }, (response) => {
        response.on('error', () => undefined).setEncoding('utf8');
        response.on('data', (piece: string) => (text += piece));
      });
      request.on('error', () => undefined);
      for (const piece of pieces) {
        await until(() => text !== '');
        expect(text).toBe(piece);
        text = '';
        goOn();
      }
      await until(() => asked === 3);
      request.destroy();
      await settle();
      goOn();
      await until(() => stopped > 0);
      expect([stopped, asked]).toEqual([1, 3]);
    }
  });
});

it('records behind `compression` are sent while the source waits for more', async () => {
  const app = express(framework());
  app.use(compression({ threshold: 0 }));
  app.configure(rest());
  app.use('seldom', { find: async () => SOURCES.seldom?.() });
  app.use(errorHandler({ logger: false }));
  const other = await listen(app);
  asked = 0;
  let text = '';
  const request = http.get(`${other.url}/seldom`, { agent: false, headers: { 'accept-encoding': 'gzip' } }, (response) => {
    expect(response.headers['content-encoding']).toBe('gzip');
    response.on('error', () => undefined);
    const unzipped = response.pipe(createGunzip()).on('error', () => undefined);
    unzipped.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  });
  request.on('error', () => undefined);
  await until(() => text !== '');
  const first = text;
  goOn();
  await until(() => text.includes(','));
  request.destroy();
  goOn();
  await other.stop();
  expect([first, text]).toEqual(['[{"n":0}', '[{"n":0},{"n":1}']);
});

describe('the text of records', () => {
  const records = [null, null, { a: '<b>', n: [1, {}] }, [], 'text', {}];

  it('is JSON for everything, also for what JSON has no form for', async () => {
    const answer = await send(running.url, '/streams/mixed');
    expect(answer.text).toBe(JSON.stringify(records));
    const lines = await send(running.url, '/streams/mixed', { headers: { accept: 'application/x-ndjson' } });
    expect(lines.text).toBe(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  });

  it.each([2, '\t', 20, 0, '', 1.9])('honours the settings of Express as one JSON text does, with json spaces %p', async (spaces) => {
    const replacer = (_key: string, value: unknown): unknown => (value === 1 ? 'one' : value);
    const other = await start((app) => {
      app.set('json spaces', spaces);
      app.set('json escape', true);
      app.set('json replacer', replacer);
      app.use('some', { find: async () => SOURCES.mixed?.() });
      app.use('none', { find: async () => Readable.from([]) });
      app.use('whole', { find: async () => records });
    });
    const whole = await send(other.url, '/whole');
    expect((await send(other.url, '/some')).text).toBe(whole.text);
    expect(whole.text).toContain('\\u003cb');
    expect((await send(other.url, '/none')).text).toBe('[]');
    const lines = await send(other.url, '/some', { headers: { accept: 'application/x-ndjson' } });
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(JSON.parse(whole.text));
    await other.stop();
  });

  it.each([
    ['application/x-ndjson;q=0.5, application/json', 'application/json'],
    ['application/x-ndjson, application/json;q=0.5', 'application/x-ndjson'],
    ['application/x-ndjson;q=0, */*', 'application/json'],
    ['application/json, application/x-ndjson', 'application/json'],
    ['application/x-ndjson, application/json', 'application/x-ndjson'],
    ['*/*', 'application/json'],
  ])('for Accept: %s is %s', async (accept, type) => {
    expect((await send(running.url, '/streams/mixed', { headers: { accept } })).headers['content-type']).toBe(`${type}; charset=utf-8`);
  });
});
