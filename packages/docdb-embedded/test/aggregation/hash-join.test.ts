import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import type { CollationOptions, Document } from 'mongodb';
import { atOnce } from '../../src/aggregation/stages/in-turns.ts';
import { HashJoin } from '../../src/aggregation/hash-join.ts';
import { filterWith } from '../../src/aggregation/filter-with.ts';
import type { Doc, Value } from '../../src/bson/values.ts';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.JOIN_SEED ?? 20261123);
const ROUNDS = Number(process.env.JOIN_ROUNDS ?? 5);

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
});

const examined = async (): Promise<number> => {
  const { metrics } = await harness.db.admin().serverStatus();
  return Number((metrics as { queryExecutor: { scannedObjects: unknown } }).queryExecutor.scannedObjects);
};

const SCALARS: readonly unknown[] = [0, 1, 1.5, null, 'a', 'A', 'b', 'é', true, /a/, { x: 1 }, { x: 'a' }, new Date(0)];
const scalar = (random: Random): unknown => random.pick(SCALARS);

function value(random: Random): unknown {
  return random.oneIn(4)
    ? Array.from({ length: random.below(3) }, () => (random.oneIn(5) ? [scalar(random)] : scalar(random)))
    : scalar(random);
}

function document(random: Random, _id: number): Document {
  const doc: Document = { _id };
  for (const name of ['f', 'g']) if (!random.oneIn(6)) doc[name] = value(random);
  if (!random.oneIn(4)) doc.n = random.oneIn(3) ? [{ f: value(random) }, { f: value(random) }] : random.oneIn(4) ? 1 : { f: value(random) };
  return doc;
}

function join(random: Random): Document {
  const foreignField = random.pick(['f', 'g', 'n.f', '_id']);
  const localField = random.pick(['f', 'g', 'n.f']);
  const equality = {
    $eq: random.pick([
      [`$${foreignField}`, '$$v'],
      ['$$v', `$${foreignField}`],
    ]),
  };
  const expression = random.pick<Document>([
    equality,
    { $and: [equality, { $gte: ['$_id', '$$id'] }] },
    { $and: [{ $ne: ['$g', '$$id'] }, equality] },
  ]);
  const match = random.pick<Document>([
    { $expr: expression },
    { g: 'a', $expr: expression },
    { $and: [{ _id: { $gt: 2 } }, { $expr: expression }] },
  ]);
  const pipeline = [{ $match: match }, ...(random.oneIn(2) ? [{ $project: { f: 1 } }] : []), ...(random.oneIn(3) ? [{ $limit: 2 }] : [])];
  const correlated = { let: { v: `$${localField}`, id: '$_id' }, pipeline };
  switch (random.below(3)) {
    case 0:
      return { localField, foreignField };
    case 1:
      return { localField, foreignField, let: { v: '$f' }, pipeline: [{ $match: { $expr: { $ne: ['$g', '$$v'] } } }] };
    default:
      return correlated;
  }
}

