import { keywordObjectId } from '@framework/adapter-docdb';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  createAjv,
  DateSchema,
  Field,
  getValidator,
  Hidden,
  ObjectIdSchema,
  ReadOnly,
  Reference,
  Type,
  WriteOnly,
} from '../../src/index.ts';
import { ADMIN, admin, described } from './harness.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const ID = { type: 'string', pattern: '^[0-9a-fA-F]{24}$' };

function ajv(): ReturnType<typeof createAjv> {
  const made = createAjv();
  made.addKeyword(keywordObjectId);
  return made;
}

const user = Type.Object(
  {
    _id: ObjectIdSchema(),
    name: Type.String({ default: 'nobody', description: 'Whom it is about.' }),
    at: ReadOnly(DateSchema()),
    password: WriteOnly(Type.String()),
    pin: Hidden(Type.String()),
    pay: Type.Optional(Field(Type.Integer(), { readable: admin, writable: admin })),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { $id: 'User' },
);

describe('a record', () => {
  const { name, record, create, update, patch, problems } = described(user, { ajv: ajv() });
  const told = { type: 'string', description: 'Whom it is about.' };
  const tags = { type: 'array', items: string };

  it('is described as it is sent', () => {
    expect(name).toBe('User');
    expect(problems).toEqual([]);
    expect(record).toEqual({
      type: 'object',
      properties: { _id: ID, name: told, at: { type: 'string', format: 'date-time' }, tags },
      required: ['_id', 'name', 'at'],
    });
  });

  it('has data of each method without what callers do not set, and with what they alone know', () => {
    const created = { type: 'string', description: 'Whom it is about. Default: `"nobody"`.' };
    expect(create).toEqual({
      type: 'object',
      properties: { name: created, password: string, tags },
      required: ['password'],
      additionalProperties: false,
    });
    expect(update).toEqual({
      type: 'object',
      properties: { name: told, password: string, tags },
      required: ['password'],
      additionalProperties: false,
    });
    expect(patch).toEqual({ type: 'object', properties: { name: told, password: string, tags }, additionalProperties: false });
  });

  it('is described with more to those who see more', () => {
    const toAdmin = described(user, { ajv: ajv(), viewer: ADMIN });
    for (const schema of [toAdmin.record, toAdmin.create, toAdmin.patch])
      expect(schema).toMatchObject({ properties: { pay: integer, name: {} } });
    expect(toAdmin.query.properties).toHaveProperty('pay');
    expect(described(user, { ajv: ajv(), viewer: 'internal' }).record).toMatchObject({
      properties: { pin: string, password: string, pay: integer },
    });
  });

  it.each<[string, object, string | undefined]>([
    ['its $id', { $id: 'Note', title: 'A note' }, 'Note'],
    ['its title', { title: 'Note' }, 'Note'],
    ['none, where it has neither', {}, undefined],
    ['none, where it would tell what is kept', { title: 'pin' }, undefined],
  ])('has a name: %s', (_what, more, expected) => {
    expect(described({ type: 'object', properties: { pin: { ...string, hidden: true } }, ...more }).name).toBe(expected);
  });

  it('that is changed needs nothing, and may have no more than there may be', () => {
    const schema = {
      type: 'object',
      properties: { a: string, b: string },
      required: ['a'],
      dependentRequired: { a: ['b'] },
      minProperties: 2,
      maxProperties: 2,
    };
    const { create: made, update: replaced, patch: changed } = described(schema);
    for (const whole of [made, replaced]) expect(whole).toEqual({ ...schema, additionalProperties: false });
    expect(changed).toEqual({ type: 'object', properties: { a: string, b: string }, maxProperties: 2, additionalProperties: false });
  });

  it('that is put in place of another one has no parts in lists that callers could not keep', () => {
    const { create: made, update: replaced } = described({
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', properties: { name: string, price: { ...integer, readOnly: true } } } },
        one: { type: 'object', properties: { name: string, price: { ...integer, readOnly: true } } },
      },
    });
    const open = { type: 'object', properties: { name: string }, additionalProperties: false };
    expect(made).toMatchObject({ properties: { items: { type: 'array', items: open }, one: open } });
    expect(replaced).toEqual({ type: 'object', properties: { one: open }, additionalProperties: false });
  });
});

