import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, type Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

/** @returns what a function gives for each document in their order by `x` */
async function over(docs: Document[], output: Document, sortBy: Document = { x: 1 }): Promise<unknown[]> {
  const collection = harness.db.collection('over_time');
  await collection.deleteMany({});
  if (docs.length > 0) await collection.insertMany(docs);
  const found = await collection.aggregate([{ $setWindowFields: { sortBy, output: { v: output } } }, { $sort: { x: 1 } }]).toArray();
  return found.map(({ v }) => v as unknown);
}

const at = (milliseconds: number): Date => new Date(Date.UTC(2024, 0, 1) + milliseconds);
const points = (...pairs: [unknown, unknown][]): Document[] => pairs.map(([x, y]) => ({ x, y }));

describe('$derivative and $integral', () => {
  it('lose nothing of dates that are milliseconds apart', async () => {
    const docs = points([at(0), 5], [at(1), 4], [at(2), 6], [at(4), 6]);
    expect(await over(docs, { $derivative: { input: '$y', unit: 'minute' }, window: { documents: [-1, 0] } })).toEqual([
      null,
      -60_000,
      120_000,
      0,
    ]);
    expect(await over(docs, { $integral: { input: '$y', unit: 'second' }, window: { documents: [-1, 0] } })).toEqual([
      0, 0.0045, 0.005, 0.012,
    ]);
  });

  it('take an order that descends', async () => {
    const docs = points([0, 100], [1, 105], [3, 108], [4, 115]);
    expect(await over(docs, { $derivative: { input: '$y' }, window: { documents: [0, 1] } }, { x: -1 })).toEqual([null, 5, 1.5, 7]);
    expect(await over(docs, { $integral: { input: '$y' }, window: { documents: [0, 1] } }, { x: -1 })).toEqual([0, -102.5, -213, -111.5]);
  });

  it('give null for a window without documents', async () => {
    const docs = points([0, 1], [1, 3]);
    expect(await over(docs, { $integral: { input: '$y' }, window: { documents: [1, 2] } })).toEqual([0, null]);
    expect(await over(docs, { $derivative: { input: '$y' }, window: { documents: [1, 2] } })).toEqual([null, null]);
  });

  it('count with decimals, and with no number as long as one is in the window', async () => {
    const docs = points([0, new Decimal128('0.1')], [1, new Decimal128('0.3')]);
    expect(await over(docs, { $derivative: { input: '$y' }, window: { documents: [-1, 0] } })).toEqual([null, new Decimal128('0.2')]);
    const broken = points([0, 1], [1, Number.NaN], [2, 3], [3, 3], [4, Infinity], [5, 1], [6, 1]);
    expect(await over(broken, { $integral: { input: '$y' }, window: { documents: [-1, 0] } })).toEqual([
      0,
      Number.NaN,
      Number.NaN,
      3,
      Infinity,
      Infinity,
      1,
    ]);
  });

  it.each([
    ['a date without a unit', points([at(0), 1]), { $derivative: { input: '$y' } }, 5624901],
    ['a number with a unit', points([0, 1]), { $derivative: { input: '$y', unit: 'second' } }, 5624900],
    ['a text to sort by', points(['a', 1]), { $derivative: { input: '$y' } }, 5624902],
    ['a value that is missing at an end', points([0, 1], [1, null]), { $derivative: { input: '$y' } }, 5624903],
    ['a unit whose length varies', [], { $derivative: { input: '$y', unit: 'month' } }, 5490710],
    ['a unit whose length varies', [], { $integral: { input: '$y', unit: 'year' } }, 5490710],
    ['a date without a unit', points([at(0), 1]), { $integral: { input: '$y' } }, 5423902],
    ['a number with a unit', points([0, 1]), { $integral: { input: '$y', unit: 'second' } }, 5423901],
    ['a value that is no number', points([0, 'a']), { $integral: { input: '$y' } }, 5423900],
  ])('refuse %s', async (_what, docs, output, code) => {
    await expect(over(docs, { ...output, window: { documents: [-1, 0] } })).rejects.toMatchObject({ code });
  });
});

describe('$linearFill', () => {
  it('rounds where a server does', async () => {
    const docs = points([0.5, 0], [1, null], [4.384, null], [9, null], [10.09283, 11.28374]);
    expect(await over(docs, { $linearFill: '$y' })).toEqual([0, 0.5881340542884634, 4.5686253337127845, 9.998278922903879, 11.28374]);
  });

  it.each([
    ['a place that repeats', points([0, 0], [1, 1], [1, 2]), 6050106],
    ['a place that is no number', points([null, 0]), 14],
    ['dates among numbers', points([0, 0], [at(0), 1]), 14],
    ['a value that is no number', points([0, 'a']), 14],
  ])('refuses %s, also where nothing is to be filled', async (_what, docs, code) => {
    await expect(over(docs, { $linearFill: '$y' })).rejects.toMatchObject({ code });
    await expect(
      harness.db
        .collection('over_time')
        .aggregate([{ $fill: { sortBy: { x: 1 }, output: { y: { method: 'linear' } } } }])
        .toArray(),
    ).rejects.toMatchObject({ code });
  });
});

