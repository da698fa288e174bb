import { framework } from '@framework/core';
import { Type } from '@framework/schema';
import { describe, expect, it } from '@jest/globals';
import { plainSchema } from '../src/document/plain-schema.ts';
import { openapiDocument } from '../src/index.ts';

const string = { type: 'string' };

describe('a schema that an author has written', () => {
  it.each<[string, unknown, unknown]>([
    ['marks', { type: 'object', $schema: 'x', $async: true, readable: () => true, reference: 'users' }, { type: 'object' }],
    [
      'hidden properties',
      { properties: { a: string, pin: { ...string, hidden: true } }, required: ['a', 'pin'] },
      { properties: { a: string }, required: ['a'] },
    ],
    ['hidden properties in parts', { items: [{ properties: { pin: { hidden: true } } }] }, { prefixItems: [{ properties: {} }] }],
    [
      'dates and object ids',
      { items: [{ date: true }, { objectid: true }] },
      {
        prefixItems: [
          { type: 'string', format: 'date-time' },
          { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
        ],
      },
    ],
  ])('loses its %s', (_what, schema, plain) => {
    expect(plainSchema(schema, true)).toEqual(plain);
  });

  it('keeps what is only read, or only written, where that is meant', () => {
    const schema = { properties: { password: { writeOnly: true }, at: { readOnly: true } } };
    expect(plainSchema(schema, true)).toEqual({ properties: { at: { readOnly: true } } });
    expect(plainSchema(schema, false)).toEqual({ properties: { password: { writeOnly: true } } });
  });

  it.each(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])(
    'keeps the names in %s, whatever they are called',
    (keyword) => {
      const names = ['hidden', 'readable', 'date', 'objectid', 'required', 'properties', 'enum', '$schema'];
      const schema = { [keyword]: Object.fromEntries(names.map((name) => [name, { items: { ...string, readable: () => true } }])) };
      expect(plainSchema(schema, true)).toEqual({
        [keyword === 'definitions' ? '$defs' : keyword]: Object.fromEntries(names.map((name) => [name, { items: string }])),
      });
    },
  );

  it('keeps data as it is', () => {
    const data = {
      default: { hidden: 1 },
      enum: [{ date: true }],
      const: { readable: 1 },
      examples: [{ objectid: true }],
      dependentRequired: { hidden: ['date'] },
    };
    expect(plainSchema(data, true)).toEqual(data);
    expect(plainSchema({ dependencies: { a: ['hidden'] } }, true)).toEqual({ dependencies: { a: ['hidden'] } });
    expect([plainSchema(true, true), plainSchema(false, true), plainSchema('text', true)]).toEqual([true, false, {}]);
  });
});

describe('what an author keeps from callers', () => {
  const pin = { ...string, hidden: true };
  const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

  it.each<[string, object]>([
    ['in an alternative', { anyOf: [pin, { type: 'null' }] }],
    ['in an intersection', { allOf: [{ oneOf: [pin] }] }],
    ['in a condition', { if: string, then: pin }],
    ['in what it refers to', { $ref: '#/$defs/pin' }],
    ['by a rule', { ...string, readable: ({ user }: { user: { role: string } }) => user.role === 'admin' }],
  ])('is not told where its mark stands %s', (_where, secret) => {
    const schema = object({ name: string, pin: secret }, { required: ['name', 'pin'], $defs: { pin } });
    expect(plainSchema(schema, true)).toEqual(object({ name: string }, { required: ['name'], $defs: { pin: string } }));
  });

  it('is told to those whom a rule lets see it', () => {
    const rule = ({ user }: { user: { role: string } }): boolean => user.role === 'admin';
    const schema = object({ pay: { type: 'integer', readable: rule } });
    expect(plainSchema(schema, true, { user: { role: 'admin' } })).toEqual(object({ pay: { type: 'integer' } }));
    expect(plainSchema(schema, true, { user: { role: 'guest' } })).toEqual(object({}));
  });

  it('is in no other schema of the same value, and in no example', () => {
    const schema = {
      allOf: [
        object({ name: string, pin }),
        { required: ['name', 'pin'], dependentSchemas: { pin: {}, name: {} }, not: { required: ['pin'] } },
      ],
      examples: [{ name: 'a', pin: '1234' }],
      default: { pin: '1234' },
      patternProperties: { '^p': pin, '^n': string, '^pin$|^n2': string },
      additionalProperties: pin,
    };
    const plain = plainSchema(schema, true);
    expect(plain).toEqual({
      allOf: [object({ name: string }), { required: ['name'], dependentSchemas: { name: {} } }],
      examples: [{ name: 'a' }],
      default: {},
      patternProperties: { '^n': string },
    });
    // What one part describes, another may require.
    const parts = { properties: { a: string }, allOf: [{ properties: { b: string } }], required: ['a', 'b'] };
    expect(plainSchema(parts, true)).toEqual(parts);
  });

  it('is in no list of names beside the properties', () => {
    const schema = object(
      { name: string, pin },
      {
        dependentRequired: { name: ['pin', 'name'], pin: ['name'] },
        dependencies: { name: ['pin'], pin: {} },
        propertyNames: { enum: ['name', 'pin'] },
        if: { required: ['pin'] },
        then: { required: ['name'] },
      },
    );
    expect(plainSchema(schema, true)).toEqual(
      object({ name: string }, { dependentRequired: { name: ['name'] }, dependencies: { name: [] } }),
    );
  });

  it('is in no value of what is around it, at any depth', () => {
    const inner = object({ name: string, pin });
    const schema = object(
      { one: { $ref: '#/$defs/inner' }, list: { type: 'array', items: { anyOf: [inner, string] } } },
      {
        $defs: { inner },
        patternProperties: { '^s_': pin },
        examples: [{ one: { name: 'a', pin: '1' }, list: [{ name: 'b', pin: '2' }, 'c'], s_a: '3', other: { pin: 'open' } }],
        enum: [{ one: { pin: '4' } }],
        const: { list: [{ pin: '5' }] },
        default: { one: { pin: '6' } },
      },
    );
    expect(plainSchema(schema, true)).toMatchObject({
      examples: [{ one: { name: 'a' }, list: [{ name: 'b' }, 'c'], other: { pin: 'open' } }],
      enum: [{ one: {} }],
      const: { list: [{}] },
      default: { one: {} },
    });
    expect(JSON.stringify(plainSchema({ type: 'array', items: inner, default: [{ pin: '7' }] }, true))).not.toContain('7');
    // A pattern of another language may match, and dates are values.
    const odd = { patternProperties: { '(?i)^s': pin }, examples: [{ S_a: '8' }], default: new Date(0) };
    expect(plainSchema(odd, true)).toEqual({ patternProperties: {}, examples: [{}], default: new Date(0) });
  });

  it('is not asked for', () => {
    const schema = Type.Object({ a: Type.Readonly(Type.String()), b: Type.String() });
    expect(plainSchema(schema, false)).toEqual(object({ b: string }, { required: ['b'] }));
    expect(plainSchema(schema, true)).toEqual(object({ a: string, b: string }, { required: ['a', 'b'] }));
  });
});