describe('data that was written apart', () => {
  const record = Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    pay: Type.Optional(Field(Type.Integer(), { readable: admin })),
    at: ReadOnly(Type.Integer()),
  });

  it('is described as it was written, without what the viewer is not told of', () => {
    const data = Type.Object({ name: Type.String({ maxLength: 5 }), pay: Type.Integer(), comment: Type.String() });
    const { create, update, patch } = described(record, { data });
    const properties = { name: { type: 'string', maxLength: 5 }, comment: string };
    const open = { type: 'object', properties, required: ['name', 'comment'], additionalProperties: false };
    expect([create, update]).toEqual([open, open]);
    expect(patch).toEqual({ type: 'object', properties, additionalProperties: false });
    expect(described(record, { data, viewer: ADMIN }).create).toEqual({
      ...open,
      properties: { ...properties, pay: integer },
      required: ['name', 'pay', 'comment'],
    });
  });

  it('need not have what it is given where it is missing, as the server takes it', async () => {
    const data = Type.Object({ name: Type.String(), kind: Type.String({ default: 'a' }), size: Type.Integer({ default: 0 }) });
    const { create, update } = described(record, { data });
    expect([create, update]).toMatchObject([{ required: ['name'] }, { required: ['name'] }]);
    expect(await getValidator(data)({ name: 'a' })).toEqual({ name: 'a', kind: 'a', size: 0 });
    const inside = Type.Object({
      place: Type.Object({ city: Type.String({ default: 'Rome' }) }),
      tags: Type.Array(Type.String(), { default: [] }),
    });
    const { create: made } = described(inside);
    expect(made).toMatchObject({ required: ['place'] });
    expect(made).not.toHaveProperty('properties.place.required');
    expect(await getValidator(inside)({ place: {} })).toEqual({ place: { city: 'Rome' }, tags: [] });
  });

  it('need not have it inside of objects, lists and unions, as the server takes it', async () => {
    const part = () => Type.Object({ a: Type.String({ default: 'x' }), b: Type.String() });
    const nested = Type.Object({
      object: part(),
      list: Type.Array(part()),
      tuple: Type.Tuple([part()]),
      both: Type.Intersect([part(), Type.Object({ c: Type.String() })]),
      union: Type.Union([part(), Type.Null()]),
    });
    const needs = { required: ['b'] };
    const schema = {
      properties: {
        object: needs,
        list: { items: needs },
        tuple: { prefixItems: [needs] },
        both: { allOf: [needs, { required: ['c'] }] },
        union: { anyOf: [needs, { type: 'null' }] },
      },
    };
    const { create, update, patch, record: sent } = described(nested);
    for (const data of [create, update, patch]) expect(data).toMatchObject(schema);
    expect(sent).toMatchObject({ properties: { object: { required: ['a', 'b'] } } });
    const [given, full] = [{ b: 'b' }, { a: 'x', b: 'b' }];
    const data = { object: given, list: [given], tuple: [given], both: { ...given, c: 'c' }, union: given };
    expect(await getValidator(nested)(structuredClone(data))).toEqual({
      object: full,
      list: [full],
      tuple: [full],
      both: { ...full, c: 'c' },
      union: full,
    });
  });

  it('may be that of patch alone', () => {
    const { create, patch } = described(record, { patch: Type.Object({ name: Type.String({ maxLength: 5 }) }) });
    expect(patch).toMatchObject({ properties: { name: { type: 'string', maxLength: 5 } }, required: ['name'] });
    expect(create).toMatchObject({ properties: { name: string } });
  });

  it('of a library is what it takes, where the library tells that', () => {
    const { create, problems } = described(record, { data: z.object({ name: z.string().max(5) }), patch: z.object({}) });
    expect(create).toMatchObject({ type: 'object', properties: { name: { type: 'string', maxLength: 5 } } });
    expect(problems).toEqual([]);
  });

  it('of a library that does not tell is not described, and that is said', () => {
    const silent = { '~standard': { version: 1, vendor: 'silent', validate: (value: unknown) => ({ value }) } };
    const { create, update, patch, problems } = described(record, { data: silent, patch: silent });
    expect([create, update, patch]).toEqual([undefined, undefined, undefined]);
    expect(problems).toEqual(
      ['create', 'update', 'patch'].map((method) => `has data of '${method}' by a library that gives no JSON Schema`),
    );
  });
});

