import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BSON, Decimal128, Long, ObjectId } from 'mongodb';
import { resolveObjectId } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

const VERSION = Symbol.for('@@mdb.bson.version');

/** As the package of another major version has it, which a library beside the driver may bring along. */
class OtherObjectId extends ObjectId {
  get [VERSION](): number {
    return 4;
  }
}

class OtherLong extends Long {
  get [VERSION](): number {
    return 4;
  }
}

const id = new OtherObjectId('a'.repeat(24));
const own = new ObjectId('a'.repeat(24));

describe('object ids of another version of the bson package', () => {
  it('are refused by the driver', () => {
    expect(() => BSON.serialize({ id })).toThrow('Unsupported BSON version');
  });

  it.each([false, true])('are ids of calls, with disableObjectify: %s', async (disableObjectify) => {
    const service = harness.service({ disableObjectify });
    expect(await service.create({ _id: id, name: 'Ann' })).toEqual({ _id: own, name: 'Ann' });
    expect(await service.get(id)).toMatchObject({ name: 'Ann' });
    expect(await service.update(id, { name: 'Bea' })).toMatchObject({ name: 'Bea' });
    expect(await service.patch(id, { name: 'Cy' })).toMatchObject({ name: 'Cy' });
    expect(await service.find({ query: { _id: { $in: [id] } } })).toHaveLength(1);
    expect(await service.remove(id)).toMatchObject({ _id: own, name: 'Cy' });
  });

  it('are values of data and of conditions, wherever they are', async () => {
    const service = harness.service({ multi: true, objectIds: ['ref'], operators: ['$elemMatch', '$not', '$eq'] });
    await service.create([{ name: 'Ann', ref: id, list: [id], inner: { by: id, at: { by: [id] } } }]);
    await service.patch(null, { other: id, $push: { list: id } });
    expect(await service.find({ query: { $select: ['ref', 'list', 'inner', 'other'] } })).toEqual([
      { _id: expect.any(ObjectId), ref: own, list: [own, own], inner: { by: own, at: { by: [own] } }, other: own },
    ]);
    for (const query of [
      { ref: id },
      { list: id },
      { list: [id, id] },
      { inner: { by: id, at: { by: [id] } } },
      { 'inner.by': { $gte: id, $lte: id } },
      { $or: [{ other: { $in: [id] } }] },
      { list: { $elemMatch: { $eq: id } } },
      { other: { $not: { $eq: new OtherObjectId() } } },
    ])
      expect([query, await service.find({ query })]).toEqual([query, [expect.objectContaining({ name: 'Ann' })]]);
  });

  it('are also those of drivers before version 5, which say it in another way', async () => {
    const old = Object.create({ _bsontype: 'ObjectID', toHexString: () => own.toHexString() }) as ObjectId;
    const service = harness.service();
    expect(await service.create({ _id: old, name: 'Ann', by: old })).toEqual({ _id: own, name: 'Ann', by: own });
    expect(await service.get(old)).toMatchObject({ name: 'Ann' });
    expect(await service.find({ query: { by: { $in: [old] } } })).toHaveLength(1);
  });

  it('are what resolvers give', async () => {
    const resolved = await resolveObjectId(id);
    expect(BSON.serialize({ resolved })).toEqual(BSON.serialize({ resolved: own }));
  });

  it('but other values are refused in words that say how to mend it', async () => {
    const long = new OtherLong(1);
    const service = harness.service();
    const refused = { code: 500, message: expect.stringContaining('another version of the bson package') };
    for (const call of [service.create({ name: 'Ann', long }), service.find({ query: { long } })])
      await expect(call).rejects.toMatchObject(refused);
    expect(await service.create({ name: 'Ann', price: Decimal128.fromString('1.5') })).toMatchObject({ name: 'Ann' });
  });
});
