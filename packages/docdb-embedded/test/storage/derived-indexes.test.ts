import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import type { Collection, Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.DERIVED_SEED ?? 20261123);
const ROUNDS = Number(process.env.DERIVED_ROUNDS ?? 2);

type Item = Document & { _id: number };

let harness: Harness;
let items: Collection<Item>;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.db.dropDatabase();
  items = harness.db.collection<Item>('items');
});

const examined = async (filter: Document): Promise<unknown[]> => {
  const { executionStats: stats } = await items.find(filter).explain('executionStats');
  return [stats.nReturned, stats.totalDocsExamined];
};

const WORDS = 'coffee Coffees tea Tee café cafés running runs run the of shop shops Straße'.split(' ');
const text = (random: Random): string => Array.from({ length: random.below(5) }, () => random.pick(WORDS)).join(' ');

/** Places all over the earth, at its poles and on both sides of the meridian where days end. */
function position(random: Random, around?: readonly number[]): [number, number] {
  if (around && !random.oneIn(4)) {
    const longitude = (around[0] ?? 0) + (random.below(2001) - 1000) / 500;
    return [((longitude + 540) % 360) - 180, Math.max(-90, Math.min(90, (around[1] ?? 0) + (random.below(2001) - 1000) / 500))];
  }
  return random.pick<[number, number]>([
    [random.below(360) - 180, random.below(181) - 90],
    [180 - random.below(3), random.below(20)],
    [-180, random.below(20)],
    [random.below(360) - 180, 90 - random.below(2)],
    [0, 0],
  ]);
}

function square([x, y]: readonly number[], size: number): [number, number][] {
  const [left, bottom] = [Math.max(-180, (x ?? 0) - size), Math.max(-90, (y ?? 0) - size)];
  const [right, top] = [Math.min(180, left + 2 * size), Math.min(90, bottom + 2 * size)];
  return [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ];
}

function place(random: Random, around: readonly number[]): unknown {
  const at = position(random, around);
  switch (random.below(6)) {
    case 0:
      return { type: 'LineString', coordinates: [at, [Math.max(-179, at[0] - 1), at[1] > 0 ? at[1] - 1 : at[1] + 1]] };
    case 1:
      return Math.abs(at[1]) > 80 ? at : { type: 'Polygon', coordinates: [square(at, 0.5 + random.below(3))] };
    case 2:
      return at;
    case 3:
      return { type: 'MultiPoint', coordinates: [at, position(random, around)] };
    default:
      return { type: 'Point', coordinates: at };
  }
}

function placeFilter(random: Random, around: readonly number[]): Document {
  const at = position(random, around);
  const geometry = random.oneIn(3)
    ? { type: 'Polygon', coordinates: [square([at[0], Math.max(-80, Math.min(80, at[1]))], 1 + random.below(15))] }
    : { type: 'Polygon', coordinates: [square([around[0] ?? 0, Math.max(-80, Math.min(80, around[1] ?? 0))], 1 + random.below(4))] };
  return random.pick<Document>([
    { loc: { $geoWithin: { $geometry: geometry } } },
    { loc: { $geoIntersects: { $geometry: random.oneIn(3) ? { type: 'Point', coordinates: at } : geometry } } },
    { loc: { $geoWithin: { $centerSphere: [at, random.below(50) / 200] } } },
    { loc: { $near: { $geometry: { type: 'Point', coordinates: at }, $maxDistance: random.below(500_000) } } },
    { loc: { $nearSphere: at, $maxDistance: random.below(100) / 1000 } },
  ]);
}

const scalar = (random: Random): unknown => random.pick<unknown>([0, 1, 2.5, 'a', 'b', null, true, /a/, new Date(0)]);

function nested(random: Random, depth = 0): unknown {
  if (depth < 3 && random.oneIn(3)) return Array.from({ length: random.below(3) }, () => nested(random, depth + 1));
  if (depth < 3 && random.oneIn(2))
    return Object.fromEntries(Array.from({ length: random.below(3) }, () => [random.pick(['a', 'b', '0']), nested(random, depth + 1)]));
  return scalar(random);
}

function wildcardFilter(random: Random): Document {
  const path = ['w', 'a', 'b', '0'].filter((name, at) => at === 0 || random.oneIn(2)).join('.');
  const condition = random.pick<unknown>([
    scalar(random),
    { $in: [scalar(random), scalar(random)] },
    { $gt: random.below(3) },
    { $gte: 0, $lt: 2 },
    { $eq: nested(random) },
    { $gte: 'a' },
  ]);
  return random.oneIn(3) ? { [path]: condition, n: { $gte: random.below(20) } } : { [path]: condition };
}

const SEARCHES = ['coffee', 'COFFEE -tea', '"coffee shop"', 'the', 'runs tea', 'cafe', 'shop "tea"', 'Strasse straße'];

/** A ring that is cut at a pole may be none any more, and a list has no field of a name. */
function refused(error: unknown): void {
  expect([28, 16755]).toContain((error as { readonly code?: unknown }).code);
}

