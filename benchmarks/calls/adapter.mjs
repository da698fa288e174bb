// The service of a collection against the bare driver, over the wire to an embedded database in a process of its own.
import { DocDbService } from '@framework/adapter-docdb';
import { DocDbServer } from '@framework/docdb-embedded';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { compare } from '../measure/compare.mjs';
import { withInterval } from '../measure/table.mjs';

const SIZE = 1000;
/** Of one slice. */
const CALLS = 120;

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
    remove: [() => collection.findOneAndDelete({ _id: stock.pop() }), () => service.remove(stock.pop())],
  };
  // What a slice removes is put there before its time is taken; the first slice and the count of commands take some too.
  const stock = [];
  const before = async () => {
    const missing = CALLS + 1 - stock.length;
    if (missing <= 0) return;
    const { insertedIds } = await collection.insertMany(Array.from({ length: missing }, () => ({ name: 'x' })));
    stock.push(...Object.values(insertedIds));
  };
  const rows = [];
  const figures = {};
  for (const [title, [driver, ours]] of Object.entries(works)) {
    const { ratio } = await compare({ driver, ours }, { rounds: 17, calls: CALLS, ...(title === 'remove' ? { before } : {}) });
    let commands = 0;
    const count = () => (commands += 1);
    client.on('commandStarted', count);
    await ours();
    client.off('commandStarted', count);
    figures[title] = { ratio: ratio('ours'), commands };
    rows.push([title, withInterval(figures[title].ratio), String(commands)]);
  }
  return { figures, head: ['Adapter calls', 'x the bare driver', 'commands'], rows };
}
