import { raw } from '../../src/index.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, sendJson, start, type Running } from '../harness.ts';

let running: Running;
let url: string;
beforeAll(async () => {
  running = await start((app) => {
    app.use('echo', { id: 'id', create: async (data: object) => data });
    app.use('given', { id: 'id', create: async ({ text }: { text: string }) => ({ id: JSON.parse(text) as string }) });
    app.use(':tenant/notes', { id: 'id', create: async (data: object) => data });
  });
  url = running.url;
});
afterAll(() => running.stop());

describe('the Location of a created record (decisions: success status)', () => {
  it.each([
    ['/echo', 'a', '/echo/a'],
    ['/echo', 7, '/echo/7'],
    ['/echo/?x=1', 'a b/ü', '/echo/a%20b%2F%C3%BC'],
    ['/echo#part', 'a', '/echo/a'],
    ['http://elsewhere.example/echo', 'a', '/echo/a'],
    ['http://elsewhere.example:80/echo?x', 'a', '/echo/a'],
    ['/\\evil.example/notes', 'a', '/%5Cevil.example/notes/a'],
  ])('POST %s with the id %p is %s, on the same host', async (path, id, location) => {
    const answer = await sendJson(url, 'POST', path, { id });
    expect([answer.status, answer.headers.location]).toEqual([201, location]);
    expect(new URL(String(answer.headers.location), url).origin).toBe(url);
  });

  it.each([
    ['a lone surrogate', '"\\ud800"'],
    ['an empty id', '""'],
    ['a name of a prototype', '"constructor"'],
    ['NUL', '"a\\u0000"'],
    ['a dot segment', '".."'],
    ['an id over the limit', JSON.stringify('x'.repeat(2000))],
  ])('%s can not stand in a path: 201 without a Location', async (_what, text) => {
    const answer = await sendJson(url, 'POST', '/given', { text });
    expect([answer.status, answer.headers.location]).toEqual([201, undefined]);
    expect(answer.body).toEqual({ id: JSON.parse(text) });
  });
});

describe('bodies (security S8, S9)', () => {
  it('names of prototypes are fine as values', async () => {
    expect((await sendJson(url, 'POST', '/echo', { a: '__proto__', b: ['constructor'] })).status).toBe(201);
    expect((await sendJson(url, 'POST', '/echo', '{"__proto__":1}')).status).toBe(400);
  });

  it('S9 of bytes are not looked into', async () => {
    let bytes = 0;
    const keys = Reflect.ownKeys;
    const other = await start((app) => {
      app.use(
        'files',
        raw({ limit: '30mb' }),
        (req, _res, next) => {
          // Any look at the bytes one by one shows here.
          req.body = new Proxy(req.body as Buffer, {
            ownKeys(target) {
              bytes += target.length;
              return keys(target);
            },
          });
          next();
        },
        { create: async (data: Buffer) => ({ id: 1, length: data.byteLength ?? 0, buffer: ArrayBuffer.isView(data) }) },
      );
      app.use('plain-files', raw({ limit: '30mb' }), { create: async (data: Buffer) => ({ id: 1, length: data.length }) });
    });
    const body = Buffer.alloc(20 * 1024 * 1024, 1);
    const before = process.memoryUsage().heapUsed;
    const answer = await send(other.url, '/plain-files', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body,
    });
    expect(answer).toMatchObject({ status: 201, body: { length: body.length } });
    // The bytes themselves are outside the heap; a list of them would take some 200 MB of it.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024);
    expect(bytes).toBe(0);
    await other.stop();
  });
});
