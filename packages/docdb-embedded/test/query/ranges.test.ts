import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Decimal128, Double, Long } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it.each([false, true])('infinities are in ranges that begin or end with them, with an index: %p', async (indexed) => {
  const collection = harness.db.collection<{ _id: number; v: unknown }>(`ranges-${String(indexed)}`);
  if (indexed) await collection.createIndex({ v: 1 });
  const values = [
    Number.NEGATIVE_INFINITY,
    Decimal128.fromString('-Infinity'),
    new Double(0),
    Long.MAX_VALUE,
    Number.POSITIVE_INFINITY,
    Decimal128.fromString('Infinity'),
    Number.NaN,
    null,
  ];
  await collection.insertMany(values.map((v, _id) => ({ _id, v })));
  for (const [condition, ids] of [
    [{ $gte: Number.NEGATIVE_INFINITY }, [0, 1, 2, 3, 4, 5]],
    [{ $gt: Number.NEGATIVE_INFINITY }, [2, 3, 4, 5]],
    [{ $lte: Number.NEGATIVE_INFINITY }, [0, 1]],
    [{ $lt: Number.NEGATIVE_INFINITY }, []],
    [{ $gte: Number.POSITIVE_INFINITY }, [4, 5]],
    [{ $lte: Number.POSITIVE_INFINITY }, [0, 1, 2, 3, 4, 5]],
    [{ $lt: Number.POSITIVE_INFINITY }, [0, 1, 2, 3]],
    [{ $gte: Decimal128.fromString('-Infinity') }, [0, 1, 2, 3, 4, 5]],
  ] as const) {
    const found = await collection.find({ v: condition }).sort({ _id: 1 }).toArray();
    expect([condition, found.map(({ _id }) => _id)]).toEqual([condition, ids]);
  }
});
