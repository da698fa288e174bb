// From a write in one process to its event at a client of another one: how long that takes, one write after the other. In a database ours stores
// the record together with its event; the others only tell it, over Redis.
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocDbServer } from '@framework/docdb-embedded';
import { EventSocket } from './measure/event-socket.mjs';
import { send } from './measure/load.mjs';
import { interval, shuffled } from './measure/pairs.mjs';
import { startRedis } from './measure/redis-process.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';

const ROUNDS = 7;
const WRITES = 100;

export const STORED = 'ours, stored together';

const OVER_REDIS = [
  { title: 'ours, over Redis', name: 'ours-event-log' },
  { title: 'Socket.IO and its adapter for Redis Streams', name: 'events-streams-adapter' },
  { title: 'incumbent and feathers-sync', name: 'events-sync' },
];

/** Two processes, and a client of the second. */
async function startPair({ title, name, url }, execPath) {
  const servers = await Promise.all([1, 2].map(() => startServer(name, { execPath, env: { EVENTS_URL: url } })));
  return { title, servers, socket: await EventSocket.open(servers[1].port), times: { p50: [], p99: [] } };
}

let count = 0;

async function write({ title, servers, socket }, agent) {
  const text = `note ${(count += 1)}.`;
  const begin = performance.now();
  const told = socket.until(text);
  const request = { method: 'POST', path: '/notes', body: JSON.stringify({ text }) };
  const { status } = await send(agent, servers[0].port, request);
  if (status !== 201) throw new Error(`${title} answered ${status}`);
  await told;
  return performance.now() - begin;
}

async function round(pair, agent) {
  const times = [];
  for (let written = 0; written < WRITES; written++) times.push(await write(pair, agent));
  times.sort((a, b) => a - b);
  pair.times.p50.push(times[WRITES >> 1]);
  pair.times.p99.push(times[Math.ceil(WRITES * 0.99) - 1]);
}

/** Ends a server before what it is connected to. */
function ended({ child, stop }) {
  child.removeAllListeners('exit');
  return new Promise((resolve) => {
    child.once('exit', resolve);
    stop();
  });
}

/** @returns figures for `targets.mjs`, and a table */
export async function measureWriteToEvent(execPath) {
  const folder = mkdtempSync(join(tmpdir(), 'events-'));
  const redis = await startRedis();
  const database = await DocDbServer.spawn({ path: folder, sync: 'interval' });
  const agent = new http.Agent({ keepAlive: true });
  const pairs = [await startPair({ title: STORED, name: 'ours-event-log', url: database.uri }, execPath)];
  try {
    for (const kind of redis ? OVER_REDIS : []) pairs.push(await startPair({ ...kind, url: redis.url }, execPath));
    for (const pair of pairs) await round({ ...pair, times: { p50: [], p99: [] } }, agent);
    for (let number = 0; number < ROUNDS; number++) for (const pair of shuffled(pairs)) await round(pair, agent);
  } finally {
    for (const { servers, socket } of pairs) {
      socket.cut();
      await Promise.all(servers.map(ended));
    }
    agent.destroy();
    redis?.stop();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const figures = Object.fromEntries(pairs.map(({ title, times }) => [title, interval(times.p99)]));
  const rows = pairs.map(({ title, times }) => [title, withInterval(interval(times.p50)), withInterval(figures[title])]);
  const left = redis ? [] : ['What goes over Redis was left out: `redis-server` is not installed.'];
  return { figures, lines: [...table(['From a write to its event in another process', 'p50, ms', 'p99, ms'], rows), ...left] };
}
