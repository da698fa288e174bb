import { describe, expect, it } from '@jest/globals';
import type { Problem } from '@framework/core';
import { getDataValidator, getValidator, schema as wrap, Type, type JSONSchema } from '../../src/index.ts';
import { copyPlain, copyShallow, mayWrite } from '../../src/validation/copy-plain.ts';
import { References } from '../../src/record-shape/references.ts';
import { dataSchemas } from '../../src/validation/data-validator.ts';
import { bounded, problemsOf } from '../../src/validation/problems.ts';

/** The problems of a value, or the value that was made of it. */
async function told(schema: JSONSchema, value: unknown): Promise<unknown> {
  return getValidator(schema)(value).then(
    () => [],
    (error: unknown) =>
      (error as { readonly errors: readonly Problem[] }).errors.map(({ path, keyword, message }) => [path, keyword, message]),
  );
}

const problem = (fields: Partial<Problem> = {}): Problem => ({
  path: 'a',
  keyword: 'type',
  message: 'a must be text',
  params: {},
  ...fields,
});

describe('problems', () => {
  it.each<[string, JSONSchema, unknown, unknown]>([
    ['the value itself', { type: 'object' }, 5, [['', 'type', 'the value must be object']]],
    ['a property', { properties: { a: { type: 'number' } } }, { a: 'x' }, [['a', 'type', 'a must be number']]],
    ['a property that is not there', { required: ['a'] }, {}, [['a', 'required', "a must have required property 'a'"]]],
    [
      'one inside that is not there',
      { properties: { a: { type: 'object', required: ['b'] } } },
      { a: {} },
      [['a.b', 'required', "a.b must have required property 'b'"]],
    ],
    [
      'one that may not be there',
      { properties: { a: { type: 'object', additionalProperties: false } } },
      { a: { b: 1 } },
      [['a.b', 'additionalProperties', 'a.b must NOT have additional properties']],
    ],
    [
      'one that nothing has looked at',
      { properties: { a: { type: 'object', unevaluatedProperties: false } } },
      { a: { b: 1 } },
      [['a.b', 'unevaluatedProperties', 'a.b must NOT have unevaluated properties']],
    ],
    [
      'an element',
      { properties: { a: { type: 'array', items: { type: 'number' } } } },
      { a: [1, 'x'] },
      [['a.1', 'type', 'a.1 must be number']],
    ],
    [
      'names with slashes and tildes',
      { properties: { 'a/b~c': { type: 'number' } } },
      { 'a/b~c': 'x' },
      [['a/b~c', 'type', 'a/b~c must be number']],
    ],
  ])('name %s', async (_what, schema, value, expected) => {
    expect(await told(schema, value)).toEqual(expected);
  });

  it('of choices are told where their parts tell nothing of the same value', async () => {
    const union = { properties: { a: { anyOf: [{ const: 1 }, { type: 'object', required: ['b'] }] } } };
    expect(await told(union, { a: 'x' })).toEqual([
      ['a', 'const', 'a must be equal to constant'],
      ['a', 'type', 'a must be object'],
    ]);
    const none = { properties: { a: { anyOf: [] as JSONSchema[] } } };
    expect(problemsOf([{ instancePath: '/a', keyword: 'anyOf', message: 'no', params: {}, schemaPath: '' }])).toEqual([
      problem({ keyword: 'anyOf', message: 'a no' }),
    ]);
    expect(none.properties.a.anyOf).toHaveLength(0);
    const errorsOf = (...paths: readonly [string, string][]): unknown =>
      problemsOf(paths.map(([instancePath, keyword]) => ({ instancePath, keyword, params: {}, schemaPath: '' }))).map(
        ({ path, keyword }) => `${path} ${keyword}`,
      );
    expect(errorsOf(['/a/b', 'type'], ['/a', 'oneOf'], ['', 'if'], ['/c', 'anyOf'])).toEqual(['a.b type', 'c anyOf']);
    expect(errorsOf(['/ab', 'type'], ['/a', 'oneOf'])).toEqual(['ab type', 'a oneOf']);
    expect(errorsOf(['/a', 'type'], ['/a/b', 'oneOf'])).toEqual(['a type', 'a.b oneOf']);
    expect(problemsOf([{ instancePath: '', keyword: 'own', params: {}, schemaPath: '' }])[0]?.message).toBe('the value is not valid');
  });

  it('are 20 at most, each once, with short texts', () => {
    const many = Array.from({ length: 30 }, (_, index) => problem({ path: `p${String(index)}` }));
    expect(bounded(many)).toEqual(many.slice(0, 20));
    expect(bounded([problem(), problem(), problem({ path: 'b' })])).toEqual([problem(), problem({ path: 'b' })]);
    const exact = 'x'.repeat(300);
    expect(bounded([problem({ path: exact, message: exact })])).toEqual([problem({ path: exact, message: exact })]);
    expect(bounded([problem({ path: `${exact}y`, message: `${exact}y` })])).toEqual([problem({ path: `${exact}…`, message: `${exact}…` })]);
    expect(bounded([problem({ params: { a: exact.slice(0, 292) } })])[0]?.params).toEqual({ a: exact.slice(0, 292) });
    expect(bounded([problem({ params: { a: exact } })])[0]?.params).toEqual({});
  });

  it('are 12 kB together at most, in bytes', () => {
    const large = Array.from({ length: 20 }, (_, index) =>
      problem({ path: `p${String(index)}`, message: 'ü'.repeat(300), params: { a: 'ü'.repeat(290) } }),
    );
    const sizes = large.map((entry) => Buffer.byteLength(JSON.stringify(entry)));
    let bytes = 0;
    const fitting = sizes.filter((size) => (bytes += size) <= 12_000).length;
    expect(bounded(large)).toHaveLength(fitting);
    expect(fitting).toBeLessThan(20);
  });
});

