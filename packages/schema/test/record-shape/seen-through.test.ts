import { describe, expect, it } from '@jest/globals';
import { Field, Hidden, RecordShape, Type, WriteOnly, type JSONSchema } from '../../src/index.ts';
import { locationOf } from '../../src/record-shape/location.ts';
import { References } from '../../src/record-shape/references.ts';
import { seeThrough } from '../../src/record-shape/seen-through.ts';
import { contributedRulesOf } from '../../src/record-shape/contribution.ts';

const pathsOf = (schema: JSONSchema): string[] => [...seeThrough(locationOf(schema, new References(schema))).values()];
const messageOf = (schema: JSONSchema): string => {
  try {
    new RecordShape(schema);
    return 'seen through';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the places of a record', () => {
  it('have each one path', () => {
    const record = Type.Object({
      a: Type.Object({ b: Type.Array(Type.Object({ c: Type.String() })) }),
      tuple: Type.Tuple([Type.Number(), Type.Object({ d: Type.Null() })]),
      map: Type.Record(Type.String(), Type.Object({ e: Type.Boolean() })),
    });
    expect(pathsOf(record)).toEqual([
      ...['', 'a', 'tuple', 'map', 'a.b', 'tuple[]', 'tuple[0]', 'tuple[1]', 'map.*', 'a.b[]', 'tuple[].d', 'map.*.e', 'a.b[].c'],
    ]);
    expect(pathsOf({ items: { properties: { a: {} } } })).toEqual(['', '[]', '[].a']);
  });
});

describe('what can not be seen through is told with its place and the cure', () => {
  const hidden: JSONSchema = { hidden: true };
  const below = (place: string, keyword: string): string =>
    `${place} has a mark (hidden, readOnly, writeOnly, a rule or a reference) below '${keyword}', where it can not be seen through: put it on the property itself`;

  it.each<[string, JSONSchema]>([
    ['hidden', hidden],
    ['writeOnly', { writeOnly: true }],
    ['readOnly', { readOnly: true }],
    ['readable', { readable: () => true }],
    ['writable', { writable: () => true }],
    ['reference', { reference: { service: 'users', as: 'user' } }],
    ['half a reference', { reference: { as: 'user' } as never }],
    ['deeper', { allOf: [{ properties: { enum: { items: [hidden] } } }] }],
  ])('%s below keywords that are not followed', (_name, mark) => {
    for (const keyword of ['not', 'propertyNames', 'contentSchema', 'x-own']) {
      expect(messageOf({ [keyword]: mark })).toBe(below('The record', keyword));
      expect(messageOf({ properties: { a: { items: { [keyword]: [mark] } } } })).toBe(below("'a[]' of the record", keyword));
    }
    for (const keyword of ['default', 'const', 'examples', '$defs']) expect(messageOf({ [keyword]: { a: mark } })).toBe('seen through');
    expect(messageOf({ not: { hidden: false, readOnly: 'x', readable: true, reference: { title: 'x' } } as never })).toBe('seen through');
  });

  it.each(['Function', 'Constructor', 'Promise', 'Iterator', 'AsyncIterator'])('%s', (type) => {
    expect(messageOf({ properties: { a: { type } } })).toBe(`'a' of the record is a ${type}, which is no data: leave it out of the record`);
    expect(messageOf({ type })).toBe(`The record is a ${type}, which is no data: leave it out of the record`);
  });

  it.each<[string, JSONSchema]>([
    ['hidden', { hidden: 'yes' } as never],
    ['hidden', { hidden: 1 } as never],
    ['writeOnly', { writeOnly: null } as never],
    ['readOnly', { readOnly: 'true' } as never],
  ])('a mark %s that is neither true nor false', (mark, schema) => {
    const message = (where: string): string =>
      `${where} has '${mark}' as a mark that is neither true nor false: write ${mark}: true, or leave it out`;
    expect(messageOf({ properties: { a: { anyOf: [{ type: 'string' }, schema] } } })).toBe(message("'a' of the record"));
    expect(messageOf(schema)).toBe(message('The record'));
  });

  it.each<[string, JSONSchema]>([
    ['readable', { readable: false }],
    ['readable', { readable: 'admin' }],
    ['writable', { writable: true }],
    ['writable', { writable: { role: 'admin' } }],
  ])('a rule %s that is no function: %j', (rule, schema) => {
    expect(messageOf({ properties: { list: { items: schema } } })).toBe(
      `'list[]' of the record has a rule '${rule}' that is no function: write ${rule}: (params) => …, or hidden: true or readOnly: true for what holds for everybody`,
    );
    expect(() => Field(Type.String(), schema as never)).toThrow(
      new TypeError(`Field takes no rule '${rule}' that is no function: write readable or writable: (params) => …`),
    );
  });

  it('passes over marks that are not given, and over properties of their names', () => {
    const none = { hidden: false, writeOnly: undefined, readOnly: false, readable: undefined, writable: undefined };
    expect(messageOf({ properties: { a: none as never } })).toBe('seen through');
    expect(messageOf({ properties: { hidden: { type: 'string' }, readable: { type: 'boolean' } } })).toBe('seen through');
    expect(messageOf(Type.Object({ a: Field(Type.String(), { readable: undefined, writable: () => true } as never) }))).toBe(
      'seen through',
    );
    expect(() => Field(Type.String(), { readble: () => false } as never)).toThrow(
      new TypeError("Field takes no rule 'readble': write readable or writable: (params) => …"),
    );
  });

  it('transforms, wholes and references', () => {
    const transform = Type.Transform(Type.String()).Decode(String).Encode(String);
    expect(messageOf(Type.Object({ a: Type.Array(transform) }))).toBe(
      "'a[]' of the record is a Type.Transform, which can not be seen through: use a resolver, or DateSchema() for dates",
    );
    for (const whole of [Hidden(Type.Object({})), WriteOnly(Type.Object({})), { allOf: [hidden] }])
      expect(messageOf(whole)).toBe('A record can not be hidden as a whole: mark its properties');
    expect(messageOf({ properties: { a: { $ref: '#/x' } } })).toBe(
      "The record can not be seen through. The reference '#/x' does not resolve: put the schema into '$defs' of the record, or make a validator of it before, with the same ajv",
    );
    expect(messageOf({ properties: { a: { patternProperties: { '(': {} } } } })).toMatch(
      /^'a' of the record can not be seen through\. Invalid regular expression/,
    );
  });
});

describe('rules that are added', () => {
  it('are taken apart by kind and path', () => {
    const rules = contributedRulesOf({ readOnly: ['a'], hidden: ['b.c', 'd'], writeOnly: [] });
    expect(rules.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['hidden b.c', 'hidden d', 'readOnly a']);
    expect(JSON.parse(JSON.stringify(rules.map(({ schema }) => schema)))).toEqual([
      { properties: { b: { properties: { c: { hidden: true } } } } },
      { properties: { d: { hidden: true } } },
      { properties: { a: { readOnly: true } } },
    ]);
  });

  it('are refused when they are none', () => {
    for (const path of ['', '.a', 'a.', 'a..b'])
      expect(() => contributedRulesOf({ hidden: [path] })).toThrow(
        new TypeError(`'${path}' is no path of a record: write names with dots between them, such as 'profile.token'`),
      );
    expect(() => contributedRulesOf({ hide: ['a'] } as never)).toThrow(
      new TypeError("A record takes no rules 'hide': use hidden, writeOnly, readOnly"),
    );
  });
});
