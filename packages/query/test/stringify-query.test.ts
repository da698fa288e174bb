import { expect, it } from '@jest/globals';
import { queryAsJson, refuseInstances, stringifyQuery } from '../src/stringify-query.ts';

it.each<[object, string]>([
  [{}, ''],
  [{ a: 1, b: 'x y', c: true, d: null }, 'a=1&b=x%20y&c=true&d='],
  [{ a: 12n, b: new Date(5) }, 'a=12&b=1970-01-01T00%3A00%3A00.005Z'.replace(/%3A/g, ':')],
  [{ a: '$,:@&=?#[]' }, 'a=$,:@%26%3D%3F%23%5B%5D'],
  [{ $limit: 5, $sort: { name: -1 } }, '$limit=5&$sort%5Bname%5D=-1'],
  [{ $select: ['a', 'b'] }, '$select%5B%5D=a&$select%5B%5D=b'],
  [{ age: { $in: [1, null] } }, 'age%5B$in%5D%5B%5D=1&age%5B$in%5D%5B%5D='],
  [{ $or: [{ a: 1 }, { b: { $gt: 2 } }] }, '$or%5B0%5D%5Ba%5D=1&$or%5B1%5D%5Bb%5D%5B$gt%5D=2'],
  [{ a: [['x'], 'y'] }, 'a%5B0%5D%5B%5D=x&a%5B1%5D=y'],
  [{ 'a.b': { 'c d': 1 } }, 'a.b%5Bc%20d%5D=1'],
  [{ id: { toJSON: () => '0123' } }, 'id=0123'],
  [
    {
      $limit: undefined,
      $skip: undefined,
      $sort: undefined,
      $select: undefined,
      $after: undefined,
      $before: undefined,
      $populate: undefined,
    },
    '',
  ],
  [{ $sort: {}, $select: [], a: 1 }, 'a=1'],
  [{ $sort: null }, '$sort='],
  // What is no order is for the server to refuse.
  [{ $sort: 1, $select: true }, '$sort=1&$select=true'],
])('%j is written as %p', (query, expected) => {
  expect(stringifyQuery(query)).toBe(expected);
});

it.each<[object, string]>([
  [{ a: undefined }, "The query property 'a' is undefined: leave it out, or take null"],
  [{ a: { b: undefined } }, "The query property 'b' is undefined: leave it out, or take null"],
  [{ a: Number.NaN }, "The query property 'a' is NaN: leave it out, or take null"],
  [{ a: { $lt: new Date(Number.NaN) } }, "The query property '$lt' is Invalid Date: leave it out, or take null"],
  [{ a: Infinity }, "The query property 'a' is Infinity: leave it out, or take null"],
  [{ a: () => 1 }, "The query property 'a' is () => 1: leave it out, or take null"],
  [{ $limits: undefined }, "The query property '$limits' is undefined"],
  [{ a: [] }, "The query property 'a' is empty: an address can not say that"],
  [{ a: { b: {} } }, "The query property 'a[b]' is empty: an address can not say that"],
  [{ $or: [] }, "The query property '$or' is empty"],
  [{ a: { 0: 'x' } }, "The query property 'a' is an object that would come as a list"],
  [{ a: { b: { 12: 'x' } } }, "The query property 'a[b]' is an object that would come as a list"],
  [{ '': 1 }, "The query property '' is no name"],
  [{ 'a[b]': 1 }, "The query property 'a[b]' is no name"],
  [{ a: { 'b]': 1 } }, "The query property 'b]' is no name"],
])('%p is refused, and not left out', (query, message) => {
  const written = () => stringifyQuery(query);
  expect(written).toThrow(TypeError);
  expect(written).toThrow(message);
});

it('numbers in names are no places', () => {
  expect(stringifyQuery({ a: { a1: 1, '1a': 2 } })).toBe('a%5Ba1%5D=1&a%5B1a%5D=2');
});

it('a query that holds itself is refused', () => {
  const query: Record<string, unknown> = { a: 1 };
  query.b = query;
  expect(() => stringifyQuery(query)).toThrow(TypeError);
});

it('a query as JSON has what an address can not say, and nothing that JSON would change', () => {
  expect(queryAsJson({ a: { $in: [] }, b: 12n, c: new Date(5), d: null, $limit: undefined })).toEqual({
    a: { $in: [] },
    b: '12',
    c: '1970-01-01T00:00:00.005Z',
    d: null,
  });
  expect(() => queryAsJson({ a: undefined })).toThrow("The query property 'a' is undefined: leave it out, or take null");
});

it.each([
  [{ name: /x/ }, "'name' is a RegExp"],
  [{ $or: [{ tags: { $in: new Set(['a']) } }] }, "'$in' is a Set"],
  [{ name: { $ne: new Map() } }, "'$ne' is a Map"],
])('what JSON has nothing of is refused: %p', (query, what) => {
  expect(() => refuseInstances(query)).toThrow(new TypeError(`The query property ${what}, of which JSON has nothing`));
});

it('what JSON has something of is taken', () => {
  class Price {
    amount = 1;
  }
  const query = {
    at: new Date(0),
    price: new Price(),
    none: {},
    list: [],
    bare: Object.create(null) as object,
    $or: [{ a: null }, { b: undefined }],
  };
  expect(() => refuseInstances(query)).not.toThrow();
});
