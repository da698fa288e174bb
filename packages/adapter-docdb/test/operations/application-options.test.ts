import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { transaction, type DocDbParams } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

describe('what the application gives the driver for a call', () => {
  let harness: ServiceHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  /** What the application means by `docdb`, which may be what its type does not have. */
  const given = (docdb: Record<string, unknown>): DocDbParams => ({ docdb });

  it('may have no session by null, as by leaving it out', async () => {
    const service = harness.service({ multi: true, paginate: { default: 5 } });
    const params = given({ session: null });
    const { _id } = await service.create({ name: 'Ann' }, params);
    expect(await service.patch(_id as string, { age: 5 }, params)).toEqual({ _id, name: 'Ann', age: 5 });
    expect(await service.get(_id as string, params)).toMatchObject({ age: 5 });
    expect(await service.find(params)).toMatchObject({ total: 1, data: [{ name: 'Ann' }] });
    expect(await service.remove(null, params)).toHaveLength(1);
  });

  it('is no matter of the events of other services', async () => {
    const app = framework().use('people', harness.service()).use('notes', new MemoryService());
    const told: unknown[] = [];
    app.service('notes').on('created', (record: unknown) => told.push(record));
    for (const session of [null, {}]) await app.service('notes').create({ text: 'Hello' }, given({ session }));
    expect(told).toHaveLength(2);
  });

  it.each([{}, 'session', true])('is refused where its session is %j, before anything is written', async (session) => {
    const service = harness.service();
    await expect(service.create({ name: 'Ann' }, given({ session }))).rejects.toThrow(/^params.docdb.session is a session of the driver/);
    expect(await service.find()).toEqual([]);
  });

  it('explains what reads, and refuses to explain what writes', async () => {
    const service = harness.service({ multi: true });
    const { _id } = await service.create({ name: 'Ann' });
    expect(await service.find(given({ explain: true }))).toMatchObject([{ queryPlanner: {} }]);
    const id = _id as string;
    const writes = {
      create: (params: DocDbParams) => service.create({ name: 'Ben' }, params),
      update: (params: DocDbParams) => service.update(id, { name: 'Ben' }, params),
      patch: (params: DocDbParams) => service.patch(id, { name: 'Ben' }, params),
      remove: (params: DocDbParams) => service.remove(null, params),
    };
    for (const [method, write] of Object.entries(writes))
      for (const explain of [true, false, 'queryPlanner'])
        await expect(write(given({ explain }))).rejects.toThrow(
          `params.docdb.explain is for find and get, and not for ${method}: nothing would be written`,
        );
    expect(await service.patch(id, { age: 5 }, given({ explain: undefined }))).toEqual({ _id, name: 'Ann', age: 5 });
    expect(await service.find()).toHaveLength(1);
  });

  it.each([
    ['hint', given({ hint: { nowhere: 1 } })],
    ['hint', given({ hint: 'nowhere' })],
    ['hint', given({ hint: 5 })],
    ['collation', given({ collation: { locale: 'nowhere' } })],
    ['collation', given({ collation: { locale: 'en', strength: 9 } })],
    ['collation', { collation: { locale: 'nowhere' } }],
    ['readConcern', given({ readConcern: { level: 'nowhere' } })],
    ['readPreference', given({ readPreference: 'nowhere' })],
    ['let', given({ let: 5 })],
    ['sort', given({ sort: 5 })],
  ])('is no fault of the caller where the database does not take it: %s, %j', async (option, params) => {
    const service = harness.service({ multi: true, operators: ['$regex'] });
    const { _id } = await service.create({ name: 'Ann' });
    const refused = {
      name: 'GeneralError',
      code: 500,
      message: `The database does not take the option '${option}' that the application gives it for this call`,
    };
    await expect(service.find({ query: { name: 'Ann' }, provider: 'rest', ...params })).rejects.toMatchObject(refused);
    await expect(service.patch(null, { age: 5 }, params)).rejects.toMatchObject(refused);
    if (option !== 'readConcern') await expect(service.patch(_id as string, { age: 5 }, params)).rejects.toMatchObject(refused);
    expect(await service.find()).toEqual([{ _id, name: 'Ann' }]);
  });

  it('leaves what the caller asks for the fault of the caller', async () => {
    const service = harness.service({ operators: ['$type'] });
    await harness.database.db.collection('people').createIndex({ name: 1 });
    const params = { provider: 'rest', ...given({ hint: { name: 1 }, collation: { locale: 'en' } }) };
    for (const query of [{ name: { $type: 'hint' } }, { name: { $type: 'collation' } }])
      await expect(service.find({ query, ...params })).rejects.toMatchObject({ name: 'BadRequest', code: 400 });
  });

  it.each([
    ['is of a property that is called so', { session: 'morning', comment: 'none' }, { $inc: { session: 1 } }],
    ['leads through a property that is called so', { session: 'morning', comment: 'none' }, { $set: { 'comment.session': 1 } }],
    ['says so in a value', { name: "BSON field 'session' of mine" }, { $set: { 'name.comment': 1 } }],
  ])('leaves it so where what is wrong %s, as in a transaction', async (_what, record, data) => {
    const service = harness.service();
    const { _id } = await service.create({ name: 'Ann', ...record });
    const refused = transaction(harness.database.client, (session) =>
      service.patch(_id as string, data as object, { docdb: { session, comment: 'of the application' } }),
    );
    await expect(refused).rejects.toMatchObject({ name: 'BadRequest', code: 400 });
    expect(await service.get(_id as string)).toEqual({ _id, name: 'Ann', ...record });
  });
});
