import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import originalExpress from 'express';
import { makeAnswer, NOTHING, type Answer, type Content, type Header } from '../../src/answer/answer.ts';
import { write } from '../../src/answer/write.ts';
import { setUnseen } from '../../src/dispatch/unseen.ts';
import type { Response } from '../../src/middleware-types.ts';
import { exchange, type Exchange } from './exchange.ts';

const WEAK = { 'etag fn': originalExpress().get('etag fn') as unknown };
const value = (data: unknown, status = 200, headers: readonly Header[] = []): Answer =>
  makeAnswer(status, headers, { kind: 'value', value: data });
const TEXT = { kind: 'text', type: 'text/plain; charset=utf-8', text: 'ü' } as const;
const TAG = /^W\/"3-[\w+/]{27}"$/;
const set = (name: string, text: string): Header => ({ name, value: text, rule: 'set' });

type Asked = Parameters<typeof exchange>[0];

/** What a client gets; failures that come later are thrown. */
async function sent(
  answer: Answer,
  asked?: Asked,
  prepare: (res: Response) => void = () => undefined,
): Promise<ReturnType<Exchange['sent']>> {
  const made = exchange(asked);
  prepare(made.res);
  let failure: unknown;
  write(answer, made.req, made.res, (error: unknown) => {
    failure = error ?? 'next';
  });
  await new Promise((resolve) => setImmediate(resolve));
  if (failure !== undefined) throw failure;
  const { date: _date, connection: _connection, 'keep-alive': _alive, ...headers } = made.sent().headers;
  return { ...made.sent(), headers };
}

/** Somebody has hold of the response. */
const seen = (res: Response): void => setUnseen(res, false);
const WAYS: readonly [string, (res: Response) => void][] = [
  ['in one go', () => undefined],
  ['header by header', seen],
];

describe.each(WAYS)('an answer that is sent %s', (_way, prepare) => {
  it('has its status, headers, length and text', async () => {
    expect(await sent(value({ a: 'ü' }, 201, [set('X-Own', '1')]), { method: 'POST' }, prepare)).toEqual({
      line: 'HTTP/1.1 201 Created',
      headers: { 'x-own': '1', 'content-type': 'application/json; charset=utf-8', 'content-length': '10' },
      body: '{"a":"ü"}',
    });
  });

  it.each([204, 205, 304])('has no body for %i', async (status) => {
    const { headers, body } = await sent(value({ a: 1 }, status), { settings: WEAK }, prepare);
    expect([body, headers['content-type'], headers.etag]).toEqual(['', undefined, undefined]);
    expect(headers).toEqual(status === 205 ? { 'content-length': '0' } : {});
  });

  it('has its headers and no body for HEAD', async () => {
    const { headers, body } = await sent(makeAnswer(200, [], TEXT), { method: 'HEAD', settings: WEAK }, prepare);
    expect([headers, body]).toEqual([
      { 'content-type': TEXT.type, 'content-length': '2', etag: expect.stringMatching(/^W\/"2-[\w+/]{27}"$/) },
      '',
    ]);
  });

  it.each<[string, number, boolean]>([
    ['GET', 200, true],
    ['HEAD', 299, true],
    ['GET', 199, false],
    ['GET', 300, false],
    ['GET', 404, false],
    ['POST', 200, false],
    ['PUT', 200, false],
  ])('to %s with %i has a tag: %p', async (method, status, tagged) => {
    const { headers } = await sent(value(123, status, [set('Vary', 'Accept')]), { method, settings: WEAK }, prepare);
    expect([headers.vary, headers.etag]).toEqual(['Accept', tagged ? expect.stringMatching(TAG) : undefined]);
  });

  it('keeps a tag of its own, whatever the case of its name, and has what the application makes for one', async () => {
    for (const name of ['ETag', 'etag'])
      expect((await sent(value(123, 200, [set(name, '"own"')]), { settings: WEAK }, prepare)).headers.etag).toBe('"own"');
    const tagOf = async (made: unknown): Promise<unknown> =>
      (await sent(value(123), { settings: { 'etag fn': (body: Buffer) => (made === 'length' ? String(body.length) : made) } }, prepare))
        .headers.etag;
    expect([await tagOf('length'), await tagOf(''), await tagOf(undefined), await tagOf(5)]).toEqual([
      '3',
      undefined,
      undefined,
      undefined,
    ]);
    for (const settings of [{}, { 'etag fn': undefined }, { 'etag fn': 'weak' }])
      expect((await sent(value(123), { settings }, prepare)).headers.etag).toBeUndefined();
  });

  it('is 304 where the client has it, and only for what can be asked for again', async () => {
    const ask = async (method: string, headers: Record<string, string>, own: readonly Header[] = [], status = 200): Promise<unknown[]> => {
      const { line, body, headers: got } = await sent(value(123, status, own), { method, headers, settings: WEAK }, prepare);
      return [Number(line.split(' ')[1]), body, got['content-type'] === undefined];
    };
    const tagged = [set('ETag', '"x"')];
    const dated = [set('Last-Modified', 'Mon, 23 Nov 2026 10:00:00 GMT')];
    expect(await ask('GET', { 'if-none-match': '"x"' }, tagged)).toEqual([304, '', true]);
    expect(await ask('HEAD', { 'if-none-match': '"x"' }, tagged)).toEqual([304, '', true]);
    expect(await ask('GET', { 'if-none-match': '"y"' }, tagged)).toEqual([200, '123', false]);
    expect(await ask('POST', { 'if-none-match': '"x"' }, tagged)).toEqual([200, '123', false]);
    expect(await ask('GET', { 'if-none-match': '"x"' }, tagged, 404)).toEqual([404, '123', false]);
    expect(await ask('GET', { 'if-modified-since': 'Mon, 23 Nov 2026 10:00:00 GMT' }, dated)).toEqual([304, '', true]);
    expect(await ask('GET', { 'if-modified-since': 'Mon, 23 Nov 2026 09:59:59 GMT' }, dated)).toEqual([200, '123', false]);
  });
});

