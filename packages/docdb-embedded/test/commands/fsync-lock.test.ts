import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Long, MongoClient, type Collection, type Document } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { Engine } from '../../src/storage/engine.ts';

let root: string;
let server: DocDbServer;
let client: MongoClient;
let items: Collection<Document & { _id: number }>;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'docdb-lock-'));
  server = await DocDbServer.start({ path: join(root, 'data') });
  client = await new MongoClient(server.uri, { retryWrites: false }).connect();
  items = client.db('test').collection('items');
  await items.insertOne({ _id: 1 });
});
afterEach(async () => {
  // First of all: where the server has gone, the driver looks for it again to end its sessions, for half a minute.
  await client.close();
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

const admin = (command: Document): Promise<Document> => client.db('admin').command(command);
const lock = (): Promise<Document> => admin({ fsync: 1, lock: true });
const unlock = (): Promise<Document> => admin({ fsyncUnlock: 1 });
const FILE = join('data', 'data.mdb');

describe('fsync with a lock', () => {
  it('keeps the file as it is while writers wait, and a copy of it is whole', async () => {
    await lock();
    const before = readFileSync(join(root, FILE));
    const waiting = items.insertOne({ _id: 2 });
    await expect(items.updateOne({ _id: 1 }, { $set: { a: 1 } }, { maxTimeMS: 20 })).rejects.toMatchObject({ code: 50 });
    await expect(client.db('test').createCollection('more', { maxTimeMS: 20 })).rejects.toMatchObject({ code: 50 });
    await expect(client.db('test').command({ createUser: 'ann', pwd: 'x', roles: [], maxTimeMS: 20 })).rejects.toMatchObject({ code: 50 });
    await expect(items.aggregate([{ $out: 'made' }], { maxTimeMS: 20 }).toArray()).rejects.toMatchObject({ code: 50 });
    expect(await items.find().toArray()).toEqual([{ _id: 1 }]);
    mkdirSync(join(root, 'copy'));
    copyFileSync(join(root, FILE), join(root, 'copy', 'data.mdb'));
    expect(readFileSync(join(root, FILE)).equals(before)).toBe(true);
    await unlock();
    await waiting;
    expect(await items.find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
    const copy = await DocDbServer.start({ path: join(root, 'copy') });
    const other = await new MongoClient(copy.uri).connect();
    expect(await other.db('test').collection('items').find().toArray()).toEqual([{ _id: 1 }]);
    await other.close();
    await copy.stop();
  });

  it('keeps nobody waiting beyond their time, whatever they write', async () => {
    const session = client.startSession();
    session.startTransaction({ maxCommitTimeMS: 20 });
    await items.insertOne({ _id: 2 }, { session });
    await lock();
    const soon = { maxTimeMS: 20 };
    const test = client.db('test');
    for (const command of [
      { profile: 1 },
      { createUser: 'ann', pwd: 'secret', roles: [] },
      { dropUser: 'ann' },
      { createIndexes: 'items', indexes: [{ key: { a: 1 }, name: 'a' }] },
      { drop: 'items' },
      { dropDatabase: 1 },
    ])
      await expect(test.command({ ...command, ...soon })).rejects.toMatchObject({ code: 50 });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 50 });
    await unlock();
    await session.commitTransaction();
    await session.endSession();
    expect(await items.countDocuments()).toBe(2);
  });

  it('keeps neither reads nor itself waiting where the profiler notes commands, which are not noted then', async () => {
    for (const name of ['test', 'admin']) await client.db(name).command({ profile: 2 });
    await lock();
    expect(await items.find({}, { comment: 'meanwhile' }).toArray()).toEqual([{ _id: 1 }]);
    await unlock();
    await items.find({}, { comment: 'behind' }).toArray();
    const noted = client.db('test').collection('system.profile').find({ op: 'query' }).project({ _id: 0, 'command.comment': 1 });
    expect(await noted.toArray()).toEqual([{ command: { comment: 'behind' } }]);
  });

  it('keeps the commit of a transaction waiting', async () => {
    const session = client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 2 }, { session });
    await lock();
    const committed = session.commitTransaction();
    expect(await items.countDocuments()).toBe(1);
    await unlock();
    await committed;
    await session.endSession();
    expect(await items.countDocuments()).toBe(2);
  });

  it('is given back as often as it was taken, and no more', async () => {
    const counts = [await lock(), await lock(), await unlock(), await unlock()].map(({ lockCount }) => lockCount as unknown);
    expect(counts).toEqual([1, 2, 1, 0]);
    await expect(unlock()).rejects.toMatchObject({ code: 20 });
    expect(await client.db('admin').command({ fsync: 1, lock: true }, { promoteLongs: false })).toMatchObject({ lockCount: Long.ONE });
    await unlock();
    await items.insertOne({ _id: 2 });
    expect(await items.countDocuments()).toBe(2);
  });

  it('does not outlive the server, nor keep it from stopping', async () => {
    await lock();
    const waiting = items.insertOne({ _id: 2 }).then(
      () => 'written',
      (error: unknown) => (error as Error).name,
    );
    await items.find().toArray();
    await server.stop();
    expect(await waiting).toMatch(/^(written|Mongo\w*Error)$/);
    await client.close();
    server = await DocDbServer.start({ path: join(root, 'data') });
    client = await new MongoClient(server.uri).connect();
    await client
      .db('test')
      .collection('items')
      .insertOne({ _id: 3 } as never);
    expect(
      await client
        .db('test')
        .collection('items')
        .countDocuments({ _id: 3 } as never),
    ).toBe(1);
  });
});

it('a lock that could not be had keeps nobody waiting', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  await engine.close();
  await expect(engine.lockWrites()).rejects.toThrow();
  expect([engine.lock.count, engine.lock.ended]).toEqual([0, undefined]);
});