describe('the words of other drafts', () => {
  it.each<[unknown, unknown]>([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [{ type: ['string', 'null'], nullable: true }, { type: ['string', 'null'] }],
    [{ type: 'string', nullable: false }, string],
    [
      { type: 'array', items: [string], additionalItems: false },
      { type: 'array', prefixItems: [string], items: false },
    ],
    [
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      { type: 'number', maximum: 5, exclusiveMaximum: false },
      { type: 'number', maximum: 5 },
    ],
    [
      { type: 'number', exclusiveMaximum: 5 },
      { type: 'number', exclusiveMaximum: 5 },
    ],
    [{ type: 'Date' }, { type: 'string', format: 'date-time' }],
    [{ type: 'Uint8Array', title: 'Bytes' }, { title: 'Bytes' }],
    [{ type: ['string'] }, string],
  ])('are those of this one: %j', (schema, plain) => {
    expect(plainSchema(schema, true)).toEqual(plain);
  });
});

describe('a schema that refers to others by their ids', () => {
  it('has them among its definitions', () => {
    const tree = Type.Recursive((self) => Type.Object({ size: Type.Integer(), parts: Type.Array(self) }), { $id: 'Tree' });
    const plain = {
      type: 'object',
      properties: { size: { type: 'integer' }, parts: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
      required: ['size', 'parts'],
    };
    expect(plainSchema(tree, true)).toEqual({ $ref: '#/$defs/Tree', $defs: { Tree: plain } });
    expect(plainSchema(Type.Array(tree), true)).toEqual({ type: 'array', items: { $ref: '#/$defs/Tree' }, $defs: { Tree: plain } });
    expect(plainSchema({ properties: { next: { $ref: '#' } } }, true)).toEqual({
      $ref: '#/$defs/Part',
      $defs: { Part: { properties: { next: { $ref: '#/$defs/Part' } } } },
    });
    const named = { $defs: { 'a/b': { $id: 'https://example.com/b', ...string } }, items: { $ref: 'https://example.com/b' } };
    expect(plainSchema(named, true)).toEqual({ items: { $ref: '#/$defs/a~1b' }, $defs: { 'a/b': string } });
    expect(plainSchema({ $id: 'Alone', ...string }, true)).toEqual(string);
  });

  it('leads somewhere in the document', async () => {
    const tree = Type.Recursive((self) => Type.Object({ size: Type.Integer(), parts: Type.Array(self) }), { $id: 'Tree' });
    const docs = { operations: { grow: { data: tree, result: Type.Array(tree) } } };
    const app = framework().use('trees', { grow: async () => Promise.resolve([]) }, { methods: ['grow'], docs });
    await app.setup();
    const { components, paths } = await openapiDocument(app);
    const references = [...JSON.stringify(paths).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(references).toContain('Tree');
    for (const name of references) expect(Object.keys(components.schemas)).toContain(name);
    expect(components.schemas.Tree).toMatchObject({ properties: { parts: { items: { $ref: '#/components/schemas/Tree' } } } });
  });
});
