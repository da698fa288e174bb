import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MaxKey, type CollationOptions, type CreateIndexesOptions, type Document, type Sort } from 'mongodb';
import { start, type Harness } from '../harness.ts';

/** Documents, whose ids are their places, an index of them, and what is asked: an index that is used for more than it can tell gives other ids. */
interface Case {
  readonly key: Document;
  readonly options?: CreateIndexesOptions;
  readonly documents: readonly Document[];
  readonly filter: Document;
  readonly sort?: Sort;
  readonly collation?: CollationOptions;
  readonly ids: readonly number[];
}

let harness: Harness;
let made = 0;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

/** The first has in two elements of its list what the second has in one. */
const IN_TWO_ELEMENTS = [
  {
    a: [
      { b: 1, c: 5 },
      { b: 2, c: 1 },
    ],
  },
  { a: { b: 1, c: 1 } },
];
const german: CollationOptions = { locale: 'de', strength: 1 };

it.each<[string, Case]>([
  [
    'bounds that two elements of a list meet',
    { key: { a: 1 }, documents: [{ a: [1, 10] }, { a: 4 }, { a: 9 }], filter: { a: { $gt: 3, $lt: 5 } }, ids: [0, 1] },
  ],
  [
    'a value and a bound that two elements of a list meet',
    {
      key: { 'a.b': 1, 'a.c': 1 },
      documents: IN_TWO_ELEMENTS,
      filter: { 'a.b': 1, 'a.c': { $lt: 3 } },
      ids: [0, 1],
    },
  ],
  [
    'two values that two elements of a list have',
    {
      key: { 'a.b': 1, 'a.c': 1 },
      documents: IN_TWO_ELEMENTS,
      filter: { 'a.b': 1, 'a.c': 1 },
      ids: [0, 1],
    },
  ],
  [
    'what a sparse index leaves out',
    { key: { a: 1 }, options: { sparse: true }, documents: [{ a: null }, {}, { a: 1 }], filter: { a: null }, ids: [0, 1] },
  ],
  [
    'a bound below what a sparse index leaves out',
    { key: { a: 1 }, options: { sparse: true }, documents: [{ a: null }, {}, { a: 1 }], filter: { a: { $gte: null } }, ids: [0, 1] },
  ],
  [
    'an order in which a sparse index leaves some out',
    { key: { a: 1 }, options: { sparse: true }, documents: [{ a: 2 }, {}, { a: 1 }], filter: {}, sort: { a: 1 }, ids: [1, 2, 0] },
  ],
  [
    'nothing at a position',
    {
      key: { 'a.0.b': 1 },
      documents: [{ a: [{ b: 1 }, {}] }, { a: [{ c: 1 }] }, { a: [{ b: 1 }] }],
      filter: { 'a.0.b': null },
      ids: [0, 1, 2],
    },
  ],
  [
    'a text that another collation has in another place',
    { key: { a: 1 }, documents: [{ a: 'A' }, { a: 'a' }, { a: 'b' }], filter: { a: 'a' }, collation: german, ids: [0, 1] },
  ],
  [
    'a bound that another collation has in another place',
    { key: { a: 1 }, documents: [{ a: 'A' }, { a: 'a' }, { a: 'b' }], filter: { a: { $gte: 'a' } }, collation: german, ids: [0, 1, 2] },
  ],
  [
    'an order of another collation',
    { key: { a: 1 }, documents: [{ a: 'b' }, { a: 'C' }, { a: 'a' }], filter: {}, sort: { a: 1 }, collation: german, ids: [2, 0, 1] },
  ],
  [
    'an id that another collation has more often',
    { key: { a: 1 }, documents: [{ _id: 'X' }, { _id: 'x' }], filter: { _id: 'x' }, collation: german, ids: [0, 1] },
  ],
  [
    'an order behind several values',
    {
      key: { a: 1, b: 1 },
      documents: [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
        { a: 1, b: 3 },
      ],
      filter: { a: { $in: [1, 2] } },
      sort: { b: 1 },
      ids: [1, 0, 2],
    },
  ],
  [
    'an order of lists',
    { key: { a: 1 }, documents: [{ a: [3, 5] }, { a: 4 }, { a: [1, 9] }], filter: { a: { $gte: 2 } }, sort: { a: 1 }, ids: [2, 0, 1] },
  ],
  [
    'an order of two directions',
    {
      key: { a: 1, b: 1 },
      documents: [
        { a: 1, b: 1 },
        { a: 1, b: 2 },
        { a: 0, b: 0 },
      ],
      filter: {},
      sort: { a: 1, b: -1 },
      ids: [2, 1, 0],
    },
  ],
  [
    'an order of other fields',
    {
      key: { a: 1, b: 1 },
      documents: [
        { a: 1, b: 1, c: 2 },
        { a: 2, b: 2, c: 1 },
      ],
      filter: {},
      sort: { a: -1, c: 1 },
      ids: [1, 0],
    },
  ],
  [
    'an order of another field first',
    {
      key: { a: 1, b: 1 },
      documents: [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
      filter: {},
      sort: { b: 1 },
      ids: [1, 0],
    },
  ],
  ['a list as a value', { key: { a: 1 }, documents: [{ a: [1, 2] }, { a: [[1, 2], 3] }, { a: 1 }], filter: { a: [1, 2] }, ids: [0, 1] }],
  [
    'a pattern among values',
    { key: { a: 1 }, documents: [{ a: 'abc' }, { a: 'x' }, { a: 'y' }], filter: { a: { $in: [/b/, 'x'] } }, ids: [0, 1] },
  ],
  [
    'a list as a bound',
    { key: { a: 1 }, documents: [{ a: [1, 2] }, { a: [[1, 3]] }, { a: [0] }], filter: { a: { $gte: [1, 2] } }, ids: [0, 1] },
  ],
  [
    'the greatest of all as a bound',
    { key: { a: 1 }, documents: [{ a: null }, {}, { a: 'x' }], filter: { a: { $lt: new MaxKey() } }, ids: [0, 1, 2] },
  ],
  [
    'values of a list that has several of them',
    { key: { a: 1 }, documents: [{ a: [1, 2] }, { a: 3 }], filter: { a: { $in: [1, 2] } }, ids: [0] },
  ],
  ['one value twice', { key: { a: 1 }, documents: [{ a: 1 }, { a: 3 }], filter: { a: { $in: [1, 1] } }, ids: [0] }],
  ['one id twice', { key: { a: 1 }, documents: [{}, {}], filter: { _id: { $in: [1, 1] } }, ids: [1] }],
])('an index does not decide about %s', async (_what, { key, options = {}, documents, filter, sort, collation, ids }) => {
  const items = harness.db.collection(`items ${String(made++)}`);
  await items.createIndex(key as never, options);
  await items.insertMany(documents.map((document, at) => ({ _id: at as never, at, ...document })));
  const found = await items.find(filter, { ...(sort ? { sort } : {}), ...(collation ? { collation } : {}) }).toArray();
  const places = found.map(({ at }) => Number(at));
  expect(sort ? places : places.sort((a, b) => a - b)).toEqual(ids);
});

it('finds the values of a list in the order of the index', async () => {
  const items = harness.db.collection('lists of values');
  await items.createIndex({ a: -1 });
  await items.insertMany([{ a: 2 }, { a: 3 }, { a: 1 }]);
  expect((await items.find({ a: { $in: [1, 3, 2] } }).toArray()).map(({ a }) => a as number)).toEqual([3, 2, 1]);
  const ids = harness.db.collection<{ _id: number }>('lists of ids');
  await ids.insertMany([{ _id: 2 }, { _id: 1 }, { _id: 3 }]);
  expect((await ids.find({ _id: { $in: [3, 2, 1] } }).toArray()).map(({ _id }) => _id)).toEqual([1, 2, 3]);
});

it.each([
  [20, 0],
  [25, 1],
])('looks for %i values of each of two fields by both where that makes 500 ranges at most', async (count, keys) => {
  const items = harness.db.collection(`ranges ${String(count)}`);
  await items.createIndex({ a: 1, b: 1 });
  await items.insertOne({ a: 0, b: -1 });
  const $in = Array.from({ length: count }, (_none, at) => at);
  const { executionStats } = await items.find({ a: { $in }, b: { $in } }).explain('executionStats');
  expect(executionStats).toMatchObject({ nReturned: 0, totalKeysExamined: keys });
});
