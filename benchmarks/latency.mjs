// The 99th percentile of a GET at 70 % of capacity, ours beside fastify's, under open load: requests are due at random times, whether or
// not earlier ones were answered, and each is measured from when it was due.
import { startGenerator } from './measure/latency.mjs';
import { median, pairs, shuffled } from './measure/pairs.mjs';
import { requestsIn } from './measure/load.mjs';
import { startServer } from './measure/server-process.mjs';
import { table, withInterval } from './measure/table.mjs';
import { COMPARED } from './peers.mjs';
import { GET_ONE } from './work.mjs';

const SHARE = 0.7;
const ROUNDS = 9;
const MILLISECONDS = 900;

/** Late by more than this share of what it measures, the generator measures itself. */
const LATE = 0.25;

/** Both get the same rate: 70 % of what the slower of the two can do. */
async function measurePair({ ours, theirs }, execPath, generator) {
  const subjects = await Promise.all([ours, theirs].map(async (name) => ({ server: await startServer(name, { execPath }), runs: [] })));
  const { request, status } = GET_ONE;
  let lowest = Infinity;
  for (const { server } of subjects) {
    await requestsIn(server, request, status, { requests: 15_000 });
    lowest = Math.min(lowest, await generator.capacity({ server, request, status, milliseconds: 1000 }));
  }
  const rate = lowest * SHARE;
  for (let round = 0; round < ROUNDS; round++) {
    for (const { server, runs } of shuffled(subjects)) {
      const before = await server.usage();
      const run = await generator.openLoad({ server, request, status, rate, milliseconds: MILLISECONDS });
      const after = await server.usage();
      const spent = after.usage.user + after.usage.system - before.usage.user - before.usage.system;
      runs.push({ ...run, busy: spent / (MILLISECONDS * 1000) });
    }
  }
  for (const { server } of subjects) server.stop();
  return { rate, runs: subjects.map(({ runs }) => runs) };
}

/** @returns figures for `targets.mjs`, and a table */
export async function measureLatency(execPath) {
  const generator = startGenerator();
  const figures = {};
  const rows = [];
  for (const compared of COMPARED.filter(({ same }) => same)) {
    const { rate, runs } = await measurePair(compared, execPath, generator);
    const [own, their] = runs;
    const of = (list, key) => median(list.map((run) => run[key]));
    const both = (lists, key) => lists.map((list) => of(list, key).toFixed(2)).join(' / ');
    const p99 = (list) => list.map((run) => run.p99);
    const late = runs.some((list) => of(list, 'late') > LATE * of(list, 'p99'));
    figures[compared.title] = { ...pairs(p99(own), p99(their)), disturbed: late };
    rows.push([
      compared.title,
      `${rate.toFixed(0)} / s`,
      both(runs, 'p50'),
      both(runs, 'p99'),
      withInterval(figures[compared.title]),
      both(runs, 'busy'),
      both(runs, 'late'),
    ]);
  }
  generator.stop();
  const head = [
    'GET one at 70 % of capacity, from when it was due',
    'rate',
    'p50, ours / fastify, ms',
    'p99, ours / fastify, ms',
    'p99, x fastify',
    'share of a core, ours / fastify',
    'the generator itself late, p99, ms',
  ];
  return { figures, lines: table(head, rows) };
}
