import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { type Collection, type Document, type Filter, MongoBulkWriteError, type Sort } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.INDEX_SEED ?? 20261126);
const ROUNDS = Number(process.env.INDEX_ROUNDS ?? 40);
const DOCUMENTS = 25;
const QUERIES = 10;

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const numbered = (ids: readonly Document[]): unknown[] => ids.map(({ _id }) => _id as unknown);

describe('a number in the path of a key', () => {
  let items: Collection;
  beforeAll(async () => {
    items = harness.db.collection('positions');
    await items.insertMany(
      [{ a: [{ x: 2 }] }, { a: [{ x: 1 }, { x: 9 }] }, { a: [{ x: 3 }, { x: 0 }] }].map((item, at) => ({ _id: at as never, ...item })),
    );
  });

  it('is the element of an array at that place, in a sort', async () => {
    for (const [direction, ids] of [
      [1, [1, 0, 2]],
      [-1, [2, 0, 1]],
    ] as const)
      expect(numbered(await items.find().sort({ 'a.0.x': direction }).toArray())).toEqual(ids);
  });

  it('keeps the values of one place apart in a unique index, and no others', async () => {
    await items.createIndex({ 'a.0.x': 1 }, { unique: true });
    await expect(items.insertOne({ a: [{ x: 3 }] })).rejects.toMatchObject({ code: 11000 });
    await items.dropIndexes();
  });

  it('finds by an index what is missing in another element', async () => {
    await items.createIndex({ 'a.0.x': 1, b: 1 });
    const found = await items.find({ 'a.0.x': null }).hint({ 'a.0.x': 1, b: 1 }).toArray();
    expect(numbered(found).sort()).toEqual([0, 1, 2]);
    await items.dropIndexes();
  });

  it.each<[string, Document]>([
    ['one field', { 'a.0': 1 }],
    ['two fields', { 'a.0': 1, b: 1 }],
  ])('that is an element and a field is refused, in keys of %s', async (_what, key) => {
    const twofold = harness.db.collection(`twofold ${String(Object.keys(key).length)}`);
    await twofold.insertOne({ a: [{ 0: 1 }] });
    await expect(
      twofold
        .find()
        .sort(key as Sort)
        .toArray(),
    ).rejects.toMatchObject({ code: 16746 });
    await expect(twofold.createIndex(key as never)).rejects.toMatchObject({ code: 16746 });
    await twofold.deleteMany({});
    await twofold.createIndex(key as never);
    await expect(twofold.insertOne({ a: [{ 0: 1 }] })).rejects.toMatchObject({ code: 16746 });
    expect(await twofold.countDocuments()).toBe(0);
  });
});

/** Keys that documents of {@link value} have in common, in fields, elements, and elements of elements. */
const KEYS: readonly Document[] = [
  ...[{ 'a.0': 1 }, { 'a.0': -1, 'c.1': -1, c: 1 }, { 'a.0': 1, b: 1 }, { 'a.0.b': 1 }, { 'a.b': 1 }, { a: 1, 'c.1': 1 }],
  ...[{ 'a.1.0': 1 }, { 'a.7': 1 }, { 'a.b': 1, 'a.c': -1 }, { 'a.0.b': 1, 'a.0.c': 1 }, { 'a.b.0': 1, b: 1 }, { '$**': 1 }],
  ...[{ b: 1, a: -1 }, { 'a.b.c': 1 }],
];
const LEAVES: readonly unknown[] = [
  ...[null, 1, NaN, 'a', 2, {}, { b: 1 }, { 0: 5 }, { 1: null }, { 0: null, 1: 2 }, true, { 7: 1 }, { b: null }, 'B', new Date(3)],
];
const CONDITIONS: readonly unknown[] = [
  ...[null, { $ne: null }, { $exists: false }, { $exists: true }, { $in: [null, 1] }, { $eq: NaN }, { $gte: null }, { $lte: null }],
  ...[{ $nin: [null] }, { $type: 'null' }, { $not: { $gt: 0 } }, [], { $size: 0 }, {}, { $elemMatch: { $eq: null } }, 1],
  ...[{ $gt: 0, $lt: 2 }, { $gte: 1 }, { $in: [1, 'a', {}] }, { $lt: 'b' }, { b: 1 }, { $gt: {} }, { $lte: [] }],
  ...[{ $elemMatch: { b: null } }, { $in: [[], null] }],
];

