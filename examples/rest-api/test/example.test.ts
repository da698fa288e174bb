import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { main, start, stop, type Running } from './running.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'rest-api-'));

const json = { 'content-type': 'application/json', accept: 'application/json' };
const city = (n: number) => ({ name: `Town ${n}`, country: 'GB', population: n, latitude: 1, longitude: 2 });

let running: Running;
let token: string;
beforeAll(async () => {
  running = await start(dataDir);
});
afterAll(async () => {
  await stop(running, 'SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const get = async (path: string): Promise<any> => (await fetch(`${running.url}${path}`, { headers: json })).json();
const post = (path: string, data: unknown, headers = {}): Promise<Response> =>
  fetch(`${running.url}${path}`, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(data) });

describe('settings', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'a port that is none',
      { PORT: 'hunter2' },
      "The setting 'port' (set by the environment variable PORT) must be an integer: correct it there.",
    ],
    [
      'a port out of range',
      { PORT: '70000' },
      "The setting 'port' (set by the environment variable PORT) must be <= 65535: correct it there.",
    ],
    [
      'a secret that is too short',
      { AUTH_SECRET: 'hunter2' },
      "The setting 'authentication.secret' (set by the environment variable AUTH_SECRET) must NOT have fewer than 32 characters: correct it there.",
    ],
    [
      'an address of no database',
      { DOCDB_URL: 'http://app:hunter2@db' },
      `The setting 'databaseUrl' (set by the environment variable DOCDB_URL) must match pattern "^mongodb(\\+srv)?://": correct it there.`,
    ],
  ])('with %s end it with one sentence and exit code 1', async (_what, env, sentence) => {
    expect(await outcome({ DATA_DIR: dataDir, ...env })).toEqual([1, `${sentence}\n`]);
  });

  it.each([
    ['a file', main, 'ENOTDIR'],
    ['in a file', join(main, 'data'), 'ENOTDIR'],
    ['where no folder can be made', '/proc/none/data', 'ENOENT'],
  ])('with a folder for the data that is %s end it with one sentence and exit code 1', async (_what, folder, code) => {
    const sentence = `The folder ${folder} can not be used (${code}): set DATA_DIR to one that this user may write to.`;
    expect(await outcome({ DATA_DIR: folder, PORT: '0' })).toEqual([1, `${sentence}\n`]);
  });

  it('with a port that is taken end it with one sentence and exit code 1, before anything is imported', async () => {
    const other = mkdtempSync(join(tmpdir(), 'taken-'));
    const { port } = new URL(running.url);
    const sentence = `The port ${port} is in use. End what listens there or take another port (0 for any that is free)`;
    expect(await outcome({ DATA_DIR: other, PORT: port })).toEqual([1, `${sentence}\n`]);
    rmSync(other, { recursive: true, force: true });
  });
});