describe('what queries may hold', () => {
  const record = Type.Object({
    id: Type.Integer(),
    name: Type.String({ default: 'a' }),
    pin: Hidden(Type.String()),
    pay: Field(Type.Integer(), { readable: admin }),
    tags: Type.Array(Type.String({ maxLength: 5 })),
    address: Type.Object({ city: Type.String(), code: Hidden(Type.String()) }),
    items: Type.Array(Type.Object({ count: Type.Integer() })),
    pair: Type.Tuple([Type.String(), Type.Integer()]),
  });
  const extensions = {
    name: { $regex: { type: 'string' } },
    pay: { $mod: { type: 'integer' } },
    $root: { $search: { type: 'string', maxLength: 9 } },
  };
  const { query } = described(record, { extensions });

  it('are conditions on what the viewer sees, with the values that are compared, elements of lists among them', () => {
    expect(query.properties).toMatchObject({
      id: integer,
      name: string,
      tags: {
        anyOf: [
          { type: 'string', maxLength: 5 },
          { type: 'array', items: { type: 'string', maxLength: 5 } },
        ],
      },
      'address.city': string,
      'items.count': integer,
    });
    expect(query.properties.name).toEqual(string);
    const names = Object.keys(query.properties);
    for (const name of ['pin', 'pay', 'address.code', 'address']) expect(names).not.toContain(name);
    expect(Object.keys(described(record, { extensions, viewer: ADMIN }).query.properties)).toContain('pay');
  });

  it('name the elements of what may be a list', () => {
    const numbers = { type: 'array', items: { type: 'integer' } };
    const { properties } = described({
      type: 'object',
      properties: { a: { anyOf: [numbers, { type: 'null' }] }, b: { $ref: '#/$defs/numbers' } },
      $defs: { numbers },
    }).query;
    expect(properties.a).toEqual({ anyOf: [integer, { anyOf: [numbers, { type: 'null' }] }] });
    expect(properties.b).toMatchObject({ anyOf: [integer, {}] });
  });

  it('select what the viewer sees', () => {
    expect(query.select).toEqual(expect.arrayContaining(['id', 'name', 'address', 'address.city', 'items', 'items.count']));
    for (const name of ['pin', 'pay', 'address.code']) expect(query.select).not.toContain(name);
  });

  it('have further operators and filters, those of properties that the viewer sees', () => {
    expect(query.operators).toEqual({ name: { $regex: string } });
    expect(query.filters).toEqual({ $search: { type: 'string', maxLength: 9 } });
    expect(described(record, { extensions, viewer: ADMIN }).query.operators).toEqual({ name: { $regex: string }, pay: { $mod: integer } });
    expect(described(record).query).toMatchObject({ operators: {}, filters: {} });
  });
});

describe('relations', () => {
  const record = Type.Object({
    id: Type.Integer(),
    authorId: Reference('users', { as: 'author' }),
    memberIds: Type.Array(Reference('users', { as: 'members' })),
    editorId: Field(Reference('users', { as: 'editor' }), { readable: admin }),
    noteId: Reference('notes', { as: 'note' }),
    items: Type.Array(Type.Object({ productId: Reference('products', { as: 'product' }) })),
    deep: Type.Object({ ownerId: Reference('users', { as: 'owner' }) }),
  });
  const exposed = (path: string): boolean => path !== 'notes';
  const description = 'Only with `$populate`.';
  const one = (service: string) => ({ anyOf: [{ $ref: `service:${service}` }, { type: 'null' }], description });

  it('stand beside their ids, where the viewer sees these and the service shows its records', () => {
    const { record: sent, query } = described(record, { exposed });
    expect(query.relations).toEqual({
      author: { service: 'users', many: false },
      members: { service: 'users', many: true },
      'items.product': { service: 'products', many: false },
      'deep.owner': { service: 'users', many: false },
    });
    const { properties } = sent as { properties: Record<string, { properties?: object; items?: { properties?: object } }> };
    expect(properties.author).toEqual(one('users'));
    expect(properties.members).toEqual({ type: 'array', items: { $ref: 'service:users' }, description });
    expect(properties.deep?.properties).toEqual({ ownerId: string, owner: one('users') });
    expect(Object.keys(properties)).toEqual(['id', 'authorId', 'memberIds', 'noteId', 'items', 'deep', 'author', 'members']);
    expect(Object.keys(described(record, { exposed, viewer: ADMIN }).query.relations)).toContain('editor');
  });

  it('in a list have one record beside each id', () => {
    const { record: sent } = described(record, { exposed });
    expect((sent as { properties: { items: { items: { properties: object } } } }).properties.items.items.properties).toEqual({
      productId: string,
      product: one('products'),
    });
  });

  it('are in nothing that callers send', () => {
    const { create, patch } = described(record, { exposed });
    for (const schema of [create, patch]) {
      const { properties } = schema as { properties: Record<string, unknown> };
      expect(Object.keys(properties)).toEqual(['authorId', 'memberIds', 'noteId', 'items', 'deep']);
      expect(JSON.stringify(schema)).not.toContain('service:');
    }
  });
});
