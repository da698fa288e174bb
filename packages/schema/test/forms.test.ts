import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { framework } from '@framework/core';
import { describe, expect, it } from '@jest/globals';
import type { TSchema } from '@sinclair/typebox';
import { type } from 'arktype';
import * as valibot from 'valibot';
import { z } from 'zod';
import {
  Ajv,
  createAjv,
  defaultAppConfiguration,
  defaultAppSettings,
  getDataValidator,
  getValidator,
  Hidden,
  hooks,
  queryProperties,
  queryProperty,
  querySyntax,
  resolve,
  schema,
  serviceSchema,
  Type,
  validateQuery,
  type JSONSchema,
} from '../src/index.ts';

const ONE = { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } } as const;

describe('schemas as generators of applications write them', () => {
  it('querySyntax(properties) gives properties for a query schema of one’s own', async () => {
    const validate = getValidator({
      $id: 'OneQuery',
      type: 'object',
      additionalProperties: false,
      properties: { ...querySyntax(ONE.properties) },
    });
    await expect(validate({ age: { $gt: '5' }, $limit: '2' })).resolves.toEqual({ age: { $gt: 5 }, $limit: 2 });
    await expect(validate({ other: 1 })).rejects.toMatchObject({ code: 400 });
    expect(() => getValidator(querySyntax(ONE.properties))).toThrow('properties: { ...querySyntax(properties) }');
  });

  it('an intersection that closes itself takes the properties of all its parts, also with a validator of the user', async () => {
    const query = Type.Intersect(
      [querySyntax(Type.Object({ name: Type.String(), age: Type.Integer() })), Type.Object({}, { additionalProperties: false })],
      { additionalProperties: false },
    );
    for (const ajv of [undefined, new Ajv({ coerceTypes: true })]) {
      const validate = getValidator(query, ajv);
      await expect(validate({ age: '5', $limit: '2' })).resolves.toEqual({ age: 5, $limit: 2 });
      await expect(validate({ other: 1 })).rejects.toMatchObject({ code: 400 });
    }
    const mixed = Type.Intersect([Type.Union([Type.Object({ a: Type.String() }), Type.Null()]), Type.Object({})], {
      additionalProperties: false,
    });
    expect(() => getValidator(mixed)).toThrow('unevaluatedProperties: false');
  });

  it('records may be intersections, in data, queries and what is hidden', async () => {
    const record = Type.Intersect([
      Type.Object({ name: Type.String() }),
      Type.Object({ age: Type.Integer(), token: Type.Optional(Hidden(Type.String())) }),
    ]);
    const service = framework()
      .use('people', { find: async (params: unknown) => [{ params, token: 'x' }], create: async (data: unknown) => data } as never, {
        schema: serviceSchema({ record }),
      })
      .service('people') as unknown as { find(p: object): Promise<unknown[]>; create(d: object, p: object): Promise<unknown> };
    expect(await service.find({ provider: 'rest', query: { age: '5' } })).toEqual([
      { params: expect.objectContaining({ query: { age: 5 } }) },
    ]);
    await expect(service.create({ name: 'a', age: '5' }, { provider: 'rest' })).resolves.toEqual({ name: 'a', age: 5 });
    for (const data of [{ name: 'a', age: 5, token: 'x' }, { name: 'a', age: 5, other: 1 }, { name: 'a' }])
      await expect(service.create(data, { provider: 'rest' })).rejects.toMatchObject({ code: 400 });
  });

  it('the same schema, with a name, makes several validators', async () => {
    const record = Type.Object({ name: Type.String() }, { $id: 'Named', additionalProperties: false });
    const ajv = new Ajv();
    for (let round = 0; round < 2; round++) {
      await expect(getDataValidator(record, ajv).patch({})).resolves.toEqual({});
      await expect(getValidator(record, ajv)({ name: 'a' })).resolves.toEqual({ name: 'a' });
    }
  });

  it('resolve takes its one-argument form, and refuses what it can not run', async () => {
    const resolver = resolve<{ name?: string }>({
      properties: { name: async (name) => name?.trim() },
      converter: (record) => record as object,
    });
    await expect(resolver.resolve({ name: ' a ' }, {})).resolves.toEqual({ name: 'a' });
    await expect(resolve<{ properties: number }>({ properties: async () => 5 }).resolve({}, {})).resolves.toEqual({ properties: 5 });
    expect(() => resolve({ name: 'text' } as never)).toThrow("The resolver of 'name' is no function");
    expect(() => resolve({ properties: {}, validate: 'before' } as never)).toThrow('put validateData');
    expect(() => resolve({ properties: {}, other: 1 } as never)).toThrow("no option 'other'");
  });

  it('the other names exist', async () => {
    expect(hooks.validateQuery).toBe(validateQuery);
    const one = schema(ONE);
    expect([one.properties, one.required, one.toJSON(), one.definition]).toEqual([ONE.properties, [], ONE, ONE]);
    await expect(one.validate({ age: '5' })).resolves.toEqual({ age: 5 });
    await expect(one.validate({ age: 'x' })).rejects.toMatchObject({ code: 400 });
    const query = getValidator({
      type: 'object',
      properties: {
        age: queryProperty({ type: 'integer' }, { $mod: { type: 'array' } }),
        ...queryProperties({ name: { type: 'string' } }),
      },
    });
    await expect(query({ age: { $mod: [2, 0] }, name: { $in: 'a' } })).resolves.toEqual({ age: { $mod: [2, 0] }, name: { $in: ['a'] } });
    const settings = { authentication: { secret: 'x', authStrategies: ['jwt'], jwt: {} }, paginate: { default: 1, max: 2 }, port: 5 };
    const configuration = Type.Intersect([defaultAppConfiguration, Type.Object({ port: Type.Number() })]);
    await expect(getValidator(configuration)(settings)).resolves.toMatchObject({ authentication: { jwt: { header: 'Authorization' } } });
    await expect(getValidator({ type: 'object', properties: { ...defaultAppSettings } })({ paginate: {} })).rejects.toMatchObject({
      code: 400,
    });
  });

  it('keywords that a validator would pass over are refused', () => {
    const record = { type: 'object', properties: { a: { type: 'array', prefixItems: [{ type: 'string' }] } } };
    expect(() => getValidator(record, new Ajv({ strict: false }))).toThrow("does not know 'prefixItems'");
  });

  it('a format that the validator does not know is refused, since it would take every text, unless the schema says by itself what it means', async () => {
    const of = (schema: JSONSchema): JSONSchema => ({ type: 'object', properties: { a: { type: 'string', ...schema } } });
    expect(() => getValidator(of({ format: 'emial' }))).toThrow("does not know the format 'emial', and would take every text");
    expect(() => serviceSchema({ record: Type.Object({ a: Type.Array(Type.String({ format: 'constructor' })) }) })).toThrow(
      "does not know the format 'constructor'",
    );
    const cuid = getValidator(of({ format: 'cuid', pattern: '^c' }));
    await expect(cuid({ a: 'x' })).rejects.toMatchObject({ code: 400 });
    getValidator({ type: 'integer', format: 'uint32' });
    const own = createAjv().addFormat('even', (text: string) => text.length % 2 === 0);
    await expect(getValidator(of({ format: 'even' }), own)({ a: 'abc' })).rejects.toMatchObject({ code: 400 });
    getValidator(of({ format: 'even' }), createAjv({ validateFormats: false }));
  });

  it.each([
    ['readonly', 'readOnly'],
    ['writeonly', 'writeOnly'],
    ['Hidden', 'hidden'],
    ['hiden', 'hidden'],
    ['writeable', 'writable'],
    ['minlength', 'minLength'],
    ['maxLenght', 'maxLength'],
    ['additionalProperites', 'additionalProperties'],
    ['requred', 'required'],
    ['defualt', 'default'],
    ['formats', 'format'],
    ['anyof', 'anyOf'],
    ['objectId', 'objectid'],
  ])('the keyword %s is refused, since only %s means something', (keyword, mark) => {
    const record = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { [keyword]: true } } } } };
    expect(() => serviceSchema({ record })).toThrow(`The schema has the keyword '${keyword}', which means nothing: write '${mark}'`);
    expect(() => getValidator(record)).toThrow(`write '${mark}'`);
    // A property may have any name, and data anything.
    serviceSchema({ record: { type: 'object', properties: { [keyword]: { type: 'string', examples: [{ [keyword]: 1 }] } } } });
    getValidator({ type: 'object', ui: { [keyword]: 1 } });
    // A word of somebody's own is one when the validator has been told.
    getValidator(record, createAjv().addKeyword(keyword));
  });

  it.each(['form', 'note', 'unit', 'example', 'enumNames', 'widget', 'types', 'read', 'minLengthMessage'])(
    'the word %s is nobody’s slip',
    (word) => {
      expect(() => getValidator({ type: 'object', [word]: 1, properties: { a: { type: 'string', [word]: 'a' } } })).not.toThrow();
    },
  );

  it('a type that JSON Schema does not have is refused with what to write', () => {
    const record = (a: TSchema): unknown => serviceSchema({ record: Type.Object({ a }) });
    expect(() => record(Type.Date())).toThrow(
      "The schema has the type 'Date', which JSON Schema does not have: write DateSchema(), or Type.String({ format: 'date-time' })",
    );
    expect(() => record(Type.BigInt())).toThrow("has the type 'bigint', which JSON Schema does not have: write one of string, number");
    expect(() => record(Type.Unsafe({ type: ['strin', 'null'] }))).toThrow("has the type 'strin'");
    expect(() => getValidator({ type: 'object', properties: { a: { type: 'int' } } })).toThrow("has the type 'int'");
    getValidator({ type: 'object', properties: { a: { type: 'string', ui: { type: 'select' } } } });
  });

  it('schemas of all versions are checked by their own rules', async () => {
    const tuple = getValidator({ properties: { a: { prefixItems: [{ type: 'integer' }], items: false } } });
    await expect(tuple({ a: [1] })).resolves.toEqual({ a: [1] });
    await expect(tuple({ a: [1, 2] })).rejects.toMatchObject({ code: 400 });
    const rest = getValidator(
      Type.Intersect([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })], { unevaluatedProperties: false }),
    );
    await expect(rest({ a: 1, b: 2 })).resolves.toEqual({ a: 1, b: 2 });
    await expect(rest({ a: 1, b: 2, c: 3 })).rejects.toMatchObject({ code: 400 });
    expect(() => getValidator({ prefixItems: [], items: [] })).toThrow('write tuples as');
  });
});