describe('indexes of places, words and all fields', () => {
  it(`find what reading everything finds: DERIVED_SEED=${String(SEED)}`, async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      await harness.db.dropDatabase();
      const around = position(random);
      if (random.oneIn(2))
        await items.createIndexes([{ key: { loc: '2dsphere' } }, { key: { title: 'text', 'more.text': 'text' } }, { key: { 'w.$**': 1 } }]);
      const document = (n: number): Item => ({
        _id: n,
        n,
        loc: place(random, around),
        title: text(random),
        more: [{ text: text(random) }],
        w: nested(random),
      });
      await items.insertMany(Array.from({ length: 60 }, (_, n) => document(n)));
      await items.createIndexes([{ key: { loc: '2dsphere' } }, { key: { title: 'text', 'more.text': 'text' } }, { key: { 'w.$**': 1 } }]);
      for (let step = 0; step < 30; step++) {
        const n = random.below(60);
        if (random.oneIn(3)) await items.replaceOne({ _id: n }, document(n), { upsert: true }).catch(refused);
        else if (random.oneIn(4))
          await items
            .updateOne(
              { _id: n },
              { $set: random.pick<Document>([{ title: text(random) }, { 'w.a': nested(random) }, { loc: place(random, around) }]) },
            )
            .catch(refused);
        else if (random.oneIn(5)) await items.deleteOne({ _id: n });
        const kind = random.pick(['place', 'words', 'fields']);
        const search = {
          $search: random.pick(SEARCHES),
          ...(random.oneIn(3) ? { $caseSensitive: true } : {}),
          ...(random.oneIn(4) ? { $diacriticSensitive: true } : {}),
        };
        const filter = kind === 'place' ? placeFilter(random, around) : kind === 'words' ? { $text: search } : wildcardFilter(random);
        const ids = async (hint?: Document): Promise<number[]> => {
          const found = await items.find(filter, hint ? { hint } : {}).toArray();
          return found.map(({ _id }) => _id).sort((a, b) => a - b);
        };
        // A search by distance takes the hint of its own index alone, and then reads all that is in it.
        const isNear = kind === 'place' && /"\$near/.test(JSON.stringify(filter));
        const [a, b] = [await ids(), await ids(isNear ? { loc: '2dsphere' } : { $natural: 1 })];
        expect({ round, step, filter, found: a }).toEqual({ round, step, filter, found: b });
        variety.tried(JSON.stringify(filter));
        variety.took(kind);
        if (a.length > 0) variety.took(`${kind}: found`);
      }
      expect(await harness.db.command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
    }
    console.log(variety.report('derived indexes', SEED));
    variety.expect(ROUNDS * 10, {
      place: ROUNDS * 5,
      words: ROUNDS * 5,
      fields: ROUNDS * 5,
      'place: found': ROUNDS,
      'words: found': ROUNDS,
      'fields: found': ROUNDS,
    });
  });

  it('are not made over documents that they can not hold', async () => {
    await items.insertOne({ _id: 1, loc: { type: 'Point', coordinates: [500, 0] }, title: 'x', language: 'klingon' });
    const codeOf = (made: Promise<unknown>): Promise<unknown> =>
      made.catch((error: unknown) => (error as { readonly code?: unknown }).code);
    expect(await codeOf(items.createIndex({ loc: '2dsphere' }))).toBe(16755);
    expect(await codeOf(items.createIndex({ title: 'text' }))).toBe(17262);
  });

  it('read fewer documents', async () => {
    await items.createIndexes([{ key: { loc: '2dsphere' } }, { key: { title: 'text' } }, { key: { 'w.$**': 1 } }]);
    await items.insertMany(
      Array.from({ length: 1000 }, (_, n) => ({
        _id: n,
        loc: { type: 'Point', coordinates: [(n % 100) * 1.8 - 90, Math.floor(n / 100) * 10 - 45] },
        title: `word${String(n)} title`,
        w: { [`f${String(n % 10)}`]: n, tags: [`tag${String(n)}`] },
      })),
    );
    expect(await examined({ $text: { $search: 'word77 word78' } })).toEqual([2, 2]);
    expect(await examined({ $text: { $search: 'title' } })).toEqual([1000, 1000]);
    expect(await examined({ 'w.f7': 77 })).toEqual([1, 1]);
    expect(await examined({ 'w.tags': { $in: ['tag1', 'tag2'] } })).toEqual([2, 2]);
    expect(await examined({ 'w.f7': { $gte: 970 } })).toEqual([3, 3]);
    const [returned, read] = (await examined({ loc: { $geoWithin: { $centerSphere: [[0, 5], 0.05] } } })) as [number, number];
    expect(returned).toBeGreaterThan(0);
    expect(read).toBeLessThan(40);
    const near = { $near: { $geometry: { type: 'Point', coordinates: [0, 5] }, $maxDistance: 250_000 } };
    expect(((await examined({ loc: near })) as number[])[1]).toBeLessThan(40);
    const nearest = { near: { type: 'Point', coordinates: [0, 5] }, distanceField: 'd', maxDistance: 250_000 };
    const explained = await items.aggregate([{ $geoNear: nearest }]).explain('executionStats');
    expect(JSON.stringify(explained)).toContain('IXSCAN');
  });
});
