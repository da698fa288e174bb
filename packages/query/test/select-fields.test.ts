import { describe, expect, it } from '@jest/globals';
import { filterQuery, limitFor, select, selectFields } from '../src/index.ts';

describe('selectFields', () => {
  it.each<[string, object, string[], object]>([
    ['names with dots as they are', { 'a.b': 1, a: { b: 2 } }, ['a.b'], { 'a.b': 1 }],
    ['several parts of one object', { a: { b: 1, c: 2, d: 3 } }, ['a.b', 'a.c'], { a: { b: 1, c: 2 } }],
    ['parts of parts', { a: { b: { c: 1, d: 2 }, e: 3 } }, ['a.b.c', 'a.e'], { a: { b: { c: 1 }, e: 3 } }],
    ['a whole object and a part of it', { a: { b: 1, c: 2 } }, ['a', 'a.b'], { a: { b: 1, c: 2 } }],
    ['nothing of what is not there', { a: { b: 1 } }, ['x', 'x.b'], {}],
    [
      'objects, also when they have no such part',
      { a: {}, b: { c: 1 }, d: { e: {} } },
      ['a.x', 'b.x', 'd.e.x'],
      { a: {}, b: {}, d: { e: {} } },
    ],
    ['nothing below dates and patterns', { a: new Date(0), b: { c: /x/ } }, ['a.b', 'b.c.d'], { b: {} }],
    ['nothing of what is undefined', { a: undefined, b: 1 }, ['a', 'b'], { b: 1 }],
    ['the parts of the objects in a list', { a: [{ b: 1, c: 2 }, 3, { c: 4 }] }, ['a.b'], { a: [{ b: 1 }, {}] }],
    ['nothing below texts and null', { c: 'text', d: null }, ['c.length', 'd.e'], {}],
    ['null as a value', { a: null, b: { c: null } }, ['a', 'b.c'], { a: null, b: { c: null } }],
    ['nothing that is inherited', Object.create({ a: 1 }) as object, ['a', 'toString', 'constructor.name'], {}],
  ])('keeps %s', (_what, record, names, expected) => {
    const before = structuredClone(record);
    const kept = selectFields(record, names);
    expect(kept).toStrictEqual(expected);
    expect(record).toEqual(before);
  });
});

describe('select', () => {
  it('leaves everything as it is without names', () => {
    const record = { a: 1 };
    for (const params of [undefined, {}, { query: undefined }, { query: {} }]) expect(select(params)(record)).toBe(record);
  });

  it('leaves what is no record as it is, also in lists', () => {
    expect(select({ query: { $select: ['length'] } })(['text', 5, null, { length: 1, b: 2 }])).toEqual(['text', 5, null, { length: 1 }]);
    expect(select({ query: { $select: ['length'] } })('text')).toBe('text');
  });
});

describe('filterQuery', () => {
  it('has each filter that the query has, and no other', () => {
    expect(filterQuery({ a: 1 })).toStrictEqual({ filters: {}, query: { a: 1 } });
    const all = { $limit: 1, $skip: 2, $sort: { a: -1 }, $select: ['a'], $or: [{ a: 1 }], $and: [{ b: 1 }] } as const;
    expect(filterQuery({ ...all, c: 1 })).toStrictEqual({ filters: all, query: { c: 1 } });
  });

  it('has the filters that the service added, converted', () => {
    const options = { filters: { $search: true, $near: (value: unknown) => Number(value) } } as const;
    expect(filterQuery({ $search: 'x', $near: '5' }, options)).toStrictEqual({ filters: { $search: 'x', $near: 5 }, query: {} });
    expect(filterQuery({ $search: 'x' }, { filters: ['$search'] })).toStrictEqual({ filters: { $search: 'x' }, query: {} });
  });

  it('reads counts and directions that came as text, and nothing that only looks like one', () => {
    expect(filterQuery({ $limit: '12', $skip: '0', $sort: { a: '-1', b: '1' } }).filters).toEqual({
      $limit: 12,
      $skip: 0,
      $sort: { a: -1, b: 1 },
    });
    for (const $limit of ['x1', '1x', ' 1', '12345678901234567', -0.5]) expect(() => filterQuery({ $limit })).toThrow('$limit');
  });
});

describe('limitFor', () => {
  it.each([
    [undefined, { default: 10 }, 10],
    [50, { default: 10 }, 50],
    [undefined, { max: 20 }, 20],
    [50, { max: 20 }, 20],
    [5, { max: 20 }, 5],
    [5, {}, 5],
    [undefined, {}, undefined],
    [5, false, 5],
    [undefined, { default: 30, max: 20 }, 20],
  ] as const)('of %p with %p is %p', (asked, paginate, limit) => {
    expect(limitFor(asked, paginate)).toBe(limit);
  });
});
