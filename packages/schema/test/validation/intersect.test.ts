import { describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import type { JSONSchema } from '../../src/index.ts';
import { closedTogether } from '../../src/validation/intersect.ts';

const CLOSED = { additionalProperties: false };

/** What is left of a schema as JSON. */
const plain = (schema: object): unknown => JSON.parse(JSON.stringify(schema));

describe('an intersection that closes itself', () => {
  const name = Type.Object({ name: Type.String() });
  const age = Type.Object({ age: Type.Optional(Type.Number()) });

  it.each<[string, JSONSchema]>([
    ['outside', Type.Intersect([name, age], CLOSED)],
    ['in its first part', Type.Intersect([Type.Object({ name: Type.String() }, CLOSED), age])],
    ['in its last part', Type.Intersect([name, Type.Object({ age: Type.Optional(Type.Number()) }, CLOSED)])],
    ['in an intersection inside', Type.Intersect([name, Type.Intersect([age, Type.Object({}, CLOSED)])])],
  ])('%s is one object with all the properties', (_where, schema) => {
    expect(plain(closedTogether(schema))).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'number' } },
      required: ['name'],
      additionalProperties: false,
    });
    expect(plain(closedTogether(schema))).not.toHaveProperty('allOf');
  });

  it('has what stands beside its parts', () => {
    const made = closedTogether(
      Type.Intersect([name, age], { ...CLOSED, $id: 'a', title: 'b', description: 'c', unevaluatedProperties: false }),
    );
    expect(plain(made)).toMatchObject({ $id: 'a', title: 'b', description: 'c', unevaluatedProperties: false });
  });

  it('asks for a property of several parts what each of them asks for, and once that it is there', () => {
    const made = closedTogether(Type.Intersect([name, Type.Object({ name: Type.String({ minLength: 2 }) })], CLOSED));
    expect(plain(made)).toMatchObject({
      properties: { name: { allOf: [{ type: 'string' }, { type: 'string', minLength: 2 }] } },
      required: ['name'],
    });
  });

  it('is refused where the properties of a part are not known', () => {
    const odd =
      (part: object): (() => unknown) =>
      () =>
        closedTogether(Type.Intersect([name, Type.Unsafe(part)], CLOSED));
    expect(odd({ type: 'object', minProperties: 1 })).toThrow(
      "A Type.Intersect with additionalProperties: false has a part with 'minProperties', so that its properties are not known: leave additionalProperties out and use unevaluatedProperties: false on the intersection",
    );
    expect(odd({ anyOf: [] })).toThrow("a part with 'anyOf'");
    expect(odd({ unevaluatedProperties: false })).toThrow("a part with 'unevaluatedProperties'");
    expect(odd({ $schema: 'a', examples: [], default: {}, title: 'b' })).not.toThrow();
  });
});

describe('others stay as they are', () => {
  it.each<[string, JSONSchema]>([
    ['objects', Type.Object({ a: Type.String() }, CLOSED)],
    ['intersections that are open', Type.Intersect([Type.Object({}), Type.Object({})])],
    ['intersections of intersections that are open', Type.Intersect([Type.Intersect([Type.Object({}), Type.Object({})]), Type.Object({})])],
    ['what means what JSON Schema says', { allOf: [{ properties: { a: {} } }], additionalProperties: false }],
    ['unions', Type.Union([Type.Object({}), Type.Object({})])],
    ['allOf that is no list', { allOf: 5 as never, additionalProperties: false }],
  ])('%s', (_what, schema) => {
    expect(closedTogether(schema)).toBe(schema);
  });
});
