import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import type { Collection, CollationOptions, Document } from 'mongodb';
import { collatorFor, type Collator } from '../../src/bson/collation.ts';
import { start, type Harness } from '../harness.ts';

const SEED = Number(process.env.COLLATION_SEED ?? 20261123);
const ROUNDS = Number(process.env.COLLATION_ROUNDS ?? 6);
const STEPS = 25;

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

type Item = Document & { _id: string | number };

const PARTS = ['a', 'A', 'b', 'e', 'é', 'É', 'ss', 'ß', 'ch', '1', '2', '10', '01', ' ', '-', '.', 'z', 'ä', 'д', 'Д'];
const text = (random: Random): string => Array.from({ length: 1 + random.below(3) }, () => random.pick(PARTS)).join('');

function collation(random: Random): CollationOptions | undefined {
  if (random.oneIn(5)) return undefined;
  return {
    locale: random.pick(['en', 'de', 'sv', 'cs', 'fr_CA']),
    strength: 1 + random.below(3),
    numericOrdering: random.oneIn(2),
    ...(random.oneIn(2) ? { alternate: 'shifted', maxVariable: random.pick(['punct', 'space']) } : {}),
  };
}

function value(random: Random): unknown {
  switch (random.below(8)) {
    case 0:
      return random.below(4);
    case 1:
      return null;
    case 2:
      return { t: text(random) };
    default:
      return text(random);
  }
}

function condition(random: Random): unknown {
  switch (random.below(5)) {
    case 0:
      return { $in: [text(random), text(random), random.below(4)] };
    case 1:
      return { $gte: text(random), $lt: text(random) };
    case 2:
      return { [random.pick(['$gt', '$lte', '$ne'])]: text(random) };
    default:
      return value(random);
  }
}

/** The same documents, and the same calls, once with indexes and once without. */
interface Pair {
  readonly indexed: Collection<Item>;
  readonly plain: Collection<Item>;
}

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (typeof code !== 'number') throw error;
    return { code };
  }
}

const shown = (made: unknown): string => JSON.stringify(made);

/** One call; what has no order by itself is put into one. */
function call(
  random: Random,
  given: CollationOptions | undefined,
): { readonly name: string; run(collection: Collection<Item>): Promise<unknown> } {
  const filter = {
    [random.pick(['_id', 'x', 'x', 'y'])]: condition(random),
    ...(random.oneIn(3) ? { y: condition(random) } : {}),
  } as Document;
  // Without one the collection's own counts.
  const options = given ? { collation: given } : {};
  const next = value(random);
  switch (random.below(9)) {
    case 0:
    case 1:
      return { name: `find ${shown(filter)}`, run: (of) => of.find(filter, options).sort({ n: 1 }).toArray() };
    case 2:
      return { name: `count ${shown(filter)}`, run: (of) => of.countDocuments(filter, options) };
    case 3: {
      const direction = random.pick([1, -1] as const);
      return { name: `sort ${shown(filter)}`, run: (of) => of.find(filter, options).sort({ x: direction, n: 1 }).limit(5).toArray() };
    }
    case 4:
      return { name: `distinct ${shown(filter)}`, run: async (of) => await of.distinct('x', filter, options) };
    case 5:
      return {
        name: `update ${shown([filter, next])}`,
        run: async (of) => (await of.updateMany(filter, { $set: { y: next } }, options)).modifiedCount,
      };
    case 6: {
      const n = random.below(1_000_000);
      const id = text(random);
      const upsert = { ...options, upsert: true };
      return {
        name: `upsert ${shown(id)}`,
        run: async (of) => {
          const { matchedCount, upsertedCount } = await of.updateOne(
            { _id: id },
            { $set: { y: next }, $setOnInsert: { n, x: `${id}!${String(n)}` } },
            upsert,
          );
          return [matchedCount, upsertedCount];
        },
      };
    }
    case 7:
      return {
        name: `group ${shown(filter)}`,
        run: async (of) =>
          (
            await of.aggregate([{ $match: filter }, { $group: { _id: '$x', n: { $sum: 1 } } }, { $sort: { n: -1 } }], options).toArray()
          ).map(({ n }) => n as number),
      };
    default:
      return {
        name: `delete ${shown(filter)}`,
        run: async (of) => (await of.deleteOne({ ...filter, n: { $gte: 0 } }, { ...options, hint: { $natural: 1 } })).deletedCount,
      };
  }
}

