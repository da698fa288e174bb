import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Document, Long } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
let ring: Collection<{ _id: number }>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  ring = await harness.db.createCollection<{ _id: number }>('ring', { capped: true, size: 100_000, max: 3 });
  await ring.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
});

const refusal = (command: Document): Promise<unknown> =>
  harness.db.command(command).then(
    () => 'nothing was refused',
    (error: unknown) => (error as { code?: unknown }).code,
  );

describe('a tailable cursor', () => {
  const open = async (more: Document = {}): Promise<{ readonly id: Long; readonly firstBatch: Document[] }> => {
    const { cursor } = await harness.db.command({ find: 'ring', tailable: true, ...more }, { promoteLongs: false });
    return cursor as { id: Long; firstBatch: Document[] };
  };
  const next = async (id: Long, more: Document = {}): Promise<{ readonly id: Long; readonly nextBatch: Document[] }> => {
    const { cursor } = await harness.db.command({ getMore: id, collection: 'ring', ...more }, { promoteLongs: false });
    return cursor as { id: Long; nextBatch: Document[] };
  };
  const idsOf = (docs: readonly Document[]): unknown[] => docs.map(({ _id }) => Number(String(_id)));

  it('stays open at the end, and gives what is inserted then', async () => {
    const { id, firstBatch } = await open();
    expect(idsOf(firstBatch)).toEqual([1, 2, 3]);
    expect(idsOf((await next(id)).nextBatch)).toEqual([]);
    await ring.insertMany([{ _id: 4 }, { _id: 5 }]);
    expect(idsOf((await next(id, { batchSize: 1 })).nextBatch)).toEqual([4]);
    expect(idsOf((await next(id)).nextBatch)).toEqual([5]);
    expect(String((await next(id)).id)).toBe(String(id));
  });

  it('gives what its filter finds, as its projection shows it', async () => {
    const { id, firstBatch } = await open({ filter: { _id: { $gt: 2 } }, projection: { _id: 0, a: 1 } });
    expect(firstBatch).toEqual([{}]);
    await ring.insertMany([{ _id: 0 }, { _id: 9, a: 'b' } as { _id: number }]);
    expect((await next(id)).nextBatch).toEqual([{ a: 'b' }]);
  });

  it('waits for something new when it is asked to', async () => {
    const { id } = await open({ awaitData: true });
    const waiting = next(id, { maxTimeMS: 60_000 });
    await ring.insertOne({ _id: 4 });
    expect(idsOf((await waiting).nextBatch)).toEqual([4]);
  });

  it('gives nothing where nothing came in its time', async () => {
    const { id } = await open({ awaitData: true });
    expect(idsOf((await next(id, { maxTimeMS: 10 })).nextBatch)).toEqual([]);
  });

  it('is what the driver reads until it is closed', async () => {
    const cursor = ring.find({}, { tailable: true, awaitData: true });
    const seen: number[] = [];
    for await (const { _id } of cursor) {
      seen.push(_id);
      if (_id === 3) await ring.insertOne({ _id: 4 });
      if (_id === 4) break;
    }
    await cursor.close();
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('ends where its place was taken away', async () => {
    const { id } = await open();
    await ring.insertMany([{ _id: 4 }, { _id: 5 }, { _id: 6 }]);
    await expect(next(id)).rejects.toMatchObject({ code: 136, codeName: 'CappedPositionLost' });
    await expect(next(id)).rejects.toMatchObject({ code: 43 });
  });

  it('ends when its collection is dropped', async () => {
    const { id } = await open({ awaitData: true });
    const waiting = next(id, { maxTimeMS: 60_000 }).then(
      () => undefined,
      (error: unknown) => (error as { code?: unknown }).code,
    );
    await ring.drop();
    expect(await waiting).toBe(175);
  });

  it('ends when it is killed', async () => {
    const { id } = await open({ awaitData: true });
    const waiting = next(id, { maxTimeMS: 60_000 }).then(
      () => undefined,
      (error: unknown) => (error as { code?: unknown }).code,
    );
    await harness.db.command({ killCursors: 'ring', cursors: [id] });
    expect(await waiting).toBe(237);
  });

  it('ends with its limit', async () => {
    const { id, firstBatch } = await open({ limit: 4, batchSize: 2 });
    expect(idsOf(firstBatch)).toEqual([1, 2]);
    expect(idsOf((await next(id)).nextBatch)).toEqual([3]);
    await ring.insertMany([{ _id: 4 }, { _id: 5 }]);
    const last = await next(id);
    expect([idsOf(last.nextBatch), String(last.id)]).toEqual([[4], '0']);
  });

  it('is none on a collection that has no document', async () => {
    await ring.deleteMany({});
    expect(String((await open()).id)).toBe('0');
  });

  it.each<[string, Document, number]>([
    ['an order of its own', { sort: { _id: 1 } }, 2],
    ['the order from the end', { sort: { $natural: -1 } }, 2],
    ['one batch', { singleBatch: true }, 2],
    ['a collection that is not capped', { find: 'plain', tailable: 1 }, 2],
  ])('is refused with %s', async (_what, more, code) => {
    await harness.db.createCollection('plain');
    expect(await refusal({ find: 'ring', tailable: true, ...more })).toBe(code);
  });

  it('is refused in a transaction', async () => {
    await harness.client.withSession(async (session) => {
      session.startTransaction();
      await expect(harness.db.command({ find: 'ring', tailable: true }, { session })).rejects.toMatchObject({ code: 72 });
      await session.abortTransaction();
    });
  });

  it('alone has a time to wait for something new', async () => {
    for (const more of [{}, { tailable: true }]) {
      const { cursor } = await harness.db.command({ find: 'ring', batchSize: 1, ...more }, { promoteLongs: false });
      expect(await refusal({ getMore: (cursor as { id: Long }).id, collection: 'ring', maxTimeMS: 10 })).toBe(2);
    }
  });
});
