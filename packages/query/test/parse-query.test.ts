import { describe, expect, it } from '@jest/globals';
import { BadRequest } from '@framework/errors';
import { parseQuery, type Query, type QueryOptions } from '../src/index.ts';

const bad = (query: unknown, options?: QueryOptions): BadRequest => {
  try {
    parseQuery(query as Query, options);
  } catch (error) {
    expect(error).toBeInstanceOf(BadRequest);
    return error as BadRequest;
  }
  throw new Error(`accepted ${JSON.stringify(query)}`);
};

describe('filters (interface 4.6)', () => {
  it('reads every filter, as numbers and as text', () => {
    expect(parseQuery({ $limit: '5', $skip: 10, $sort: { a: '1', b: -1 }, $select: ['a', 'b'] })).toMatchObject({
      limit: 5,
      skip: 10,
      sort: { a: 1, b: -1 },
      select: ['a', 'b'],
      criteria: {},
    });
  });

  it('keeps the order of the sort keys', () => {
    expect(Object.keys(parseQuery({ $sort: { z: 1, a: -1, m: 1 } }).sort ?? {})).toEqual(['z', 'a', 'm']);
  });

  it('takes one name as $select', () => {
    expect(parseQuery({ $select: 'name' }).select).toEqual(['name']);
  });

  it.each([
    ['-1'],
    [-1],
    ['10abc'],
    ['1e309'],
    ['1.5'],
    [1.5],
    [Number.NaN],
    [Infinity],
    [''],
    [null],
    [true],
    [[]],
    [['5']],
    [{}],
    ['99999999999999999999'],
  ])('S14 refuses %p as $limit and $skip', (value) => {
    expect(bad({ $limit: value }).message).toMatch(/\$limit/);
    expect(bad({ $skip: value }).message).toMatch(/\$skip/);
  });

  it.each([['asc'], [0], ['2'], [null], [{}], [true]])('refuses the sort direction %p', (direction) => {
    expect(bad({ $sort: { name: direction } }).message).toMatch(/\$sort\[name\]/);
  });

  it.each([[['a']], ['a'], [5], [null]])('refuses %p as $sort', (sort) => {
    bad({ $sort: sort });
  });

  it.each([[[1]], [[{ a: 1 }]], [{ a: 1 }], [5]])('refuses %p as $select', (select) => {
    bad({ $select: select });
  });

  it('names the array limit when an object with index keys stands where an array belongs', () => {
    const indexed = Object.fromEntries(Array.from({ length: 21 }, (_unused, index) => [String(index), 'a']));
    for (const query of [{ name: { $in: indexed } }, { $select: indexed }, { $or: indexed }]) {
      expect(bad(query).message).toMatch(/more than 20 items.*'query parser'/s);
    }
  });
});

describe('paging (interface 2.5, 8)', () => {
  const limit = (query: Query, paginate: QueryOptions['paginate']): number | undefined => parseQuery(query, { paginate }).limit;

  it('uses the default page size, and no more than the largest', () => {
    expect(limit({}, { default: 10, max: 50 })).toBe(10);
    expect(limit({ $limit: 20 }, { default: 10, max: 50 })).toBe(20);
    expect(limit({ $limit: 1000 }, { default: 10, max: 50 })).toBe(50);
    expect(limit({ $limit: 0 }, { default: 10, max: 50 })).toBe(0);
  });

  it('gives the largest page where there is no default', () => {
    expect(limit({}, { max: 50 })).toBe(50);
  });

  it('leaves the limit alone without paging', () => {
    expect(limit({ $limit: 1000 }, false)).toBe(1000);
    expect(limit({}, undefined)).toBeUndefined();
  });
});

