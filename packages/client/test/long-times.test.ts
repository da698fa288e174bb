import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient, rest, sse } from '../src/index.ts';
import { start, type Running, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

let running: Running;
beforeAll(async () => {
  running = await start();
  running.app.service('notes').hooks({ before: { find: [() => new Promise((resolve) => setTimeout(resolve, 50))] } });
});
afterAll(() => running.stop());

it.each([Infinity, 2 ** 31, Number.MAX_SAFE_INTEGER])('a time of %p is a long one, and not over at once', async (timeout) => {
  const { service } = createClient<TestApp>(rest(running.url, { timeout }));
  expect(await service('notes').find({ query: {} })).toMatchObject({ data: [] });
  expect(await service('notes').find({ query: {}, timeout })).toMatchObject({ data: [] });
  expect(await failureOf(service('notes').find({ query: {}, timeout: 5 }))).toMatchObject({ kind: 'timeout', code: 408 });
});

it('a stream that may be silent for ever is not cut at once', async () => {
  const client = createClient<TestApp>(rest(running.url), { events: sse(running.url, { silence: Infinity, maxDelay: 20 }) });
  const told: string[] = [];
  client.on('disconnect', () => told.push('disconnect'));
  const connected = new Promise<void>((resolve) => client.on('connect', () => resolve()));
  const got = new Promise((resolve) => client.service('notes').on('created', resolve));
  await connected;
  await new Promise((resolve) => setTimeout(resolve, 50));
  await client.service('notes').create({ text: 'heard' });
  expect(await got).toMatchObject({ text: 'heard' });
  client.close();
  expect(told).toEqual([]);
});

it.each([new Error('enough'), 'enough', 0])(
  'a signal ends a call with its own reason, and before it began with the same: %p',
  async (reason) => {
    const { service } = createClient<TestApp>(rest(running.url));
    const controller = new AbortController();
    const call = service('notes').find({ query: {}, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(call).rejects.toBe(reason);
    await expect(service('notes').find({ query: {}, signal: controller.signal })).rejects.toBe(reason);
  },
);