describe('records of other libraries', () => {
  it.each([
    ['zod', z.object({ name: z.string(), at: z.date().optional(), token: z.string().meta({ hidden: true }).optional() })],
    [
      'valibot',
      toStandardJsonSchema(
        valibot.object({
          name: valibot.string(),
          token: valibot.optional(valibot.pipe(valibot.string(), valibot.metadata({ hidden: true }))),
        }),
      ),
    ],
    ['arktype', type({ name: 'string', 'token?': 'string' })],
  ])('%s describes a record', async (library, record) => {
    const { shape } = serviceSchema({ record });
    if (library === 'arktype') shape.add({ hidden: ['token'] });
    expect(shape.redact({ name: 'a', token: 'x' }, { params: {} })).toEqual({ name: 'a' });
    expect(shape.refused({ name: 'a', token: 'x' }, 'create', { params: {} })).toMatchObject([{ path: 'token' }]);
  });

  it('a library that gives no JSON Schema is refused with the cure', () => {
    expect(() => serviceSchema({ record: valibot.object({ name: valibot.string() }) as never })).toThrow('@valibot/to-json-schema');
    expect(() => serviceSchema({ record: z.object({ a: z.string().transform(Number) }) as never })).toThrow('transform');
  });

  it('data that takes what the record hides is refused at start', () => {
    const record = Type.Object({
      name: Type.String(),
      token: Hidden(Type.String()),
      inner: Type.Object({ at: Type.Readonly(Type.String()) }),
    });
    expect(() => serviceSchema({ record, data: Type.Pick(record, ['name', 'token']) })).toThrow("takes 'token'");
    expect(() => serviceSchema({ record, patch: Type.Pick(record, ['inner']) })).toThrow("takes 'inner.at'");
  });
});
