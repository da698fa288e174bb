// The embedded database by itself, through the driver and over the wire, in a process of its own: nothing stands beside it, so that these
// are times on this machine, and say something beside those of another version of Node.js, or of another commit measured at once.
import { DocDbServer } from '@framework/docdb-embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { interval } from '../measure/pairs.mjs';
import { withInterval } from '../measure/table.mjs';

const SIZE = 100_000;
const BATCH = 5000;
const READS = 200;
const WRITERS = 8;
const UPDATES = 25;
const ROUNDS = 6;

const record = (n) => ({ _id: n, name: `User number ${n}`, group: n % 100, age: n % 90, active: n % 3 === 0 });

export async function docdb() {
  const folder = mkdtempSync(join(tmpdir(), 'docdb-'));
  try {
    const imported = await withServer(folder, importAll);
    const started = performance.now();
    return await withServer(folder, async (client) => {
      await client.db('bench').collection('users').findOne({ _id: 1 });
      const opened = performance.now() - started;
      const times = await measure(client.db('bench').collection('users'));
      const figures = Object.fromEntries(Object.entries(times).map(([title, own]) => [title, interval(own)]));
      const rows = Object.entries(figures).map(([title, figure]) => [title, withInterval(figure)]);
      rows.unshift(
        [`import of ${SIZE} documents, ${BATCH} at a time`, imported.toFixed(0)],
        ['open a folder with them, start of the process and first read included', opened.toFixed(0)],
      );
      return { figures, head: ['docdb-embedded', 'ms'], rows };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withServer(path, use) {
  const server = await DocDbServer.spawn({ path, sync: 'interval' });
  const client = await new MongoClient(server.uri).connect();
  try {
    return await use(client);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function importAll(client) {
  const collection = client.db('bench').collection('users');
  const start = performance.now();
  for (let first = 0; first < SIZE; first += BATCH) {
    await collection.insertMany(
      Array.from({ length: BATCH }, (_, index) => record(first + index)),
      { ordered: false },
    );
  }
  const elapsed = performance.now() - start;
  if ((await collection.countDocuments({})) !== SIZE) throw new Error('not all documents are there');
  return elapsed;
}

async function measure(collection) {
  let id = 0;
  const next = () => (id = (id + 7919) % SIZE);
  const works = {
    [`${READS} reads by id, one after the other`]: async () => {
      for (let count = 0; count < READS; count++) require(await collection.findOne({ _id: next() }), true);
    },
    'count by a property without an index': async () => require((await collection.countDocuments({ age: 7 })) > 0, true),
    'group all by a property': async () => {
      const pipeline = [{ $group: { _id: '$group', mean: { $avg: '$age' } } }];
      require((await collection.aggregate(pipeline).toArray()).length, 100);
    },
    [`${WRITERS * UPDATES} updates by ${WRITERS} writers`]: () =>
      Promise.all(
        Array.from({ length: WRITERS }, async () => {
          for (let count = 0; count < UPDATES; count++)
            require((await collection.updateOne({ _id: next() }, { $inc: { age: 1 } })).matchedCount, 1);
        }),
      ),
  };
  const times = Object.fromEntries(Object.keys(works).map((title) => [title, []]));
  times[LONGEST] = [];
  for (let round = -1; round < ROUNDS; round++) {
    for (const [title, work] of Object.entries(works)) {
      const start = performance.now();
      await work();
      if (round >= 0) times[title].push(performance.now() - start);
    }
    const waited = await longestWait(collection);
    if (round >= 0) times[LONGEST].push(waited);
  }
  return times;
}

export const LONGEST = `longest wait of a reader while ${SIZE} documents are changed`;

async function longestWait(collection) {
  let longest = 0;
  let running = true;
  const reader = async () => {
    while (running) {
      const start = performance.now();
      await collection.findOne({ _id: 1 });
      longest = Math.max(longest, performance.now() - start);
    }
  };
  const read = reader();
  const { modifiedCount } = await collection.updateMany({}, { $inc: { age: 1 } });
  running = false;
  await read;
  require(modifiedCount, SIZE);
  return longest;
}

function require(found, expected) {
  const value = typeof expected === 'boolean' ? Boolean(found) : found;
  if (value !== expected) throw new Error(`${String(value)} in place of ${String(expected)}`);
}
