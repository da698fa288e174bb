import { describe, expect, it } from '@jest/globals';
import { Field, getValidator, Hidden, ReadOnly, Type, WriteOnly, type JSONSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';
import { dataSchemaOf } from '../../src/record-shape/data-schema.ts';
import { contributedRulesOf } from '../../src/record-shape/contribution.ts';

const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));
const create = (schema: JSONSchema, more: object = {}): unknown => plain(dataSchemaOf(schema, { partial: false, ...more }));
const change = (schema: JSONSchema): unknown => plain(dataSchemaOf(schema, { partial: true }));
const text: JSONSchema = { type: 'string' };

describe('data asks for less than a record', () => {
  const record = Type.Object({
    id: Type.Number(),
    name: Type.String({ default: 'x' }),
    hidden: Hidden(Type.String()),
    written: WriteOnly(Type.String()),
    both: WriteOnly(Hidden(Type.String())),
    read: ReadOnly(Type.String()),
    frozen: Type.Readonly(Type.String()),
    salary: Field(Type.Number(), { writable: () => false }),
    profile: Type.Object({ city: Type.String({ default: 'y' }), verified: ReadOnly(Type.Boolean()) }),
    parts: Type.Array(Type.Object({ name: Type.String(), cost: Hidden(Type.Number()) })),
  });

  it('for what callers can not set, at any depth', () => {
    expect(create(record)).toMatchObject({
      required: ['id', 'name', 'written', 'both', 'salary', 'profile', 'parts'],
      properties: { name: { default: 'x' }, profile: { required: ['city'] }, parts: { items: { required: ['name'] } } },
    });
    expect(
      create(record, {
        optional: ['id', '_id'],
        added: contributedRulesOf({ readOnly: ['name', 'profile.city'] }).map(({ schema }) => schema),
      }),
    ).toMatchObject({
      required: ['written', 'both', 'salary', 'profile', 'parts'],
      properties: { profile: { required: [] } },
    });
  });

  it('for nothing in a change, which gets no defaults at its top', () => {
    expect(change(record)).toMatchObject({
      required: [],
      properties: { profile: { required: ['city'], properties: { city: { default: 'y' } } }, parts: { items: { required: ['name'] } } },
    });
    expect(change(record)).not.toHaveProperty('properties.name.default');
  });

  it('for nothing beside what is set, where callers can not set it, and in a change', async () => {
    const inner = (needs: string[]): JSONSchema => ({
      properties: { a: text, b: text, c: { ...text, readOnly: true } },
      dependentRequired: { a: needs },
      minProperties: 1,
    });
    const schema = (needs: string[], deep: string[]): JSONSchema => ({
      type: 'object',
      properties: { a: text, b: text, c: { ...text, hidden: true }, id: text, inner: inner(deep) },
      dependentRequired: { a: needs, b: needs },
      dependencies: { a: needs, b: { required: needs } },
      minProperties: 2,
      maxProperties: 5,
    });
    const given = schema(['b', 'c', 'id'], ['b', 'c']);
    expect(create(given, { optional: ['id'] })).toEqual(schema(['b'], ['b']));
    const { minProperties: _least, ...changed } = schema([], ['b']);
    expect(change(given)).toEqual(changed);
    const checks = new RecordChecks({ record: given, extensions: {} });
    const params = { provider: 'rest' };
    expect(await checks.validate({ a: 'x' }, 'patch', params)).toEqual({ a: 'x' });
    expect(await checks.validate({ a: 'x', b: 'y' }, 'create', params)).toEqual({ a: 'x', b: 'y' });
    const error: unknown = await checks.validate({ a: 'x' }, 'create', params).catch((reason: unknown) => reason);
    const needed = (error as { errors: { params: { deps?: string } }[] }).errors.flatMap(({ params: { deps } }) => deps ?? []);
    expect(new Set(needed)).toEqual(new Set(['b']));
  });

  it('for less in all parts of the whole: intersections, unions, what conditions ask for, and references', () => {
    const parts = (required: string[]): JSONSchema => ({
      allOf: [{ required, properties: { a: { ...text, default: 'x' } } }],
      anyOf: [{ required }, { $ref: '#/$defs/more' }],
      if: { required: ['c'] },
      then: { required },
      else: { required },
      $defs: { more: { required }, unused: { required } },
      properties: {
        a: text,
        b: { ...text, readOnly: true },
        inner: { required: ['a', 'b'], properties: { a: text, b: { ...text, readOnly: true } } },
      },
    });
    const inner = { required: ['a'], properties: { a: text, b: { ...text, readOnly: true } } };
    expect(create(parts(['a', 'b']))).toEqual({
      ...parts(['a']),
      $defs: { more: { required: ['a'] }, unused: { required: ['a', 'b'] } },
      properties: { ...parts([]).properties, inner },
    });
    const { if: condition, then, else: otherwise, ...others } = parts([]);
    expect(change(parts(['a', 'b']))).toEqual({
      ...others,
      allOf: [
        { required: [], properties: { a: text } },
        { if: { required: ['c'] }, then: { if: condition, then, else: otherwise }, else: { anyOf: [then, otherwise] } },
      ],
      $defs: { more: { required: [] }, unused: { required: ['a', 'b'] } },
      properties: { ...parts([]).properties, inner },
    });
  });

  it('leaves data, keywords that are not known and what the schema was made of as they are', async () => {
    const schema: JSONSchema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { const: { required: ['a'], default: 1 } }, b: { type: 'object', readOnly: true }, required: true as never },
      'x-own': { required: true, default: ['b'] },
      default: { required: ['b'] },
    };
    const before = plain(schema);
    expect(create(schema)).toEqual({ ...schema, required: ['a'] });
    expect(change(schema)).toEqual({ ...schema, required: [] });
    expect(plain(schema)).toEqual(before);
    const kind = Object.getOwnPropertySymbols(record);
    expect(Object.getOwnPropertySymbols(dataSchemaOf(record, { partial: true }))).toEqual(kind);
    expect(await getValidator(dataSchemaOf(record, { partial: true }))({ id: '5' })).toEqual({ id: 5 });
  });
});
