import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MemoryService } from '@framework-internal/testing';
import { send, start, type Running } from './harness.ts';

let running: Running;
beforeAll(async () => {
  running = await start((app) => {
    app.use('items', new MemoryService({ paginate: { default: 5, max: 10 } }));
  });
});
afterAll(() => running.stop());

/** Requests of one run; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 2000);

it('S9 S12 answers every random request with something below 500, and stays alive', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 4711);
  let state = seed;
  const random = (limit: number): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % limit;
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const value = (): string =>
    pick([
      '1',
      '',
      'null',
      '%00',
      '%zz',
      '..',
      '__proto__',
      'constructor',
      '{}',
      '[]',
      '%F0%9F%98%80',
      'a'.repeat(50),
      '-1',
      '1e309',
      'toString',
      '$where',
      encodeURIComponent('{"$gt":""}'),
    ]);
  const name = (): string =>
    pick([
      'a',
      '$limit',
      '$skip',
      '$sort[a]',
      '$select[]',
      '$or[0][a]',
      'a[$in][]',
      'a[$gt]',
      '$where',
      'a[__proto__][x]',
      'constructor[prototype][x]',
      'a[b][c][d]',
      '[]',
      ']',
      '%5B',
      '',
    ]);
  const json = (depth = 0): unknown =>
    depth > 3
      ? 1
      : pick<() => unknown>([
          () => 1,
          () => null,
          () => 'x',
          () => [json(depth + 1)],
          () => ({ [pick(['a', '__proto__', 'toString', '$set', 'constructor', 'toJSON', 'then', 'length'])]: json(depth + 1) }),
        ])();
  const seen = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const path = pick(['/items', '/items/', '/items/1', `/items/${value()}`, `/${value()}`, '//', '/items/1/2/3']);
    const query = Array.from({ length: random(4) }, () => `${name()}=${value()}`).join('&');
    const method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']);
    const type = pick([
      'application/json',
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/json; charset=x',
      'multipart/form-data',
    ]);
    const body =
      method === 'GET' || method === 'TRACE'
        ? undefined
        : pick([JSON.stringify(json()), JSON.stringify(json()), '{', 'a=1&b[c]=2', '\u0000', '[1,']);
    const headers = {
      'content-type': type,
      ...(random(5) === 0 ? { 'x-service-method': value() || 'x' } : {}),
      ...(random(5) === 0 ? { accept: pick(['text/html', 'image/*', '*/*', ';', 'application/problem+json']) } : {}),
    };
    const { status } = await send(running.url, query ? `${path}?${query}` : path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    seen.set(status, (seen.get(status) ?? 0) + 1);
    if (status >= 500) throw new Error(`seed ${seed}, round ${round}: ${status} for ${method} ${path}?${query} ${type} ${body ?? ''}`);
  }
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 404, 405]));
  expect(Object.keys(Object.prototype)).toEqual([]);
}, 600_000);
