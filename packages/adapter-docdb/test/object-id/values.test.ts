import { describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { keywordObjectId, ObjectIdSchema, resolveObjectId, resolveQueryObjectId } from '../../src/index.ts';
import { withObjectIds } from '../../src/object-id/convert-data.ts';
import { isObjectId, toObjectId } from '../../src/object-id/object-id.ts';
import { resolveOptions } from '../../src/options.ts';

const HEX = '0123456789abcdef01234567';
const ID = new ObjectId(HEX);
/** What JSON can say, and no object id. */
const DISGUISES: readonly unknown[] = [
  { _bsontype: 'ObjectId' },
  { _bsontype: 'ObjectId', id: HEX },
  { _bsontype: 'ObjectId', toHexString: HEX },
  { _bsontype: 'ObjectID', toHexString: () => HEX },
];

describe('an object that looks like an object id', () => {
  it.each(DISGUISES)('is none: %j', async (disguise) => {
    expect(isObjectId(disguise)).toBe(false);
    expect(keywordObjectId.compile(true)(disguise)).toBe(false);
    await expect(resolveObjectId(disguise)).rejects.toMatchObject({ code: 400, message: 'An object id has 24 hexadecimal digits' });
    await expect(resolveQueryObjectId({ $in: [disguise] })).rejects.toMatchObject({ code: 400 });
    await expect(resolveQueryObjectId({ $eq: disguise })).rejects.toMatchObject({ code: 400 });
  });

  it('is one where it comes from another copy of the driver', async () => {
    const foreign = Object.create({ _bsontype: 'ObjectId', toHexString: () => HEX }) as unknown;
    expect(isObjectId(foreign)).toBe(true);
    // The driver would refuse it as it is.
    expect(await resolveObjectId(foreign)).toEqual(new ObjectId(HEX));
    expect(await resolveQueryObjectId(foreign)).toEqual(new ObjectId(HEX));
  });
});

describe('a condition on an object id', () => {
  it.each<[unknown, unknown]>([
    [HEX, ID],
    [null, null],
    [undefined, undefined],
    [
      [HEX, null],
      [ID, null],
    ],
    [[], []],
    [
      { $in: [HEX, null], $nin: [ID] },
      { $in: [ID, null], $nin: [ID] },
    ],
    [
      { $eq: HEX, $exists: false, $ne: null },
      { $eq: ID, $exists: false, $ne: null },
    ],
    [
      { $size: 2, $type: 'objectId', $all: [HEX] },
      { $size: 2, $type: 'objectId', $all: [ID] },
    ],
    [{ $not: { $in: [HEX], $size: 1 } }, { $not: { $in: [ID], $size: 1 } }],
    [{ $elemMatch: { $gt: HEX, $not: { $eq: HEX } } }, { $elemMatch: { $gt: ID, $not: { $eq: ID } } }],
    [{ $all: [{ $elemMatch: { $eq: HEX } }] }, { $all: [{ $elemMatch: { $eq: ID } }] }],
    [{ $not: /^5/ }, { $not: /^5/ }],
  ])('%j has object ids, and keeps lists and null', async (condition, expected) => {
    expect(await resolveQueryObjectId(condition)).toEqual(expected);
  });

  it.each([
    [['x']],
    [{ $in: ['x'] }],
    ['x'],
    [5],
    [{ $gt: 5 }],
    [{ $not: { $eq: 'x' } }],
    [{ $all: ['x'] }],
    [{ other: 1 }],
    [{ $eq: { $in: [HEX] } }],
    [{ $in: [{ $gt: HEX }] }],
    [/^5/],
  ])('%j is 400', async (condition) => {
    await expect(resolveQueryObjectId(condition)).rejects.toMatchObject({ code: 400, message: 'An object id has 24 hexadecimal digits' });
  });

  it('nothing is the id of nothing', async () => {
    expect([await resolveObjectId(null), await resolveObjectId(undefined)]).toEqual([null, undefined]);
  });
});

describe('texts', () => {
  it.each([HEX.slice(1), `${HEX}0`, `x${HEX}`, `${HEX}\n`, HEX.replace('0', 'g'), 'twelve chars', [HEX], 5, null, undefined])(
    'that are no object ids stay what they are: %j',
    (value) => {
      expect(toObjectId(value)).toBe(value);
    },
  );

  it('may have capital letters', () => {
    expect(toObjectId(HEX.toUpperCase())).toEqual(ID);
  });
});

describe('the keyword objectid', () => {
  it('replaces a text where it stands, in an object or a list, and needs no place for that', () => {
    const check = keywordObjectId.compile(true);
    const list: unknown[] = ['a', HEX];
    expect(check(HEX, { parentData: list as never, parentDataProperty: 1 })).toBe(true);
    expect(list).toEqual(['a', ID]);
    expect([check(HEX), check(HEX, {}), check(HEX, { parentDataProperty: 'a' }), check(HEX, { parentData: {} })]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const held: Record<string, unknown> = { id: ID };
    expect(check(held.id, { parentData: held, parentDataProperty: 'id' })).toBe(true);
    expect(held.id).toBe(ID);
    for (const bad of [null, undefined, 5, '', 'x']) expect(check(bad)).toBe(false);
  });

  it('has a schema that tells texts from object ids', () => {
    expect(ObjectIdSchema()).toEqual({
      anyOf: [
        { type: 'string', objectid: true },
        { type: 'object', properties: {}, additionalProperties: true, objectid: true },
      ],
    });
  });
});

describe('data at the paths of objectIds', () => {
  const converted = (data: object, objectIds?: string[], more: object = {}): object =>
    withObjectIds(data, resolveOptions({ Model: (() => undefined) as never, ...(objectIds ? { objectIds } : {}), ...more }));

  it.each<[object, object]>([
    [
      { owner: HEX, other: HEX },
      { owner: ID, other: HEX },
    ],
    [{ owner: [HEX, 'x', [HEX]] }, { owner: [ID, 'x', [ID]] }],
    [{ a: { by: HEX, other: HEX } }, { a: { by: ID, other: HEX } }],
    [{ a: [{ by: HEX }, HEX] }, { a: [{ by: ID }, HEX] }],
    [
      { 'a.by': HEX, 'a.0.by': HEX, 'a.$.by': HEX, 'a.$[each].by': HEX },
      { 'a.by': ID, 'a.0.by': ID, 'a.$.by': ID, 'a.$[each].by': ID },
    ],
    [
      { 'a.10.by': HEX, 'a.1b.by': HEX, 'a.b1.by': HEX },
      { 'a.10.by': ID, 'a.1b.by': HEX, 'a.b1.by': HEX },
    ],
    [
      { $set: { owner: HEX, 'a.by': HEX }, $push: { owner: { $each: [HEX] } } },
      { $set: { owner: ID, 'a.by': ID }, $push: { owner: { $each: [ID] } } },
    ],
    [
      { owner: null, a: null },
      { owner: null, a: null },
    ],
    [{ owner: { x: HEX } }, { owner: { x: HEX } }],
    [
      { ownerOf: HEX, aa: { by: HEX }, by: HEX },
      { ownerOf: HEX, aa: { by: HEX }, by: HEX },
    ],
  ])('%j is %j', (data, expected) => {
    expect(converted(data, ['owner', 'a.by'])).toEqual(expected);
  });

  it('is the same where there is nothing to convert', () => {
    const data = { owner: HEX };
    expect([converted(data), converted(data, []), converted(data, ['owner'], { disableObjectify: true })]).toEqual([data, data, data]);
    expect(converted(data)).toBe(data);
    expect(converted(data, ['owner'])).not.toBe(data);
  });
});
