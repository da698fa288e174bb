import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, type MongoClient, UUID } from 'mongodb';
import { start, type Harness } from '../harness.ts';
import { WireClient } from '../wire-client.ts';

interface Item {
  _id: number;
  n?: number;
}

let harness: Harness;
let wire: WireClient;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
  wire = await WireClient.connect(harness.server);
});
afterAll(async () => {
  wire.close();
  await harness.stop();
});
beforeEach(async () => {
  items = harness.db.collection<Item>('items');
  await items.deleteMany({});
  await items.insertOne({ _id: 0 });
});

const writeConcern = { w: 2 };
const TOLD = { code: 100, codeName: 'UnsatisfiableWriteConcern', errmsg: 'Not enough data-bearing nodes' };
const run = (command: Document): Promise<Document> => wire.ask('test', command);

describe('a write that is to wait for more nodes than there are', () => {
  it.each<[string, Document, Item[]]>([
    ['insert', { insert: 'items', documents: [{ _id: 1 }] }, [{ _id: 0 }, { _id: 1 }]],
    ['update', { update: 'items', updates: [{ q: { _id: 0 }, u: { $set: { n: 5 } } }] }, [{ _id: 0, n: 5 }]],
    ['delete', { delete: 'items', deletes: [{ q: { _id: 0 }, limit: 1 }] }, []],
    ['findAndModify', { findAndModify: 'items', query: { _id: 0 }, update: { $set: { n: 6 } } }, [{ _id: 0, n: 6 }]],
  ])('is there, and told of: %s', async (_name, command, left) => {
    const answer = await run({ ...command, writeConcern });
    expect(answer).toMatchObject({ ok: 1, writeConcernError: { ...TOLD, errInfo: { writeConcern: { w: 2 } } } });
    expect(await items.find().sort({ _id: 1 }).toArray()).toEqual(left);
  });

  it.each<[string, Document]>([
    ['$out', { $out: 'made' }],
    ['$merge', { $merge: 'made' }],
  ])('is there, and told of: aggregate with %s', async (_name, stage) => {
    const answer = await run({ aggregate: 'items', pipeline: [stage], cursor: {}, writeConcern });
    expect(answer).toMatchObject({ ok: 1, cursor: { firstBatch: [] }, writeConcernError: TOLD });
    expect(await harness.db.collection<Item>('made').find().toArray()).toEqual([{ _id: 0 }]);
    await harness.db.dropCollection('made');
  });

  it('is told of nothing where the aggregate reads only, which is refused', async () => {
    expect(await run({ aggregate: 'items', pipeline: [], cursor: {}, writeConcern })).toMatchObject({ ok: 0, code: 2 });
  });

  it('is there, and told of: bulkWrite', async () => {
    const ops = [{ insert: 0, document: { _id: 2 } }];
    const nsInfo = [{ ns: items.namespace }];
    const answer = harness.client.db('admin').command({ bulkWrite: 1, ops, nsInfo, writeConcern });
    await expect(answer).rejects.toMatchObject({ code: 100, result: { ok: 1, nInserted: 1 } });
    expect(await items.countDocuments()).toBe(2);
  });

  it('is told of beside what failed', async () => {
    const answer = await run({ insert: 'items', documents: [{ _id: 3 }, { _id: 3 }], writeConcern });
    expect(answer).toMatchObject({ ok: 1, n: 1, writeErrors: [{ index: 1, code: 11000 }], writeConcernError: TOLD });
  });

  it('is told of again when it is sent again, and not carried out again', async () => {
    const command = { update: 'items', updates: [{ q: { _id: 0 }, u: { $inc: { n: 1 } } }], writeConcern };
    const numbered = { ...command, lsid: { id: new UUID() }, txnNumber: 1n };
    expect(await run(numbered)).toMatchObject({ ok: 1, writeConcernError: TOLD });
    expect(await run(numbered)).toMatchObject({ ok: 1, writeConcernError: TOLD });
    expect(await items.findOne()).toEqual({ _id: 0, n: 1 });
  });

  it('is told of a name that no configuration has', async () => {
    const answer = await run({ insert: 'items', documents: [{ _id: 4 }], writeConcern: { w: 'somewhere' } });
    expect(answer).toMatchObject({ ok: 1, n: 1, writeConcernError: { code: 79, codeName: 'UnknownReplWriteConcern' } });
  });
});

it.each(['commitTransaction', 'abortTransaction'] as const)('a transaction ends by a %s that is to wait for more nodes', async (end) => {
  const session = harness.client.startSession();
  session.startTransaction({ writeConcern });
  await items.insertOne({ _id: 7 }, { session });
  const ended = end === 'commitTransaction' ? session.commitTransaction() : session.abortTransaction();
  // The driver tells of no abort that failed.
  if (end === 'commitTransaction') await expect(ended).rejects.toMatchObject({ code: 100 });
  else await ended;
  expect(await items.countDocuments({ _id: 7 })).toBe(end === 'commitTransaction' ? 1 : 0);
  await session.endSession();
});

it.each<[string, (client: MongoClient) => Promise<unknown>]>([
  ['create', (client) => client.db('test').createCollection('made', { writeConcern })],
  [
    'createIndexes',
    (client) => client.db('test').command({ createIndexes: 'made', indexes: [{ key: { n: 1 }, name: 'n' }], writeConcern }),
  ],
])('what would wait in vain is refused before anything is made: %s', async (_name, made) => {
  await expect(made(harness.client)).rejects.toMatchObject({ code: 2 });
  expect(await harness.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
});
