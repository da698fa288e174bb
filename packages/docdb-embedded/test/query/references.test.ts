import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DBRef, type Document, ObjectId } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

const ann = new ObjectId();
const other = new ObjectId();
const members = () => harness.db.collection('members');

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe('references to documents', () => {
  beforeEach(async () => {
    await members().deleteMany({});
    await members().insertMany([
      {
        name: 'one',
        of: { $ref: 'people', $id: ann, $db: 'home' },
        all: [
          { $ref: 'people', $id: ann },
          { $ref: 'cats', $id: other },
        ],
      },
      { name: 'two', of: { $ref: 'people', $id: other }, all: [{ $ref: 'people', $id: other, since: 3 }] },
    ]);
  });

  it.each<[string, Document, string[]]>([
    ['the id of an element', { all: { $elemMatch: { $id: ann } } }, ['one']],
    ['the collection of an element', { all: { $elemMatch: { $ref: 'cats' } } }, ['one']],
    ['both, of one element', { all: { $elemMatch: { $ref: 'cats', $id: ann } } }, []],
    ['both and more, the reference last', { all: { $elemMatch: { since: { $gt: 1 }, $id: other, $ref: 'people' } } }, ['two']],
    ['an element among others', { all: { $all: [{ $elemMatch: { $id: ann } }, { $elemMatch: { $ref: 'cats' } }] } }, ['one']],
    ['a whole reference', { of: { $ref: 'people', $id: other } }, ['two']],
    ['a whole reference, its id first', { of: { $id: other, $ref: 'people' } }, []],
    ['one of a list', { all: { $in: [{ $ref: 'people', $id: ann }] } }, ['one']],
    ['a path', { 'of.$db': 'home', 'all.$id': other }, ['one']],
    ['a field of the document itself', { $id: ann }, []],
  ])('are found by %s', async (_name, filter, expected) => {
    const names = await members().distinct('name', filter);
    expect(names).toEqual(expected);
  });

  it('are taken out of an array by their id, or by all that they are', async () => {
    await members().updateOne({ name: 'one' }, { $pull: { all: { $id: ann } } } as Document);
    await members().updateOne({ name: 'two' }, { $pull: { all: { $ref: 'people', $id: other } } } as Document);
    expect(await members().countDocuments({ all: { $size: 1 }, 'all.$ref': 'cats' })).toBe(1);
    expect(await members().countDocuments({ all: [] })).toBe(1);
  });

  it('are one element of a projection', async () => {
    const found = await members().findOne({ name: 'one' }, { projection: { _id: 0, all: { $elemMatch: { $id: other } } } });
    expect(found).toEqual({ all: [new DBRef('cats', other)] });
  });

  it('are shown by a part of them, and are shown without one', async () => {
    const shown = async (projection: Document): Promise<unknown> =>
      members().findOne({ name: 'one' }, { projection: { _id: 0, ...projection } });
    expect(await shown({ 'of.$id': 1 })).toEqual({ of: { $id: ann } });
    expect(await shown({ 'all.$ref': 1 })).toEqual({ all: [{ $ref: 'people' }, { $ref: 'cats' }] });
    expect(await shown({ name: 0, all: 0, 'of.$db': 0 })).toEqual({ of: new DBRef('people', ann) });
    const staged = await members()
      .aggregate([{ $match: { name: 'one' } }, { $project: { _id: 0, 'of.$id': 1 } }])
      .toArray();
    expect(staged).toEqual([{ of: { $id: ann } }]);
    expect(await failure(shown({ 'of.$more': 1 }))).toBe(16410);
    expect(await failure(shown({ of: { $id: 1 } }))).toBe(31325);
  });

  it('have indexes of their parts', async () => {
    await members().createIndex({ 'of.$id': 1, 'of.$db': -1 }, { unique: true });
    await members().createIndex({ 'all.$ref': 1 });
    await expect(members().insertOne({ of: { $ref: 'cats', $id: ann, $db: 'home' } })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { 'of.$id': 1, 'of.$db': -1 },
    });
    expect(
      await members()
        .find({ 'all.$ref': 'cats' })
        .hint({ 'all.$ref': 1 })
        .map(({ name }) => name as unknown)
        .toArray(),
    ).toEqual(['one']);
    const { queryPlanner } = await members().find({ 'of.$id': other }).explain();
    expect(JSON.stringify(queryPlanner)).toContain('of.$id_1_of.$db_-1');
    await members().dropIndexes();
  });

  it.each(['$id', 'of.$more', 'of.$id.', 'of.$', 'of..$id'])('have no index as %s', async (name) => {
    expect(await failure(members().createIndex({ [name]: 1 }))).toBe(67);
  });

  const person = { $ref: 'people', $id: ann };
  it.each<[string, Document]>([
    ['a reference', person],
    ['a reference into another database', { ...person, $db: 'home' }],
    ['a reference and more', { ...person, since: 3 }],
    ['a reference to what is not called by a plain value', { $ref: 'people', $id: { $x: 1 } }],
    ['a document with a reference', { of: person, at: 1 }],
    ['a document with several of them', { of: [person, { ...person, $db: 'home' }] }],
  ])('are ids, as %s', async (_name, _id) => {
    const filter: Document = { _id: { $eq: _id } };
    await members().insertOne({ _id, by: 'insert' } as Document);
    expect(await members().countDocuments(filter)).toBe(1);
    expect(await members().deleteMany(filter)).toMatchObject({ deletedCount: 1 });
    await members().updateOne(filter, { $set: { by: 'upsert' } }, { upsert: true });
    await members().updateOne(filter, { $set: { more: 1 } });
    expect(await members().countDocuments({ ...filter, by: 'upsert', more: 1 })).toBe(1);
  });

  it.each<[string, Document, string]>([
    ['its id first', { $id: ann, $ref: 'people' }, '$id'],
    ['no id', { $ref: 'people' }, '$ref'],
    ['a collection that is none', { $ref: 1, $id: ann }, '$ref'],
    ['a database that is none', { ...person, $db: 1 }, '$db'],
    ['something behind another field', { at: 1, ...person }, '$ref'],
    ['an operator in it', { of: { $gt: 1 } }, '$gt'],
    ['an operator in a list in it', { of: [1, { at: { $gt: 1 } }] }, '$gt'],
  ])('are no ids with %s', async (_name, _id, bad) => {
    const refusal = { code: 52, message: expect.stringContaining(`'$'-prefixed fields: ${bad} is not valid`) };
    await expect(members().insertOne({ _id } as Document)).rejects.toMatchObject(refusal);
    await expect(members().updateOne({ _id: { $eq: _id } } as Document, { $set: { a: 1 } }, { upsert: true })).rejects.toMatchObject(
      refusal,
    );
  });

  it('are what an upsert begins with', async () => {
    await members().updateOne({ _id: person, of: { ...person, $db: 'home' } } as Document, { $set: { by: 'upsert' } }, { upsert: true });
    expect(await members().findOne({ by: 'upsert' })).toEqual({
      _id: new DBRef('people', ann),
      of: new DBRef('people', ann, 'home'),
      by: 'upsert',
    });
    await members().replaceOne({ _id: { $ref: 'cats', $id: ann } } as Document, { by: 'replacement' }, { upsert: true });
    expect(await members().findOne({ by: 'replacement' })).toMatchObject({ _id: new DBRef('cats', ann) });
  });

  it('are no operators of a field where they are not whole', async () => {
    expect(
      await failure(
        members()
          .find({ of: { $id: ann } })
          .toArray(),
      ),
    ).toBe(2);
    expect(
      await failure(
        members()
          .find({ of: { $db: 'home', $gt: 1 } })
          .toArray(),
      ),
    ).toBe(2);
    expect(
      await failure(
        members()
          .find({ all: { $elemMatch: { $id: ann, $gt: 1 } } })
          .toArray(),
      ),
    ).toBe(2);
  });
});

describe('a filter of elements', () => {
  it('may begin with what stands where a field does', async () => {
    await members().deleteMany({});
    await members().insertOne({ name: 'three', all: [{ a: 1 }, { a: 2 }] });
    const found = (operand: Document): Promise<number> => members().countDocuments({ all: { $elemMatch: operand } });
    expect(await found({ $comment: 'of one', a: 1 })).toBe(1);
    expect(await found({ $comment: 'of one', a: 3 })).toBe(0);
    expect(await found({ $alwaysTrue: 1, a: 1 })).toBe(1);
    expect(await found({ $sampleRate: 1, a: 1 })).toBe(1);
    await members().updateOne({}, { $pull: { all: { $comment: 'of one', a: 1 } } } as Document);
    expect(await members().countDocuments({ all: [{ a: 2 }] })).toBe(1);
  });
});
