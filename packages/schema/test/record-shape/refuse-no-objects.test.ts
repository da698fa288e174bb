import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { serviceSchema, Type, type JSONSchema } from '../../src/index.ts';

const record = Type.Object({ id: Type.Integer(), text: Type.String() });
const sentence = (option: string, types: string): string =>
  `The option '${option}' of serviceSchema() takes the schema of an object, and this one takes ${types}: describe one record, as Type.Object({ … })`;

it.each<[what: string, schema: JSONSchema, types: string]>([
  ['a text', Type.String(), 'string'],
  ['a list of records', Type.Array(record), 'array'],
  ['one of two scalars', Type.Union([Type.Integer(), Type.Literal('a')]), 'integer or string'],
  ['a number by a reference', { $ref: '#/$defs/count', $defs: { count: { type: 'number' } } }, 'number'],
  ['a list of types', { type: ['string', 'null'] }, 'string or null'],
])('%s is no record, and no data', (_what, schema, types) => {
  expect(() => serviceSchema({ record: schema })).toThrow(new TypeError(sentence('record', types)));
  expect(() => serviceSchema({ record, data: schema })).toThrow(new TypeError(sentence('data', types)));
  expect(() => serviceSchema({ record, patch: schema })).toThrow(new TypeError(sentence('patch', types)));
});

it('what a library describes is no other record', () => {
  expect(() => serviceSchema({ record: z.string() })).toThrow(new TypeError(sentence('record', 'string')));
});

it.each<[what: string, schema: JSONSchema]>([
  ['an object', record],
  ['one of two objects', Type.Union([record, Type.Object({ name: Type.String() })])],
  ['an object or nothing', Type.Union([record, Type.Null()])],
  ['several objects in one', Type.Intersect([record, Type.Object({ name: Type.String() })])],
  ['anything', {}],
])('%s is one', (_what, schema) => {
  expect(() => serviceSchema({ record: schema })).not.toThrow();
});
