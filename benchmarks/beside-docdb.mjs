// The embedded database of this checkout beside that of another one of the same machine, operator by operator, pair by pair in one run:
// `BESIDE=../other pnpm --filter @framework-internal/benchmarks beside:docdb [part of a name]`. Both have to be built. The figure is the time of the processor that
// ours takes over theirs: above 1 is slower than the other. An operator that only one of both has is left out, with a line.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DocDbServer } from '@framework/docdb-embedded';
import { MongoClient } from 'mongodb';
import { DOCUMENTS, item, WORKS } from './calls/docdb-works.mjs';
import { pairs, shuffled } from './measure/pairs.mjs';
import { table, withInterval } from './measure/table.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
/** Milliseconds of the processor that a slice takes at least, so that what the process does beside it counts little. */
const SLICE = 25;
/** What is asked for: no more than a tenth slower. */
const TARGET = 1.1;

if (!process.env.BESIDE) throw new Error('BESIDE names the folder of the other checkout, built');
const root = pathToFileURL(`${resolve(process.env.INIT_CWD ?? '.', process.env.BESIDE)}/`);
const other = await import(new URL('packages/docdb-embedded/dist/index.js', root));
const wanted = process.argv[2] ?? '';

async function open({ DocDbServer }) {
  const server = await DocDbServer.spawn();
  const client = await new MongoClient(server.uri).connect();
  const db = client.db('bench');
  const { pid } = await client.db('admin').command({ serverStatus: 1 });
  await db.collection('items').insertMany(Array.from({ length: DOCUMENTS }, (_, n) => item(n)));
  await db.collection('owners').insertMany(Array.from({ length: 200 }, (_, n) => ({ _id: n, name: `Owner ${n}` })));
  return { server, client, db, pid };
}

/** Milliseconds of the processor that all threads of a process have taken. */
function processorTime(pid) {
  let sum = 0n;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    sum += BigInt(ran);
  }
  return Number(sum) / 1e6;
}

async function slice({ db, pid }, work, calls) {
  const start = processorTime(pid);
  for (let call = 0; call < calls; call++) await work(db);
  return processorTime(pid) - start;
}

/** How often the work is done in a slice: as often on both sides. */
async function callsOf(sides, work) {
  const times = [];
  for (const side of sides) {
    await slice(side, work, 3);
    times.push((await slice(side, work, 3)) / 3);
  }
  return Math.max(2, Math.ceil(SLICE / Math.max(Math.min(...times), 0.1)));
}

async function measured(sides, work) {
  const calls = await callsOf(sides, work);
  const times = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const index of shuffled([0, 1])) times[index].push(await slice(sides[index], work, calls));
  return pairs(times[0], times[1]);
}

const sides = [await open({ DocDbServer }), await open(other)];
const rows = [];
try {
  for (const [name, work] of Object.entries(WORKS)) {
    if (!name.includes(wanted)) continue;
    const refused = [];
    for (const [index, side] of sides.entries())
      await work(side.db).catch((error) => refused.push([['ours', 'theirs'][index], error.message]));
    for (const [whose, message] of refused) console.log(`left out: ${name} is refused by ${whose}: ${message}`);
    if (refused.length > 0) continue;
    const figure = await measured(sides, work);
    rows.push([name, withInterval(figure), figure.low > TARGET ? 'slower' : figure.high <= TARGET ? 'reached' : 'not decided']);
  }
} finally {
  for (const { server, client } of sides) {
    await client.close();
    await server.stop();
  }
}
console.log(table(['x the other checkout, CPU of the server', 'ours', `at most ${TARGET}`], rows).join('\n'));
const counts = Map.groupBy ? Map.groupBy(rows, ([, , verdict]) => verdict) : new Map();
console.log([...counts].map(([verdict, list]) => `${list.length} ${verdict}`).join(', '));
