import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MemoryService } from '@framework-internal/testing';
import { send, start, type Running } from './harness.ts';

let running: Running;
beforeAll(async () => {
  running = await start((app) => {
    app.use('items', new MemoryService({ paginate: { default: 5, max: 10 } }));
    app.use('versions', Object.assign(new MemoryService(), { version: 'rev' }), { conditional: true });
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
    const path = pick([
      '/items',
      '/items/',
      '/items/1',
      `/items/${value()}`,
      `/${value()}`,
      '//',
      '/items/1/2/3',
      '/versions',
      `/versions/${value()}`,
    ]);
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
      ...(random(8) === 0 ? { [pick(['if-match', 'if-none-match'])]: pick(['*', '"a"', 'W/"a", "b"', 'a', '"', ',,', '"a.b"', '']) } : {}),
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

it('S9 S12 no query or body, however it is made, holds the event loop for 200 ms', async () => {
  const deep = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);
  const bodies = [
    deep('[', ']', 49_000),
    deep('{"a":', '}', 16_000).replace('{"a":}', '{}'),
    `{${Array.from({ length: 9000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    `{"a":"${'x'.repeat(95_000)}"}`,
    '{"toString":"","valueOf":1,"constructor":null,"hasOwnProperty":[]}',
    `[${'1,'.repeat(49_000)}1]`,
  ];
  const queries = [
    Array.from({ length: 990 }, (_, index) => `a[$in][]=${index}`)
      .join('&')
      .slice(0, 8000),
    Array.from({ length: 700 }, (_, index) => `k${index}=1`)
      .join('&')
      .slice(0, 8000),
    'a[b][c][d][e][f][g]=1&'.repeat(300),
    `a${'[x]'.repeat(2500)}=1`,
    '%41'.repeat(2600),
    `${'$or[0]'.repeat(1000)}[a]=1`,
  ];
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (let round = 0; round < 10; round++) {
    for (const body of bodies) {
      const answer = await send(running.url, '/items', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(answer.status).toBeLessThan(500);
    }
    for (const query of queries) expect((await send(running.url, `/items?${query}`)).status).toBeLessThan(500);
  }
  delay.disable();
  expect(delay.max / 1e6).toBeLessThan(200);
});
