import { once } from 'node:events';
import { noteLeftOut } from '@framework-internal/testing';
import { hasRedis, startRedis } from '@framework-internal/testing/redis';
import { DocDbServer } from '@framework/docdb-embedded';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { EventSource } from 'eventsource';
import { blocksOf, filesOf } from './guide-text.ts';
import { startGuide, type RunningGuide } from './running-guide.ts';

const { 'app.js': application = '' } = filesOf(blocksOf('deployment'));
if (!hasRedis) noteLeftOut('left out: redis-server is not installed (apt-get install redis-server): the guide to deployment with Redis');

let database: DocDbServer;
let running: RunningGuide[] = [];
beforeAll(async () => {
  database = await DocDbServer.start();
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  running = [];
});
afterAll(() => database.stop());

/** Two processes of the guide that share a database, and nothing else but what is given. */
async function startTwo(env: Readonly<Record<string, string>>): Promise<readonly [RunningGuide, RunningGuide]> {
  const start = (): Promise<RunningGuide> => startGuide(application, { PORT: '0', DOCDB_URL: database.uri, ...env });
  const two = await Promise.all([start(), start()]);
  running = two;
  return two;
}

/** What a client of one process hears of a note that was written by the other. */
async function heardAcross([one, other]: readonly [RunningGuide, RunningGuide], text: string): Promise<unknown> {
  const events = new EventSource(`${one.url}/events`);
  const heard = new Promise((resolve) => {
    events.addEventListener('notes created', ({ data }) => {
      resolve(JSON.parse(data).text);
    });
  });
  await new Promise((resolve) => {
    events.addEventListener('connection', resolve);
  });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${other.url}/notes`, { method: 'POST', headers, body: JSON.stringify({ text }) });
  const result = await heard;
  events.close();
  return result;
}

it('two processes of the guide to deployment share records and events by the database', async () => {
  const two = await startTwo({});
  expect(await heardAcross(two, 'by the database')).toBe('by the database');
  const found = (await (await fetch(`${two[0].url}/notes`)).json()) as { data: { text: string }[] };
  expect(found.data.map(({ text }) => text)).toEqual(['by the database']);
});

it('a process of the guide is not ready any more when it ends, and ends with 0', async () => {
  const [one] = await startTwo({});
  expect((await fetch(`${one.url}/health/ready`)).status).toBe(200);
  const stream = new AbortController();
  const { body } = await fetch(`${one.url}/events`, { signal: stream.signal });
  const ended = once(one.server, 'exit');
  one.server.kill('SIGTERM');
  // The open stream is ended by the server.
  for await (const _chunk of body ?? []);
  expect(await ended).toEqual([0, null]);
});

if (hasRedis) {
  it('two processes of the guide share events by Redis', async () => {
    const redis = await startRedis();
    const two = await startTwo({ REDIS_URL: redis.url });
    expect(await heardAcross(two, 'by Redis')).toBe('by Redis');
    await Promise.all(two.map((one) => one.stop()));
    running = [];
    await redis.kill();
  });
}
