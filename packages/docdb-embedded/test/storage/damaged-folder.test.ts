import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { Engine } from '../../src/storage/engine.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-damaged-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

type Items = Collection<Document & { _id: number }>;

async function within<T>(work: (items: Items, client: MongoClient) => Promise<T>): Promise<T> {
  const server = await DocDbServer.start({ path });
  const client = await new MongoClient(server.uri).connect();
  try {
    return await work(client.db('test').collection('items'), client);
  } finally {
    await client.close();
    await server.stop();
  }
}

describe('what an index leads to and is not there', () => {
  beforeEach(async () => {
    await within(async (items) => {
      await items.createIndex({ n: 1 });
      await items.insertMany([1, 2, 3].map((_id) => ({ _id, n: _id })));
    });
    const engine = new Engine({ path, sync: 'always', maxSize: undefined });
    const [, second] = [...engine.documents.getKeys()];
    await engine.write(() => {
      void engine.documents.remove(second as Buffer);
    });
    await engine.close();
  });

  it('is told of by what looks there, and does not look as if it never was', async () => {
    await within(async (items, client) => {
      const damaged = { code: 413, codeName: 'DataCorruptionDetected', message: expect.stringContaining('validate') };
      await expect(items.find({ n: 2 }).toArray()).rejects.toMatchObject(damaged);
      await expect(items.find({ n: { $gt: 0 } }).toArray()).rejects.toMatchObject(damaged);
      await expect(items.findOne({ _id: 2 })).rejects.toMatchObject(damaged);
      await expect(items.distinct('n')).rejects.toMatchObject(damaged);
      await expect(items.updateOne({ n: 2 }, { $set: { a: 1 } })).rejects.toMatchObject({ code: 413 });
      expect(await items.findOne({ n: 3 })).toEqual({ _id: 3, n: 3 });
      expect(await client.db('test').command({ validate: 'items' })).toMatchObject({ valid: false });
    });
  });

  it('is nothing that a transaction has taken away', async () => {
    rmSync(path, { recursive: true });
    await within(async (items, client) => {
      await items.createIndex({ n: 1 });
      await items.insertMany([1, 2, 3].map((_id) => ({ _id, n: _id })));
      const found = await client.withSession((session) =>
        session.withTransaction(async () => {
          await items.deleteOne({ _id: 2 }, { session });
          await items.updateOne({ _id: 3 }, { $set: { n: 9 } }, { session });
          return [
            await items.findOne({ _id: 2 }, { session }),
            await items.find({ n: { $gt: 1 } }, { session }).toArray(),
            await items.distinct('n', {}, { session }),
          ];
        }),
      );
      expect(found).toEqual([null, [{ _id: 3, n: 9 }], [1, 9]]);
    });
  });
});
