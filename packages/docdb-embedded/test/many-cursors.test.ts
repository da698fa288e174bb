import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Long, MongoClient, type Db } from 'mongodb';
import { Cursors, sourceOf } from '../src/commands/cursors.ts';
import type { Doc } from '../src/bson/values.ts';
import { Engine } from '../src/storage/engine.ts';
import { Snapshots } from '../src/storage/snapshots.ts';
import { loadCatalogue } from '../src/storage/catalogue.ts';
import { Operation } from '../src/commands/operation.ts';
import { DocDbServer } from '../src/index.ts';
import { WireClient } from './wire-client.ts';

/** More than LMDB has room for where nothing else is asked for, and each on a state of its own. */
const MANY = 2100;

describe('cursors that nobody reads on in', () => {
  let path: string;
  let server: DocDbServer;
  let client: MongoClient;
  let db: Db;
  beforeAll(async () => {
    path = mkdtempSync(join(tmpdir(), 'docdb-'));
    server = await DocDbServer.start({ path, sync: 'never' });
    client = await new MongoClient(server.uri).connect();
    db = client.db('test');
    await db.collection('items').insertMany([{ n: 1 }, { n: 2 }]);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
    rmSync(path, { recursive: true, force: true });
  });

  it('leave states of the data to others, and the process alive', async () => {
    let first: Long | undefined;
    const wire = await WireClient.connect(server);
    const change = { update: 'items', updates: [{ q: { n: 1 }, u: { $inc: { times: 1 } } }] };
    for (let opened = 0; opened < MANY; opened++) {
      const { cursor } = await wire.ask('test', { find: 'items', batchSize: 1 });
      first ??= (cursor as { id: Long }).id;
      expect(await wire.ask('test', change)).toMatchObject({ n: 1 });
    }
    // Copies of the folder are held now and then.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(await db.collection('items').countDocuments()).toBe(2);
    expect((await wire.ask('test', { getMore: first, collection: 'items' })).cursor.nextBatch).toMatchObject([{ n: 2 }]);
    wire.close();
  });
});

describe('open cursors', () => {
  const docs: readonly Doc[] = [{ n: 1 }, { n: 2 }];
  const next = {
    batchSize: 1,
    waitMs: undefined,
    operation: new Operation(),
    isMadeLate: () => false,
    session: undefined,
    api: '',
    transaction: undefined,
  };
  const idOf = (answer: Doc): bigint => (answer.cursor as { id: bigint }).id;

  it('give up the one that was not read for the longest time where there are too many', async () => {
    const cursors = new Cursors(2);
    const steps = (): AsyncIterator<never[]> => ({ next: () => new Promise(() => undefined) });
    const source = { steps: steps(), release: () => undefined };
    const stays = idOf(await cursors.first('t.c', source, { batchSize: 0, noTimeout: true }));
    const [one, two, three] = [
      idOf(await cursors.firstOf('t.c', docs, 0)),
      idOf(await cursors.firstOf('t.c', docs, 0)),
      idOf(await cursors.firstOf('t.c', docs, 0)),
    ];
    await expect(cursors.more(one, 't.c', next)).rejects.toMatchObject({ code: 43 });
    await expect(cursors.more(two, 't.c', next)).rejects.toMatchObject({ code: 43 });
    expect((await cursors.more(three, 't.c', next)).cursor).toMatchObject({ nextBatch: [expect.anything()] });
    expect(cursors.ownerOf(stays)).toBe('');
    await cursors.close();
  });

  it('give up one that was asked to stay where there are no others', async () => {
    const cursors = new Cursors(2);
    const open = async (noTimeout: boolean): Promise<bigint> =>
      idOf(await cursors.first('t.c', sourceOf(docs), { batchSize: 0, noTimeout }));
    const [one, two, three] = [await open(true), await open(true), await open(true)];
    expect([one, two, three].map((id) => cursors.ownerOf(id))).toEqual([undefined, '', '']);
    const usual = await open(false);
    expect([two, three, usual].map((id) => cursors.ownerOf(id))).toEqual([undefined, '', '']);
    await cursors.close();
  });

  it('are as many beside those that wait for news, which hold no state', async () => {
    const cursors = new Cursors(2);
    const news = { waits: true, ended: false, next: () => Promise.resolve([]), extra: () => ({}), stop: () => undefined };
    for (let opened = 0; opened < 3; opened++) await cursors.live('t.c', news, {});
    const ids = [idOf(await cursors.firstOf('t.c', docs, 0)), idOf(await cursors.firstOf('t.c', docs, 0))];
    expect(ids.map((id) => cursors.ownerOf(id))).toEqual(['', '']);
    await cursors.close();
  });
});

it('states of the data are refused in words where there is no room for one more', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  const snapshots = new Snapshots(engine, () => undefined, 2);
  const catalogue = loadCatalogue(engine, 1);
  snapshots.add(catalogue);
  const write = (): Promise<void> => engine.write(() => void engine.system.put(Buffer.from('x'), Buffer.from(String(Math.PI))));
  const first = snapshots.take(catalogue);
  await write();
  const second = snapshots.take(catalogue);
  await write();
  expect(() => snapshots.take(catalogue)).toThrow('close them');
  first.release();
  const third = snapshots.take(catalogue);
  second.release();
  third.release();
  await engine.close();
});

it('a state of the data that everybody has given back is not taken again, and each gives it back once', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  let released = 0;
  const snapshots = new Snapshots(engine, () => (released += 1));
  const catalogue = loadCatalogue(engine, 1);
  snapshots.add(catalogue);
  const snapshot = snapshots.take(catalogue);
  const giveBack = snapshot.retain();
  giveBack?.();
  giveBack?.();
  expect(released).toBe(0);
  snapshot.release();
  expect(released).toBe(1);
  expect(snapshot.retain()).toBeUndefined();
  await engine.close();
});
