import { createContext, runInContext } from 'node:vm';
import { BadRequest } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { isPlainObject, parseQuery, QueryRules, type Query, type QueryOptions } from '../src/index.ts';

/** The error that a query gets, or the conditions that were read. */
function outcome(query: unknown, options?: QueryOptions): unknown {
  try {
    return parseQuery(query as Query, options).criteria;
  } catch (error) {
    expect(error).toBeInstanceOf(BadRequest);
    const { message, data } = error as BadRequest;
    return [message, (data as { parameter?: string } | undefined)?.parameter];
  }
}

class Condition {
  constructor(operators: object) {
    Object.assign(this, operators);
  }
}

const LONG = `$${'x'.repeat(200)}`;
const deep = (levels: number, inner: unknown, name = 'a'): unknown => (levels === 0 ? inner : { [name]: deep(levels - 1, inner, name) });
const own = (name: string): object => Object.defineProperty({}, name, { value: 1, enumerable: true });
const path = 'b'.repeat(60);

describe('what is refused, and by which name (interface 4.6)', () => {
  it.each<[string, unknown, string, string | undefined]>([
    ['what is no object', 5, 'The query must be an object', undefined],
    ['a filter', { $where: 1 }, 'Invalid filter value $where', '$where'],
    ['a long filter, whose name is cut', { [LONG]: 1 }, `Invalid filter value ${LONG.slice(0, 100)}`, LONG.slice(0, 100)],
    ['an operator of a property', { a: { $where: 1 } }, 'Invalid query parameter $where', '$where'],
    ['an operator in a list of criteria', { $or: [{ $where: 1 }] }, 'Invalid query parameter $where', '$where'],
    ['$limit', { $limit: -1 }, 'Invalid value for $limit: expected a whole number of 0 or more', '$limit'],
    ['$skip', { $skip: '5 ' }, 'Invalid value for $skip: expected a whole number of 0 or more', '$skip'],
    ['$sort', { $sort: 5 }, 'Invalid value for $sort: expected an object such as { name: 1, createdAt: -1 }', '$sort'],
    ['a direction', { $sort: { a: 2 } }, 'Invalid value for $sort[a]: expected 1 (ascending) or -1 (descending)', '$sort[a]'],
    ['$select', { $select: 5 }, 'Invalid value for $select: expected an array', '$select'],
    ['a name in $select', { $select: [5] }, 'Invalid value for $select: expected an array of property names', '$select'],
    ['$or', { $or: 5 }, 'Invalid value for $or: expected an array', '$or'],
    ['criteria in $or', { $or: ['a'] }, 'Invalid value for $or: expected an array of query objects', '$or'],
    ['$in', { a: { $in: 5 } }, 'Invalid value for a[$in]: expected an array', 'a[$in]'],
    ['$in of an inner property', { a: { b: { $nin: 5 } } }, 'Invalid value for a.b[$nin]: expected an array', 'a.b[$nin]'],
    ['an empty object where a list belongs', { a: { $in: {} } }, 'Invalid value for a[$in]: expected an array', 'a[$in]'],
    ['an object with other names there', { a: { $in: { 0: 1, x1: 2 } } }, 'Invalid value for a[$in]: expected an array', 'a[$in]'],
    ['an object with names that begin with digits', { a: { $in: { '1x': 1 } } }, 'Invalid value for a[$in]: expected an array', 'a[$in]'],
    [
      'a date that is none',
      { a: { $in: [new Date(Number.NaN)] } },
      "The query property 'a[$in]' is a date that is none. Check what it was made of",
      'a[$in]',
    ],
    ['undefined', { a: undefined }, "The query property 'a' is undefined. Leave it out, or use null to find records without it", 'a'],
    [
      'undefined below an operator',
      { a: { $gt: undefined } },
      "The query property 'a[$gt]' is undefined. Leave it out, or use null to find records without it",
      'a[$gt]',
    ],
    ['a function', { a: () => 1 }, "The query property 'a' has a value that can not be compared", 'a'],
    ['a symbol', { a: Symbol('a') }, "The query property 'a' has a value that can not be compared", 'a'],
    [
      'a promise that nobody has waited for',
      { a: { $ne: Promise.resolve(1) } },
      "The query property 'a[$ne]' is a promise: wait for it, and then ask for its value",
      'a[$ne]',
    ],
    [
      'a map, which databases read as operators',
      { a: new Map([['$ne', 1]]) },
      "The query property 'a' has a value that can not be compared",
      'a',
    ],
    ['a set', { a: { $in: [new Set([1])] } }, "The query property 'a[$in]' has a value that can not be compared", 'a[$in]'],
    ['an instance of a class with operators', { a: new Condition({ $ne: 1 }) }, 'Invalid query parameter $ne', '$ne'],
    ['one in a list', { a: { $nin: [new Condition({ b: 1, $gt: 1 })] } }, 'Invalid query parameter $gt', '$gt'],
    ['a name of prototypes', own('__proto__'), "'__proto__' can not be used as a property in a query", '__proto__'],
    ['a name with NUL', { 'a\0b': 1 }, "'a\\0b' can not be used as a property in a query", 'a\\0b'],
    [
      'a long path, whose name is cut',
      { [`${path}..${path}`]: 1 },
      `'${path}..${'b'.repeat(38)}…' can not be used as a property in a query`,
      `${path}..${'b'.repeat(38)}…`,
    ],
    [
      'a path of a hundred characters, which is not',
      { [`.${'c'.repeat(99)}`]: 1 },
      `'.${'c'.repeat(99)}' can not be used as a property in a query`,
      `.${'c'.repeat(99)}`,
    ],
    ['an operator in $sort', { $sort: { $a: 1 } }, 'Invalid query parameter $a', '$a'],
  ])('%s', (_what, query, message, parameter) => {
    expect(outcome(query)).toEqual([message, parameter]);
  });

  it('operators behind $elemMatch that are in an instance of a class', () => {
    const message = 'Invalid value for a[$elemMatch]: expected conditions of an element, such as { $gt: 1 } or { name: value }';
    for (const operand of [new Condition({ b: { $where: 1 } }), [{ b: 1 }], 'b', null])
      expect(outcome({ a: { $elemMatch: operand } }, { operators: ['$elemMatch'] })).toEqual([message, 'a[$elemMatch]']);
  });

  it('and not an instance of a class that is compared by its properties', () => {
    const value = new Condition({ b: 1 });
    expect(outcome({ a: value, b: { $ne: value } })).toEqual({ a: value, b: { $ne: value } });
  });

  it('paths that are not declared', () => {
    const message = "The path 'a.b' is not declared. List it in the service's 'paths' option or in its query schema to allow it";
    expect(outcome({ 'a.b': 1 }, { paths: ['a.c'] })).toEqual([message, 'a.b']);
  });

  it('what the syntax knows with a hint of where it belongs, or of the option that allows it, and nothing else', () => {
    const hintOf = (query: Query, options?: QueryOptions): unknown => {
      try {
        return parseQuery(query, options);
      } catch (error) {
        return (error as BadRequest).data;
      }
    };
    const listed = (name: string): object => ({ parameter: name, hint: `List ${name} in the service's option 'operators' to allow it` });
    expect(hintOf({ a: { $regex: 'a' } })).toEqual(listed('$regex'));
    expect(hintOf({ $or: [{ a: { $exists: true } }] })).toEqual(listed('$exists'));
    expect(hintOf({ $nor: [{ a: 1 }] })).toEqual(listed('$nor'));
    expect(hintOf({ $after: 'x' })).toEqual({ parameter: '$after', hint: "$after needs the service's option 'cursors', and pages" });
    expect(hintOf({ $populate: 'a' })).toMatchObject({ hint: expect.stringContaining('relations') });
    expect(hintOf({ $gt: 5 })).toEqual({ parameter: '$gt', hint: '$gt stands below a property: { name: { $gt: … } }' });
    expect(hintOf({ $or: [{ $regex: 'a' }] })).toMatchObject({ hint: expect.stringContaining('below a property') });
    expect(hintOf({ $or: [{ $nor: [] }] })).toEqual(listed('$nor'));
    expect(Object.keys(hintOf({ $or: [{ $after: 'x' }] }) as object)).toEqual(['parameter']);
    expect(hintOf({ a: { $or: [{ b: 1 }] } })).toEqual({ parameter: '$or', hint: '$or stands at the top of the query' });
    for (const query of [{ $where: 'x' }, { a: { $where: 'x' } }, { a: { $gt: { $regex: 'a' } } }] as Query[])
      expect(Object.keys(hintOf(query) as object)).toEqual(['parameter']);
    expect(hintOf({ a: { $regex: 'a' } }, { operators: ['$regex'] })).toHaveProperty('criteria');
  });

  it('lists of no condition, at any depth, which would be every record or none, and databases refuse', () => {
    const nor = { operators: ['$nor'] };
    for (const name of ['$or', '$and', '$nor']) {
      const refused = [`Invalid value for ${name}: expected at least one query object`, name];
      expect([outcome({ [name]: [] }, nor), outcome({ $and: [{ [name]: [] }] }, nor)]).toEqual([refused, refused]);
    }
  });

  it('options of a pattern without the pattern, as databases do', () => {
    const options = { operators: ['$regex', '$options'] };
    const refused = ['Invalid value for a: $options is for $regex, and there is none', '$options'];
    expect(outcome({ a: { $options: 'i' } }, options)).toEqual(refused);
    expect(outcome({ a: { $options: 'i', $regex: 'b' } }, options)).toEqual({ a: { $options: 'i', $regex: 'b' } });
  });

  it('skips above the largest one, where there is one', () => {
    expect(outcome({ $skip: 11 }, { maxSkip: 10 })).toEqual(['$skip may be at most 10', '$skip']);
    expect([outcome({ $skip: 10 }, { maxSkip: 10 }), outcome({}, { maxSkip: 10 }), outcome({ $skip: 1e6 })]).toEqual([{}, {}, {}]);
  });

  it('operators inside of values that are compared as they are', () => {
    for (const query of [{ a: [{ $gt: 1 }] }, { a: { b: [{ $gt: 1 }] } }, { a: { $gt: { $gt: 1 } } }, { a: { $in: [{ b: { $gt: 1 } }] } }])
      expect(outcome(query)).toEqual(['Invalid query parameter $gt', '$gt']);
    expect(outcome({ a: { b: { $gt: 1 } } })).toEqual({ a: { b: { $gt: 1 } } });
    expect(outcome({ a: { b: { c: [1, { d: 2 }] } } })).toEqual({ a: { b: { c: [1, { d: 2 }] } } });
  });

  it('criteria below a property, when their operator is allowed there', () => {
    const options = { operators: ['$elemMatch', '$or', '$nor'] };
    const query = { a: { $elemMatch: { $or: [{ b: 1 }, { c: { $gt: 1 } }] } } };
    expect(outcome(query, options)).toEqual(query);
    expect(outcome({ a: { $elemMatch: { $or: { b: 1 } } } }, options)).toEqual(['Invalid value for $or: expected an array', '$or']);
    expect(outcome({ a: { $elemMatch: { $or: [{ $where: 1 }] } } }, options)).toEqual(['Invalid query parameter $where', '$where']);
    expect(outcome({ $nor: [{ a: 1 }] }, options)).toEqual({ $nor: [{ a: 1 }] });
    expect(outcome({ $elemMatch: [{ a: 1 }] }, options)).toEqual(['Invalid filter value $elemMatch', '$elemMatch']);
    expect(outcome({ $nor: [{ a: 1 }] })).toEqual(['Invalid filter value $nor', '$nor']);
  });

  it.each<[string, (levels: number) => unknown, number]>([
    ['objects', (levels) => deep(levels, 1), 7],
    ['lists', (levels) => ({ a: Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1) }), 6],
    ['$and', (levels) => Array.from({ length: levels }).reduce<unknown>((inner) => ({ $and: [inner] }), { a: 1 }), 3],
    ['operators', (levels) => ({ a: deep(levels - 1, { $gt: 1 }, '$not') }), 6],
    [
      'criteria below a property',
      (levels) => ({ a: Array.from({ length: levels }).reduce<unknown>((inner) => ({ $or: [inner] }), { b: 1 }) }),
      3,
    ],
  ])('S3 %s that are nested more deeply than they may', (_what, build, most) => {
    const options = { operators: ['$not', '$or'] };
    const tooDeep = ['The query is nested too deeply: at most 5 levels are allowed (maxDepth)', undefined];
    expect(outcome(build(most), options)).toEqual(build(most));
    expect(outcome(build(most + 1), options)).toEqual(tooDeep);
    expect(outcome(build(most + 40), options)).toEqual(tooDeep);
  });

  it('S3 more keys than there may be, and no fewer', () => {
    const keys = (count: number): Query => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${String(index)}`, 1]));
    expect(outcome(keys(100))).toEqual(keys(100));
    expect(outcome(keys(101))).toEqual(['The query has too many keys: at most 100 are allowed (maxKeys)', undefined]);
    expect(outcome({ a: keys(99) })).toEqual({ a: keys(99) });
    expect(outcome({ a: keys(100) })).toEqual(['The query has too many keys: at most 100 are allowed (maxKeys)', undefined]);
  });
});

describe('S13 patterns', () => {
  const options = { operators: ['$regex', '$options', '$not'] };
  const queryOf = (patterns: readonly Query[]): Query => ({ $or: patterns.map((pattern) => ({ name: pattern })) });
  const different = (count: number): Query[] => Array.from({ length: count }, (_, index) => ({ $regex: `^a${String(index)}` }));
  const tooMany = ['The query has too many patterns: at most 10 different ones are allowed', '$regex'];

  it('are at most ten, wherever they stand', () => {
    expect(outcome(queryOf(different(10)), options)).toEqual(queryOf(different(10)));
    const [first = {}, ...rest] = different(11);
    expect(outcome(queryOf([first, ...rest]), options)).toEqual(tooMany);
    expect(outcome({ ...queryOf(rest), a: { $not: first } }, options)).toEqual(tooMany);
  });

  it('count once where they are the same with the same flags', () => {
    const same = queryOf(Array.from({ length: 30 }, () => ({ $regex: 'a', $options: 'i' })));
    expect(outcome(same, options)).toEqual(same);
    const flags = ['', 'i', 'm', 's', 'im', 'is', 'ms', 'ims', 'x', 'ix', 'mx'];
    expect(outcome(queryOf(flags.map(($options) => ({ $regex: 'a', $options }))), options)).toEqual(tooMany);
  });

  it('may be as many as the options say, and as they are for code on the server', () => {
    expect(outcome(queryOf(different(2)), { ...options, maxPatterns: 1 })).toEqual([
      'The query has too many patterns: at most 1 different ones are allowed',
      '$regex',
    ]);
    const rules = new QueryRules();
    const service = { ...options, paginate: false } as const;
    expect(outcome(queryOf(different(40)), rules.of(service, false, undefined))).toEqual(queryOf(different(40)));
    expect(outcome(queryOf(different(11)), rules.of(service, true, undefined))).toEqual(tooMany);
  });
});

describe('plain objects', () => {
  it('are those of this realm, of another one, and without a prototype', () => {
    const foreign: unknown = runInContext('({ a: 1 })', createContext());
    for (const value of [{}, { a: 1 }, Object.create(null), foreign]) expect([value, isPlainObject(value)]).toEqual([value, true]);
    expect(outcome(foreign)).toEqual({ a: 1 });
  });

  it('are no instances, no functions and no objects with another one as their prototype', () => {
    class Id {}
    const bare: unknown = Object.create(Object.create(null) as object);
    for (const value of [new Id(), new Date(), [], () => 1, 'a', 5, null, undefined, bare, Object.create({ a: 1 })])
      expect(isPlainObject(value)).toBe(false);
  });
});
