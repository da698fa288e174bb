import { describe, expect, it } from '@jest/globals';
import type { JSONSchema } from '../../src/index.ts';
import { isSchema, mapSchemas, subschemas, walkSchemas } from '../../src/record-shape/keywords.ts';

const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'x-own',
];
const LIST = ['allOf', 'anyOf', 'oneOf', 'items', 'prefixItems', 'x-own'];
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
const DATA = ['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired'];

const a: JSONSchema = { title: 'a' };
const b: JSONSchema = { title: 'b' };

describe('the schemas of a keyword', () => {
  it.each(ONE)('%s: one', (keyword) => {
    expect(subschemas(keyword, a)).toEqual([a]);
    for (const other of [true, false, null, undefined, 'text', 5]) expect(subschemas(keyword, other)).toEqual([]);
  });

  it.each(LIST)('%s: a list', (keyword) => {
    expect(subschemas(keyword, [a, true, b, 'text', null])).toEqual([a, b]);
    expect(subschemas(keyword, [[a], [[b]]])).toEqual([a, b]);
  });

  it.each(NAMED)('%s: by name, whatever the name', (keyword) => {
    expect(subschemas(keyword, { default: a, enum: b, x: true, list: ['x'], $ref: a })).toEqual([a, b, a]);
    expect(subschemas(keyword, [a])).toEqual([a]);
    expect(subschemas(keyword, null)).toEqual([]);
  });

  it.each(DATA)('%s: none', (keyword) => {
    for (const value of [a, [a], { x: a }]) expect(subschemas(keyword, value)).toEqual([]);
  });

  it('a schema is an object that is no list', () => {
    expect([{}, a, [], [a], null, undefined, true, 'text', () => 1].map(isSchema)).toEqual([true, true, ...Array<boolean>(7).fill(false)]);
  });
});

describe('mapSchemas', () => {
  const numbered = (): ((part: JSONSchema, keyword: string) => JSONSchema) => {
    let count = 0;
    return ({ title }, keyword) => ({ was: title, keyword, number: (count += 1) });
  };

  it.each(ONE)('%s', (keyword) => {
    expect(mapSchemas({ type: 'object', [keyword]: a }, numbered())).toEqual({
      type: 'object',
      [keyword]: { was: 'a', keyword, number: 1 },
    });
    expect(mapSchemas({ [keyword]: false }, numbered())).toEqual({ [keyword]: false });
  });

  it.each(LIST)('%s, a list', (keyword) => {
    const mapped = { [keyword]: [{ was: 'a', keyword, number: 1 }, true, [{ was: 'b', keyword, number: 2 }]] };
    expect(mapSchemas({ [keyword]: [a, true, [b]] }, numbered())).toEqual(mapped);
  });

  it.each(NAMED)('%s, by name', (keyword) => {
    const mapped = { const: { was: 'a', keyword, number: 1 }, list: ['x', 'y'], yes: true, $id: { was: 'b', keyword, number: 2 } };
    expect(mapSchemas({ [keyword]: { const: a, list: ['x', 'y'], yes: true, $id: b } }, numbered())).toEqual({ [keyword]: mapped });
    expect(mapSchemas({ [keyword]: null }, numbered())).toEqual({ [keyword]: null });
  });

  it.each(DATA)('%s, which stays', (keyword) => {
    for (const value of [a, [a], { x: a }]) expect(mapSchemas({ [keyword]: value }, numbered())).toEqual({ [keyword]: value });
  });

  it('gives back what does not change, and keeps the marks of libraries', () => {
    const kind = Symbol('kind');
    const schema = { [kind]: 'Object', type: 'object', properties: { a, b }, allOf: [a], not: b, enum: [a] };
    expect(mapSchemas(schema, (part) => part)).toBe(schema);
    const mapped = mapSchemas(schema, (part) => (part === b ? {} : part));
    expect(mapped).toEqual({ ...schema, properties: { a, b: {} }, not: {} });
    expect(mapped[kind as never]).toBe('Object');
    expect(mapped.allOf).toBe(schema.allOf);
    expect(schema.properties.b).toBe(b);
  });
});

describe('walkSchemas', () => {
  it('visits each schema once, the one that is given first, and no data', () => {
    const shared: JSONSchema = { title: 'shared', properties: { default: { title: 'in shared' } } };
    const cyclic: JSONSchema = { title: 'cyclic' };
    cyclic.not = cyclic;
    const visited: unknown[] = [];
    const root: JSONSchema = {
      title: 'root',
      allOf: [shared, shared],
      default: a,
      enum: [b],
      'x-own': { title: 'own' },
      contains: shared,
      items: [cyclic],
    };
    walkSchemas(root, ({ title }) => visited.push(title));
    expect(visited).toEqual(['root', 'shared', 'in shared', 'own', 'cyclic']);
    for (const none of [true, null, [a], 'text']) walkSchemas(none, ({ title }) => visited.push(title));
    expect(visited).toHaveLength(5);
  });
});