/** @returns the exit code of an example that does not start, and what it prints */
async function outcome(env: Record<string, string>): Promise<[unknown, string]> {
  const child = spawn(process.execPath, [main], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  return [await new Promise((resolve) => child.once('close', resolve)), output];
}

describe('the example', () => {
  it('prints its address and four commands', () => {
    expect(running.output.match(/curl /g)).toHaveLength(5);
    for (const heading of ['List the cities', 'Filter them', 'Register and log in', 'Write (']) expect(running.output).toContain(heading);
  });

  it('serves at least 100,000 cities, in pages', async () => {
    const page = await get('/cities?$limit=3&$skip=1');
    expect(page.total).toBeGreaterThan(100_000);
    expect(page).toMatchObject({ limit: 3, skip: 1 });
    expect(page.data).toHaveLength(3);
    expect((await get('/cities?$limit=1000')).limit).toBe(100);
    expect(await get('/cities/3435910')).toMatchObject({ name: 'Buenos Aires', country: 'AR', capital: true });
  });

  it('filters, sorts and selects with converted values', async () => {
    const page = await get(
      '/cities?population[$gt]=1000000&capital=true&$limit=5&$sort[population]=-1&$select[]=name&$select[]=population',
    );
    expect(page.data[0]).toEqual({ _id: '3435910', name: 'Buenos Aires', population: 13_076_300 });
    const populations = page.data.map((row: { population: number }) => row.population);
    expect(populations).toEqual([...populations].sort((a: number, b: number) => b - a));
  });

  it.each([
    ['population[$gt]=10abc', 'population'],
    ['capital=yes', 'capital'],
    ['$limit=-1', '$limit'],
    ['$sort[wrong]=1', '$sort.wrong'],
    ['$sort[population]=up', '$sort.population'],
    ['unknown=1', 'unknown'],
    ['population[$gt]=', 'population'],
    ['population[$gt]=1e309', 'population'],
    ['name[$regex]=a', 'name'],
  ])('answers 400 for %s and names the property', async (query, property) => {
    const error = await get(`/cities?${query}`);
    expect(error).toMatchObject({ name: 'BadRequest', code: 400 });
    expect(error.errors.map((problem: { path: string }) => problem.path).join(' ')).toContain(property);
  });

  it('lets anyone register, and log in', async () => {
    const user = { email: 'Me@Example.com', password: 'correct horse' };
    const created = await post('/users', user);
    expect(created.status).toBe(201);
    expect(await created.json()).toEqual({ _id: expect.any(String), email: 'me@example.com' });
    expect((await post('/users', user)).status).toBe(409);
    expect((await post('/users', { email: 'no', password: 'x' })).status).toBe(400);
    expect((await post('/users', { ...user, role: 'admin' })).status).toBe(400);
    const login = await post('/authentication', { strategy: 'local', email: 'ME@example.com', password: 'correct horse' });
    expect(login.status).toBe(201);
    const body = (await login.json()) as { accessToken: string };
    expect(JSON.stringify(body)).not.toContain('argon2');
    token = body.accessToken;
    expect((await post('/authentication', { strategy: 'local', email: 'me@example.com', password: 'wrong' })).status).toBe(401);
    expect((await get('/users')).code).toBe(401);
    const own = await (await fetch(`${running.url}/users`, { headers: { ...json, authorization: `Bearer ${token}` } })).json();
    expect(own).toMatchObject({ total: 1, data: [{ email: 'me@example.com' }] });
  });

  const DEEP = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const bodies: [string, string | undefined, string][] = [
    ['no body', undefined, 'application/json'],
    ['an empty body', '', 'application/json'],
    ['an empty object', '{}', 'application/json'],
    ['a valid city', JSON.stringify(city(1)), 'application/json'],
    ['values of the wrong type', '{"name":5,"country":null,"population":"many"}', 'application/json'],
    ['unknown properties', '{"role":"admin","$set":{"a":1}}', 'application/json'],
    ['a list', '[{},{}]', 'application/json'],
    ['no object', '"text"', 'application/json'],
    ['a reserved name', '{"__proto__":{"a":1}}', 'application/json'],
    ['malformed JSON', '{"name":', 'application/json'],
    ['great depth', DEEP, 'application/json'],
    ['a body that is too large', `{"name":"${'x'.repeat(300_000)}"}`, 'application/json'],
    ['a form', 'name=a&name=b', 'application/x-www-form-urlencoded'],
    ['another type', '<city/>', 'application/xml'],
    ['another charset', '{}', 'application/json; charset=x-odd'],
  ];
  const writes: [string, string][] = [
    ['POST', '/cities'],
    ['POST', '/cities/'],
    ['PUT', '/cities/1'],
    ['PATCH', '/cities/1'],
    ['PATCH', '/cities?name[$wrong]=1'],
    ['DELETE', '/cities/1'],
    ['PUT', '/users/1'],
    ['PATCH', '/users/1'],
    ['DELETE', '/users/1'],
  ];
  it.each(bodies)('answers 401 to a write without a login that has %s', async (_what, body, type) => {
    for (const [method, path] of writes) {
      for (const authorization of [{}, { authorization: 'Bearer no-token' }]) {
        const headers = { accept: 'application/json', 'content-type': type, ...authorization };
        const answer = await fetch(`${running.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
        const { name, code } = (await answer.json()) as { name: string; code: number };
        expect([method, path, answer.status, name, code]).toEqual([method, path, 401, 'NotAuthenticated', 401]);
      }
    }
  });

  it('answers 400, 413 and 415 to those bodies with a login, and to registrations', async () => {
    const user = { email: 'body@example.com', password: 'correct horse' };
    await post('/users', user);
    const { accessToken } = (await (await post('/authentication', { strategy: 'local', ...user })).json()) as { accessToken: string };
    const statusOf = async (path: string, body: string, type = 'application/json'): Promise<number> => {
      const headers = { accept: 'application/json', 'content-type': type, authorization: `Bearer ${accessToken}` };
      return (await fetch(`${running.url}${path}`, { method: 'POST', headers, body })).status;
    };
    expect(await statusOf('/cities', '{"name":')).toBe(400);
    expect(await statusOf('/cities', '{}')).toBe(400);
    expect(await statusOf('/cities', `{"name":"${'x'.repeat(300_000)}"}`)).toBe(413);
    expect(await statusOf('/cities', '<city/>', 'application/xml')).toBe(415);
    expect((await post('/users', { email: 5 })).status).toBe(400);
    expect((await post('/nothing', {})).status).toBe(404);
  });

  it('lets only those write who are logged in', async () => {
    expect((await post('/cities', city(1))).status).toBe(401);
    const created = await post('/cities', city(1), { authorization: `Bearer ${token}` });
    expect(created.status).toBe(201);
    const { _id } = (await created.json()) as { _id: string };
    expect(await get(`/cities/${_id}`)).toMatchObject({ name: 'Town 1', capital: false });
    expect((await post('/cities', { ...city(1), population: -1 }, { authorization: `Bearer ${token}` })).status).toBe(400);
    const removed = await fetch(`${running.url}/cities/${_id}`, {
      method: 'DELETE',
      headers: { ...json, authorization: `Bearer ${token}` },
    });
    expect(removed.status).toBe(200);
  });

  it('keeps every acknowledged write when it is killed, and its tokens', async () => {
    const acknowledged: string[] = [];
    // It is killed in the middle of writes, however long they take.
    const many = new EventEmitter();
    let next = 1000;
    const writer = async (): Promise<void> => {
      for (;;) {
        try {
          const answer = await post('/cities', city(next++), { authorization: `Bearer ${token}` });
          if (answer.status !== 201) continue;
          acknowledged.push(((await answer.json()) as { _id: string })._id);
          if (acknowledged.length === 20) many.emit('acknowledged');
        } catch {
          return;
        }
      }
    };
    const enough = once(many, 'acknowledged');
    const writers = [writer(), writer(), writer()];
    await enough;
    await stop(running, 'SIGKILL');
    await Promise.all(writers);
    running = await start(dataDir);
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);
    for (const id of acknowledged) expect((await get(`/cities/${id}`))._id).toBe(id);
    expect((await post('/cities', city(1), { authorization: `Bearer ${token}` })).status).toBe(201);
  });
});
