import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, Timestamp } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.collection('c').deleteMany({});
  await harness.db.collection('c').insertOne({ _id: 1 } as never);
});

const EMPTY = new Timestamp({ t: 0, i: 0 });

describe('an empty timestamp', () => {
  const ns = (): string => harness.db.collection('c').namespace;
  it.each<[string, string, () => Document]>([
    ['an insert', 'test', () => ({ insert: 'c', documents: [{ _id: 2, at: EMPTY }] })],
    ['a replacement', 'test', () => ({ update: 'c', updates: [{ q: { _id: 1 }, u: { at: EMPTY } }] })],
    ['an upsert', 'test', () => ({ update: 'c', updates: [{ q: { _id: 2 }, u: { at: EMPTY }, upsert: true }] })],
    ['a findAndModify', 'test', () => ({ findAndModify: 'c', query: { _id: 1 }, update: { at: EMPTY } })],
    ['a bulkWrite', 'admin', () => ({ bulkWrite: 1, nsInfo: [{ ns: ns() }], ops: [{ insert: 0, document: { at: EMPTY } }] })],
  ])('of %s is the time, unless the command says that it is what it says', async (_name, database, command) => {
    const written = async (bypassEmptyTsReplacement: boolean): Promise<boolean> => {
      await harness.client.db(database).command({ ...command(), bypassEmptyTsReplacement });
      const [found] = await harness.db
        .collection('c')
        .find({ at: { $exists: true } })
        .toArray();
      await harness.db.collection('c').deleteMany({ _id: { $ne: 1 } as never });
      await harness.db.collection('c').updateOne({}, { $unset: { at: 1 } });
      return EMPTY.equals(found?.at as Timestamp);
    };
    expect([await written(false), await written(true)]).toEqual([false, true]);
  });

  it('that a document had before it was merged into is told of by change streams when it becomes the time', async () => {
    const items = harness.db.collection<{ _id: number }>('c');
    await harness.db.command({ insert: 'c', documents: [{ _id: 3, at: EMPTY, n: 1 }], bypassEmptyTsReplacement: true });
    const stream = items.watch();
    await stream.tryNext();
    await items.aggregate([{ $match: { _id: 3 } }, { $project: { m: { $literal: 2 } } }, { $merge: 'c' }]).toArray();
    const found = await items.findOne({ _id: 3 });
    const event = await stream.next();
    await stream.close();
    expect(event).toMatchObject({ operationType: 'update', updateDescription: { removedFields: [] } });
    const { updatedFields } = (event as { updateDescription: Document }).updateDescription;
    expect({ _id: 3, at: EMPTY, n: 1, ...(updatedFields as Document) }).toEqual(found);
    expect(updatedFields).toHaveProperty('m', 2);
  });
});