describe('$expMovingAvg', () => {
  it('counts in decimals, and gives decimals from the first one on', async () => {
    const docs = points([0, 0.1], [1, 0.2], [2, new Decimal128('0.3')], [3, 'a'], [4, 0.4]);
    const found = await over(docs, { $expMovingAvg: { input: '$y', alpha: 0.1 } });
    expect(found.slice(0, 2)).toEqual([0.1, 0.11]);
    expect(found.slice(2).map((value) => Number(value))).toEqual([0.129, 0.129, 0.1561]);
    expect(found.slice(2).every((value) => value instanceof Decimal128)).toBe(true);
  });
});

describe('A range of a window', () => {
  const docs = points([0, 'a'], [1, 'b'], [1, 'c'], [2, 'd']);
  it.each([
    [
      ['current', 'current'],
      [['a'], ['b'], ['c'], ['d']],
    ],
    [
      ['current', 1],
      [['a', 'b', 'c'], ['b', 'c', 'd'], ['c', 'd'], ['d']],
    ],
    [
      [-1, 'current'],
      [['a'], ['a', 'b'], ['a', 'b', 'c'], ['b', 'c', 'd']],
    ],
    [
      [0, 0],
      [['a'], ['b', 'c'], ['b', 'c'], ['d']],
    ],
  ])('of %j has the document itself for current, and those that tie with it for 0', async (range, expected) => {
    expect(await over(docs, { $push: '$y', window: { range } })).toEqual(expected);
  });

  it.each([[['unbounded', 'unbounded']], [['current', 'unbounded']], [['unbounded', 'current']]])(
    'of %j refuses a document that has no place in it',
    async (range) => {
      const sum = { $sum: '$y', window: { range } };
      await expect(over(points([null, 1], [1, 2]), sum)).rejects.toMatchObject({ code: 5429414 });
      await expect(over(points([1, 2]), { ...sum, window: { range, unit: 'hour' } })).rejects.toMatchObject({ code: 5429513 });
    },
  );
});

describe('$minMaxScaler', () => {
  const docs = points([1, -3], [2, 10], [3, 3], [4, 2], [5, -6], [6, 0], [7, 4]);
  it.each([
    [undefined, [3 / 16, 1, 9 / 16, 1 / 2, 0, 6 / 16, 10 / 16]],
    [{ documents: ['current', 'current'] }, [0, 0, 0, 0, 0, 0, 0]],
    [{ documents: ['current', 'unbounded'] }, [3 / 16, 1, 9 / 10, 8 / 10, 0, 0, 0]],
    [{ documents: [-2, 2] }, [0, 1, 9 / 16, 1 / 2, 0, 6 / 10, 1]],
    [{ range: ['unbounded', 1] }, [0, 1, 6 / 13, 1 / 2, 0, 6 / 16, 10 / 16]],
  ])('puts values in their place within %j', async (window, expected) => {
    const bounds = window === undefined ? {} : { window };
    expect(await over(docs, { $minMaxScaler: { input: '$y' }, ...bounds })).toEqual(expected);
    expect(await over(docs, { $minMaxScaler: '$y', ...bounds })).toEqual(expected);
    const scaled = await over(docs, { $minMaxScaler: { input: { $add: ['$y', 1] }, min: { $multiply: [10, 10] }, max: 260 }, ...bounds });
    expect(scaled.map((value) => (Number(value) - 100) / 160)).toEqual(expected.map((value) => expect.closeTo(value) as unknown));
  });

  it.each([
    [{ input: '$y', other: 1 }, {}, 40415],
    [{ min: 0, max: 1 }, {}, 40414],
    [{ input: '$y', min: 0 }, {}, 9],
    [{ input: '$y', min: 'a', max: 1 }, {}, 9],
    [{ input: '$y', min: '$x', max: 1 }, {}, 9],
    [{ input: '$y', min: 1, max: 1 }, {}, 9],
    [{ input: '$y' }, { window: { documents: [1, 'unbounded'] } }, 9],
    [{ input: '$y' }, { window: { range: [-2, -0.5] } }, 9],
    [{ input: '$nothing' }, {}, 10487000],
  ])('refuses %j with %j', async (options, window, code) => {
    await expect(over(docs, { $minMaxScaler: options, ...window })).rejects.toMatchObject({ code });
  });
});
