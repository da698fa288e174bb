import { describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import { addFormats, Ajv, createAjv, getDataValidator, getValidator, Hidden, serviceSchema, Type, type TSchema } from '../../src/index.ts';
import { RecordChecks } from '../../src/record-checks.ts';

const own = (): Ajv => addFormats(new Ajv({ useDefaults: true }));
const text = { type: 'string' };
const user = {
  $id: 'User',
  type: 'object',
  additionalProperties: false,
  required: ['email'],
  properties: { email: text, age: { type: 'number' } },
};
const message = { $id: 'Message', type: 'object', properties: { user: { $ref: 'User' } } };

const refused = (work: () => unknown): string => {
  try {
    work();
    return 'nothing was thrown';
  } catch (error) {
    return String(error);
  }
};

describe("schemas that refer to others by their '$id'", () => {
  it('find those of which validators were made before, with the same ajv', async () => {
    const ajv = own();
    getValidator(user, ajv);
    const validate = getValidator(message, ajv);
    expect(await validate({ user: { email: 'a', age: '7' } })).toEqual({ user: { email: 'a', age: 7 } });
    await expect(validate({ user: { age: 7 } })).rejects.toMatchObject({ errors: [{ path: 'user.email', keyword: 'required' }] });
    expect(await getValidator(message, ajv)({ user: { email: 'b' } })).toEqual({ user: { email: 'b' } });
  });

  it('are made with TypeBox, too, and refer to parts', async () => {
    const ajv = own();
    const author = Type.Object({ name: Type.String() }, { $id: 'Author', additionalProperties: false });
    getValidator(author, ajv);
    const book = Type.Object({ by: Type.Ref(author), called: Type.Unsafe({ $ref: 'Author#/properties/name' }) }, { $id: 'Book' });
    const shelf = Type.Object({ books: Type.Array(Type.Ref(book)), next: Type.Optional(Type.Unsafe({ $ref: 'Shelf' })) }, { $id: 'Shelf' });
    getValidator(book, ajv);
    const validate = getValidator(shelf, ajv);
    const books = [{ by: { name: 'a' }, called: 'b' }];
    expect(await validate({ books, next: { books: [] } })).toEqual({ books, next: { books: [] } });
    await expect(validate({ books, next: { books: [{ by: { name: 'a', more: 1 }, called: {} }] } })).rejects.toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ path: 'next.books.0.by.more' }),
        expect.objectContaining({ path: 'next.books.0.called' }),
      ]),
    });
  });

  it('find none of another ajv, of none, and none that was not there yet', () => {
    const [ajv, other] = [own(), own()];
    const nowhere =
      "Error: The reference 'User' does not resolve: put the schema into '$defs' of the record, or make a validator of it before, with the same ajv";
    expect(refused(() => getValidator(message, ajv))).toBe(nowhere);
    getValidator(user, other);
    getValidator(user);
    expect(refused(() => getValidator(message, ajv))).toBe(nowhere);
    expect(refused(() => getValidator(message))).toBe(nowhere);
  });

  it('find none where two have the same id, whose own validators work', async () => {
    const ajv = own();
    getValidator(user, ajv);
    getValidator(user, ajv);
    expect(refused(() => getValidator(message, ajv))).toBe('nothing was thrown');
    const another = getValidator({ ...user, properties: { email: { type: 'number' } } }, ajv);
    expect(await another({ email: 1 })).toEqual({ email: 1 });
    expect(refused(() => getValidator(message, ajv))).toMatch(
      /^Error: The reference 'User' does not resolve \(two schemas have the \$id 'User'\)/,
    );
    getValidator(user, ajv);
    expect(refused(() => getValidator(message, ajv))).toMatch(/two schemas/);
  });

  it('mean no data that was derived from them', async () => {
    const ajv = own();
    getDataValidator(user, ajv);
    getValidator(user, ajv);
    await expect(getValidator(message, ajv)({ user: {} })).rejects.toMatchObject({ errors: [{ path: 'user.email' }] });
  });

  it('write defaults of others into a copy, also of those that were added to the validator', async () => {
    const ajv = own();
    const part = (id: string) => ({ $id: id, type: 'object', properties: { size: { type: 'number', default: 1 } } });
    getValidator(part('Part'), ajv);
    ajv.addSchema(part('Added'));
    const validate = getValidator({ type: 'object', properties: { a: { $ref: 'Part' }, b: { $ref: 'Added' } } }, ajv);
    const given = { a: {}, b: {} };
    expect(await validate(given)).toEqual({ a: { size: 1 }, b: { size: 1 } });
    expect(given).toEqual({ a: {}, b: {} });
  });

  it('find them for a change, too, which needs nothing', async () => {
    const ajv = own();
    getValidator(user, ajv);
    const { create, patch } = getDataValidator({ ...message, required: ['text'] }, ajv);
    expect(await patch({ user: { email: 'a' } })).toEqual({ user: { email: 'a' } });
    await expect(create({ user: { email: 'a' } })).rejects.toMatchObject({ errors: [{ path: 'text' }] });
    await expect(patch({ user: {} })).rejects.toMatchObject({ errors: [{ path: 'user.email' }] });
  });

  it('find them beside definitions of the same name, and those that they refer to in turn', async () => {
    const ajv = own();
    getValidator({ $id: 'Town', type: 'object', properties: { name: text } }, ajv);
    getValidator({ $id: 'House', type: 'object', properties: { town: { $ref: 'Town' } } }, ajv);
    const street = {
      type: 'object',
      $defs: { House: { type: 'number' } },
      properties: { no: { $ref: '#/$defs/House' }, of: { $ref: 'House' } },
    };
    const validate = getValidator(street, ajv);
    expect(await validate({ no: '7', of: { town: { name: 'a' } } })).toEqual({ no: 7, of: { town: { name: 'a' } } });
    await expect(validate({ no: 'x' })).rejects.toMatchObject({ errors: [{ path: 'no' }] });
    await expect(validate({ of: { town: { name: {} } } })).rejects.toMatchObject({ errors: [{ path: 'of.town.name' }] });
  });

  it('find them where names are read from the address of their own document', async () => {
    const ajv = own();
    getValidator({ ...user, $id: 'https://example.com/schemas/user.json' }, ajv);
    const validate = getValidator(
      { ...message, $id: 'https://example.com/schemas/message.json', properties: { user: { $ref: 'user.json' } } },
      ajv,
    );
    await expect(validate({ user: {} })).rejects.toMatchObject({ errors: [{ path: 'user.email' }] });
  });

  it.each<[string, (ajv: Ajv, schema: TSchema) => void]>([
    ['compiled', (ajv, schema) => void getValidator(schema, ajv)],
    ['added to the validator', (ajv, schema) => void ajv.addSchema(schema)],
  ])('keep what those hide that were %s, in records of a service and in what is written to them', async (_how, tell) => {
    const ajv = createAjv();
    const author = Type.Object({ name: Type.String(), pin: Hidden(Type.String()) }, { $id: 'Author', additionalProperties: false });
    tell(ajv, author);
    const post = Type.Object({ id: Type.Number(), author: Type.Optional(Type.Ref(author)) }, { $id: 'Post', additionalProperties: false });
    const app = framework();
    const rows = [{ id: 1, author: { name: 'Ann', pin: 'x' } }];
    const posts = { find: async () => rows, create: async (data: object) => ({ ...data, id: 2 }) };
    app.use('posts', posts, { schema: serviceSchema({ record: post, ajv }) as never });
    const service = app.service('posts') as unknown as {
      find(params: object): Promise<unknown>;
      create(data: object, params: object): Promise<unknown>;
    };
    const outside = { provider: 'rest', query: {} };
    expect(await service.find(outside)).toEqual([{ id: 1, author: { name: 'Ann' } }]);
    expect(await service.create({ author: { name: 'Bob' } }, outside)).toEqual({ id: 2, author: { name: 'Bob' } });
    await expect(service.create({ author: { name: 'Bob', pin: 'y' } }, outside)).rejects.toMatchObject({ code: 400 });
    await expect(service.find({ ...outside, query: { 'author.pin': 'x' } })).rejects.toMatchObject({ code: 400 });
  });

  it('find those that were added under a name and have no id, in records too', async () => {
    const ajv = createAjv();
    const part = { type: 'object', properties: { size: { type: 'number', default: 1 } }, additionalProperties: false };
    const address = {
      type: 'object',
      properties: {
        city: text,
        pin: { ...text, hidden: true },
        parts: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/part' }, text] } },
      },
      required: ['city'],
      additionalProperties: false,
      $defs: { part },
    };
    ajv.addSchema(address, 'address');
    const house = { type: 'object', properties: { at: { $ref: 'address' }, first: { $ref: 'address#/$defs/part' } }, required: ['at'] };
    const given = { at: { city: 'Rome', parts: [{}, 'a', { size: '5' }] }, first: {} };
    const filled = { at: { city: 'Rome', parts: [{ size: 1 }, 'a', { size: 5 }] }, first: { size: 1 } };
    expect(await getValidator(house, ajv)(given)).toEqual(filled);
    const checks = new RecordChecks({ record: house, extensions: {}, ajv });
    const outside = { provider: 'rest' };
    expect(await checks.validate(given, 'create', outside)).toEqual(filled);
    expect(await checks.validate({ first: {} }, 'patch', outside)).toEqual({ first: { size: 1 } });
    expect(checks.shape.redact({ at: { city: 'Rome', pin: 'x' } }, { params: outside })).toEqual({ at: { city: 'Rome' } });
    await expect(checks.validate({ at: { city: 'Rome', pin: 'x' } }, 'create', outside)).rejects.toMatchObject({
      errors: [{ path: 'at.pin' }],
    });
    expect(await checks.query(outside)({ 'at.city': 'Rome' })).toEqual({ 'at.city': 'Rome' });
    await expect(checks.query(outside)({ 'at.pin': 'x' })).rejects.toMatchObject({ code: 400 });
  });
});
