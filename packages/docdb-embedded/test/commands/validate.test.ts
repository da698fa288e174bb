import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { Engine, numberKey } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { start } from '../harness.ts';

const DOCUMENTS = 4000;

it('costs as much where all documents share a key as where each has its own', async () => {
  const harness = await start();
  /** The least of several times: memory is collected in some of them. */
  const spent = async (name: string, keyOf: (at: number) => number): Promise<number> => {
    const collection = harness.db.collection<{ _id: number }>(name);
    await collection.createIndex({ key: 1 });
    await collection.insertMany(Array.from({ length: DOCUMENTS }, (_, at) => ({ _id: at, key: [keyOf(at), -1 - keyOf(at)] })));
    const all: number[] = [];
    for (let round = 0; round < 4; round++) {
      const before = process.cpuUsage();
      const found = await harness.db.command({ validate: name });
      const { user, system } = process.cpuUsage(before);
      expect(found).toMatchObject({ valid: true, errors: [], keysPerIndex: { key_1: 2 * DOCUMENTS } });
      all.push(user + system);
    }
    return Math.min(...all);
  };
  try {
    const own = await spent('own', (at) => at);
    expect((await spent('shared', () => 0)) / own).toBeLessThan(5);
  } finally {
    await harness.stop();
  }
});

it.each<[string, (engine: Engine, key: Buffer) => unknown, string[]]>([
  ['an entry is missing', (engine, key) => engine.entries.remove(key, 1), ['key_1 does not lead to a', 'key_1 has 2 entries for 3 keys']],
  ['an entry leads to nothing', (engine, key) => engine.entries.put(key, 99), ['key_1 has 4 entries for 3 keys']],
  [
    'an entry leads elsewhere',
    (engine, key) => [engine.entries.remove(key, 1), engine.entries.put(key, 99)],
    ['key_1 does not lead to a', 'key_1 has entries that lead to no key of their documents'],
  ],
])('tells where %s', async (_what, harm, errors) => {
  const path = mkdtempSync(join(tmpdir(), 'docdb-validate-'));
  const use = async (work: (client: MongoClient) => Promise<unknown>): Promise<void> => {
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri).connect();
    try {
      await work(client);
    } finally {
      await client.close();
      await server.stop();
    }
  };
  try {
    await use(async (client) => {
      const items = client.db('test').collection<{ _id: string; key: string }>('items');
      await items.createIndex({ key: 1 });
      await items.insertMany(['a', 'b', 'c'].map((_id) => ({ _id, key: 'shared' })));
      expect(await client.db('test').command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
    });
    const engine = new Engine({ path, sync: 'always', maxSize: undefined });
    const index = new Store(engine).newest.collection('test.items')?.indexes.get('key_1');
    if (index === undefined) throw new Error('the index is not there');
    const key = Buffer.concat([numberKey(index.number), index.keyOf(['shared']).bytes]);
    expect([...engine.entries.getValues(key)]).toEqual([1, 2, 3]);
    await engine.write(() => void harm(engine, key), true);
    await engine.close();
    await use(async (client) => {
      expect(await client.db('test').command({ validate: 'items' })).toMatchObject({ valid: false, errors });
    });
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});

it.each([
  ['background', 'full'],
  ['background', 'enforceFastCount'],
  ['background', 'repair'],
  ['enforceFastCount', 'repair'],
])('refuses %s together with %s, and takes each alone', async (one, other) => {
  const { db, stop } = await start();
  try {
    await db.collection('notes').insertOne({});
    for (const options of [{ [one]: true }, { [other]: true }, { [one]: true, [other]: false }])
      expect(await db.command({ validate: 'notes', ...options })).toMatchObject({ valid: true });
    await expect(db.command({ validate: 'notes', [one]: true, [other]: true })).rejects.toMatchObject({ code: 72 });
  } finally {
    await stop();
  }
});

it('finds nothing wrong with an index that is being built', async () => {
  const harness = await start();
  try {
    const items = harness.db.collection('items');
    await items.insertMany(Array.from({ length: 4000 }, (_none, at) => ({ at })));
    const state = { ended: false };
    const built = items.createIndex({ at: 1 }).finally(() => {
      state.ended = true;
    });
    while (!state.ended) expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
    await built;
    expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true, keysPerIndex: { at_1: 4000 } });
  } finally {
    await harness.stop();
  }
});
