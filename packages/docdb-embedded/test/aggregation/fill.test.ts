import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('filled').insertMany([
    { _id: 1 as never, part: 'b', a: 1, b: 5, c: 9 },
    { _id: 2 as never, part: 'a', c: 8 },
    { _id: 3 as never, part: 'b', c: 7 },
  ]);
});
afterAll(() => harness.stop());

const filled = (spec: Document): Promise<Document[]> =>
  harness.db
    .collection('filled')
    .aggregate([{ $fill: spec }, { $project: { part: 0, c: 0 } }])
    .toArray();

describe('$fill', () => {
  it('works expressions out when methods have filled in what is missing, and beside other expressions', async () => {
    const output = {
      b: { method: 'locf' },
      sum: { value: { $add: ['$b', '$c'] } },
      a: { value: '$c' },
      more: { value: { $add: ['$a', 1] } },
    };
    expect(await filled({ sortBy: { _id: 1 }, output })).toEqual([
      { _id: 1, a: 1, b: 5, sum: 14, more: 2 },
      { _id: 2, a: 8, b: 5, sum: 13, more: null },
      { _id: 3, a: 7, b: 5, sum: 12, more: null },
    ]);
  });

  it('carries values on in the order of the documents where it is told no other', async () => {
    expect((await filled({ output: { b: { method: 'locf' } } })).map(({ b }) => b as number)).toEqual([5, 5, 5]);
    const parted = await filled({ partitionByFields: ['part'], output: { b: { method: 'locf' } } });
    expect(parted.map(({ _id, b }) => [_id, b])).toEqual([
      [2, null],
      [1, 5],
      [3, 5],
    ]);
  });

  it('leaves documents in their order where no method looks at others', async () => {
    const found = await filled({ partitionByFields: ['part'], sortBy: { _id: -1 }, output: { b: { value: 0 } } });
    expect(found.map(({ _id, b }) => [_id, b])).toEqual([
      [1, 5],
      [2, 0],
      [3, 0],
    ]);
  });

  it.each([
    [{ output: {} }, 6050203],
    [{ output: { a: 'locf' } }, 6050200],
    [{ output: { a: { method: 'random' } } }, 6050202],
    [{ output: { a: { method: 'locf', second: 1 } } }, 40415],
    [{ output: { a: { method: 'linear' } } }, 605001],
  ])('refuses %j', async (spec, code) => {
    await expect(filled(spec)).rejects.toMatchObject({ code });
  });

  it('refuses what is no document', async () => {
    await expect(filled('a' as never)).rejects.toMatchObject({ code: 9 });
  });
});