function value(random: Random, depth = 0): unknown {
  const kind = random.below(5);
  if (depth > 2 || kind < 2) return random.pick(LEAVES);
  if (kind < 4) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  const names = random.oneIn(3) ? ['0', '1', 'b'] : ['b', 'c'];
  return Object.fromEntries(names.filter(() => !random.oneIn(4)).map((name) => [name, value(random, depth + 1)]));
}

/** Conditions that several fields of a document may well meet. */
const NUMBERS: readonly unknown[] = [1, 2, { $gt: 1 }, { $in: [1, 3] }, { $gte: 1, $lte: 2 }];

/** Elements of the same fields. */
function numbers(random: Random): Document[] {
  return Array.from({ length: 1 + random.below(3) }, () => ({ b: 1 + random.below(3), c: 1 + random.below(3) }));
}

function filter(random: Random, key: Document): Filter<Document> {
  if (random.oneIn(4) && !('$**' in key)) return Object.fromEntries(Object.keys(key).map((name) => [name, random.pick(NUMBERS)]));
  const names = [...Object.keys(key).filter((name) => name !== '$**'), 'a', 'a.0', 'a.b', 'c.1', 'a.0.b', 'a.7'];
  const asked = Object.fromEntries(
    Array.from({ length: 1 + random.below(3) }, () => [random.pick(names), random.pick(CONDITIONS)]),
  ) as Filter<Document>;
  return random.oneIn(5) ? { $or: [asked, { [random.pick(names)]: random.pick(CONDITIONS) }] } : asked;
}

it('an index finds what a scan finds, in the same order', async () => {
  const random = new Random(SEED);
  const variety = new Variety();
  for (let round = 0; round < ROUNDS; round++) {
    const key = random.pick(KEYS);
    const items = harness.db.collection(`scanned ${String(round)}`);
    const sparse = random.oneIn(4) && !('$**' in key);
    await items.createIndex(key as never, sparse ? { sparse } : {});
    const documents = Array.from({ length: DOCUMENTS }, (_none, id) => ({
      _id: id as never,
      a: random.oneIn(3) ? numbers(random) : value(random),
      b: random.pick(LEAVES),
      c: value(random),
    }));
    await items.insertMany(documents, { ordered: false }).catch((error: unknown) => {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      for (const { code } of [error.writeErrors].flat()) {
        if (code !== 171 && code !== 16746) throw error;
        variety.took('refused');
      }
    });
    for (let query = 0; query < QUERIES; query++) {
      const asked = filter(random, key);
      const told = JSON.stringify({ key, sparse, asked });
      variety.tried(told);
      // A sparse index that is asked for has less.
      const forced = !sparse && !('$**' in key) && random.oneIn(2);
      const wanted = numbered(await items.find(asked).hint({ $natural: 1 }).sort({ _id: 1 }).toArray());
      variety.took(wanted.length === 0 ? 'nothing' : 'something');
      const found = items.find(asked, forced ? { hint: key } : {});
      expect([told, numbered(await found.toArray()).sort((a, b) => Number(a) - Number(b))]).toEqual([told, wanted]);
      if ('$**' in key) continue;
      const sort = { ...(random.oneIn(2) ? key : { [Object.keys(key)[0] ?? '']: random.pick([1, -1]) }), _id: 1 } as Sort;
      const ordered = (options: Document): Promise<unknown> => items.find(asked, options).sort(sort).toArray().then(numbered);
      expect([told, sort, await ordered({})]).toEqual([told, sort, await ordered({ hint: { $natural: 1 } })]);
      variety.took('sorted');
    }
  }
  console.log(variety.report('an index beside a scan', SEED));
  // Of many more there are not so many different ones.
  variety.expect(Math.min(ROUNDS * 7, 10_000), { refused: ROUNDS / 2, something: ROUNDS * 2, nothing: ROUNDS, sorted: ROUNDS * 4 });
});
