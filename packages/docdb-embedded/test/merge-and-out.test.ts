import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, Long } from 'mongodb';
import { start, type Harness, untilRunning } from './harness.ts';
import { inManyTurns } from './turns.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await collection('from').insertMany([
    { _id: 1, a: 1 },
    { _id: 2, a: 2 },
  ]);
  await collection('into').insertOne({ _id: 1, a: 1 });
});

const collection = (name: string) => harness.db.collection<{ _id: number; a?: number }>(name);
const run = (...pipeline: Document[]): Promise<Document[]> => collection('from').aggregate(pipeline).toArray();
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error as { code?: unknown }).code,
  );

/** The kinds of changes that a pipeline makes in `into`. */
async function changesOf(...pipeline: Document[]): Promise<unknown[]> {
  const command = { aggregate: 'into', pipeline: [{ $changeStream: {} }], cursor: {} };
  const { cursor } = await harness.db.command(command, { promoteLongs: false });
  await run(...pipeline);
  const { id } = cursor as { id: Long };
  const answer = await harness.db.command({ getMore: id, collection: 'into', maxTimeMS: 50 });
  return (answer.cursor as { nextBatch: Document[] }).nextBatch.map(({ operationType }) => operationType as unknown);
}

describe('a name that no collection can have', () => {
  it.each<[string, Document]>([
    ['$out', { $out: 'a$b' }],
    ['$out into a database', { $out: { db: 'test', coll: 'a$' } }],
    ['$merge', { $merge: 'a$b' }],
    ['$merge of nothing', { $merge: { into: { db: 'test', coll: 'a$' } } }],
  ])('is given to none by %s: it could not be read or dropped', async (by, stage) => {
    expect(await codeOf(run({ $match: by.endsWith('nothing') ? { a: 'none' } : {} }, stage))).toBe(73);
    const names = (await harness.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.sort()).toEqual(['from', 'into']);
  });
});

describe('$merge', () => {
  it.each<[string, Document]>([
    ['replaced', { whenMatched: 'replace' }],
    ['merged', { whenMatched: 'merge' }],
    ['set', { whenMatched: [{ $set: { a: 1 } }] }],
  ])('changes nothing of a document that is %s by what it is', async (_how, rules) => {
    expect(await changesOf({ $match: { _id: 1 } }, { $merge: { into: 'into', ...rules } })).toEqual([]);
  });

  it.each<[string, Document, string]>([
    ['replaced', { whenMatched: 'replace' }, 'replace'],
    ['merged', { whenMatched: 'merge' }, 'update'],
    ['set, and is as short as what is different', { whenMatched: [{ $set: { b: '$$new.b' } }] }, 'replace'],
  ])('says that a document was %s', async (_how, rules, kind) => {
    expect(await changesOf({ $match: { _id: 1 } }, { $set: { b: 1 } }, { $merge: { into: 'into', ...rules } })).toEqual([kind]);
  });

  it('says it of fields with dots in their names', async () => {
    await harness.db.collection<Document & { _id: number }>('into').insertOne({ _id: 2, 'a.': [1], text: 'long'.repeat(32) });
    const named = { $replaceWith: { $setField: { field: 'a.', input: { _id: 2 }, value: [1, 2] } } };
    expect(await changesOf({ $match: { _id: 2 } }, named, { $merge: 'into' })).toEqual(['update']);
  });

  it.each<[string, Document, number]>([
    ['an expression that there is not', { let: { v: { $nothing: 1 } }, whenMatched: [{ $set: { a: 1 } }] }, 168],
    ['what is for a router only', { targetCollectionVersion: {} }, 72],
  ])('is refused with %s, also where nothing matches', async (_what, rules, code) => {
    await collection('into').deleteMany({});
    expect(await codeOf(run({ $merge: { into: 'into', ...rules } }))).toBe(code);
    expect(await collection('into').countDocuments()).toBe(0);
  });

  it('has the variables of its command in its pipeline', async () => {
    const stage = { $merge: { into: 'into', whenMatched: [{ $set: { given: '$$given' } }] } };
    await collection('from')
      .aggregate([stage], { let: { given: 5 } })
      .toArray();
    expect(await collection('into').findOne({ _id: 1 })).toEqual({ _id: 1, a: 1, given: 5 });
  });

  it('gives no document another id', async () => {
    await collection('into').createIndexes([{ key: { a: 1 }, unique: true }]);
    const stage = { $merge: { into: 'into', on: 'a', whenMatched: 'replace' } };
    expect(await codeOf(run({ $match: { a: 1 } }, { $set: { _id: 9 } }, stage))).toBe(66);
  });

  it('reads the collection that it writes as it was', async () => {
    await collection('from')
      .aggregate([{ $set: { _id: { $add: ['$_id', 10] } } }, { $merge: 'from' }])
      .toArray();
    expect(await collection('from').distinct('_id')).toEqual([1, 2, 11, 12]);
  });
});

describe('$out', () => {
  it('leaves the collection as it was when a document does not fit', async () => {
    await collection('into').createIndexes([{ key: { b: 1 }, unique: true }]);
    expect(await codeOf(run({ $set: { b: 1 } }, { $out: 'into' }))).toBe(11000);
    expect(await collection('into').find().toArray()).toEqual([{ _id: 1, a: 1 }]);
    expect(await collection('into').indexes()).toHaveLength(2);
    const names = (await harness.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.sort()).toEqual(['from', 'into']);
  });

  it('does not take the place of a collection that was changed meanwhile', async () => {
    await collection('from').insertMany(Array.from({ length: 2000 }, (_none, at) => ({ _id: at + 10 })));
    await inManyTurns(async () => {
      const written = codeOf(run({ $out: 'into' }));
      await untilRunning(harness.client, { 'command.aggregate': 'from' });
      await collection('into').createIndexes([{ key: { b: 1 } }]);
      expect(await written).toBe(125);
    });
    expect(await collection('into').indexes()).toHaveLength(2);
  });
});
