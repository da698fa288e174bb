import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClientSession, Collection, Filter } from 'mongodb';
import { start, type Harness } from '../harness.ts';

interface Item {
  _id: number;
  part: number;
  text: string;
}

/** Documents of which two are on a page, in a file of more parts than LMDB keeps in mind of one write. */
const DOCUMENTS = 138_000;
const PARTS = 30;
const text = 'x'.repeat(830);
/** Of this part each document lies on a page of its own, in another part of the file than the one before. */
const LARGE_PART = 7;
const large = 'x'.repeat(1200);

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
  items = harness.db.collection('items');
  await items.createIndex({ part: 1 });
  // They are made where they are kept: it is not about how they get there.
  const numbers = { $documents: [{ _id: { $range: [0, DOCUMENTS] }, text }] };
  const part = { $mod: ['$_id', PARTS] };
  const made = { part, text: { $cond: [{ $eq: [part, LARGE_PART] }, large, '$text'] } };
  await harness.db.aggregate([numbers, { $unwind: '$_id' }, { $set: made }, { $out: 'items' }]).toArray();
}, 300_000);
afterAll(() => harness.stop());

describe('a transaction that changes documents all over a large collection', () => {
  it('removes them', async () => {
    await harness.client.withSession((session) =>
      session.withTransaction(async () => {
        expect((await items.deleteMany({ part: 3 }, { session })).deletedCount).toBe(DOCUMENTS / PARTS);
      }),
    );
    expect(await items.countDocuments({ part: 3 })).toBe(0);
    expect(await items.estimatedDocumentCount()).toBe(DOCUMENTS - DOCUMENTS / PARTS);
  }, 120_000);

  it('updates them', async () => {
    await harness.client.withSession((session) =>
      session.withTransaction(async () => {
        expect((await items.updateMany({ part: 5 }, { $set: { part: -1 } }, { session })).modifiedCount).toBe(DOCUMENTS / PARTS);
      }),
    );
    expect(await items.countDocuments({ part: -1 })).toBe(DOCUMENTS / PARTS);
    expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
  }, 120_000);
});

describe('documents with long texts in an index', () => {
  const TEXTS = 30_000;
  const OTHER_TEXT = { $set: { text: { $concat: ['y', '$text'] } } };
  let many: Collection<{ _id: number; text: string }>;
  beforeAll(async () => {
    many = harness.db.collection('texts');
    await many.createIndex({ text: 1 });
    const numbers = { $documents: [{ _id: { $range: [0, TEXTS] } }] };
    // Two of them are on a page of the index.
    const made = { text: { $concat: [{ $toString: '$_id' }, text] } };
    await harness.db.aggregate([numbers, { $unwind: '$_id' }, { $set: made }, { $out: 'texts' }]).toArray();
  }, 120_000);

  const inTransaction = (work: (session: ClientSession) => Promise<unknown>): Promise<unknown> =>
    harness.client.withSession((session) => session.withTransaction(() => work(session)));

  it.each<[string, (session: ClientSession, most: number) => Promise<unknown>]>([
    ['removed', (session, most) => many.deleteMany({ _id: { $mod: [40, 0], $lt: most * 40 } }, { session })],
    ['given others', (session, most) => many.updateMany({ _id: { $mod: [40, 1], $lt: most * 40 } }, [OTHER_TEXT], { session })],
  ])(
    'are %s by a transaction where they are few, and it is refused where they are many',
    async (_what, work) => {
      await expect(inTransaction((session) => work(session, 600))).rejects.toMatchObject({ code: 257 });
      await inTransaction((session) => work(session, 150));
      expect(await many.updateOne({ _id: 2 }, { $set: { other: 1 } })).toMatchObject({ matchedCount: 1 });
    },
    120_000,
  );

  it('are counted also where the transaction has changed something else of them before', async () => {
    const some: Filter<{ _id: number }> = { _id: { $mod: [40, 5], $lt: 600 * 40 } };
    const work = async (session: ClientSession): Promise<void> => {
      await many.updateMany(some, { $set: { other: 1 } }, { session });
      await many.deleteMany(some, { session });
    };
    await expect(inTransaction(work)).rejects.toMatchObject({ code: 257 });
    expect(await many.updateOne({ _id: 2 }, { $inc: { other: 1 } })).toMatchObject({ matchedCount: 1 });
  }, 120_000);

  it('are removed by more than one commit where many remove some at once', async () => {
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const ids = (at: number): number[] => Array.from({ length: TEXTS / 200 }, (_none, n) => 200 * n + 10 * at + 3);
    const counts = await Promise.all(Array.from({ length: 20 }, (_none, at) => many.deleteMany({ _id: { $in: ids(at) } })));
    clock.mockRestore();
    expect(counts.map(({ deletedCount }) => deletedCount)).toEqual(counts.map(() => TEXTS / 200));
    await many.drop();
  }, 120_000);
});

describe('a transaction that would have too many large documents kept in mind', () => {
  const refused = (work: (session: ClientSession) => Promise<unknown>): Promise<void> =>
    expect(harness.client.withSession((session) => session.withTransaction(() => work(session)))).rejects.toMatchObject({ code: 257 });

  it.each<[string, (session: ClientSession) => Promise<unknown>]>([
    ['changes them', (session) => items.updateMany({ part: LARGE_PART }, { $set: { part: -1 } }, { session })],
    ['removes them', (session) => items.deleteMany({ part: LARGE_PART }, { session })],
    ['removes those in front of them', (session) => items.deleteMany({ part: LARGE_PART - 1 }, { session })],
  ])(
    'is refused, and others go on, when it %s',
    async (_what, work) => {
      await refused(work);
      expect(await items.countDocuments({ part: { $in: [LARGE_PART, LARGE_PART - 1] } })).toBe((2 * DOCUMENTS) / PARTS);
      expect(await items.updateOne({ _id: 1 }, { $inc: { part: 0 } })).toMatchObject({ matchedCount: 1 });
    },
    120_000,
  );

  it('may change one of them again and again, and as many as are allowed', async () => {
    await harness.client.withSession((session) =>
      session.withTransaction(async () => {
        for (let n = 0; n < 3; n++)
          await items.updateMany({ part: LARGE_PART, _id: { $lt: PARTS * 1500 } }, { $set: { text: `${large}${String(n)}` } }, { session });
      }),
    );
    expect(await items.countDocuments({ text: `${large}2` })).toBe(1500);
  }, 120_000);
});

describe('many that at once', () => {
  const EACH = 100;
  const ids = Array.from({ length: DOCUMENTS / PARTS }, (_none, at) => at * PARTS + LARGE_PART);
  const filters = Array.from({ length: ids.length / EACH }, (_none, at) => ({ _id: { $in: ids.slice(at * EACH, (at + 1) * EACH) } }));

  it.each<[string, (filter: Filter<Item>) => Promise<number>]>([
    ['change large documents', async (filter) => (await items.updateMany(filter, { $set: { text: `${large} changed` } })).modifiedCount],
    ['remove large documents', async (filter) => (await items.deleteMany(filter)).deletedCount],
  ])(
    '%s go into more than one commit',
    async (_what, work) => {
      // None of them ends for others before it is done: but for what is kept in mind, all would go into two commits.
      const now = performance.now();
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
      const counts = await Promise.all(filters.map(work));
      clock.mockRestore();
      expect(counts).toEqual(filters.map(() => EACH));
      expect(await items.updateOne({ _id: 1 }, { $inc: { part: 0 } })).toMatchObject({ matchedCount: 1 });
    },
    120_000,
  );
});