describe('a join by equal values', () => {
  it(`gives for many documents what it gives for each by itself: JOIN_SEED=${String(SEED)}`, async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      await harness.db.dropDatabase();
      const [local, foreign] = [harness.db.collection('local'), harness.db.collection('foreign')];
      await local.insertMany(Array.from({ length: 12 }, (_, n) => document(random, n)));
      await foreign.insertMany(Array.from({ length: 25 }, (_, n) => document(random, n)));
      const collation: CollationOptions | undefined = random.oneIn(2) ? { locale: 'en', strength: 1 + random.below(3) } : undefined;
      const options = collation ? { collation } : {};
      for (let step = 0; step < 4; step++) {
        const spec = join(random);
        const stage = { $lookup: { from: 'foreign', as: 'found', ...spec } };
        const many = await local.aggregate([{ $sort: { _id: 1 } }, stage], options).toArray();
        const each: Document[] = [];
        for (let n = 0; n < 12; n++) each.push(...(await local.aggregate([{ $match: { _id: n } }, stage], options).toArray()));
        expect({ round, spec, collation, many }).toEqual({ round, spec, collation, many: each });
        variety.tried(JSON.stringify([spec, collation]));
        variety.took(spec.pipeline ? (spec.localField ? 'both' : 'correlated') : 'plain');
        if (many.some(({ found }) => (found as unknown[]).length > 0)) variety.took('found some');
      }
    }
    console.log(variety.report('joins', SEED));
    variety.expect(ROUNDS, { plain: ROUNDS / 2, correlated: ROUNDS / 2, both: ROUNDS / 2, 'found some': ROUNDS });
  });

  it(`gives the same where the other collection has no room in memory: JOIN_SEED=${String(SEED)}`, () => {
    const random = new Random(SEED + 1);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const docs = Array.from({ length: 40 }, (_, n): Doc => ({ _id: n, f: random.below(10), g: random.below(3) }));
      let passes = 0;
      const source = {
        *read() {
          passes += 1;
          for (let at = 0; at < docs.length; at += 7) yield docs.slice(at, at + 7);
        },
        valuesOf: (doc: Doc): Value[] => [doc.f],
        collator: undefined,
      };
      const wanted = Array.from({ length: 12 }, () => {
        const values = [random.below(10), random.below(10)];
        return { values, test: filterWith({ f: { $in: values }, g: { $lt: 2 } }, { names: new Set(), collator: undefined }, {}) };
      });
      const plain = wanted.map(({ test }) => docs.filter(test));
      expect(atOnce(new HashJoin(source).find(wanted))).toEqual(plain);
      expect(passes).toBe(1);
      const small = 300 + random.below(3000);
      expect(atOnce(new HashJoin(source, small).find(wanted))).toEqual(plain);
      variety.tried(JSON.stringify([plain, small]));
      variety.took(passes > 3 ? 'divided' : 'one pass');
    }
    console.log(variety.report('joins without room', SEED));
    variety.expect(ROUNDS / 2, { divided: ROUNDS / 4 });
  });

  it.each([
    ['by fields', { localField: 'f', foreignField: 'f' }, {}],
    ['by fields with a collation', { localField: 'f', foreignField: 'f' }, { collation: { locale: 'en', strength: 2 } }],
    ['by a variable', { let: { v: '$f' }, pipeline: [{ $match: { $expr: { $eq: ['$f', '$$v'] } } }] }, {}],
    [
      'by a variable with a collation',
      { let: { v: '$f' }, pipeline: [{ $match: { $expr: { $eq: ['$f', '$$v'] } } }] },
      { collation: { locale: 'en', strength: 2 } },
    ],
  ])('reads each collection once: %s', async (_what, spec, options) => {
    const docs = Array.from({ length: 1000 }, (_, n) => ({ _id: n, f: `name ${String(n)}` }));
    await harness.db.collection<Document & { _id: number }>('local').insertMany(docs);
    await harness.db.collection<Document & { _id: number }>('foreign').insertMany(docs);
    const stage = { $lookup: { from: 'foreign', as: 'found', ...spec } };
    const before = await examined();
    const found = await harness.db
      .collection('local')
      .aggregate([stage, { $match: { found: { $size: 1 } } }, { $count: 'n' }], options)
      .toArray();
    expect(found).toEqual([{ n: 1000 }]);
    // The first few ask one by one.
    expect((await examined()) - before).toBeLessThanOrEqual(6000);
  });

  it('reads by an index what a variable names', async () => {
    const docs = Array.from({ length: 1000 }, (_, n) => ({ _id: n, f: n }));
    await harness.db.collection<Document & { _id: number }>('local').insertMany(docs.slice(0, 100));
    await harness.db.collection<Document & { _id: number }>('foreign').insertMany(docs);
    await harness.db.collection('foreign').createIndex({ f: 1 });
    const before = await examined();
    const stage = {
      $lookup: { from: 'foreign', as: 'found', let: { v: '$f' }, pipeline: [{ $match: { $expr: { $eq: ['$f', '$$v'] } } }] },
    };
    const found = await harness.db.collection('local').aggregate([stage]).toArray();
    expect(found.every((doc) => (doc.found as unknown[]).length === 1)).toBe(true);
    expect((await examined()) - before).toBe(200);
  });
});
