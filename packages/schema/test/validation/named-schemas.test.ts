import { describe, expect, it } from '@jest/globals';
import { addFormats, Ajv, getDataValidator, getValidator, Type } from '../../src/index.ts';

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
});
