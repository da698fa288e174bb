import { BadRequest } from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import {
  checkRecordId,
  cursorKeys,
  isObjectId,
  isPaged,
  parseQuery,
  QueryRules,
  type Query,
  type ServiceQueryOptions,
} from '../src/index.ts';

describe('the rules of a service for its queries', () => {
  const options = { paginate: { default: 2 }, paths: ['a.b'], hidden: ['secret'], maxSkip: 5, cursors: true, filters: ['$search'] };

  it('are stricter for callers from outside, and worked out once', () => {
    const rules = new QueryRules();
    const [outside, inside] = [rules.of(options, true, undefined), rules.of(options, false, undefined)];
    expect(rules.of(options, true, undefined)).toBe(outside);
    for (const query of [{ 'a.c': 1 }, { secret: 1 }, { $skip: 6 }]) {
      expect(() => parseQuery(query, outside)).toThrow();
      expect(parseQuery(query, inside)).toBeDefined();
    }
    for (const each of [outside, inside])
      expect(parseQuery({ 'a.b': 1, $search: 'x', $after: 'y' }, each)).toMatchObject({ limit: 2, extra: { $search: 'x', $after: 'y' } });
  });

  it('are others when options change while the service runs, or a schema declares paths', () => {
    const rules = new QueryRules();
    type Changing = { -readonly [Name in keyof ServiceQueryOptions]: ServiceQueryOptions[Name] };
    const changing: Changing = { paginate: false };
    const first = rules.of(changing, true, undefined);
    expect(() => parseQuery({ 'a.c': 1 }, first)).toThrow();
    expect(parseQuery({ 'a.c': 1 }, rules.of(changing, true, ['a.c']))).toBeDefined();
    changing.paginate = { default: 7 };
    expect(parseQuery({}, rules.of(changing, true, undefined)).limit).toBe(7);
    changing.operators = ['$regex'];
    expect(parseQuery({ a: { $regex: 'x' } }, rules.of(changing, false, undefined))).toBeDefined();
    changing.filters = ['$search'];
    expect(parseQuery({ $search: 'x' }, rules.of(changing, false, undefined)).extra).toEqual({ $search: 'x' });
    changing.cursors = true;
    expect(parseQuery({ $after: 'x' }, rules.of(changing, false, undefined)).extra).toEqual({ $after: 'x' });
    const asked = (query: Query) => (): unknown => parseQuery(query, rules.of(changing, true, undefined));
    expect(asked({ $skip: 6, secret: 1 })).not.toThrow();
    changing.maxSkip = 5;
    expect(asked({ $skip: 6 })).toThrow('$skip may be at most 5');
    const deep = { $or: [{ $or: [{ $or: [{ a: { $gt: 1 } }] }] }] };
    const wide = { $or: Array.from({ length: 101 }, (_, a) => ({ a })) };
    for (const external of [true, false]) {
      const parsing = (query: Query) => (): unknown => parseQuery(query, rules.of(changing, external, undefined));
      delete changing.maxDepth;
      delete changing.maxKeys;
      expect(parsing(deep)).toThrow('at most 5 levels are allowed (maxDepth)');
      expect(parsing(wide)).toThrow('at most 100 are allowed (maxKeys)');
      changing.maxDepth = 7;
      expect(parsing(deep)).not.toThrow();
      expect(parsing(wide)).toThrow('maxKeys');
      changing.maxKeys = 102;
      expect(parsing(wide)).not.toThrow();
    }
    changing.hidden = ['secret'];
    expect(asked({ secret: 1 })).toThrow("'secret' can not be used");
    expect(asked({ 'a.b': 1 })).toThrow('not declared');
    changing.paths = ['a.b'];
    expect(asked({ 'a.b': 1 })).not.toThrow();
  });
});

