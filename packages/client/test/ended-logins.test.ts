import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createClient, MemoryStorage, rest } from '../src/index.ts';
import { failureOf } from './failure.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
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
