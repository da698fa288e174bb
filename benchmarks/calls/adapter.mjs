// The service of a collection against the bare driver, over the wire to an embedded database in a process of its own.
import { DocDbService } from '@framework/adapter-docdb';
import { DocDbServer } from '@framework/docdb-embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { compare } from '../measure/compare.mjs';

const SIZE = 1000;

export async function adapter() {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  const server = await DocDbServer.spawn({ path: folder, sync: 'interval' });
  const client = await new MongoClient(server.uri, { monitorCommands: true }).connect();
  try {
    const collection = client.db('bench').collection('users');
    await collection.insertMany(Array.from({ length: SIZE }, (_, n) => ({ _id: n, name: `User ${n}`, group: n % 50, age: n % 90 })));
    await collection.createIndex({ group: 1, age: -1 });
    const service = new DocDbService({ Model: collection, multi: true });
    return await measure(client, collection, service);
  } finally {
    await client.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(client, collection, service) {
  let n = 0;
  let next = SIZE;
  const id = () => (n = (n + 7919) % SIZE);
  const find = { query: { group: 7, $sort: { age: -1 }, $limit: 10 }, paginate: false };
  const works = {
    get: [() => collection.findOne({ _id: id() }), () => service.get(id())],
    'find 10 by an index': [() => collection.find({ group: 7 }).sort({ age: -1 }).limit(10).toArray(), () => service.find(find)],
    create: [() => collection.insertOne({ _id: (next += 1), name: 'new' }), () => service.create({ _id: (next += 1), name: 'new' })],
    patch: [
      () => collection.findOneAndUpdate({ _id: id() }, { $set: { age: 1 } }, { returnDocument: 'after' }),
      () => service.patch(id(), { age: 1 }),
    ],
    remove: [
      async () => collection.findOneAndDelete({ _id: (await collection.insertOne({ name: 'x' })).insertedId }),
      async () => service.remove((await collection.insertOne({ name: 'x' })).insertedId),
    ],
  };
  const rows = [];
  const figures = {};
  for (const [title, [driver, ours]] of Object.entries(works)) {
    const { ratios, spread } = await compare({ driver, ours }, { rounds: 15, milliseconds: 60 });
    let commands = 0;
    const count = () => (commands += 1);
    client.on('commandStarted', count);
    await ours();
    client.off('commandStarted', count);
    figures[title] = { ratio: ratios.ours, commands };
    rows.push([title, `${ratios.ours.toFixed(2)} ± ${(spread.ours * 50).toFixed(0)} %`, String(commands)]);
  }
  return { figures, head: ['Adapter calls', 'x the bare driver', 'commands (`remove`: with the insert before it)'], rows };
}
