import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DocDbService } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

let harness: ServiceHarness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.database.close());
beforeEach(() => harness.reset());

describe('a list under a name that all objects have', () => {
  const LISTS = { toString: [{ a: [1] }], valueOf: [[{ b: 2 }]], inside: { hasOwnProperty: [{ c: 3 }] } };
  const RECORD = { name: 'Ann', ...LISTS };

  it('is read as what it is by every method', async () => {
    const service = harness.service({ multi: true, paginate: { default: 5, max: 5 }, cursors: true });
    const { _id } = await service.create(RECORD);
    const record = { _id, ...RECORD };
    expect(await service.get(_id as string)).toEqual(record);
    expect(await service.get(_id as string, { pipeline: [{ $match: {} }] })).toEqual(record);
    expect(await service.find({ paginate: false })).toEqual([record]);
    expect(await service.find()).toMatchObject({ data: [record] });
    expect(await service.find({ paginate: false, pipeline: [{ $match: {} }] })).toEqual([record]);
    expect(await service.patch(_id as string, { name: 'Ann' })).toEqual(record);
    expect(await service.patch(null, { name: 'Ann' })).toEqual([record]);
    expect(await service.update(_id as string, RECORD)).toEqual(record);
    expect(await service.remove(null)).toEqual([record]);
  });

  it('is read as bytes where the client or the call asks for that', async () => {
    const client = await new MongoClient(harness.database.uri, { fieldsAsRaw: { inside: true } }).connect();
    const Model = client.db(harness.database.db.databaseName).collection('people');
    await harness.service().create({ name: 'Ann', inside: [{ c: 3 }], other: [{ d: 4 }] });
    const service = new DocDbService({ Model });
    const bytes = [expect.any(Uint8Array)];
    expect(await service.find()).toEqual([expect.objectContaining({ inside: bytes, other: [{ d: 4 }] })]);
    const docdb = { fieldsAsRaw: { other: true } };
    expect(await service.find({ docdb })).toEqual([expect.objectContaining({ inside: [{ c: 3 }], other: bytes })]);
    await client.close();
  });
});