describe('what a validator may write into', () => {
  it.each<[JSONSchema, boolean]>([
    [{ type: 'object', properties: { a: { type: 'string' } } }, false],
    [{ properties: { a: { default: 1 } } }, true],
    [{ properties: { default: { type: 'string' } } }, false],
    [
      { patternProperties: { default: {} }, $defs: { default: {} }, definitions: { default: {} }, dependentSchemas: { default: {} } },
      false,
    ],
    [{ $defs: { a: { default: 1 } } }, true],
    [{ enum: [{ default: 1 }], const: { default: 1 }, examples: [{ default: 1 }], required: ['default'] }, false],
    [{ anyOf: [{ type: 'string' }, { items: { own: true } }] }, true],
    [{ own: true }, true],
  ])('%j: %j', (schema, writes) => {
    expect(mayWrite(schema, new References(schema))).toBe(writes);
  });

  it('is found in schemas that contain themselves', () => {
    const schema: JSONSchema = { type: 'object' };
    schema.properties = { a: schema };
    expect(mayWrite(schema, new References(schema))).toBe(false);
    schema.items = { default: 1 };
    expect(mayWrite(schema, new References(schema))).toBe(true);
  });

  it('is a copy', async () => {
    const value = { a: [{ b: 1 }], date: new Date(0) };
    const copy = copyPlain(value) as typeof value;
    expect(copy).toEqual(value);
    expect([copy === value, copy.a === value.a, copy.a[0] === value.a[0], copy.date === value.date]).toEqual([false, false, false, true]);
    const shallow = copyShallow(value) as typeof value;
    expect([shallow === value, shallow.a === value.a, copyShallow(value.a) === value.a, copyShallow(5)]).toEqual([false, true, true, 5]);
    const given = { inner: {} };
    const complete = getValidator({ properties: { inner: { type: 'object', properties: { a: { default: 1 } } } } });
    expect(await complete(given)).toEqual({ inner: { a: 1 } });
    expect(given).toEqual({ inner: {} });
    const plain = getValidator({ properties: { inner: { type: 'object' } } });
    const made = (await plain(given)) as typeof given;
    expect([made === given, made.inner === given.inner]).toEqual([false, true]);
  });
});

