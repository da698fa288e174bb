import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createClient, rest, sse } from '../src/index.ts';

let url: string;
let received: IncomingHttpHeaders[];
let close: () => void;

beforeEach(async () => {
  received = [];
  const server = createServer((req, res) => {
    received.push(req.headers);
    res.setHeader('content-type', 'application/json');
    res.end('{"accessToken":"of the login"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => close());

it('headers are the same in any letters: those of the call count, then the login, then those of all calls', async () => {
  const client = createClient(rest(url, { headers: { Authorization: 'Basic all', ACCEPT: 'application/problem+json', 'X-Own': 'all' } }));
  const things = client.service('things');
  await things.create({});
  await client.authenticate({ strategy: 'local' });
  await things.create({});
  await things.create({}, { headers: { Authorization: 'Bearer own', 'Content-Type': 'application/merge-patch+json', 'x-own': 'one' } });
  const [before, , after, own] = received;
  expect(before).toMatchObject({ authorization: 'Basic all', accept: 'application/problem+json', 'x-own': 'all' });
  expect(after).toMatchObject({ authorization: 'Bearer of the login', 'content-type': 'application/json' });
  expect(own).toMatchObject({ authorization: 'Bearer own', 'content-type': 'application/merge-patch+json', 'x-own': 'one' });
});

it('headers that have no value are not sent', async () => {
  const headers = { 'x-own': undefined } as unknown as Record<string, string>;
  await createClient(rest(url, { headers: { 'X-Own': 'all' } }))
    .service('things')
    .find({ headers });
  await createClient(rest(url)).service('things').find({ headers });
  expect(received.map((each) => each['x-own'])).toEqual(['all', undefined]);
});

it('a stream is asked for with the login in place of the header of all streams', async () => {
  const client = createClient(rest(url), { events: sse(url, { headers: { Authorization: 'Basic all', Accept: 'text/*' } }) });
  await client.authenticate({ strategy: 'local' });
  const failed = new Promise((resolve) => client.on('eventError', resolve));
  client.service('things').on('created', () => undefined);
  await failed;
  client.close();
  expect(received.at(-1)).toMatchObject({ authorization: 'Bearer of the login', accept: 'text/*' });
});

it('a stream is asked for with the headers that a function gives each time', async () => {
  let asked = 0;
  const headers = async () => ({ 'X-Own': `time ${String(++asked)}` });
  const client = createClient(rest(url), { events: sse(url, { headers }) });
  for (const time of ['time 1', 'time 2']) {
    const failed = new Promise((resolve) => client.on('eventError', resolve));
    client.service('things').on(time, () => undefined);
    await failed;
    expect(received.at(-1)).toMatchObject({ accept: 'text/event-stream', 'x-own': time });
  }
  client.close();
});
