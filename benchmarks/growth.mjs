// How the embedded database grows from 10,000 to 300,000 documents (GROWTH_SIZES=10000,5000000 for others): reads by id and by an
// indexed property should not slow, and memory has a bound. Prints import, scan, count, group, sort, updates under 8 writers, the
// longest wait of others while many documents are updated, updates of documents that lie on pages of their own, the time to open, and
// resident memory, which counts the pages of the file that are in memory.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocDbService } from '@framework/adapter-docdb';
import { DocDbServer } from '@framework/docdb-embedded';
import { MongoClient } from 'mongodb';
import { median } from './measure/pairs.mjs';

const SIZES = (process.env.GROWTH_SIZES ?? '10000,300000').split(',').map(Number);
if (SIZES.length !== 2 || !SIZES.every((size) => size > 0)) throw new Error('GROWTH_SIZES names two numbers of documents: 10000,300000');
const WRITERS = 8;
const CALLS = 400;
const ROUNDS = 7;
/** Documents that one statement updates. */
const MANY = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'growth-'));

const record = (n) => ({ _id: n, email: `user${n}@example.com`, group: n % 1000, name: `User number ${n}`, age: n % 90 });

async function open(path) {
  const server = await DocDbServer.spawn({ path, sync: 'interval' });
  const client = await new MongoClient(server.uri).connect();
  const { pid } = await client.db('admin').command({ serverStatus: 1 });
  return { server, client, pid };
}

/** Milliseconds from a folder to a server that listens, without those of starting a process. */
async function opening(path) {
  const start = performance.now();
  const server = await DocDbServer.start({ path, sync: 'interval' });
  const milliseconds = performance.now() - start;
  await server.stop();
  return milliseconds;
}

/** The most memory that a process had, in MiB; 0 where the system does not say. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return 0;
  }
}

/** The longest time that another client waits for one document, read and written by turns, while something goes on. */
async function longestWait(client, work) {
  const probe = client.db('bench').collection('probe');
  await probe.insertOne({ _id: 1, n: 0 });
  let longest = 0;
  let going = true;
  const other = (async () => {
    for (let turn = 0; going; turn++) {
      const start = performance.now();
      if (turn % 2 === 0) await probe.findOne({ _id: 1 });
      else await probe.updateOne({ _id: 1 }, { $inc: { n: 1 } });
      longest = Math.max(longest, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work();
  going = false;
  await other;
  return longest;
}

async function fill(client, size) {
  const collection = client.db('bench').collection('users');
  await collection.createIndexes([{ key: { email: 1 }, unique: true }, { key: { group: 1, age: -1 } }]);
  for (let start = 0; start < size; start += 5000) {
    await collection.insertMany(
      Array.from({ length: Math.min(5000, size - start) }, (_, index) => record(start + index)),
      { ordered: false },
    );
  }
  return collection;
}

/** What looks at all documents, and what many write at once; in milliseconds, the last in microseconds for each update. */
async function wholeCollection(client, collection, size) {
  const timed = async (work) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const scan = await timed(() => collection.countDocuments({ name: 'nobody' }));
  const count = await timed(() => collection.countDocuments({}));
  const covered = await timed(() => collection.countDocuments({ group: { $lt: 500 } }));
  const sort = await timed(() =>
    collection
      .find({}, { projection: { _id: 1 } })
      .sort({ name: 1 })
      .limit(1000)
      .toArray(),
  );
  const spilled = await timed(() => collection.aggregate([{ $group: { _id: '$email', n: { $sum: '$age' } } }, { $count: 'n' }]).toArray());
  const group = await timed(() => collection.aggregate([{ $group: { _id: '$age', n: { $sum: 1 } } }]).toArray());
  const update = await timed(() =>
    Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < CALLS; n++) await collection.updateOne({ _id: ((n * WRITERS + writer) * 7919) % size }, { $inc: { age: 1 } });
      }),
    ),
  );
  let many = 0;
  const wait = await longestWait(client, async () => {
    many = await timed(() => collection.updateMany({ _id: { $lt: MANY } }, { $inc: { age: 1 } }));
  });
  return { scan, count, covered, sort, spilled, group, update: (update * 1000) / (CALLS * WRITERS), many, wait };
}

