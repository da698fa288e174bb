import { deflateSync, gzipSync } from 'node:zlib';
import { framework } from '@framework/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { errorHandler, json, rest, text, urlencoded } from '../../src/index.ts';
import { listen, send, type Running } from '../harness.ts';

const kept: unknown[] = [];
let running: Running;

beforeAll(async () => {
  const app = express(framework());
  app.use(json(), json({ type: 'application/merge-patch+json', reviver: (_key, value: unknown) => value }));
  app.use(urlencoded({ extended: true }), text());
  app.configure(rest());
  app.use('notes', {
    async create(data: unknown) {
      kept.push(data);
      return { made: true };
    },
  });
  app.use(errorHandler());
  running = await listen(app);
});
afterAll(() => running.stop());

/** @returns the status, and what was kept or what the error says */
async function post(type: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
  kept.length = 0;
  const answer = await send(running.url, '/notes', { method: 'POST', headers: { 'content-type': type, ...headers }, body: bytes });
  return [answer.status, ...(kept.length > 0 ? kept : [(answer.body as { message: unknown }).message])];
}

const REFUSED = [400, 'The body has bytes that are no UTF-8. Send it in UTF-8, or name its charset in Content-Type'];
const around = (begin: string, bytes: readonly number[], end: string): Buffer =>
  Buffer.concat([Buffer.from(begin), Buffer.from(bytes), Buffer.from(end)]);

describe('bytes that are no UTF-8', () => {
  it.each([
    ['a byte that is in no character', [0xff]],
    ['a byte of latin1', [0xe9]],
    ['the first half of a character', [0xe2, 0x82]],
    ['the second half of one', [0xac]],
    ['a slash in two bytes', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a code above all', [0xf4, 0x90, 0x80, 0x80]],
  ])('are refused in JSON, forms and texts: %s', async (_name, bytes) => {
    const body = around('{"a":"', bytes, '"}');
    expect(await post('application/json', body)).toEqual(REFUSED);
    expect(await post('application/json; charset=UTF-8', body)).toEqual(REFUSED);
    expect(await post('application/json; charset="utf-8"', body)).toEqual(REFUSED);
    expect(await post('application/json; charset="utf-8:1990"', body)).toEqual(REFUSED);
    expect(await post('application/merge-patch+json', body)).toEqual(REFUSED);
    expect(await post('application/json', gzipSync(body), { 'content-encoding': 'gzip' })).toEqual(REFUSED);
    expect(await post('application/json', deflateSync(body), { 'content-encoding': 'deflate' })).toEqual(REFUSED);
    expect(await post('application/json', body, { 'transfer-encoding': 'chunked' })).toEqual(REFUSED);
    expect(await post('application/json', around('{"', bytes, '":1}'))).toEqual(REFUSED);
    expect(await post('application/x-www-form-urlencoded', around('a=', bytes, ''))).toEqual(REFUSED);
    expect(await post('application/x-www-form-urlencoded', around('', bytes, '=b'))).toEqual(REFUSED);
    expect(await post('text/plain', around('a', bytes, ''))).toEqual(REFUSED);
    expect(await post('text/plain; charset=unicode-1-1-utf-8', around('a', bytes, ''))).toEqual(REFUSED);
    expect(await post('text/plain; charset=utf_8', around('a', bytes, ''))).toEqual(REFUSED);
  });

  it('are what their charset says where it is another one', async () => {
    expect(await post('text/plain; charset=latin1', Buffer.from([0xe9]))).toEqual([201, 'é']);
    expect(await post('application/json; charset=utf-16', Buffer.from('\ufeff{"a":"é"}', 'utf16le'))).toEqual([201, { a: 'é' }]);
    expect(await post('application/json; charset=latin1', Buffer.from('{"a":"é"}', 'latin1'))).toEqual([
      415,
      'unsupported charset "LATIN1"',
    ]);
  });

  it('are no fault of texts that are UTF-8', async () => {
    for (const value of ['é€😀', '\ufffd', '\ufeffx', '']) {
      expect(await post('application/json', Buffer.from(JSON.stringify({ a: value })))).toEqual([201, { a: value }]);
      expect(await post('application/x-www-form-urlencoded', Buffer.from(`a=${value}`))).toEqual([201, { a: value }]);
    }
    expect(await post('application/json', Buffer.from('\ufeff{"a":1}'))).toEqual([201, { a: 1 }]);
  });
});

describe('the option verify', () => {
  const parsed = async (parser: ReturnType<typeof json>, body: Buffer): Promise<readonly unknown[]> => {
    const app = express(framework());
    app.use(parser);
    app.use((req, res) => void res.json(req.body));
    app.use(errorHandler({ html: false }));
    const server = await listen(app);
    const answer = await send(server.url, '/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await server.stop();
    const { message = answer.body } = answer.body as { message?: unknown };
    return [answer.status, message];
  };

  it('of an application sees the bytes, before they are refused', async () => {
    const seen: unknown[] = [];
    const parser = json({ verify: (_req, _res, bytes, charset) => void seen.push([bytes.toString('latin1'), charset]) });
    expect(await parsed(parser, Buffer.from('{"a":"ü"}', 'latin1'))).toEqual(REFUSED);
    expect(await parsed(parser, Buffer.from('{"a":1}'))).toEqual([200, { a: 1 }]);
    expect(seen).toEqual([
      ['{"a":"ü"}', 'utf-8'],
      ['{"a":1}', 'utf-8'],
    ]);
  });

  it('of an application refuses first', async () => {
    const parser = json({
      verify: () => {
        throw new Error('not signed');
      },
    });
    expect(await parsed(parser, Buffer.from([0xff]))).toEqual([403, 'not signed']);
  });

  it('that is no function is refused by each parser, as by Express', () => {
    const verify = 'x' as never;
    for (const make of [() => json({ verify }), () => urlencoded({ verify, extended: true }), () => text({ verify })]) {
      expect(make).toThrow('option verify must be function');
    }
  });
});