describe('collations', () => {
  it(`answer alike with and without indexes: COLLATION_SEED=${String(SEED)}`, async () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      await harness.db.dropDatabase();
      const own = collation(random);
      const make = async (name: string): Promise<Collection<Item>> =>
        harness.db.createCollection<Item>(name, own ? { collation: own } : {});
      const pair: Pair = { indexed: await make('indexed'), plain: await make('plain') };
      const other = collation(random);
      const named = other ? { collation: other } : {};
      await pair.indexed.createIndexes([
        { key: { x: 1 }, name: 'x' },
        { key: { x: -1, y: 1 }, name: 'xy', ...named },
        { key: { y: 1 }, name: 'y', ...named, partialFilterExpression: { y: text(random) } },
      ]);
      for (let n = 0; n < 40; n++) {
        const doc = {
          _id: random.oneIn(3) ? text(random) : n,
          n,
          x: value(random),
          y: random.oneIn(4) ? [value(random), value(random)] : value(random),
        };
        const [a, b] = [await outcome(() => pair.indexed.insertOne({ ...doc })), await outcome(() => pair.plain.insertOne({ ...doc }))];
        expect({ doc, own, made: a }).toEqual({ doc, own, made: b });
        if ((a as Document).code === 11000) variety.took('duplicate id');
      }
      for (let step = 0; step < STEPS; step++) {
        const given = random.pick([undefined, own, other, collation(random)]);
        const asked = call(random, given);
        const [a, b] = [await outcome(() => asked.run(pair.indexed)), await outcome(() => asked.run(pair.plain))];
        expect({ round, step, asked: asked.name, own, given, answer: a }).toEqual({
          round,
          step,
          asked: asked.name,
          own,
          given,
          answer: b,
        });
        variety.tried(asked.name);
        variety.took(asked.name.split(' ')[0] as string);
        if (Array.isArray(a) && a.length > 0) variety.took('found some');
      }
      expect(await pair.indexed.find().sort({ n: 1 }).toArray()).toEqual(await pair.plain.find().sort({ n: 1 }).toArray());
    }
    console.log(variety.report('collations with and without indexes', SEED));
    variety.expect(ROUNDS * 15, {
      'duplicate id': ROUNDS / 5,
      'found some': ROUNDS * 3,
      find: ROUNDS,
      distinct: ROUNDS / 2,
      update: ROUNDS / 2,
      upsert: ROUNDS / 2,
    });
  });

  it(`refuse in a unique index what is equal, and nothing else: COLLATION_SEED=${String(SEED)}`, async () => {
    const random = new Random(SEED + 1);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      await harness.db.dropDatabase();
      const own = collation(random) ?? { locale: 'en', strength: 2 };
      const collator = collatorFor(own) as Collator;
      const field = random.pick(['_id', 'x']);
      const taken =
        field === '_id'
          ? await harness.db.createCollection<Item>('taken', { collation: own })
          : await harness.db.createCollection<Item>('taken');
      if (field === 'x') await taken.createIndex({ x: 1 }, { unique: true, collation: own });
      const kept: string[] = [];
      for (let n = 0; n < 60; n++) {
        const wanted = text(random);
        const doc = field === '_id' ? { _id: wanted } : { _id: n, x: wanted };
        const made = (await outcome(() => taken.insertOne(doc))) as Document;
        const equal = kept.some((known) => collator(known, wanted) === 0);
        expect({ own, field, kept, wanted, refused: made.code === 11000 }).toEqual({ own, field, kept, wanted, refused: equal });
        if (!equal) kept.push(wanted);
        variety.tried(shown([own, wanted]));
        variety.took(equal ? 'refused' : 'taken');
      }
    }
    console.log(variety.report('collations of unique indexes', SEED));
    variety.expect(ROUNDS * 30, { refused: ROUNDS * 3, taken: ROUNDS * 5 });
  });
});