describe('conditions (interface 4.6)', () => {
  it('keeps equality, every operator, $or and $and', () => {
    const query = {
      name: 'x',
      age: { $gt: 1, $gte: 1, $lt: 9, $lte: 9, $ne: 5, $in: [1, 2], $nin: [3] },
      $or: [{ a: 1 }, { $and: [{ b: { $in: [1] } }, { c: null }] }],
    };
    expect(parseQuery(query).criteria).toEqual(query);
  });

  it.each([[{ $gt: 1, a: 1 }], [{ a: 1, $gt: 1 }]])('refuses %j: it is neither operators nor an object', (value) => {
    const message = 'Invalid value for age: it has operators, or is an object to be compared with, and not both';
    for (const query of [{ age: value }, { $or: [{ age: value }] }]) expect(() => parseQuery(query)).toThrow(new BadRequest(message));
    expect(parseQuery({ age: { a: 1, b: 2 } }).criteria).toEqual({ age: { a: 1, b: 2 } });
  });

  it('refuses undefined: it would match other records than meant', () => {
    expect(bad({ userId: undefined }).message).toMatch(/userId.*undefined/);
  });

  it('leaves dates, and instances that say what is stored of them, alone', () => {
    const date = new Date();
    class Id {
      $bad = 1;
      toBSON(): string {
        return 'a';
      }
    }
    const id = new Id();
    const { criteria } = parseQuery({ at: date, id, list: { $in: [id] } });
    expect(criteria.at).toBe(date);
    expect(criteria.id).toBe(id);
  });

  it('allows further operators and filters only when they are listed', () => {
    bad({ name: { $regex: 'a' } });
    bad({ $search: 'x' });
    expect(parseQuery({ name: { $regex: 'a' }, $search: 'x' }, { operators: ['$regex'], filters: ['$search'] })).toMatchObject({
      criteria: { name: { $regex: 'a' } },
      extra: { $search: 'x' },
    });
  });

  it.each([['$where'], ['$function'], ['$accumulator'], ['$expr'], ['$jsonSchema'], ['$nor'], ['$text'], ['$regex'], ['$'], ['$in']])(
    'S2 refuses %s at the top, in a property, in $or, $and, $in and in arrays of arrays',
    (operator) => {
      bad({ [operator]: 'x' });
      if (operator === '$in') return;
      bad({ a: { [operator]: 'x' } });
      bad({ a: { b: { [operator]: 'x' } } });
      bad({ $or: [{ a: { [operator]: 'x' } }] });
      bad({ $and: [{ $or: [{ [operator]: 'x' }] }] });
      bad({ a: { $in: [{ [operator]: 'x' }] } });
      bad({ a: { $ne: { [operator]: 'x' } } });
      bad({ a: [[{ [operator]: 'x' }]] });
    },
  );

  it.each([
    ['__proto__'],
    ['constructor'],
    ['prototype'],
    ['a.__proto__'],
    ['a.constructor.b'],
    ['a\0b'],
    ['a..b'],
    ['.a'],
    ['a.$where'],
    [''],
  ])('S3 refuses the property name %p everywhere', (name) => {
    const own = (value: unknown): Query => Object.defineProperty({}, name, { value, enumerable: true }) as Query;
    bad(own('x'));
    bad({ $or: [own('x')] });
    bad({ a: own('x') });
    bad({ $sort: own(1) });
    bad({ $select: [name] });
  });

  it('S3 allows only declared paths when they are listed', () => {
    const options = { paths: ['address.city'] };
    expect(parseQuery({ 'address.city': 'x' }, options).criteria).toEqual({ 'address.city': 'x' });
    expect(bad({ 'address.zip': 'x' }, options).message).toMatch(/not declared.*'paths'/);
    bad({ $sort: { 'a.b': 1 } }, { paths: false });
    expect(parseQuery({ 'any.path': 1 }).criteria).toEqual({ 'any.path': 1 });
  });

  it('S3 limits depth and keys', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 10; level++) deep = { a: deep };
    expect(bad({ a: deep }).message).toMatch(/nested too deeply/);
    const wide = Object.fromEntries(Array.from({ length: 101 }, (_unused, index) => [`p${index}`, 1]));
    expect(bad(wide).message).toMatch(/too many keys/);
    expect(Object.keys(parseQuery(wide, { maxKeys: 200 }).criteria)).toHaveLength(101);
  });

  it('S3 limits what is done for each record and has no key: empty branches, values of $all, sort keys and selected names', () => {
    const many = (count: number): number[] => Array.from({ length: count }, (_unused, index) => index);
    const sortBy = (count: number): Query => ({ $sort: Object.fromEntries(many(count).map((index) => [`p${index}`, 1])) });
    expect(bad({ $or: many(101).map(() => ({})) }).message).toMatch(/too many keys: at most 100/);
    expect(bad({ tags: { $all: many(101) } }, { operators: ['$all'] }).message).toMatch(/too many keys: at most 100/);
    expect(bad(sortBy(101)).message).toBe('$sort has too many keys: at most 100 are allowed (maxKeys)');
    expect(bad({ $select: many(1001).map(() => 'name') }).message).toBe('$select has too many names: at most 1000 are allowed');
    parseQuery({ $or: many(99).map(() => ({ a: 1 })) });
    parseQuery(sortBy(100));
    parseQuery(sortBy(101), { maxKeys: 101 });
    parseQuery({ $select: many(1000).map((index) => `p${index}`) });
    // They are looked up, and cost no more for each record when they are many.
    parseQuery({ tags: { $in: many(5000), $nin: many(5000) } });
  });

  it('reads the texts true and false of $exists, and takes no other: each would mean that the property is there', () => {
    const options = { operators: ['$exists'] };
    expect(parseQuery({ a: { $exists: 'false' }, b: { $exists: 'true' }, c: { $exists: false } }, options).criteria).toEqual({
      a: { $exists: false },
      b: { $exists: true },
      c: { $exists: false },
    });
    for (const text of ['', '0', 'no'])
      expect(bad({ a: { $exists: text } }, options).message).toMatch(/a\[\$exists\]: expected true or false/);
    // A value to compare with is a value.
    expect(() => parseQuery({ a: { $in: [{ exists: 'no' }] } }, options)).not.toThrow();
  });

  it('S7 refuses hidden properties in conditions, sort and select', () => {
    const options = { hidden: ['password', 'secret.key'] };
    for (const query of [
      { password: 'x' },
      { password: { $gt: 'a' } },
      { $or: [{ password: 'x' }] },
      { $sort: { password: 1 } },
      { $select: ['password'] },
      { 'password.x': 1 },
      { secret: {} },
    ])
      bad(query, options);
    parseQuery({ passwordHint: 'x' }, options);
  });
});

describe('the result', () => {
  it('is frozen at every depth, and the input is not changed', () => {
    const query = { a: { $in: [{ b: 1 }] }, $or: [{ c: 1 }], $sort: { a: 1 }, $select: ['a'] };
    const before = structuredClone(query);
    const parsed = parseQuery(query);
    expect(query).toEqual(before);
    const frozen = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      Object.values(value).forEach(frozen);
    };
    frozen(parsed);
    query.a.$in.push({ b: 2 });
    expect(parsed.criteria).toEqual({ a: { $in: [{ b: 1 }] }, $or: [{ c: 1 }] });
  });

  it('takes nothing as an empty query, and refuses what is no object', () => {
    expect(parseQuery(null).criteria).toEqual({});
    expect(parseQuery(undefined).criteria).toEqual({});
    for (const query of ['a', 5, [], [{}], new Date()]) bad(query);
  });
});