describe('what stands on a response already', () => {
  it('stays: a type, and an encoding in place of a length', async () => {
    const typed = await sent(makeAnswer(200, [], TEXT), {}, (res) => res.setHeader('Content-Type', 'text/own'));
    expect(typed.headers).toEqual({ 'content-type': 'text/own', 'content-length': '2' });
    const chunked = await sent(makeAnswer(200, [], TEXT), {}, (res) => res.setHeader('Transfer-Encoding', 'chunked'));
    expect([chunked.headers['content-length'], chunked.body]).toEqual([undefined, '2\r\nü\r\n0\r\n\r\n']);
  });

  it.each([
    [204, undefined],
    [205, '0'],
    [202, '0'],
  ])('goes where it describes a body that is not there: %i', async (status, length) => {
    const { headers } = await sent(makeAnswer(status, [], NOTHING), {}, (res) => {
      res.setHeader('Content-Type', 'text/own');
      res.setHeader('Content-Length', 7);
      res.setHeader('X-Own', '1');
    });
    expect({ ...headers, 'transfer-encoding': '' }).toEqual({
      'x-own': '1',
      'transfer-encoding': '',
      ...(length === undefined ? {} : { 'content-length': length }),
    });
    const coded = await sent(makeAnswer(205, [], NOTHING), {}, (res) => res.setHeader('Transfer-Encoding', 'gzip'));
    expect(coded.headers).toEqual({ 'content-length': '0' });
  });
});

describe('an answer that comes after another has begun', () => {
  it('is dropped, and its records are let go of', async () => {
    for (const begin of [(res: Response) => res.writeHead(200), (res: Response) => res.end('first')]) {
      let stopped = 0;
      const records = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true }), return: async () => (stopped += 1) }) };
      const stream = Readable.from([1]);
      const first = await sent(value(records), {}, begin as never);
      expect([stopped, first.body.includes('[')]).toEqual([1, false]);
      await sent(value(stream), {}, begin as never);
      expect(stream.destroyed).toBe(true);
      for (const content of [NOTHING, TEXT, { kind: 'value', value: { a: 1 } }] as Content[])
        expect((await sent(makeAnswer(404, [], content), {}, begin as never)).line).not.toContain('404');
    }
  });

  it('tells when the records can not be let go of', async () => {
    const records = { [Symbol.asyncIterator]: () => ({ return: () => Promise.reject(new Error('in return')) }) };
    await expect(sent(value(records), {}, ((res: Response) => res.writeHead(200)) as never)).rejects.toThrow('in return');
  });
});

