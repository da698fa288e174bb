import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, Timestamp, UUID } from 'mongodb';
import { start, type Harness } from './harness.ts';
import { WireClient } from './wire-client.ts';

let harness: Harness;
let wire: WireClient;
beforeAll(async () => {
  harness = await start();
  wire = await WireClient.connect(harness.server);
  await harness.db.collection('items').insertMany(Array.from({ length: 5 }, (_none, n) => ({ n, text: 'x'.repeat(100) })));
});
afterAll(async () => {
  wire.close();
  await harness.stop();
});

const answer = (command: Document, database = 'test'): Promise<Document> => wire.ask(database, command);

describe('an option that means nothing', () => {
  it.each<[string, Document, number]>([
    ['a field that find does not have', { explain: { find: 'items', nothing: 1 } }, 40415],
    ['a limit that is no number', { explain: { find: 'items', limit: 'x' } }, 14],
    ['a deletion of seven', { explain: { delete: 'items', deletes: [{ q: {}, limit: 7 }] } }, 9],
    ['a field that an update does not have', { explain: { update: 'items', updates: [{ q: {}, u: {}, nothing: 1 }] } }, 40415],
    ['another database', { explain: { find: 'items', $db: 'other' } }, 73],
  ])('is refused in what is explained: %s', async (_what, command, code) => {
    expect(await answer(command)).toMatchObject({ ok: 0, code });
  });

  it.each<[string, Document, number]>([
    ['arrayFilters beside remove', { findAndModify: 'items', query: { n: 9 }, remove: true, arrayFilters: [{ x: 1 }] }, 9],
    ['a field of $graphLookup', { aggregate: 'items', cursor: {}, pipeline: [graph({ nothing: 1 })] }, 40104],
    ['a field of $derivative', { aggregate: 'items', cursor: {}, pipeline: [derivative({ nothing: 1 })] }, 9],
    ['a time that is to come', { find: 'items', readConcern: { afterClusterTime: new Timestamp({ t: 4_000_000_000, i: 1 }) } }, 72],
    [
      'a snapshot to come',
      { find: 'items', readConcern: { level: 'snapshot', atClusterTime: new Timestamp({ t: 4_000_000_000, i: 1 }) } },
      72,
    ],
    ['a snapshot of a count', { count: 'items', readConcern: { level: 'snapshot' } }, 72],
    ['a session inside of a session', { find: 'items', lsid: { id: new UUID(), txnUUID: new UUID() } }, 72],
  ])('is refused: %s', async (_what, command, code) => {
    expect(await answer(command)).toMatchObject({ ok: 0, code });
  });

  it.each<[string, Document, number]>([['arrayFilters of a replacement', { q: { n: 1 }, u: { a: 1 }, arrayFilters: [{ x: 1 }] }, 9]])(
    'is refused in an update: %s',
    async (_what, update, code) => {
      expect(await answer({ update: 'items', updates: [update] })).toMatchObject({ writeErrors: [{ code }] });
    },
  );

  it('is refused in an update: a document for an upsert', async () => {
    const update = { q: { _id: 99 }, u: [{ $set: { a: 1 } }], upsert: true, upsertSupplied: true, c: { new: { _id: 99 } } };
    expect(await answer({ update: 'items', updates: [update] })).toMatchObject({ code: 72 });
  });
});

describe('an option', () => {
  it('of an index that is unknown is passed over where that is asked for', async () => {
    const indexes = [{ key: { n: 1 }, name: 'by_n', nothing: 1 }];
    expect(await answer({ createIndexes: 'items', indexes })).toMatchObject({ code: 197 });
    expect(await answer({ createIndexes: 'items', indexes, ignoreUnknownIndexOptions: true })).toMatchObject({ ok: 1 });
    expect((await harness.db.collection('items').indexes())[1]).not.toHaveProperty('nothing');
  });

  it.each<[string, Document, Document]>([
    ['a number of documents', { maxObjects: 2 }, { numObjects: 3, maxReached: true }],
    ['a size', { maxSize: 300 }, { numObjects: 3, maxReached: true }],
    ['enough', { maxObjects: 5 }, { numObjects: 5 }],
  ])('of dataSize ends it at %s', async (_what, more, expected) => {
    const found = await harness.db.admin().command({ dataSize: 'test.items', ...more });
    expect(found).toMatchObject(expected);
    expect('maxReached' in found).toBe('maxReached' in expected);
  });
});

function graph(more: Document): Document {
  return { $graphLookup: { from: 'items', startWith: '$n', connectFromField: 'n', connectToField: 'n', as: 'found', ...more } };
}

function derivative(more: Document): Document {
  const out = { $derivative: { input: '$n', ...more }, window: { documents: [-1, 0] } };
  return { $setWindowFields: { sortBy: { n: 1 }, output: { out } } };
}

describe('a flag that is a number', () => {
  it.each(['unique', 'prepareUnique'])('is one of an index: %s', async (name) => {
    const flags = harness.db.collection('flags');
    await flags.drop();
    await answer({ createIndexes: 'flags', indexes: [{ key: { a: 1 }, name: 'a', [name]: 1 }] });
    await flags.insertOne({ a: 1 });
    expect(await answer({ insert: 'flags', documents: [{ a: 1 }] })).toMatchObject({ writeErrors: [{ code: 11000 }] });
  });

  it('is one of an index: sparse', async () => {
    const flags = harness.db.collection('flags');
    await flags.drop();
    await answer({ createIndexes: 'flags', indexes: [{ key: { a: 1 }, name: 'a', unique: 1, sparse: 1 }] });
    await flags.insertMany([{}, {}]);
    expect(await flags.countDocuments()).toBe(2);
  });

  it('is one of collMod: hidden', async () => {
    const flags = harness.db.collection('flags');
    await flags.drop();
    await flags.createIndexes([{ key: { a: 1 } }]);
    await answer({ collMod: 'flags', index: { name: 'a_1', hidden: 1 } });
    const plan = await flags.find({ a: 1 }).explain('queryPlanner');
    expect((plan.queryPlanner as { winningPlan: Document }).winningPlan.stage).toBe('COLLSCAN');
  });

  it('is one of find: singleBatch', async () => {
    const { cursor } = await answer({ find: 'items', batchSize: 1, singleBatch: 1 });
    expect(String((cursor as Document).id)).toBe('0');
  });
});