describe('schemas by method', () => {
  const create = Type.Object({ a: Type.String(), b: Type.Optional(Type.Object({ c: Type.Number() })) });

  it('are those of create, in parts for patch', () => {
    const { create: created, update, patch } = dataSchemas(create);
    expect([created, update]).toEqual([create, create]);
    expect(JSON.parse(JSON.stringify(patch))).toMatchObject({ properties: { a: {}, b: { required: ['c'] } } });
    expect((patch as JSONSchema).required ?? []).toEqual([]);
    const own = Type.Object({});
    expect(dataSchemas({ create, update: own, patch: own })).toEqual({ create, update: own, patch: own });
  });

  it.each<[JSONSchema]>([
    [{ type: 'object', create: {} }],
    [{ properties: {}, create: {} }],
    [{ $ref: '#', create: {} }],
    [{ allOf: [], create: {} }],
    [{ create: 5 } as never],
    [{ create: null } as never],
  ])('are told from one schema with a keyword of that name: %j', (definition) => {
    expect(dataSchemas(definition as never).create).toBe(definition);
  });

  it('share one validator where they are the same', () => {
    const validators = getDataValidator(create);
    expect([validators.create === validators.update, (validators.create as unknown) === validators.patch]).toEqual([true, false]);
  });

  it('of other libraries come with one for patch', () => {
    const standard = { '~standard': { version: 1 as const, vendor: 'own', validate: (value: unknown) => ({ value }) } };
    const message =
      "A schema of another library needs one for 'patch' beside it: the option patch: schema.partial() of serviceSchema(), or getDataValidator({ create: schema, patch: schema.partial() })";
    expect(() => dataSchemas(standard)).toThrow(message);
    expect(() => dataSchemas({ create: standard })).toThrow(message);
    expect(dataSchemas({ create: standard, patch: standard })).toEqual({ create: standard, update: standard, patch: standard });
  });
});

describe('a schema with its validator', () => {
  it('gives what it was made of', async () => {
    const definition = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const made = wrap(definition);
    expect([made.definition, made.toJSON()]).toEqual([definition, definition]);
    expect([made.properties, made.required]).toEqual([definition.properties, ['a']]);
    expect([wrap({}).properties, wrap({}).required]).toEqual([{}, []]);
    expect(await made.validate({ a: '5' })).toEqual({ a: 5 });
    await expect(made.validate({})).rejects.toMatchObject({ code: 400, message: 'validation failed' });
  });

  it('tells what it declares', () => {
    const validate = getValidator({ properties: { 'a.b': {}, $inc: {}, c: {} } });
    expect([validate.declaredPaths, validate.updateOperators]).toEqual([['a.b'], ['$inc']]);
    expect(Object.isFrozen(validate.declaredPaths) && Object.isFrozen(validate.updateOperators)).toBe(true);
    expect(Object.keys(getValidator({ properties: { c: {} } }))).toEqual([]);
    expect(validate.schema).toEqual({ properties: { 'a.b': {}, $inc: {}, c: {} } });
  });

  it('declares what its parts declare, and not what an alternative does, beside which another one may let anything pass', () => {
    const named: JSONSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const declaring: JSONSchema = { type: 'object', properties: { 'a.b': { type: 'string' }, $inc: { type: 'object' } } };
    const selecting: JSONSchema = { properties: { $select: { type: 'array', items: { enum: ['c.d', 'e'] } } } };
    const declared = (schema: JSONSchema): unknown[] => {
      const { declaredPaths, updateOperators } = getValidator(schema);
      return [declaredPaths, updateOperators];
    };
    expect(declared({ allOf: [named, { allOf: [declaring, selecting] }], unevaluatedProperties: false })).toEqual([
      ['a.b', 'c.d'],
      ['$inc', '$select'],
    ]);
    expect(declared({ $ref: '#/$defs/declaring', $defs: { declaring } })).toEqual([['a.b'], ['$inc']]);
    for (const keyword of ['anyOf', 'oneOf']) expect(declared({ [keyword]: [named, declaring] })).toEqual([undefined, undefined]);
    const dynamic = { $dynamicRef: '#one', $defs: { one: { $dynamicAnchor: 'one', ...declaring } } };
    expect(declared({ ...dynamic, $schema: 'https://json-schema.org/draft/2020-12/schema' })).toEqual([undefined, undefined]);
  });
});
