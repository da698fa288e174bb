import { describe, expect, it } from '@jest/globals';
import { serviceSchema, type JSONSchema } from '../../src/index.ts';

const number: JSONSchema = { type: 'number' };
const object = (properties: Record<string, JSONSchema>, more: JSONSchema = {}): JSONSchema => ({ type: 'object', properties, ...more });

describe('a property that a record asks for and does not describe', () => {
  it.each<[string, JSONSchema, string]>([
    [
      'at the top',
      object({ a: number }, { required: ['a', 'b'] }),
      "The record asks for a property 'b' that it does not describe: describe it, or take it out of what is required",
    ],
    ['in an object', object({ x: object({ a: number }, { required: ['b'] }) }), "'x' of the record asks for a property 'b'"],
    ['in a list', object({ x: { type: 'array', items: object({}, { required: ['b'] }) } }), "'x[]' of the record asks for a property 'b'"],
    ['beside another', object({ a: number }, { dependentRequired: { a: ['b'] } }), "The record asks for a property 'b'"],
    [
      'in an alternative',
      object({ a: number }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
      "The record asks for a property 'b'",
    ],
    [
      'where other names follow a pattern',
      object({}, { patternProperties: { '^x': number }, required: ['x1', 'y1'] }),
      "The record asks for a property 'y1'",
    ],
  ])('is refused at start: %s', (_name, record, message) => {
    expect(() => serviceSchema({ record })).toThrow(message);
  });

  it.each<[string, JSONSchema]>([
    ['another part', { allOf: [object({ a: number }), { type: 'object', required: ['a'] }] }],
    ['the whole around an alternative', object({ a: number, b: number }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] })],
    ['a pattern', object({}, { patternProperties: { '^x': number }, required: ['x1'] })],
    ['what holds for all others', object({}, { additionalProperties: number, required: ['a'] })],
    ['nothing, where anything may be', object({ x: { type: 'object', required: ['a'] } })],
  ])('may be described by %s', (_name, record) => {
    expect(() => serviceSchema({ record })).not.toThrow();
  });
});
