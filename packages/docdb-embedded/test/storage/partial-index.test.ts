import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { Decimal128 } from 'bson';
import { MaxKey, MinKey, type Doc, type Value } from '../../src/bson/values.ts';
import { compileFilter } from '../../src/query/matcher.ts';
import { collatorFor } from '../../src/bson/collation.ts';
import { isWithin } from '../../src/storage/partial-index.ts';
import { start, type Harness } from '../harness.ts';

const VALUES: readonly Value[] = [
  0,
  1,
  1.5,
  2n,
  NaN,
  Decimal128.fromString('NaN'),
  'a',
  'b',
  true,
  null,
  new Date(1),
  new MinKey(),
  new MaxKey(),
  [1, 'a'],
  [],
  { b: 1 },
];
const DOCUMENTS: readonly Doc[] = [{}, ...VALUES.map((a) => ({ a })), { a: [0, 2] }, { a: [null] }, { a: [[1]] }, { a: [{ b: 1 }, 3] }];
const OPERATORS = ['$eq', '$gt', '$gte', '$lt', '$lte'];
const ONE: readonly Doc[] = VALUES.flatMap((value) => [{ a: value }, ...OPERATORS.map((operator) => ({ a: { [operator]: value } }))]);
const EXPRESSIONS: readonly Doc[] = [
  ...ONE,
  { a: { $exists: true } },
  { a: { $type: 'number' } },
  { a: { $gt: 0, $lt: 2 } },
  { a: { $in: [1, 'a', null] } },
  { $and: [{ a: { $gt: 0 } }, { a: { $exists: true } }] },
  { $or: [{ a: { $gt: 0 } }, { a: 'a' }] },
];
const FILTERS: readonly Doc[] = [
  ...EXPRESSIONS,
  { a: /a/ },
  { a: { $size: 0 } },
  { a: { $elemMatch: { b: 1 } } },
  { a: { $gte: 1, $lt: 2 } },
  { a: { $in: [1, 1.5] } },
  { a: { $in: [/a/, 'b'] } },
  { a: { $in: [null] } },
  { $and: [{ a: 1 }, { c: null }] },
];

const BYTES = { collator: undefined };

it('says of no query that it is within an index that leaves one of its documents out', () => {
  const found = (filter: Doc): Doc[] => DOCUMENTS.filter(compileFilter(filter));
  const kept = EXPRESSIONS.map((expression) => new Set(found(expression)));
  let within = 0;
  for (const filter of FILTERS) {
    const documents = found(filter);
    for (const [at, expression] of EXPRESSIONS.entries()) {
      if (!isWithin(filter, expression, BYTES)) continue;
      within += 1;
      const left = documents.filter((document) => kept[at]?.has(document) !== true);
      expect({ filter, expression, left }).toEqual({ filter, expression, left: [] });
    }
  }
  expect(within).toBeGreaterThan(FILTERS.length);
});

it.each<[Doc, Doc, boolean]>([
  [{ a: 1 }, { a: { $exists: true } }, true],
  [{ a: null }, { a: { $exists: true } }, false],
  [{ a: { $in: [1, null] } }, { a: { $exists: true } }, false],
  [{ a: { $gt: 5 } }, { a: { $gt: 3 } }, true],
  [{ a: { $gte: 3 } }, { a: { $gt: 3 } }, false],
  [{ a: { $gt: 3, $lt: 9 } }, { a: { $gt: 3 } }, true],
  [{ a: 2 }, { a: { $in: [1, 2] } }, true],
  [{ a: { $in: [1, 2] } }, { a: { $in: [2, 1, 3] } }, true],
  [{ $and: [{ a: 4 }, { b: 1 }] }, { a: { $gt: 3 } }, true],
  [{ a: 4 }, { $or: [{ b: 1 }, { a: { $gte: 4 } }] }, true],
  [{ a: 4 }, { a: { $type: 'number' } }, false],
])('the query %j is within an index of %j: %j', (filter, expression, within) => {
  expect(isWithin(filter, expression, BYTES)).toBe(within);
});

it('compares texts by the collation of both', () => {
  const texts = { collator: collatorFor({ locale: 'en', strength: 2 }) };
  // By their bytes capital letters are in front of small ones.
  expect(isWithin({ a: { $lt: 'Z' } }, { a: { $lt: 'a' } }, BYTES)).toBe(true);
  expect(isWithin({ a: { $lt: 'Z' } }, { a: { $lt: 'a' } }, texts)).toBe(false);
  expect(isWithin({ a: { $gt: 'B' } }, { a: { $gt: 'a' } }, texts)).toBe(true);
});

it('compares texts by one collation only', () => {
  expect(isWithin({ a: 'b' }, { a: { $gt: 'a' } }, undefined)).toBe(false);
  expect(isWithin({ a: { $gt: 'a' } }, { a: { $gt: 'a' } }, undefined)).toBe(false);
  expect(isWithin({ a: 'b' }, { a: { $exists: true } }, undefined)).toBe(true);
  expect(isWithin({ a: 2 }, { a: { $gt: 1 } }, undefined)).toBe(true);
});

describe('a partial index', () => {
  let harness: Harness;
  let items: Collection;
  beforeAll(async () => {
    harness = await start();
  });
  afterAll(() => harness.stop());
  beforeEach(async () => {
    await harness.db.dropDatabase();
    items = harness.db.collection('items');
  });

  it.each<[Document, Document, string]>([
    [{ email: { $exists: true } }, { email: 'b' }, 'IXSCAN'],
    [{ email: { $exists: true } }, { email: null }, 'COLLSCAN'],
    [{ rank: { $gt: 3 } }, { email: 'b', rank: 4 }, 'IXSCAN'],
    [{ rank: { $gt: 3 } }, { email: 'b', rank: { $gte: 3 } }, 'COLLSCAN'],
  ])('of %j serves the query %j by an %s', async (partialFilterExpression, query, stage) => {
    await items.createIndex({ email: 1 }, { partialFilterExpression });
    await items.insertMany([{ email: 'a', rank: 1 }, { email: 'b', rank: 4 }, { rank: 3 }, { email: null }]);
    const plan = (await items.find(query).explain('queryPlanner')).queryPlanner.winningPlan as Document;
    expect(((plan.inputStage ?? plan) as Document).stage).toBe(stage);
    expect(await items.countDocuments(query)).toBe((await items.find(query).hint({ $natural: 1 }).toArray()).length);
  });
});
