import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import originalExpress from 'express';
import { json, JSON_LIMIT } from '../../src/body/json.ts';

type Parser = typeof originalExpress.json;
type Options = Parameters<Parser>[0];
type Bytes = string | Buffer;
type Message = IncomingMessage & { body?: unknown };

const JSON_TYPE = { 'content-type': 'application/json' };

/** A request as Node makes it of what comes, without a network. */
function request(headers: Readonly<Record<string, string>>, ...pieces: readonly Bytes[]): Message {
  const req: Message = new IncomingMessage(new Socket());
  Object.assign(req, { method: 'POST', url: '/' });
  const given = { ...headers };
  if (pieces.length > 0) given['content-length'] ??= String(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  Object.assign(req.headers, given);
  for (const piece of pieces) req.push(piece);
  return req;
}

/** What a parser made of a request. */
async function parse(parser: ReturnType<Parser>, req: Message): Promise<unknown> {
  const error: unknown = await new Promise((resolve) => {
    parser(req as never, new ServerResponse(req) as never, resolve);
  });
  const facts = error instanceof Error ? { ...error, ...factsOf(error) } : error;
  return { body: req.body, has: Object.hasOwn(req, 'body'), error: facts, read: Reflect.get(req, '_body') };
}

/** Some of them stand on the prototypes of errors. */
function factsOf(error: Error): object {
  const { name, message, status, statusCode, expose } = error as Error & Readonly<Record<string, unknown>>;
  return { name, message: OLDEST ? String(message).replace(QUOTED, '') : message, status, statusCode, expose };
}

/** The oldest Express that may be used quotes `#` in place of what is no JSON. */
const OLDEST = process.env.EXPRESS_VERSION === '4-floor';
const QUOTED = /, ".*" is not valid JSON$/s;

/** What Express's parser and this one make of the same. */
async function both(options: Options, make: () => Message): Promise<{ ours: unknown; theirs: unknown }> {
  return { ours: await parse(json(options), make()), theirs: await parse(originalExpress.json(options), make()) };
}
const ended = (req: Message): Message => {
  req.push(null);
  req.complete = true;
  return req;
};

const BODIES: readonly Bytes[] = [
  '{"a":1}',
  '[1,{"b":[]}]',
  ' \n\r\t{"a": "ü€😀"}  ',
  '\t[1]',
  '1',
  ' 1',
  '"text"',
  'null',
  'true',
  '{"a":1',
  ' {a:1}',
  '[1,]',
  'not json',
  '  not json',
  ' ',
  '\ufeff{"a":1}',
  '\ufeff',
  '#',
  '{"a":1}{"b":2}',
  '{"__proto__":{"x":1}}',
];
const OPTIONS: readonly Options[] = [
  undefined,
  {},
  { strict: true },
  { strict: false },
  { limit: 7 },
  { limit: 6 },
  { limit: '7' },
  { limit: '7b' },
  { limit: '7 B' },
  { limit: '1kb', strict: false },
  { limit: '1 MB' },
  { limit: '1gb' },
  { type: '*/*' },
  { inflate: false },
  { verify: () => undefined },
  { reviver: (_key, value: unknown) => (value === 1 ? 'one' : value) },
];

describe('a body', () => {
  it.each(OPTIONS)('is what Express makes of it: %p', async (options) => {
    let bodies = 0;
    for (const body of BODIES) {
      const { ours, theirs } = await both(options, () => ended(request(JSON_TYPE, body)));
      expect([body, ours]).toEqual([body, theirs]);
      bodies += 1;
    }
    expect(bodies).toBe(BODIES.length);
  });

  it.each<Readonly<Record<string, string>>>([
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'Application/JSON  ;  charset=UTF-8' },
    { 'content-type': 'application/json;charset=utf-8' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json; charset=utf-8; x=y' },
    { 'content-type': 'x-application/json' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'text/plain' },
    { ...JSON_TYPE, 'content-encoding': 'identity' },
    { ...JSON_TYPE, 'content-encoding': 'nonsense' },
    { ...JSON_TYPE, 'content-length': '0' },
    {},
  ])('with the headers %p is what Express makes of it', async (headers) => {
    for (const body of ['{"a":"ü"}', '1']) {
      const { ours, theirs } = await both(undefined, () => ended(request(headers, body)));
      expect([headers, ours]).toEqual([headers, theirs]);
    }
  });

  it('in pieces, or of a length that nobody says, is what Express makes of it', async () => {
    const bytes = Buffer.from('{"a":"ü€"}');
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    for (const make of [
      () => ended(request(JSON_TYPE, ...pieces)),
      () => ended(Object.assign(request({ ...JSON_TYPE, 'transfer-encoding': 'chunked' }), {})),
      () => ended(request(JSON_TYPE)),
      () => ended(request({ 'transfer-encoding': 'chunked' })),
    ]) {
      const { ours, theirs } = await both(undefined, make);
      expect(ours).toEqual(theirs);
    }
    expect(await parse(json(), ended(request(JSON_TYPE, ...pieces)))).toMatchObject({ body: { a: 'ü€' } });
  });

  it('may have as many bytes as the limit says, and no more', async () => {
    const text = (length: number): string => `"${'x'.repeat(length - 2)}"`;
    for (const [options, limit] of [
      [{ strict: false }, JSON_LIMIT],
      [{ strict: false, limit: '2kb' }, 2048],
      [{ strict: false, limit: 10 }, 10],
    ] as const)
      for (const [length, status] of [
        [limit, undefined],
        [limit + 1, 413],
      ] as const) {
        const parsed = (await parse(json(options), ended(request(JSON_TYPE, text(length))))) as { error?: { status: number } };
        expect([options, length, parsed.error?.status]).toEqual([options, length, status]);
      }
  });

  it('that somebody else has read, or has begun to read, is left alone', async () => {
    const begun = (change: (req: Message) => unknown) => (): Message => {
      const req = request(JSON_TYPE, '{"a":1}');
      change(req);
      return ended(req);
    };
    for (const make of [
      begun((req) => Object.assign(req, { body: { read: true } })),
      begun((req) => Object.assign(req, { _body: true, body: 'text' })),
      begun((req) => req.setEncoding('utf8')),
    ]) {
      const { ours, theirs } = await both(undefined, make);
      expect(ours).toEqual(theirs);
    }
    const { ours, theirs } = await both(undefined, () => ended(Object.assign(request(JSON_TYPE, '{"a":'), { body: 'kept' })));
    expect(ours).toEqual(theirs);
    const kept = request({}, '{"a":1}');
    Object.assign(kept, { body: 'kept' });
    expect(await parse(json(), ended(kept))).toMatchObject({ body: 'kept' });
    const none = Object.assign(request({}), { body: 'kept' });
    expect(await parse(json(), ended(none))).toMatchObject({ body: 'kept', error: undefined });
  });

  it('of which somebody else has read a part is not taken for the whole', async () => {
    const results: unknown[] = [];
    for (const parser of [json(), originalExpress.json()]) {
      const req = request({ ...JSON_TYPE, 'content-length': '9' }, '  ');
      await new Promise((resolve) => req.once('data', resolve));
      req.push('{"a":1}');
      results.push(await parse(parser, ended(req)));
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toMatchObject({ error: { status: 400, message: 'request size did not match content length' } });
  });

  it('of which two headers say how long it is is what Express makes of it', async () => {
    const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked', 'content-length': '3' };
    const { ours, theirs } = await both(undefined, () => ended(request(headers, '[1,2]')));
    expect(ours).toEqual(theirs);
    expect(ours).toMatchObject({ error: { status: 400 } });
  });

  it('keeps the asynchronous context of the layers before it', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen = await context.run('of this call', () => {
      const req = request(JSON_TYPE, '{"a":1}');
      setImmediate(() => context.exit(() => ended(req)));
      return new Promise((resolve) => {
        json()(req as never, new ServerResponse(req) as never, () => {
          resolve(context.getStore());
        });
      });
    });
    expect(seen).toBe('of this call');
  });
});

describe('a body that does not come', () => {
  /** What Express leaves where there is no body: nothing, and Express 4 an empty object. */
  const untouched = async (): Promise<unknown> => {
    const { body } = (await parse(originalExpress.json(), request({}))) as { body: unknown };
    return body;
  };
  const cut = async (end: (req: Message) => void): Promise<{ body: unknown; error: unknown; listening: number }> => {
    const req = request({ ...JSON_TYPE, 'content-length': '100' }, '{"a":', '1');
    const parsed = parse(json(), req) as Promise<{ body: unknown; error: unknown }>;
    // The pieces have been read by then.
    await new Promise((resolve) => setImmediate(resolve));
    end(req);
    const { body, error } = await parsed;
    const listening = ['data', 'end', 'aborted', 'error'].reduce((sum, event) => sum + req.listenerCount(event), 0);
    return { body, error, listening };
  };

  it('because its client has gone is 400, with what came', async () => {
    expect(await cut((req) => req.emit('aborted'))).toEqual({
      body: await untouched(),
      listening: 0,
      error: {
        name: 'BadRequestError',
        message: 'request aborted',
        expose: true,
        status: 400,
        statusCode: 400,
        code: 'ECONNABORTED',
        expected: 100,
        length: 100,
        received: 6,
        type: 'request.aborted',
      },
    });
  });

  it('because the connection fails is 400, with its error', async () => {
    const failed = await cut((req) => req.emit('error', new Error('cut')));
    expect(failed).toEqual({
      body: await untouched(),
      listening: 0,
      error: { name: 'Error', message: 'cut', expose: true, status: 400, statusCode: 400 },
    });
  });
});

describe('options', () => {
  it('are those of Express: what only it knows is left to it', () => {
    const names = (options: Options): string => json(options).name;
    const theirs = originalExpress.json().name;
    for (const options of [undefined, {}, { limit: 5 }, { limit: '5kb' }, { strict: false }]) expect(names(options)).not.toBe(theirs);
    for (const options of [{ type: 'x/y' }, { limit: '1.5kb' }, { limit: '1tb' }, { inflate: true }]) expect(names(options)).toBe(theirs);
    for (const limit of ['much', 'x5kb']) expect(refusal(() => json({ limit }))).toBe(refusal(() => originalExpress.json({ limit })));
    expect(refusal(() => json({ limit: 'much' }))).toBe(OLDEST ? undefined : 'option limit "much" is invalid');
  });
});

/** @returns the message of what is thrown; the oldest Express that may be used refuses no limit */
function refusal(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
