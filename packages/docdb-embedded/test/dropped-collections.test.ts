import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Document, Long } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  await harness.db.collection<{ _id: number }>('items').insertMany(Array.from({ length: 10 }, (_none, _id) => ({ _id })));
});

const open = async (command: Document): Promise<Long> => {
  const { cursor } = await harness.db.command(command, { promoteLongs: false });
  return (cursor as { id: Long }).id;
};
const next = (id: Long): Promise<unknown> =>
  harness.db.command({ getMore: id, collection: 'items' }).then(
    ({ cursor }) => (cursor as { nextBatch: Document[] }).nextBatch.length,
    (error: unknown) => (error as { code?: unknown }).code,
  );

const items = () => harness.db.collection('items');
const FIND = { find: 'items', batchSize: 2 };

describe('a cursor', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['dropped', () => items().drop()],
    [
      'dropped and made again',
      () =>
        items()
          .drop()
          .then(() => items().insertOne({})),
    ],
    ['dropped with its database', () => harness.db.dropDatabase()],
    ['renamed', () => items().rename('others')],
  ])('ends when its collection is %s', async (_how, change) => {
    const id = await open(FIND);
    await change();
    expect(await next(id)).toBe(175);
    expect(await next(id)).toBe(43);
  });

  it('of a pipeline ends when its collection is dropped before all of it was read', async () => {
    await harness.db.collection('items').insertMany(Array.from({ length: 2000 }, () => ({})));
    const id = await open({ aggregate: 'items', pipeline: [{ $match: {} }], cursor: { batchSize: 2 } });
    await items().drop();
    expect(await next(id)).toBe(175);
  });

  it('goes on when the collection is changed otherwise', async () => {
    const id = await open(FIND);
    await items().createIndexes([{ key: { a: 1 } }]);
    await harness.db.command({ collMod: 'items', validationLevel: 'off' });
    expect(await next(id)).toBe(8);
  });

  it('over what was collected goes on without the collection', async () => {
    const id = await open({ aggregate: 'items', pipeline: [{ $group: { _id: '$_id' } }], cursor: { batchSize: 2 } });
    await items().drop();
    expect(await next(id)).toBe(8);
  });

  it('has as much time for each batch as its command had', async () => {
    const id = await open({ ...FIND, maxTimeMS: 1000 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await next(id)).toBe(8);
  });
});
