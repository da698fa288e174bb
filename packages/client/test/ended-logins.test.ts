import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { createClient, MemoryStorage, rest, socketio } from '../src/index.ts';
import { LOGIN, start, type TestApp } from './application.ts';
import { failureOf } from './failure.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('a login without a session that the server has ended is over for a socket too, and that is told', async () => {
  const running = await start({ authentication: { jwtOptions: { expiresIn: '1s' } } });
  const socket = io(running.url, { transports: ['websocket'], forceNew: true });
  const client = createClient<TestApp>(socketio(socket));
  ends.push(
    () => running.stop(),
    () => socket.disconnect(),
    () => client.close(),
  );
  const out = new Promise((resolve) => client.on('logout', resolve));
  await client.authenticate(LOGIN);
  await out;
  expect(client.get('authentication')).toBeUndefined();
  expect(await failureOf(client.reAuthenticate())).toMatchObject({ code: 401, kind: 'logged-out' });
});

it.each([
  ['renewal', '{"accessToken":"old","refreshToken":"r"}'],
  ['login', '{"accessToken":"old"}'],
])('a %s that something in front of the server refuses leaves the login', async (_what, kept) => {
  let isInFront = true;
  const server = createServer((req, res) => {
    const isIn = req.headers.authorization === 'Bearer new';
    if (req.method === 'POST' && isInFront) res.writeHead(401, { 'content-type': 'text/html' }).end('<h1>Log in at the proxy</h1>');
    else if (req.method === 'POST') res.writeHead(201, { 'content-type': 'application/json' }).end('{"accessToken":"new"}');
    else res.writeHead(isIn ? 200 : 401, { 'content-type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const storage = new MemoryStorage();
  storage.setItem('framework-login', kept);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(rest(url, { retry: false }), { authentication: { storage } });
  const told: string[] = [];
  client.on('logout', () => told.push('logout'));
  expect(await failureOf(client.reAuthenticate())).toMatchObject({ code: 401, kind: 'not-json' });
  expect([told, storage.getItem('framework-login')]).toEqual([[], kept]);
  isInFront = false;
  await client.reAuthenticate();
  expect(await client.service('things').find()).toEqual([]);
});

it('a call that is refused after the login has ended is not made as nobody', async () => {
  const seen: (string | undefined)[] = [];
  let [arrive, letGo] = [(): void => undefined, (): void => undefined];
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const server = createServer((req, res) => {
    const json = { 'content-type': 'application/json' };
    const refuse = (): unknown => res.writeHead(401, json).end('{"name":"NotAuthenticated","code":401}');
    if (req.method === 'POST') return refuse();
    seen.push(req.headers.authorization);
    if (!req.headers.authorization) return res.writeHead(200, json).end('["what everybody sees"]');
    if (req.url !== '/late') return refuse();
    arrive();
    return held.then(refuse);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const storage = new MemoryStorage();
  storage.setItem('framework-login', '{"accessToken":"old","refreshToken":"r"}');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient(rest(url, { retry: false }), { authentication: { storage } });
  client.on('logout', () => letGo());
  const late = failureOf(client.service('late').find());
  await arrived;
  expect(await failureOf(client.service('soon').find())).toMatchObject({ code: 401 });
  expect(await late).toMatchObject({ code: 401 });
  expect(seen).toEqual(['Bearer old', 'Bearer old']);
});
