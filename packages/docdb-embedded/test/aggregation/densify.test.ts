import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Harness } from '../harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await start();
});

afterAll(async () => {
  await harness.stop();
});

/** @returns the values of a field behind a $densify of it */
async function densified(values: readonly number[], bounds: 'full' | 'partition' | readonly number[]): Promise<unknown[]> {
  const rows = await harness.db
    .aggregate([{ $documents: values.map((v) => ({ v })) }, { $densify: { field: 'v', range: { step: 1, bounds } } }])
    .toArray();
  return rows.map(({ v }) => v as unknown);
}

describe('$densify', () => {
  it.each([[[Infinity, Infinity]], [[Number.NaN, Number.NaN]], [[-Infinity]], [[3, 3]]])(
    'makes nothing within one value: %p',
    async (values) => {
      expect(await densified(values, 'full')).toEqual(values);
      expect(await densified(values, 'partition')).toEqual(values);
    },
  );

  it('refuses what no steps lead through', async () => {
    await expect(densified([Number.NaN, 1], 'full')).rejects.toMatchObject({ code: 5897900 });
    await expect(densified([-Infinity, 1], 'partition')).rejects.toMatchObject({ code: 5897900 });
    await expect(densified([1], [Number.NaN, 1])).rejects.toMatchObject({ code: 5897900 });
    await expect(densified([1, Infinity], 'full')).rejects.toMatchObject({ code: 5897900 });
  });

  it('makes what is missing', async () => {
    expect(await densified([1, 3, 3], 'full')).toEqual([1, 2, 3, 3]);
    expect(await densified([7, 2], [2, 4])).toEqual([2, 3, 7]);
  });
});
