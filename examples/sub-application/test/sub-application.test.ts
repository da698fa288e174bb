import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Program } from '@framework-internal/testing/program';
import type { Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp, type LoggedCall, type Services } from '../src/app.ts';

const KEY = 'key of the tests';
const calls: LoggedCall[] = [];
let app: Application<Services>;
let url: string;
beforeAll(async () => {
  app = createApp(KEY, (call) => calls.push(call));
  const server = await app.listen(0, 'localhost');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  await app.service('people').create({ firstName: 'Ann', lastName: 'Lee' });
});
afterAll(() => app.close());

async function call(method: string, path: string, data?: object, headers: Record<string, string> = {}) {
  const init = { method, headers: { 'content-type': 'application/json', accept: 'application/json', ...headers } };
  const answer = await fetch(url + path, { ...init, ...(data === undefined ? {} : { body: JSON.stringify(data) }) });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe('mounted applications', () => {
  it('show one person, each in its own form', async () => {
    expect((await call('GET', '/v1/people/1')).body).toEqual({ id: 1, name: 'Ann Lee' });
    expect((await call('GET', '/v2/people/1')).body).toEqual({ id: 1, firstName: 'Ann', lastName: 'Lee' });
  });

  it('have middleware and hooks of their own', async () => {
    expect((await call('GET', '/v1/people')).headers.get('deprecation')).toBe('@1798761600');
    expect((await call('GET', '/v2/people')).headers.get('deprecation')).toBeNull();
    expect((await call('POST', '/v2/people', { name: 'Bob' })).body).toMatchObject({
      code: 400,
      message: 'A person has a firstName and a lastName',
    });
    expect((await call('POST', '/v1/people', { name: 'Bob' })).status).toBe(405);
  });

  it('are inside the hooks of the outer application, which sees their whole paths', async () => {
    calls.length = 0;
    expect((await call('POST', '/v2/people', { firstName: 'Bob', lastName: 'Ray' })).status).toBe(201);
    expect(calls).toEqual([
      { path: 'people', method: 'create', provider: undefined },
      { path: 'v2/people', method: 'create', provider: 'rest' },
    ]);
    expect((await call('GET', '/v1/people')).body).toEqual([
      { id: 1, name: 'Ann Lee' },
      { id: 2, name: 'Bob Ray' },
    ]);
  });

  it('are guarded by one hook for all of their services', async () => {
    expect((await call('GET', '/admin/counts')).status).toBe(401);
    expect((await call('GET', '/admin/counts', undefined, { 'x-admin-key': 'wrong' })).status).toBe(401);
    expect((await call('GET', '/admin/counts', undefined, { 'x-admin-key': KEY })).body).toEqual({ people: 2 });
  });

  it('leave the services of the outer one to the server', async () => {
    expect((await call('GET', '/people')).status).toBe(405);
    expect((await call('GET', '/people/1')).status).toBe(405);
  });
});

it('starts, and prints commands that work', async () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const example = await Program.start([process.execPath, main], {
    env: { ...process.env, PORT: '0', ADMIN_KEY: KEY },
    until: 'X-Admin-Key',
  });
  const [, address] = /curl '(.+)\/v2\/people'/.exec(example.printed) ?? [];
  expect(await (await fetch(`${address}/v2/people`)).json()).toEqual([{ id: 1, firstName: 'Ann', lastName: 'Lee' }]);
  expect(await example.end()).toEqual([0, null]);
});
