import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
import { compareValues, filterQuery, parseQuery, select, sorter } from '../src/index.ts';

describe('filterQuery', () => {
  it('refuses symbols, as parseQuery does: a condition that is left out would let every record through', () => {
    const own = Symbol('own');
    for (const query of [
      { a: 1, [own]: 2 },
      { a: { [own]: 2 } },
      { a: { $gt: 1, [own]: 2 } },
      { $or: [{ [own]: 1 }] },
      { a: [{ [own]: 1 }] },
    ]) {
      for (const read of [filterQuery, parseQuery])
        expect(() => read(query as never)).toThrow(
          new BadRequest('The query has Symbol(own) in it, and takes only names: symbols are no conditions'),
        );
    }
  });

  it('passes over the mark of a validator of FeathersJS, which is no condition, and checks the query all the same', () => {
    const mark = Symbol.for('@feathersjs/adapter/sanitized');
    expect(parseQuery({ [mark]: true, name: 'a' }).criteria).toEqual({ name: 'a' });
    expect(() => parseQuery({ [mark]: true, name: { $regex: 'a' } })).toThrow('Invalid query parameter $regex');
    expect(() => parseQuery({ name: { [mark]: true } })).toThrow('symbols are no conditions');
    expect(() => parseQuery({ $or: [{ [mark]: true }] })).toThrow('symbols are no conditions');
  });

  it('splits filters from conditions', () => {
    expect(filterQuery({ $limit: 5, $sort: { a: 1 }, name: 'x', $or: [{ a: 1 }] })).toEqual({
      filters: { $limit: 5, $sort: { a: 1 }, $or: [{ a: 1 }] },
      query: { name: 'x' },
    });
  });
});

describe('select', () => {
  it('keeps the selected properties and those that are always kept', () => {
    const pick = select({ query: { $select: ['name'] } }, 'id');
    expect(pick({ id: 1, name: 'a', age: 5 })).toEqual({ name: 'a', id: 1 });
    expect(pick([{ id: 1, name: 'a', age: 5 }])).toEqual([{ name: 'a', id: 1 }]);
  });

  it('keeps everything without $select, and leaves other values alone', () => {
    expect(select({})({ a: 1 })).toEqual({ a: 1 });
    expect(select({ query: { $select: ['a'] } })(null)).toBeNull();
  });

  it('keeps the part of a nested object that a path names', () => {
    expect(select({ query: { $select: ['a.b'] } })({ a: { b: 1, c: 2 }, d: 3 })).toEqual({ a: { b: 1 } });
  });
});

describe('sorter', () => {
  it('orders by several keys, in both directions, stably', () => {
    const rows = [
      { a: 2, n: 1 },
      { a: 1, n: 2 },
      { a: 2, n: 3 },
      { a: 1, n: 4 },
    ];
    expect([...rows].sort(sorter({ a: 1, n: -1 })).map((row) => row.n)).toEqual([4, 2, 3, 1]);
    expect([...rows].sort(sorter({ a: -1 })).map((row) => row.n)).toEqual([1, 3, 2, 4]);
  });

  it('orders values of different types, and nested paths', () => {
    const values = [[1], new Date(0), true, 'a', 5, null, { a: 1 }];
    expect([...values].reverse().sort(compareValues)).toEqual([null, 5, 'a', true, new Date(0), [1], { a: 1 }]);
    expect([{ a: { b: 2 } }, { a: { b: 1 } }, {}].sort(sorter({ 'a.b': 1 }))).toEqual([{}, { a: { b: 1 } }, { a: { b: 2 } }]);
  });
});
