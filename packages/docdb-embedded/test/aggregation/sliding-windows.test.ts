import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Decimal128, type Document } from 'mongodb';
import { Random } from '@framework-internal/random';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

async function over(docs: readonly Document[], operator: Document, window: readonly (number | string)[]): Promise<unknown[]> {
  const values = harness.db.collection('values');
  await values.drop();
  await values.insertMany(docs.map((doc, index) => ({ _id: index, ...doc })) as never[]);
  const output = { out: { ...operator, window: { documents: window } } };
  const found = await values.aggregate([{ $setWindowFields: { sortBy: { _id: 1 }, output } }], { promoteValues: true }).toArray();
  return found.map(({ out }) => out as unknown);
}

const decimals = (...texts: string[]): Document[] =>
  texts.map((text) => ({ x: Decimal128.fromString(text), y: Decimal128.fromString('1.5') }));

it('divides a covariance of decimals by a double, which leaves its digits', async () => {
  expect(String((await over(decimals('7.25', '7.25'), { $covariancePop: ['$x', '$y'] }, ['unbounded', 'unbounded']))[0])).toBe('0E+11');
  expect(String((await over(decimals('1', '3'), { $covarianceSamp: ['$x', '$y'] }, ['unbounded', 'unbounded']))[0])).toBe('0E+13');
});

it('forgets what is not finite when it leaves the window', async () => {
  const docs = [
    { x: 1, y: 1 },
    { x: Infinity, y: 2 },
    { x: 3, y: 3 },
    { x: 5, y: 9 },
    { x: Number.NaN, y: 1 },
    { x: 2, y: 2 },
    { x: 4, y: 4 },
  ];
  expect(await over(docs, { $covarianceSamp: ['$x', '$y'] }, [-1, 0])).toEqual([null, null, null, 6, null, null, 2]);
  expect(await over(docs, { $covariancePop: ['$x', '$y'] }, [-2, 0])).toEqual([
    0,
    0,
    Infinity,
    Infinity,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
  expect(await over(docs, { $stdDevPop: '$x' }, [-1, 0])).toEqual([0, null, null, 1, null, null, 1]);
});

it('has nothing in a window beyond the ends', async () => {
  const docs = [
    { x: 1, y: 1 },
    { x: 2, y: 3 },
    { x: 3, y: 4 },
  ];
  expect(await over(docs, { $covariancePop: ['$x', '$y'] }, [1, 2])).toEqual([0.25, 0, null]);
  expect(await over(docs, { $stdDevPop: '$x' }, [2, 2])).toEqual([0, null, null]);
  expect(await over(docs, { $stdDevSamp: '$x' }, [-2, -1])).toEqual([null, null, Math.SQRT1_2]);
});

const seed = Number(process.env.WINDOW_SEED ?? 3001);
it(`is what the documents inside give (seed ${seed})`, async () => {
  const random = new Random(seed);
  for (let round = 0; round < 20; round++) {
    const docs = Array.from({ length: 12 }, () => ({ x: random.below(101) - 50, y: random.below(101) - 50 }));
    const low = random.below(7) - 4;
    const window = [low, low + random.below(5)];
    const inside = (index: number): { x: number; y: number }[] =>
      docs.slice(Math.max(0, index + low), Math.max(0, index + (window[1] ?? 0) + 1));
    const near = (got: unknown, want: number | null): void => {
      if (want === null) expect(got).toBeNull();
      else expect(got).toBeCloseTo(want, 6);
    };
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const covariance = (pairs: readonly { x: number; y: number }[]): number | null => {
      if (pairs.length === 0) return null;
      const [left, right] = [mean(pairs.map(({ x }) => x)), mean(pairs.map(({ y }) => y))];
      return mean(pairs.map(({ x, y }) => (x - left) * (y - right)));
    };
    const got = await over(docs, { $covariancePop: ['$x', '$y'] }, window);
    got.forEach((value, index) => near(value, covariance(inside(index))));
    const spread = await over(docs, { $stdDevPop: '$x' }, window);
    spread.forEach((value, index) => {
      const square = covariance(inside(index).map(({ x }) => ({ x, y: x })));
      near(value, square === null ? null : Math.sqrt(square));
    });
  }
});
