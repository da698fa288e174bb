import { describe, expect, it } from '@jest/globals';
import type { JSONSchema } from '../../src/index.ts';
import { asSchemas, elementsOf, mayBeObject, prefixOf, propertySchemas, restOf, saysProperties } from '../../src/record-shape/parts.ts';

const [a, b, c]: [JSONSchema, JSONSchema, JSONSchema] = [{ title: 'a' }, { title: 'b' }, { title: 'c' }];

describe('what a schema says of the parts of a value', () => {
  it('a schema may be a boolean: one that takes everything, or nothing', () => {
    expect([true, false, a, [a], null, undefined, 'text'].map(asSchemas)).toEqual([[{}], [], [a], [], [], [], []]);
  });

  it.each<[boolean, JSONSchema[]]>([
    [true, []],
    [true, [{}]],
    [true, [{ type: 'object' }]],
    [true, [{ type: ['string', 'object'] }]],
    [true, [{ type: 'string' }, { type: 'object' }]],
    [true, [{ type: 'null' }]],
    [true, [{ type: ['null'] }, {}]],
    [true, [{ date: false }]],
    [false, [{ type: 'string' }]],
    [false, [{ type: 'string' }, {}]],
    [false, [{ type: ['string', 'null'] }]],
    [false, [{ date: true }]],
    [false, [{ type: 'array' }, { type: 'null' }]],
  ])('may be an object: %s of %j', (expected, schemas) => {
    expect(mayBeObject(schemas)).toBe(expected);
  });

  it('says which properties there are by four keywords', () => {
    for (const keyword of ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'])
      expect([saysProperties({ [keyword]: {} }), saysProperties({ [keyword]: false }), saysProperties({ [keyword]: undefined })]).toEqual([
        true,
        true,
        false,
      ]);
    expect(saysProperties({ required: ['a'], propertyNames: {} })).toBe(false);
  });

  it('a property by its name, by patterns, or else as all others', () => {
    const schema = {
      properties: { x: a, y1: true, no: false },
      patternProperties: { '^y': b, '\\d$': c, '^\\p{Lu}': a, '^z': false },
      additionalProperties: { title: 'rest' },
    } as never;
    const rest = { title: 'rest' };
    const found = (name: string): JSONSchema[] => propertySchemas(schema, name);
    expect(['x', 'y', 'y1', 'x2', 'Äu', 'other', 'toString', 'no', 'zzz'].map(found)).toEqual([
      [a],
      [b],
      [{}, b, c],
      [c],
      [a],
      [rest],
      [rest],
      [rest],
      [rest],
    ]);
    expect(propertySchemas({ properties: { x: a }, additionalProperties: false }, 'y')).toEqual([]);
    expect(propertySchemas({ properties: { x: a }, additionalProperties: true }, 'y')).toEqual([{}]);
    expect(propertySchemas({}, 'constructor')).toEqual([]);
    expect(restOf(schema)).toEqual([b, c, a, rest]);
    expect(restOf({ unevaluatedProperties: a, additionalProperties: true })).toEqual([{}, a]);
    expect(restOf({ properties: { x: a }, additionalProperties: false })).toEqual([]);
  });

  it('elements by their position, and those behind', () => {
    const all = (schema: JSONSchema): JSONSchema[][] => [undefined, 0, 1, 2].map((index) => elementsOf(schema, index));
    expect(all({ items: a })).toEqual([[a], [a], [a], [a]]);
    expect(all({ items: [a, b] })).toEqual([[a, b], [a], [b], []]);
    expect(all({ items: [a, b], additionalItems: c })).toEqual([[a, b, c], [a], [b], [c]]);
    expect(all({ prefixItems: [a, true], items: c })).toEqual([[a, {}, c], [a], [{}], [c]]);
    expect(all({ prefixItems: [a], unevaluatedItems: b })).toEqual([[a, b], [a], [b], [b]]);
    expect(all({ items: a, additionalItems: b })).toEqual([[a], [a], [a], [a]]);
    expect(all({ contains: a })).toEqual([[a], [a], [a], [a]]);
    expect(all({ items: [a], contains: b })).toEqual([[a, b], [a, b], [b], [b]]);
    expect(all({ items: false, additionalItems: a })).toEqual([[], [], [], []]);
    expect(all({ properties: { x: a } })).toEqual([[], [], [], []]);
    expect([{ prefixItems: [a], items: b }, { items: [a, b] }, { items: a }, {}].map(prefixOf)).toEqual([[a], [a, b], [], []]);
  });
});
