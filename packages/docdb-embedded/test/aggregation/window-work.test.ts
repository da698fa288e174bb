import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import type { Doc, Value } from '../../src/bson/values.ts';
import { NO_COLLECTIONS } from '../../src/aggregation/pipeline-types.ts';
import { compilePipeline } from '../../src/aggregation/pipeline.ts';
import { start, type Harness } from '../harness.ts';

const COUNT = 400;
let reads = 0;

/** Documents that count how often their value is read. */
function documents(): Doc[] {
  return Array.from({ length: COUNT }, (_none, n): Doc => {
    const doc: Doc = { _id: n };
    Object.defineProperty(doc, 'v', {
      enumerable: true,
      get() {
        reads += 1;
        return n;
      },
    });
    return doc;
  });
}

const context = { host: NO_COLLECTIONS, scope: { collator: undefined, names: new Set<string>() } };

/** How often the value of each document is read on the way through `$setWindowFields`. */
function readsOf(operator: Doc, window?: Doc): number {
  const field: Doc = window ? { ...operator, window } : operator;
  const { run } = compilePipeline([{ $setWindowFields: { sortBy: { _id: 1 }, output: { out: field } } }], context);
  const docs = documents();
  reads = 0;
  run(docs, {});
  // What it takes in memory is asked once, and the last reading is that of the copy with the new field.
  return reads / COUNT - 2;
}

const TO_CURRENT: Doc = { documents: ['unbounded', 'current'] };
const FROM_CURRENT: Doc = { documents: ['current', 'unbounded'] };

describe('a window', () => {
  it.each(['$sum', '$avg', '$min', '$max', '$push', '$addToSet', '$stdDevPop', '$first'])(
    'of the whole partition is worked out once by %s',
    (name) => {
      expect(readsOf({ [name]: '$v' })).toBe(1);
    },
  );

  it('of the whole partition is worked out once by what needs all documents', () => {
    expect(readsOf({ $median: { input: '$v', method: 'approximate' } })).toBe(1);
  });

  it.each(['$sum', '$avg', '$min', '$max', '$addToSet', '$first', '$last', '$stdDevPop', '$stdDevSamp'])(
    'that grows up to its document takes each in once by %s',
    (name) => {
      expect(readsOf({ [name]: '$v' }, TO_CURRENT)).toBe(1);
    },
  );

  it.each(['$sum', '$avg', '$min', '$max'])('that begins at its document takes each in once by %s', (name) => {
    expect(readsOf({ [name]: '$v' }, FROM_CURRENT)).toBe(1);
  });

  it.each(['$sum', '$avg', '$min', '$max', '$first', '$last', '$stdDevPop'])('that goes on takes each in once by %s', (name) => {
    expect(readsOf({ [name]: '$v' }, { documents: [-20, 20] })).toBe(1);
    expect(readsOf({ [name]: '$v' }, { range: [-20, 'current'] })).toBe(1);
  });
});

describe('the values of windows', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await start();
    await harness.db.collection<{ _id: number; v: Value }>('values').insertMany([
      { _id: 1, v: 2 },
      { _id: 2, v: 0.1 },
      { _id: 3, v: 'text' },
      { _id: 4, v: null },
      { _id: 5, v: 7 },
    ]);
  });
  afterAll(() => harness.stop());

  const over = async (operator: Document, bounds: readonly unknown[]): Promise<unknown[]> => {
    const output = { out: { ...operator, window: { documents: bounds } } };
    const found = await harness.db
      .collection('values')
      .aggregate([{ $setWindowFields: { sortBy: { _id: 1 }, output } }])
      .toArray();
    return found.map(({ out }) => out as unknown);
  };

  it.each<[string, unknown[], unknown[], unknown[]]>([
    ['$sum', [9.1, 9.1, 9.1, 9.1, 9.1], [2, 2.1, 2.1, 2.1, 9.1], [9.1, 7.1, 7, 7, 7]],
    ['$avg', Array(5).fill(9.1 / 3), [2, 1.05, 1.05, 1.05, 9.1 / 3], [9.1 / 3, 3.55, 7, 7, 7]],
    ['$min', Array(5).fill(0.1), [2, 0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 7, 7, 7]],
    ['$max', Array(5).fill('text'), [2, 2, 'text', 'text', 'text'], ['text', 'text', 'text', 7, 7]],
    ['$first', Array(5).fill(2), Array(5).fill(2), [2, 0.1, 'text', null, 7]],
    ['$last', Array(5).fill(7), [2, 0.1, 'text', null, 7], Array(5).fill(7)],
  ])('%s are the same however they are worked out', async (name, whole, toCurrent, fromCurrent) => {
    expect(await over({ [name]: '$v' }, ['unbounded', 'unbounded'])).toEqual(whole);
    expect(await over({ [name]: '$v' }, ['unbounded', 'current'])).toEqual(toCurrent);
    expect(await over({ [name]: '$v' }, ['current', 'unbounded'])).toEqual(fromCurrent);
  });

  it('count documents, and none before the first', async () => {
    expect(await over({ $count: {} }, ['unbounded', -1])).toEqual([0, 1, 2, 3, 4]);
    expect(await over({ $sum: '$v' }, ['unbounded', -1])).toEqual([0, 2, 2.1, 2.1, 2.1]);
    expect(await over({ $max: '$v' }, ['unbounded', -2])).toEqual([null, null, 2, 2, 'text']);
  });
});

describe('a bucket', () => {
  it('compares a value with few of many boundaries', () => {
    let compared = 0;
    const boundaries = Array.from({ length: 1000 }, (_none, n) => new Date(n * 10));
    const { run } = compilePipeline([{ $bucket: { groupBy: '$v', boundaries } }], context);
    const values = Array.from({ length: 100 }, (_none, n): Doc => {
      const date = new Date(n * 90);
      date.getTime = () => {
        compared += 1;
        return n * 90;
      };
      return { v: date };
    });
    compared = 0;
    const rows = run(values, {});
    expect(rows).toHaveLength(100);
    expect(compared / values.length).toBeLessThan(40);
  });
});
