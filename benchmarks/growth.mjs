// How `find` slows from 10,000 to 300,000 documents: by id and by an indexed property it should not. Prints start-up time and
// memory of the durable store too.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocDbService } from '@framework/adapter-docdb';
import { DocDbServer } from '@framework/docdb-embedded';
import { MongoClient } from 'mongodb';
import { median } from './measure/compare.mjs';

const SIZES = [10_000, 300_000];
const CALLS = 400;
const ROUNDS = 7;
const folder = mkdtempSync(join(tmpdir(), 'growth-'));

const record = (n) => ({ _id: n, email: `user${n}@example.com`, group: n % 1000, name: `User number ${n}`, age: n % 90 });

async function open(path) {
  const start = performance.now();
  const server = await DocDbServer.spawn({ path, sync: 'interval' });
  const client = await new MongoClient(server.uri).connect();
  await client.db('bench').command({ ping: 1 });
  return { server, client, milliseconds: performance.now() - start };
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
  await fill(first.client, size);
  await first.client.close();
  await first.server.stop();
  const { server, client, milliseconds } = await open(path);
  const status = await client.db('admin').command({ serverStatus: 1 });
  const service = new DocDbService({ Model: client.db('bench').collection('users') });
  states.push({ size, server, client, service, milliseconds, resident: status.mem?.resident, times: new Map() });
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
console.log(`| resident memory, MiB | ${small.resident ?? '?'} | ${large.resident ?? '?'} | |`);
for (const { server, client } of states) {
  await client.close();
  await server.stop();
}
rmSync(folder, { recursive: true });