describe('ids', () => {
  const objectId = { _bsontype: 'ObjectId', toHexString: () => 'a'.repeat(24) };

  it.each<[string, unknown]>([
    ['text', 'a'],
    ['zero', 0],
    ['a negative number', -1.5],
    ['text of 1 KiB', 'x'.repeat(1024)],
    ['other letters of 1 KiB', 'ä'.repeat(512)],
    ['an object id', objectId],
  ])('S1 may be %s', (_title, id) => {
    expect(() => checkRecordId(id)).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['__proto__', '__proto__'],
    ['null', null],
    ['undefined', undefined],
    ['true', true],
    ['NaN', Number.NaN],
    ['infinite', Infinity],
    ['a list', []],
    ['a condition', { $ne: 1 }],
    ['a bigint', 5n],
    ['longer than 1 KiB', 'x'.repeat(1025)],
    ['longer than 1 KiB in bytes', 'ä'.repeat(513)],
    ['longer than 1 KiB in three bytes each', '€'.repeat(400)],
    ['an object id of JSON', { _bsontype: 'ObjectId', toHexString: 'not a function' }],
  ])('S1 may not be %s: 400', (_title, id) => {
    expect(() => checkRecordId(id)).toThrow(BadRequest);
  });

  it.each<[unknown, string]>([
    [{ $ne: 1 }, 'Invalid id \'{"$ne":1}\': expected text, a number or an object id'],
    [null, "Invalid id 'null'"],
    [undefined, "Invalid id 'undefined'"],
    [5n, "Invalid id 'bigint'"],
    [`x${'y'.repeat(2000)}`, `Invalid id '"x${'y'.repeat(98)}'`],
  ])('S1 %p is shown in the message, as far as it can be and up to 100 characters', (id, message) => {
    expect(() => checkRecordId(id)).toThrow(message);
  });

  it.each(['.', '..', 'constructor', 'prototype', '\0', 'a\0b', '\ud800', 'a\udc00'])(
    'S1 %j leads to no record: no caller gives it to a new one',
    (id) => {
      expect(() => checkRecordId(id, true)).toThrow(
        expect.objectContaining({ code: 400, message: expect.stringMatching(/^Invalid id '".*"': no path leads to a record with it/) }),
      );
      expect(() => checkRecordId(id)).not.toThrow();
    },
  );

  it.each(['...', '.a', 'a..', '%2e', 'a/b', ' ', '/', '\u{1f600}', 0, objectId])('S1 %j may be the id of a new record', (id) => {
    expect(() => checkRecordId(id, true)).not.toThrow();
  });

  it('S1 of new records are no others than those of calls', () => {
    for (const id of ['', '__proto__', null, true, 'x'.repeat(1025)])
      expect(() => checkRecordId(id, true)).toThrow(/^Invalid id .*: expected text/);
  });

  it('S1 of 1 KiB in three bytes each fit 341, and not one more', () => {
    expect(() => checkRecordId('€'.repeat(341))).not.toThrow();
    expect(() => checkRecordId('€'.repeat(342))).toThrow('Invalid id');
  });

  it('are object ids only when they can tell their text', () => {
    expect([
      isObjectId(objectId),
      isObjectId({ ...objectId, toHexString: 1 }),
      isObjectId({ _bsontype: 'ObjectId' }),
      isObjectId(null),
    ]).toEqual([true, false, false, false]);
  });
});

describe('pages', () => {
  it('are in an order in which no two records have the same place', () => {
    expect(cursorKeys(undefined, 'id')).toEqual([['id', 1]]);
    expect(cursorKeys({ a: 1, b: -1 }, 'id')).toEqual([
      ['a', 1],
      ['b', -1],
      ['id', -1],
    ]);
    expect(cursorKeys({ a: 1, id: -1, b: 1 }, 'id')).toEqual([
      ['a', 1],
      ['id', -1],
    ]);
  });

  it('are what find gives when there is a size', () => {
    expect([undefined, false, {}, { default: 1 }, { max: 0 }].map((sizes) => isPaged(sizes as never))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });
});
