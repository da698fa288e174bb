import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { Ajv } from 'ajv';
import * as v from 'valibot';
import { z } from 'zod';
import { Default, getValidator, Nullable, serviceSchema, StringEnum, Type, type JSONSchema } from '../../src/index.ts';

const INSTEAD = 'give the property its value by a resolver of data, or a hook';

describe('a default that is not filled in as it is', () => {
  it.each<[string, JSONSchema]>([
    ['a function', { type: 'string', default: () => 'a' }],
    ['a date', { default: new Date(0) }],
    ['a date', { date: true, default: '2020-01-01' }],
    ['a value that JSON does not have', { default: 5n }],
    ['a value that JSON does not have', { type: 'number', default: Number.NaN }],
    ['a value that JSON does not have', { type: 'object', default: { at: new Date(0) } }],
  ])('is refused: %s', (kind, property) => {
    const refusal = `The schema has ${kind} as a default, and validators fill in what JSON has: ${INSTEAD}`;
    const record = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties: { a: property } } } },
    } as JSONSchema;
    expect(() => getValidator(record)).toThrow(new Error(refusal));
    expect(() => serviceSchema({ record })).toThrow(new Error(refusal));
    // Nothing is filled in by this one.
    expect(() => getValidator({ type: 'object', properties: { a: { default: property.default } } }, new Ajv())).not.toThrow();
  });

  it('is refused where a library makes it by a function', () => {
    const made = [() => randomUUID(), () => String(performance.now()), () => Date.now()];
    for (const make of made) {
      const refusal =
        /^A default that a function makes, such as .*, would be the same for all records: give the property its value by a resolver/;
      expect(() => serviceSchema({ record: z.object({ list: z.array(z.object({ a: z.any().default(make) })) }) })).toThrow(refusal);
      expect(() => serviceSchema({ record: toStandardJsonSchema(v.object({ a: v.optional(v.any(), make) })) })).toThrow(refusal);
    }
    expect(() => serviceSchema({ record: z.object({ at: z.date().default(new Date(0)) }) })).toThrow('has a date as a default');
  });
});

describe('a default that its own schema does not take', () => {
  it.each<[string, JSONSchema, unknown]>([
    ['another type', { type: 'boolean' }, 'no'],
    ['a text for a number', { type: 'number' }, '5'],
    ['none of the texts', Type.Union([Type.Literal('a'), Type.Literal('b')]), 'c'],
    ['too short a text', Type.String({ minLength: 2 }), 'a'],
    ['no such format', Type.String({ format: 'email' }), 'nobody'],
    ['an object without what it needs', Type.Object({ a: Type.String(), b: Type.String({ default: 'b' }) }), {}],
    ['a list with another element', Type.Array(Type.Integer()), [1, 1.5]],
    ['null', Type.String(), null],
    ['what a reference does not take', { $ref: '#/$defs/name' }, 5],
  ])('is refused at start: %s', (_what, schema, value) => {
    const property = { ...schema, default: value };
    const record = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties: { one: property } } } },
      $defs: { name: { type: 'string' } },
    } as JSONSchema;
    const refusal = `The default of 'one' is ${JSON.stringify(value)}, which its own schema does not take: no record could have it`;
    expect(() => getValidator(record)).toThrow(new Error(refusal));
    expect(() => serviceSchema({ record })).toThrow(new Error(refusal));
    expect(() => getValidator(record, new Ajv({ strict: false, validateFormats: false }))).not.toThrow();
  });

  it('is refused inside of an intersection too', () => {
    const record = Type.Object({ two: Type.Intersect([Type.Object({ one: Default(Type.Boolean(), 'no' as never) }), Type.Object({})]) });
    expect(() => serviceSchema({ record })).toThrow("The default of 'one' is");
  });

  it('is refused, also where another library describes the record', () => {
    const refusal = "The default of 'a' is";
    expect(() => serviceSchema({ record: z.object({ a: z.boolean().default('no' as never) }) })).toThrow(refusal);
    expect(() => serviceSchema({ record: toStandardJsonSchema(v.object({ a: v.optional(v.boolean(), 'no' as never) })) })).toThrow(refusal);
  });

  it('is what defaults inside of it make of it', async () => {
    const inner = Type.Object({ b: Type.String({ default: 'b' }) });
    const record = Type.Object({
      a: Default(inner, {} as never),
      c: Default(Nullable(Type.String()), null),
      d: Default(StringEnum(['x', 'y']), 'y'),
    });
    expect(await getValidator(record)({})).toEqual({ a: { b: 'b' }, c: null, d: 'y' });
  });
});

describe('a default that JSON has', () => {
  it('is filled in, whoever says it', async () => {
    const record = {
      type: 'object',
      properties: {
        a: { default: { b: [null, 'x', 5] } },
        c: { anyOf: [{ date: true }, { type: 'null' }], default: null },
        d: { default: undefined },
      },
    };
    expect(await getValidator(record as JSONSchema)({ c: new Date(0) })).toEqual({ a: { b: [null, 'x', 5] }, c: new Date(0) });
    for (const described of [
      z.object({ a: z.array(z.string()).default(() => []) }),
      toStandardJsonSchema(v.object({ a: v.optional(v.array(v.string()), () => []) })),
      Type.Object({ a: Type.Array(Type.String(), { default: [] }) }),
    ])
      expect(() => serviceSchema({ record: described })).not.toThrow();
  });
});
