import { framework, type HookContext, type NextFunction } from '@framework/core';
import { expect, it } from '@jest/globals';
import express, { idempotent, json, MemoryIdempotencyStore, rest, type Application } from '../../src/index.ts';
import { sendJson, start, type Answer, type Running } from '../harness.ts';

const KEY = { 'idempotency-key': 'key-of-one-write-0' };
const ANOTHER = { status: 422, body: { message: 'This Idempotency-Key was sent with another call: make a new one for each call' } };

const write = ({ url }: Running, path: string, data: object): Promise<Answer> => sendJson(url, 'POST', path, data, KEY);

/** Notes of one application, which says whose they are. */
function notesOf(name: string, store: MemoryIdempotencyStore): Application {
  const app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  app.use('notes', { create: async (data: object) => ({ ...data, of: name }) });
  app.service('notes').hooks({ around: { all: [idempotent({ store })] } });
  return app;
}

it('a write to the service of the same name in another application beside it is another call', async () => {
  const store = new MemoryIdempotencyStore();
  const running = await start((app) => {
    app.use('/v1', notesOf('v1', store) as never);
    app.use('/v2', notesOf('v2', store) as never);
    app.use('/shops/:shop', notesOf('shops', store) as never);
  });
  expect(await write(running, '/v1/notes', { text: 'tea' })).toMatchObject({ status: 201, body: { of: 'v1' } });
  expect(await write(running, '/v2/notes', { text: 'tea' })).toMatchObject(ANOTHER);
  expect(await write(running, '/shops/one/notes', { text: 'tea' })).toMatchObject(ANOTHER);
  const again = await write(running, '/v1/notes/?', { text: 'tea' });
  expect([again.status, again.headers['idempotency-replayed'], again.body.of]).toEqual([201, 'true', 'v1']);
  await running.stop();
});

it('a write below another part of the path of a mount is another call', async () => {
  const running = await start((app) => app.use('/shops/:shop', notesOf('shops', new MemoryIdempotencyStore()) as never));
  expect((await write(running, '/shops/one/notes', { text: 'tea' })).status).toBe(201);
  expect(await write(running, '/shops/two/notes', { text: 'tea' })).toMatchObject(ANOTHER);
  await running.stop();
});

it.each<[string, (text: string) => unknown]>([
  ['a bigint', (text) => BigInt(text)],
  ['a map', (text) => new Map([['text', text]])],
  ['a set', (text) => new Set([text])],
  ['a regular expression', (text) => new RegExp(text)],
])('data of which a hook in front has made %s are compared', async (_what, form) => {
  const running = await start((app) => {
    app.use('notes', { create: async ({ made }: { made: unknown }) => ({ made: String(made), kind: typeof made }) });
    const forming = async (context: HookContext, next: NextFunction): Promise<void> => {
      context.data = { made: form((context.data as { text: string }).text) };
      await next();
    };
    app.service('notes').hooks({ around: { all: [forming, idempotent()] } });
  });
  const first = await write(running, '/notes', { text: '12' });
  expect(first.status).toBe(201);
  expect(await write(running, '/notes', { text: '13' })).toMatchObject(ANOTHER);
  expect(await write(running, '/notes', { text: '12' })).toMatchObject({ status: 201, body: first.body });
  await running.stop();
});

it('nothing that is stored of a call tells by trying what was sent: its digests are made with the key, which is not stored', async () => {
  const taken: { key: string; fingerprint: string }[] = [];
  class Watched extends MemoryIdempotencyStore {
    override async take(...args: Parameters<MemoryIdempotencyStore['take']>): ReturnType<MemoryIdempotencyStore['take']> {
      const [held, fingerprint] = args;
      taken.push({ key: held.key, fingerprint });
      return super.take(...args);
    }
  }
  const running = await start((app) => {
    app.use('users', { create: async ({ email }: { email: string }) => ({ email }) });
    app.service('users').hooks({ around: { all: [idempotent({ store: new Watched() })] } });
  });
  const register = async (key: string): Promise<Answer> =>
    sendJson(running.url, 'POST', '/users', { email: 'ann@example.com', password: 'secret' }, { 'idempotency-key': key });
  for (const key of ['key-of-one-write-1', 'key-of-one-write-2', 'key-of-one-write-1']) expect((await register(key)).status).toBe(201);
  const [first, second, again] = taken;
  expect(again).toEqual(first);
  expect(second?.fingerprint).not.toBe(first?.fingerprint);
  expect(JSON.stringify(taken)).not.toContain('key-of-one-write');
  await running.stop();
});

it('a key that another version of the server has noted is a conflict, and no other call: the write may have been made', async () => {
  // Digests had no form in front of them, and those of a later version may have another one.
  let noted = 'uJ8fF2y0cQm1u0m6kq7Yl8bX9sT3vW5zA1b2C3d4E5f';
  let calls = 0;
  class OfAnother extends MemoryIdempotencyStore {
    override async take(...args: Parameters<MemoryIdempotencyStore['take']>): ReturnType<MemoryIdempotencyStore['take']> {
      const known = await super.take(...args);
      return known && { ...known, fingerprint: noted };
    }
  }
  const running = await start((app) => {
    app.use('notes', { create: async () => ({ calls: ++calls }) });
    app.service('notes').hooks({ around: { all: [idempotent({ store: new OfAnother() })] } });
  });
  expect((await write(running, '/notes', { text: 'tea' })).status).toBe(201);
  for (noted of [noted, `99.${noted}`]) {
    const again = await write(running, '/notes', { text: 'tea' });
    expect([again.status, again.body.message, again.headers['retry-after']]).toEqual([
      409,
      'The first call with this Idempotency-Key was noted by another version of the server, which compares calls in another way, so that nobody knows whether this is the same one: look whether it was made, and make it with another key',
      undefined,
    ]);
  }
  expect(calls).toBe(1);
  await running.stop();
});
