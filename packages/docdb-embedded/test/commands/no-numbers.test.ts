import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, type Document } from 'mongodb';
import { type Harness, start } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection<{ _id: number }>('items').insertMany([{ _id: 1 }, { _id: 2 }]);
});
afterAll(() => harness.stop());

describe.each([
  ['NaN', NaN, Infinity],
  ['NaN of a decimal', Decimal128.fromString('NaN'), Decimal128.fromString('Infinity')],
])('%s', (_what, none, endless) => {
  it('skips no documents, and leaves a limit open', async () => {
    const found = async (options: Document): Promise<unknown> =>
      (await harness.db.command({ find: 'items', filter: {}, ...options })).cursor.firstBatch;
    expect(await found({ skip: none })).toHaveLength(2);
    expect(await found({ limit: none })).toHaveLength(2);
    expect(await found({ batchSize: none })).toEqual([]);
  });

  it.each([{ dbStats: 1 }, { collStats: 'items' }])('is nothing that sizes are divided by in %j', async (command) => {
    await expect(harness.db.command({ ...command, scale: none })).rejects.toMatchObject({ code: 2 });
    expect(await harness.db.command({ ...command, scale: endless })).toMatchObject({ scaleFactor: 2 ** 31 - 1 });
  });
});
