import { keywordObjectId } from '@framework/adapter-docdb';
import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import {
  coerce,
  createAjv,
  getDataValidator,
  getValidator,
  Nullable,
  ObjectIdSchema,
  querySyntax,
  StringEnum,
  Type,
  type JSONSchema,
} from '../../src/index.ts';

const id = new ObjectId('65f0c0ffee65f0c0ffee65f0');
const text = id.toHexString();
const record = Type.Object({
  _id: Type.String(),
  ownerId: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-f]{24}$' }))),
  memberIds: Type.Optional(Type.Array(Type.String())),
  parts: Type.Optional(Type.Array(Type.Object({ of: Type.String() }))),
  kind: Type.Optional(StringEnum(['a', 'b'])),
  count: Type.Optional(Type.Integer()),
});

describe('an object id where text is described, as a record of a database has it', () => {
  const check = getValidator(querySyntax(record) as JSONSchema);

  it.each<[string, (value: unknown) => object]>([
    ['a value', (value) => ({ _id: value })],
    ['one that may be null', (value) => ({ ownerId: value })],
    ['an element of a list', (value) => ({ memberIds: value })],
    ['what it is not', (value) => ({ _id: { $ne: value } })],
    ['one of several', (value) => ({ _id: { $in: [value, 'x'] }, ownerId: { $nin: [value] } })],
    ['a part of alternatives', (value) => ({ $or: [{ ownerId: value }, { $and: [{ memberIds: { $in: [value] } }] }] })],
    ['a path', (value) => ({ 'parts.of': value })],
  ])('is its text in a query, as %s', async (_what, query) => {
    expect(await check(query(id))).toEqual(query(text));
  });

  it('is its text in data, and leaves what it was given as it was', async () => {
    const { create, patch } = getDataValidator(record);
    const data = { _id: id, ownerId: id, memberIds: [id, 'x'], parts: [{ of: id }] };
    const expected = { _id: text, ownerId: text, memberIds: [text, 'x'], parts: [{ of: text }] };
    expect(await create(data)).toEqual(expected);
    expect(await patch(data)).toEqual(expected);
    expect(data).toEqual({ _id: id, ownerId: id, memberIds: [id, 'x'], parts: [{ of: id }] });
  });

  it('is refused as what it is where a number or another text is described', async () => {
    for (const [query, problem] of [
      [{ count: id }, { path: 'count', message: 'count must be integer' }],
      [{ kind: id }, { path: 'kind', message: 'kind must be equal to one of the allowed values' }],
    ] as const)
      await expect(check(query)).rejects.toMatchObject({ code: 400, errors: expect.arrayContaining([expect.objectContaining(problem)]) });
  });

  it('stays an object id where object ids are described, and where anything is', async () => {
    const ajv = createAjv();
    ajv.addKeyword(keywordObjectId);
    const ids = Type.Object({ _id: ObjectIdSchema(), any: Type.Unknown() });
    expect(await getDataValidator(ids, ajv).create({ _id: id, any: id })).toEqual({ _id: id, any: id });
    expect(await getValidator(querySyntax(ids) as JSONSchema, ajv)({ _id: { $in: [id, text] } })).toEqual({ _id: { $in: [id, id] } });
  });

  it('is none where another value has a text of hexadecimal digits, such as a colour', async () => {
    const colour = { toHexString: () => '#ff0000' };
    expect(coerce({ type: 'string' }, colour)).toBe(colour);
    await expect(getDataValidator(record).create({ _id: colour })).rejects.toMatchObject({ code: 400 });
  });

  it('is one of a driver of years ago, too', async () => {
    const old = Object.create({ _bsontype: 'ObjectID', toHexString: () => text }) as unknown;
    expect(await getDataValidator(record).create({ _id: old })).toEqual({ _id: text });
    expect(await check({ memberIds: { $in: [old] } })).toEqual({ memberIds: { $in: [text] } });
  });

  it('is nothing that a caller can send', () => {
    for (const sent of [{ toHexString: 'text' }, { _bsontype: 'ObjectId', id: text }, { $oid: text }])
      expect(coerce({ type: 'string' }, sent)).toBe(sent);
  });
});
