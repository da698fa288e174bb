import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Harness, start } from '../harness.ts';

interface Item {
  readonly _id: number;
  readonly text: string;
}

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const MANY = 3000;
const fill = async (name: string): Promise<void> => {
  await harness.db.collection<Item>(name).insertMany(Array.from({ length: MANY }, (_none, at) => ({ _id: at, text: 'old' })));
};

describe('what is written while a collection becomes a capped one', () => {
  it('is in the capped collection', async () => {
    await fill('items');
    const items = harness.db.collection<Item>('items');
    const state = { ended: false };
    const converted = harness.db.command({ convertToCapped: 'items', size: 10_000_000 }).finally(() => {
      state.ended = true;
    });
    let written = 0;
    while (!state.ended && written < 900) {
      await items.insertOne({ _id: MANY + written, text: 'new' });
      await items.updateOne({ _id: written }, { $set: { text: 'changed' } });
      await items.deleteOne({ _id: 2000 + written });
      written += 1;
    }
    expect(await converted).toMatchObject({ ok: 1 });
    expect(await items.isCapped()).toBe(true);
    expect(await items.countDocuments({ text: 'new' })).toBe(written);
    expect(await items.countDocuments({ text: 'changed' })).toBe(written);
    expect(await items.countDocuments({ text: 'old' })).toBe(MANY - 2 * written);
    expect((await items.find({}, { sort: { $natural: -1 }, limit: 1 }).toArray())[0]?._id).toBe(MANY + written - 1);
    expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true });
  });

  it('stays where the name of a copy is taken meanwhile', async () => {
    await fill('source');
    const copied = harness.db
      .command({ cloneCollectionAsCapped: 'source', toCollection: 'copy', size: 10_000_000 })
      .catch((error: unknown) => error);
    await harness.db.collection<Item>('copy').insertOne({ _id: 1, text: 'mine' });
    expect(await copied).toMatchObject({ code: 48 });
    expect(await harness.db.collection<Item>('copy').find().toArray()).toEqual([{ _id: 1, text: 'mine' }]);
  });
});
