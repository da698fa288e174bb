import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, Long, ObjectId } from 'mongodb';
import { Random, Variety } from '@framework-internal/random';
import { type Harness, start } from '../harness.ts';

const SEED = Number(process.env.COUNT_SEED ?? 20261122);
const ROUNDS = Number(process.env.COUNT_ROUNDS ?? 10);

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const IDS = Array.from({ length: 5 }, () => new ObjectId());

function valueOf(random: Random): unknown {
  switch (random.below(12)) {
    case 0:
      return null;
    case 1:
      return random.below(6) + 0.5;
    case 2:
      return Long.fromNumber(random.below(6));
    case 3:
      return Decimal128.fromString(`${String(random.below(6))}.50`);
    case 4:
      return ['a', 'ab', 'b', ''][random.below(4)];
    case 5:
      return new Date(random.below(5) * 1000);
    case 6:
      return random.oneIn(2);
    case 7:
      return random.pick(IDS);
    case 8:
      return Number.NaN;
    default:
      return random.below(6);
  }
}

function filterOf(random: Random): Record<string, unknown> {
  const condition = (): unknown => {
    switch (random.below(7)) {
      case 0:
        return { $gt: valueOf(random) };
      case 1:
        return { $lte: valueOf(random) };
      case 2:
        return { $gte: valueOf(random), $lt: valueOf(random) };
      case 3:
        return { $in: [valueOf(random), valueOf(random), valueOf(random)] };
      case 4:
        return { $eq: valueOf(random), $gt: valueOf(random) };
      default:
        return valueOf(random);
    }
  };
  const filter: Record<string, unknown> = { a: condition() };
  if (random.oneIn(2)) filter.b = condition();
  if (random.oneIn(8)) filter.$and = [{ a: condition() }];
  return filter;
}

describe('a count', () => {
  it('by an index is what looking at the documents gives, within transactions too', async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const items = harness.db.collection(`counted${String(round)}`);
      await items.createIndex({ a: 1, b: random.oneIn(2) ? 1 : -1 });
      if (random.oneIn(2)) await items.createIndex({ b: 1 });
      const arrays = random.oneIn(5);
      await items.insertMany(
        Array.from({ length: 150 }, () => ({
          ...(random.oneIn(10) ? {} : { a: arrays && random.oneIn(10) ? [1, 2, 3] : valueOf(random) }),
          ...(random.oneIn(10) ? {} : { b: valueOf(random) }),
        })),
      );
      const natural = { hint: { $natural: 1 as const } };
      for (let query = 0; query < 15; query++) {
        const filter = filterOf(random);
        const looked = await items.countDocuments(filter, natural);
        expect([filter, await items.countDocuments(filter)]).toEqual([filter, looked]);
        expect([filter, await harness.db.command({ count: items.collectionName, query: filter })]).toMatchObject([filter, { n: looked }]);
        expect(await items.find(filter).toArray()).toHaveLength(looked);
        variety.tried(JSON.stringify(filter));
        variety.took(looked === 0 ? 'none' : 'some');
      }
      await harness.client.withSession((session) =>
        session.withTransaction(async () => {
          await items.deleteMany({ a: 1 }, { session });
          await items.insertMany([{ a: 2 }, { a: 3 }], { session });
          const all = await items.find({}, { session }).toArray();
          expect(await items.countDocuments({}, { session })).toBe(all.length);
          expect(await items.countDocuments({ a: 2 }, { session })).toBe(await items.countDocuments({ a: 2 }, { session, ...natural }));
        }),
      );
      expect(await items.countDocuments({})).toBe(await items.countDocuments({}, natural));
    }
    console.log(variety.report('COUNT_SEED', SEED));
    variety.expect(ROUNDS * 10, { none: ROUNDS, some: ROUNDS * 3 });
  });
});

describe('distinct', () => {
  it('gives the same values by an index and without one', async () => {
    const random = new Random(SEED + 1);
    for (let round = 0; round < 10; round++) {
      const items = harness.db.collection(`distinct${String(round)}`);
      const missing = random.oneIn(2);
      await items.insertMany(
        Array.from({ length: 200 }, () =>
          missing && random.oneIn(10) ? { c: 1 } : { a: random.oneIn(3) ? random.below(9) : { b: random.below(9) } },
        ),
      );
      const before = [await items.distinct('a'), await items.distinct('a.b')];
      await items.createIndex({ a: 1 });
      await items.createIndex({ 'a.b': -1 });
      const after = [await items.distinct('a'), await items.distinct('a.b')];
      const texts = (lists: readonly unknown[][]): string[][] => lists.map((list) => list.map((value) => JSON.stringify(value)).sort());
      expect(texts(after)).toEqual(texts(before));
      expect(before.flat().length).toBeGreaterThan(10);
    }
  });
});

describe('a pipeline that looks at some fields', () => {
  it('gives what it gives when it is handed whole documents', async () => {
    const random = new Random(SEED + 2);
    const items = harness.db.collection('needed');
    await items.insertMany(
      Array.from({ length: 100 }, (_, at) => ({
        _id: at as never,
        a: { b: random.below(5), c: [1, 2] },
        t: `t${String(at % 7)}`,
        n: random.below(50),
        m: { n: at },
      })),
    );
    const pipelines = [
      [{ $match: { 'a.b': { $gt: 1 } } }, { $group: { _id: '$t', n: { $sum: '$m.n' } } }, { $sort: { _id: 1 } }],
      [{ $set: { 'm.x': '$a.b' } }, { $group: { _id: '$m.x', all: { $push: '$m' } } }, { $sort: { _id: 1 } }],
      [{ $unwind: '$a.c' }, { $sort: { n: 1, _id: 1 } }, { $project: { _id: 0, c: '$a.c', n: 1 } }],
      [{ $group: { _id: null, all: { $push: '$$ROOT' } } }],
      [{ $group: { _id: '$$CURRENT.t', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [{ $group: { _id: { $getField: 't' }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [{ $group: { _id: '$t', top: { $top: { output: '$_id', sortBy: { n: -1, _id: 1 } } } } }, { $sort: { _id: 1 } }],
      [{ $project: { a: { b: 0 } } }, { $limit: 3 }],
      [{ $project: { 'a.b': 1, x: { $add: ['$n', 1] } } }, { $limit: 3 }],
      [{ $match: { $expr: { $gt: ['$n', '$a.b'] } } }, { $count: 'n' }],
      [{ $sortByCount: '$t' }, { $sort: { _id: 1 } }],
    ];
    for (const pipeline of pipelines) {
      const given = await items.aggregate(pipeline).toArray();
      // Behind this stage a pipeline needs all that there is.
      const whole = await items.aggregate([{ $replaceWith: '$$ROOT' }, ...pipeline]).toArray();
      expect([pipeline, given]).toEqual([pipeline, whole]);
      expect(given.length).toBeGreaterThan(0);
    }
  });
});