/** Milliseconds of updating documents of 1.2 kB once more, when the pages of their first state are free or kept for readers. */
async function largeDocuments(client, count) {
  const collection = client.db('bench').collection('large');
  const text = 'x'.repeat(1200);
  for (let start = 0; start < count; start += 1000) {
    await collection.insertMany(Array.from({ length: Math.min(1000, count - start) }, (_, index) => ({ _id: start + index, n: 0, text })));
  }
  await collection.updateMany({}, { $inc: { n: 1 } });
  const start = performance.now();
  await collection.updateMany({}, { $inc: { n: 1 } });
  return performance.now() - start;
}

const WORK = {
  'get by id': (service, size, n) => service.get((n * 7919) % size),
  'find by an indexed property': (service, size, n) => service.find({ query: { email: `user${(n * 7919) % size}@example.com` } }),
  'find 10, sorted by an index': (service, size, n) => service.find({ query: { group: n % 1000, $sort: { age: -1 }, $limit: 10 } }),
  'patch by id': (service, size, n) => service.patch((n * 7919) % size, { age: n }),
};

const states = [];
for (const size of SIZES) {
  const path = join(folder, String(size));
  const first = await open(path);
  const importing = performance.now();
  await fill(first.client, size);
  const imported = performance.now() - importing;
  const importPeak = peakOf(first.pid);
  await first.client.close();
  await first.server.stop();
  const milliseconds = await opening(path);
  const { server, client, pid } = await open(path);
  const service = new DocDbService({ Model: client.db('bench').collection('users') });
  const whole = await wholeCollection(client, client.db('bench').collection('users'), size);
  states.push({ size, server, client, service, pid, milliseconds, imported, importPeak, whole, times: new Map() });
}
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, work] of Object.entries(WORK)) {
    for (const state of states) {
      const start = performance.now();
      for (let n = 0; n < CALLS; n++) await work(state.service, state.size, n + round * CALLS);
      const list = state.times.get(name) ?? [];
      list.push(((performance.now() - start) * 1000) / CALLS);
      state.times.set(name, list);
    }
  }
}
console.log(`\n| | ${SIZES.map((size) => `${size.toLocaleString('en')} documents`).join(' | ')} | growth |\n|---|---|---|---|`);
for (const name of Object.keys(WORK)) {
  const [small, large] = states.map((state) => median(state.times.get(name)));
  console.log(`| ${name}, us | ${small.toFixed(0)} | ${large.toFixed(0)} | ${(large / small).toFixed(2)} |`);
}
const [small, large] = states;
console.log(
  `| open a folder, ms | ${small.milliseconds.toFixed(0)} | ${large.milliseconds.toFixed(0)} | ${(large.milliseconds / small.milliseconds).toFixed(1)} |`,
);
const line = (name, of) =>
  console.log(`| ${name} | ${of(small).toFixed(1)} | ${of(large).toFixed(1)} | ${(of(large) / of(small)).toFixed(2)} |`);
line('import, us for each document', ({ imported, size }) => (imported * 1000) / size);
line('scan, us for each document', ({ whole, size }) => (whole.scan * 1000) / size);
line('count all, ms', ({ whole }) => whole.count);
line('count by an index, us for each document', ({ whole, size }) => (whole.covered * 1000) / size);
line('first 1,000 of a sort without an index, us for each document', ({ whole, size }) => (whole.sort * 1000) / size);
line('group with as many groups as documents, us for each document', ({ whole, size }) => (whole.spilled * 1000) / size);
line('group into 90, us for each document', ({ whole, size }) => (whole.group * 1000) / size);
line(`update under ${WRITERS} writers, us`, ({ whole }) => whole.update);
line(`updateMany of ${MANY.toLocaleString('en')}, us for each document`, ({ whole, size }) => (whole.many * 1000) / Math.min(MANY, size));
line('longest wait of another meanwhile, ms', ({ whole }) => whole.wait);
line('most resident memory while it imports, MiB', ({ importPeak }) => importPeak);
line('most resident memory behind it, MiB', ({ pid }) => peakOf(pid));
for (const state of states) state.large = await largeDocuments(state.client, Math.min(MANY, state.size));
line('updateMany of documents of 1.2 kB, us for each document', ({ large, size }) => (large * 1000) / Math.min(MANY, size));
for (const { server, client } of states) {
  await client.close();
  await server.stop();
}
rmSync(folder, { recursive: true });