describe('functions of the response that the application has replaced', () => {
  const calls: unknown[][] = [];
  const replaced =
    (...names: ('json' | 'send' | 'format')[]) =>
    (res: Response): void => {
      calls.length = 0;
      for (const name of names) {
        const original = res[name] as (...args: unknown[]) => unknown;
        Object.assign(res, {
          [name]: (...args: unknown[]) => {
            calls.push([
              name,
              ...(name === 'format' ? [Object.keys(args[0] as object)] : args),
              res.getHeader('Content-Type'),
              res.statusCode,
            ]);
            return Reflect.apply(original, res, args);
          },
        });
      }
    };

  it('get values as JSON, texts as they are, and the choice of a form', async () => {
    await sent(value({ a: 1 }, 201), {}, replaced('json'));
    expect(calls).toEqual([['json', { a: 1 }, undefined, 201]]);
    await sent(makeAnswer(400, [], TEXT), {}, replaced('json', 'send'));
    expect(calls).toEqual([['send', 'ü', TEXT.type, 400]]);
    await sent(value({ a: 1 }), {}, replaced('format', 'json'));
    expect(calls.map(([name, first]) => [name, first])).toEqual([
      ['format', ['application/json']],
      ['json', { a: 1 }],
    ]);
  });

  it('see the type that an error has, and one that was there before it', async () => {
    const problem = makeAnswer(404, [], { kind: 'value', value: {}, type: 'application/problem+json' });
    await sent(problem, {}, replaced('json'));
    expect(calls).toEqual([['json', {}, 'application/problem+json', 404]]);
    await sent(problem, {}, (res) => {
      res.setHeader('Content-Type', 'text/own');
      replaced('json')(res);
    });
    expect(calls).toEqual([['json', {}, 'text/own', 404]]);
  });

  it('get neither records nor what has no body', async () => {
    for (const answer of [
      makeAnswer(200, [], NOTHING),
      value({ a: 1 }, 204),
      value(Readable.from([1])),
      makeAnswer(200, [], { kind: 'records', type: 'text/own', source: Readable.from([1]) }),
    ]) {
      await sent(answer, {}, replaced('json', 'send', 'format'));
      expect(calls).toEqual([]);
    }
  });

  it('may be asynchronous, and fail', async () => {
    const failing = (res: Response): void => {
      res.json = (() => Promise.reject(new Error('in json'))) as never;
    };
    await expect(sent(value({}), {}, failing)).rejects.toThrow('in json');
    const silent = (res: Response): void => {
      res.json = (() => undefined) as never;
    };
    expect((await sent(value({}), {}, silent)).line).toBe('');
  });
});

describe('records', () => {
  const source = (...records: unknown[]): AsyncIterable<unknown> => ({
    async *[Symbol.asyncIterator]() {
      yield* records as never[];
    },
  });
  const plain = (body: string): string =>
    body
      .replace(/\r\n/g, '')
      .replace(/(^|\])[0-9a-f]+(?=\[|$)/g, '$1')
      .replace(/0$/, '');

  it('are sent with the type of their form, or that which stands there', async () => {
    const sentRecords = await sent(value(source({ a: 1 }), 201));
    expect([sentRecords.line, sentRecords.headers, plain(sentRecords.body)]).toEqual([
      'HTTP/1.1 201 Created',
      { 'content-type': 'application/json; charset=utf-8', 'transfer-encoding': 'chunked' },
      '[{"a":1}]',
    ]);
    const own = await sent(value(source()), {}, (res) => res.setHeader('Content-Type', 'text/own'));
    expect(own.headers['content-type']).toBe('text/own');
  });

  it('are not read for HEAD, and those that only look like streams are let go of as what they are', async () => {
    const stopped: string[] = [];
    const looking = (more: object): AsyncIterable<unknown> => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('read')),
        return: async () => stopped.push('return') as never,
      }),
      ...more,
    });
    for (const more of [
      {},
      { destroy: true },
      { destroy: () => stopped.push('destroy') },
      { destroy: () => undefined, on: 5 },
      { on: () => undefined },
      { destroy: 5, on: () => undefined },
    ]) {
      const { line, headers, body } = await sent(value(looking(more)), { method: 'HEAD' });
      expect([line, headers['content-type'], body]).toEqual(['HTTP/1.1 200 OK', 'application/json; charset=utf-8', '']);
    }
    expect(stopped).toEqual(Array.from({ length: 6 }, () => 'return'));
    const without = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('read')) }) };
    expect((await sent(value(without), { method: 'HEAD' })).line).toBe('HTTP/1.1 200 OK');
  });

  it('that fail before the first leave the answer to others', async () => {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('at first')) }) };
    const { req, res, sent: result } = exchange();
    const failures: unknown[] = [];
    write(value(failing), req, res, (error: unknown) => failures.push(error));
    await new Promise((resolve) => setImmediate(resolve));
    expect([failures.map(String), res.destroyed, res.headersSent, result().line]).toEqual([['Error: at first'], false, false, '']);
  });

  it('that fail later close the connection, and say it once', async () => {
    const stream = new Readable({ objectMode: true, read: () => undefined });
    const { req, res } = exchange();
    const failures: unknown[] = [];
    write(value(stream), req, res, (error: unknown) => failures.push(error));
    stream.push('x'.repeat(100_000));
    await new Promise((resolve) => setImmediate(resolve));
    expect(res.headersSent).toBe(true);
    stream.destroy(new Error('later'));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect([failures.map(String), res.destroyed]).toEqual([['Error: later'], true]);
  });
});
