import { describe, expect, it } from '@jest/globals';
import type { JSONSchema } from '../../src/index.ts';
import { Definitions, withoutIds } from '../../src/query/definitions.ts';
import { References } from '../../src/record-shape/references.ts';

/** A document with references of every kind. */
const root: JSONSchema = {
  $id: 'urn:x:root',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    plain: { type: 'string' },
    name: { $ref: '#/$defs/name' },
    whole: { $ref: '#' },
    both: { allOf: [{ minLength: 1 }], $ref: '#/$defs/name' },
    twice: { type: 'array', items: { $ref: '#/$defs/name' }, contains: { $ref: '#/definitions/size' } },
    node: { $dynamicRef: '#node' },
    named: { $ref: 'urn:x:named' },
    identified: { $id: 'urn:x:unused', type: 'number' },
    chain: { $ref: '#/$defs/chain' },
  },
  $defs: {
    name: { $anchor: 'name', type: 'string' },
    a: { $dynamicAnchor: 'node', type: 'string' },
    b: { $dynamicAnchor: 'node', type: 'number' },
    named: { $id: 'urn:x:named', $comment: 'named', type: 'object', properties: { inner: { $ref: '#size' } } },
    chain: { $ref: '#/definitions/size' },
    broken: { $ref: '#/$defs/none' },
  },
  definitions: { size: { $anchor: 'size', type: 'integer' } },
};
const references = new References(root);
const property = (name: string): JSONSchema => root.properties?.[name] ?? {};

describe('schemas that are put into another document', () => {
  const taken = (name: string): [JSONSchema, Record<string, JSONSchema>] => {
    const definitions = new Definitions(references);
    return [definitions.taken(property(name)), definitions.parts];
  };

  it('stay the same when they refer to nothing', () => {
    expect(new Definitions(references).taken(property('plain'))).toBe(property('plain'));
    const literal = {
      const: { $ref: '#/$defs/none', $id: 'urn:x:literal' },
      properties: { $ref: { type: 'string' }, $id: { type: 'string' } },
    };
    expect(new Definitions(references).taken(literal)).toBe(literal);
  });

  it.each<[string, JSONSchema, Record<string, JSONSchema>]>([
    ['name', { allOf: [{ $ref: '#/$defs/part0' }] }, { part0: { type: 'string' } }],
    ['both', { allOf: [{ minLength: 1 }, { $ref: '#/$defs/part0' }] }, { part0: { type: 'string' } }],
    [
      'twice',
      { type: 'array', items: { allOf: [{ $ref: '#/$defs/part0' }] }, contains: { allOf: [{ $ref: '#/$defs/part1' }] } },
      { part0: { type: 'string' }, part1: { type: 'integer' } },
    ],
    [
      'node',
      { allOf: [{ anyOf: [{ $ref: '#/$defs/part0' }, { $ref: '#/$defs/part1' }] }] },
      { part0: { type: 'string' }, part1: { type: 'number' } },
    ],
    [
      'named',
      { allOf: [{ $ref: '#/$defs/part0' }] },
      {
        part0: { $comment: 'named', type: 'object', properties: { inner: { allOf: [{ $ref: '#/$defs/part1' }] } } },
        part1: { type: 'integer' },
      },
    ],
    ['identified', { type: 'number' }, {}],
    ['chain', { allOf: [{ $ref: '#/$defs/part0' }] }, { part0: { allOf: [{ $ref: '#/$defs/part1' }] }, part1: { type: 'integer' } }],
  ])('bring with them what they refer to, without what is of their document: %s', (name, schema, parts) => {
    expect(taken(name)).toEqual([schema, parts]);
  });

  it('may contain themselves, and what several refer to is there once', () => {
    const definitions = new Definitions(references);
    const whole = { allOf: [{ $ref: '#/$defs/part0' }] };
    expect(definitions.taken(property('whole'))).toEqual(whole);
    expect(definitions.taken(property('whole'))).toEqual(whole);
    expect(definitions.parts.part0).toMatchObject({ type: 'object', properties: { whole, plain: { type: 'string' } } });
    expect(Object.keys(definitions.parts.part0 ?? {})).toEqual(['type', 'properties']);
    expect(definitions.taken(property('name'))).toEqual({ allOf: [{ $ref: '#/$defs/part1' }] });
    expect(Object.keys(definitions.parts).sort()).toEqual(['part0', 'part1', 'part2', 'part3', 'part4', 'part5', 'part6']);
  });

  it('keep the marks of libraries, and do not change what they were taken from', () => {
    const kind = Symbol('kind');
    const before = JSON.stringify(root);
    const copy = new Definitions(references).taken({ [kind]: 'Ref', $ref: '#/$defs/name' } as JSONSchema);
    expect(copy[kind as never]).toBe('Ref');
    expect(JSON.stringify(root)).toBe(before);
  });

  it('are said once when they are long', () => {
    const definitions = new Definitions(references);
    const ofLength = (length: number): JSONSchema => ({ title: 'x'.repeat(length - JSON.stringify({ title: '' }).length) });
    expect(definitions.shared(ofLength(149))).toEqual(ofLength(149));
    expect(definitions.parts).toEqual({});
    expect(definitions.taken(property('name'))).toEqual({ allOf: [{ $ref: '#/$defs/part0' }] });
    expect(definitions.shared(ofLength(150))).toEqual({ $ref: '#/$defs/shared1' });
    expect(definitions.shared(ofLength(151))).toEqual({ $ref: '#/$defs/shared2' });
    expect(definitions.parts).toEqual({ part0: { type: 'string' }, shared1: ofLength(150), shared2: ofLength(151) });
  });
});

describe('withoutIds', () => {
  it('gives back a schema that names nothing by its id', () => {
    for (const schema of [
      { type: 'object' },
      { $id: 'urn:x:a', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } },
      { properties: { a: { $ref: 'urn:x:other' } } },
    ])
      expect(withoutIds(schema, new References(schema, () => ({})))).toBe(schema);
  });

  it('names it by pointers', () => {
    const tree: JSONSchema = { $id: 'urn:x:tree', type: 'object', properties: { child: { $ref: 'urn:x:tree' } } };
    const child = { allOf: [{ $ref: '#/$defs/part0' }] };
    expect(withoutIds(tree, new References(tree))).toEqual({
      type: 'object',
      properties: { child },
      $defs: { part0: { type: 'object', properties: { child } } },
    });
  });
});
