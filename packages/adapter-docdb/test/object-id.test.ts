import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { keywordObjectId, ObjectIdSchema, resolveObjectId, resolveQueryObjectId } from '../src/index.ts';

const hex = '507f1f77bcf86cd799439011';

describe('resolvers (interface 4.5)', () => {
  it('resolveObjectId converts a value', async () => {
    expect(await resolveObjectId(hex)).toEqual(new ObjectId(hex));
    expect(await resolveObjectId(new ObjectId(hex))).toEqual(new ObjectId(hex));
    expect(await resolveObjectId(undefined)).toBeUndefined();
    for (const bad of ['123456789012', 'x', 5, {}]) await expect(resolveObjectId(bad)).rejects.toMatchObject({ code: 400 });
  });

  it('resolveObjectId keeps null, with which data takes a reference away', async () => {
    expect(await resolveObjectId(null)).toBeNull();
  });

  it('resolveQueryObjectId converts equality, $in, $nin and $ne, and keeps other operators', async () => {
    const id = new ObjectId(hex);
    expect(await resolveQueryObjectId(hex)).toEqual(id);
    expect(await resolveQueryObjectId({ $in: [hex], $nin: [hex], $ne: hex, $gt: hex })).toEqual({
      $in: [id],
      $nin: [id],
      $ne: id,
      $gt: id,
    });
    expect(await resolveQueryObjectId({ $exists: true, $ne: null })).toEqual({ $exists: true, $ne: null });
    expect(await resolveQueryObjectId(undefined)).toBeUndefined();
  });
});

describe('the keyword objectid', () => {
  it('accepts object ids and replaces their texts', () => {
    const check = keywordObjectId.compile(true);
    const parentData: Record<string, unknown> = { id: hex };
    expect(check(hex, { parentData, parentDataProperty: 'id' })).toBe(true);
    expect(parentData.id).toEqual(new ObjectId(hex));
    expect(check(new ObjectId())).toBe(true);
    expect(check('123456789012')).toBe(false);
    expect(keywordObjectId.compile(false)('anything')).toBe(true);
  });

  it('is what ObjectIdSchema uses', () => {
    expect(JSON.stringify(ObjectIdSchema())).toContain('"objectid":true');
  });
});
