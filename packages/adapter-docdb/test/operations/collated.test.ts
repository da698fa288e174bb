import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { framework } from '@framework/core';
import { MongoNetworkError, type Document } from 'mongodb';
import { DocDbService } from '../../src/index.ts';
import { startHarness, type ServiceHarness } from '../harness.ts';

const collation = { locale: 'en', strength: 2 } as const;

describe('texts that a collation takes for the same', () => {
  let harness: ServiceHarness;

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(() => harness.reset());

  const stored = (name: string): Promise<Document[]> => harness.database.db.collection(name).find().sort({ _id: 1 }).toArray();

  describe('an update by another text than the id', () => {
    it('leaves the id of the record as it is, by the collation of the call', async () => {
      const service = harness.service({ id: 'name', version: 'v' });
      const { v } = await service.create({ name: 'bob', age: 1 });
      for (const params of [{ collation }, { docdb: { collation } }])
        expect(await service.update('BOB', { age: 2, name: 'eve' }, params)).toMatchObject({ name: 'bob', age: 2 });
      const [record] = await stored('people');
      expect(record).toMatchObject({ name: 'bob', age: 2 });
      expect(record?.v).not.toBe(v);
    });

    it('does so by that of the collection, which is asked for once', async () => {
      const { db, client } = harness.database;
      const Model = await db.createCollection('accounts', { collation });
      const service = new DocDbService({ Model, id: 'name' });
      await service.create({ name: 'bob', list: ['$a', { 'b.c': 1 }] });
      let asked = 0;
      client.on('commandStarted', ({ commandName }) => (asked += Number(commandName === 'listCollections')));
      expect(await service.update('BOB', { list: ['$b', { 'd.e': 2 }], gone: undefined })).toMatchObject({ name: 'bob' });
      expect(await service.update('Bob', { list: ['$name', { $literal: 1 }] }, { query: { $select: ['name'] } })).toEqual({ name: 'bob' });
      expect(await stored('accounts')).toEqual([{ _id: expect.anything(), name: 'bob', list: ['$name', { $literal: 1 }] }]);
      expect(asked).toBe(1);
      await Model.drop();
    });

    it('is given up where the database does not say, and asked for again', async () => {
      const Model = await harness.database.db.createCollection('accounts', { collation });
      const service = new DocDbService({ Model, id: 'name' });
      await service.create({ name: 'bob' });
      jest.spyOn(Model, 'options').mockRejectedValueOnce(new MongoNetworkError('connection 1 closed'));
      await expect(service.update('BOB', { age: 2 })).rejects.toMatchObject({ code: 503 });
      expect(await stored('accounts')).toEqual([{ _id: expect.anything(), name: 'bob' }]);
      expect(await service.update('BOB', { age: 2 })).toMatchObject({ name: 'bob', age: 2 });
      await Model.drop();
    });

    it('makes a record with that id where an upsert finds none, and of a call without a collation it is one replacement', async () => {
      const service = harness.service({ id: 'name' });
      const docdb = { upsert: true, collation };
      expect(await service.update('Ann', { age: 3 }, { docdb })).toMatchObject({ _id: expect.anything(), name: 'Ann', age: 3 });
      expect(await service.update('Ann', { age: 4 })).toMatchObject({ name: 'Ann', age: 4 });
      expect(harness.commands.at(-1)).toMatchObject({ update: { name: 'Ann', age: 4 } });
      expect(await stored('people')).toHaveLength(1);
    });
  });

  describe('an id that is by a collation that of another record too', () => {
    const ids = ['r.1', 'R.1', 'R.1\n', 'é^$-/', 'É^$-/', 'z\0z', 'Z\0z', '😀s', '😀S'];
    const fill = async (): Promise<DocDbService> => {
      await harness.database.db.collection('people').deleteMany({});
      const service = harness.service({ disableObjectify: true, version: 'v' }) as unknown as DocDbService;
      for (const _id of ids) await service.create({ _id, by: _id });
      return service;
    };
    const rest = async (service: DocDbService): Promise<unknown[]> =>
      ((await service.find({ paginate: false })) as Document[]).map(({ _id, by }) => [_id, by] as unknown);

    it.each(ids)('is that of the record that has it as it is: %j', async (id) => {
      const [others, own] = [ids.filter((other) => other !== id).map((other) => [other, other]), { _id: id }];
      let service = await fill();
      expect(await service.get(id, { collation })).toMatchObject(own);
      expect(await service.get(id, { collation, pipeline: [{ $set: { more: 1 } }] })).toMatchObject(own);
      expect(await service.patch(id, { by: 'p' }, { docdb: { collation } })).toMatchObject(own);
      expect(await service.update(id, { by: 'u' }, { collation })).toMatchObject(own);
      expect(await rest(service)).toEqual(expect.arrayContaining([...others, [id, 'u']]));
      service = await fill();
      expect(await service.remove(id, { collation })).toMatchObject(own);
      expect(await rest(service)).toEqual(others);
    });

    it('is not the other where that one satisfies the conditions of a call alone', async () => {
      const service = await fill();
      const other = (await service.get('r.1')) as Document;
      await expect(service.get('R.1', { collation, query: { v: other.v as string } })).rejects.toMatchObject({ code: 404 });
      const precondition = { versions: [other.v as string] };
      await expect(service.patch('R.1', { by: 'p' }, { collation, precondition })).rejects.toMatchObject({ code: 412 });
      const upsert = { upsert: true, collation };
      await expect(service.update('R.1', { by: 'u' }, { query: { v: other.v as string }, docdb: upsert })).rejects.toMatchObject({
        code: 409,
      });
      expect(await rest(service)).toEqual(ids.map((id) => [id, id]));
    });
  });

  it.each(['of the call', 'of the collection'])(
    'a version is the one that a record has, and no other, by the collation %s',
    async (whose) => {
      const Model = await harness.database.db.createCollection('versions', whose === 'of the collection' ? { collation } : {});
      const service = new DocDbService<{ _id: string; by: string; v?: string }>({ Model, version: 'v', disableObjectify: true });
      const ofCall = whose === 'of the call' ? { collation } : {};
      await Model.insertOne({ _id: 'a', by: 'shell', v: 'Draft-1' } as never);
      const other = { ...ofCall, precondition: { versions: ['draft-1'] } };
      for (const write of [
        () => service.patch('a', { by: 'p' }, other),
        () => service.update('a', { by: 'u' }, other),
        () => service.remove('a', other),
        () => service.remove('a', { ...ofCall, precondition: { notVersions: ['Draft-1'] } }),
      ])
        await expect(write()).rejects.toMatchObject({ code: 412 });
      expect(await Model.findOne()).toEqual({ _id: 'a', by: 'shell', v: 'Draft-1' });
      const notOther = { ...ofCall, precondition: { versions: ['Draft-1'], notVersions: ['DRAFT-1'] } };
      const { v = '' } = await service.patch('a', { by: 'p' }, notOther);
      expect(await service.remove('a', { ...ofCall, precondition: { versions: ['x', v] } })).toMatchObject({ by: 'p', v });
      await Model.drop();
    },
  );

  it('a patch of several gives back, and tells of, the records that it changed and no others', async () => {
    const Model = harness.database.db.collection('people');
    await Model.insertMany([
      { _id: 'a', done: false },
      { _id: 'A', done: true },
      { _id: { key: 'b' }, done: false },
      { _id: { key: 'B' }, done: true },
      { _id: 5, done: false },
    ] as never);
    const app = framework().use('tasks', new DocDbService({ Model, multi: true }));
    const told: unknown[] = [];
    app.service('tasks').on('patched', ({ _id }: Document) => void told.push(_id));
    const query = { done: false, $sort: { _id: 1 as const } };
    const patched = await app.service('tasks').patch(null, { done: true, by: 'me' }, { query, collation });
    expect(patched).toEqual([5, 'a', { key: 'b' }].map((_id) => ({ _id, done: true, by: 'me' })));
    expect(told).toEqual([5, 'a', { key: 'b' }]);
  });

  it('a patch of several shows no _id where another id is asked for', async () => {
    const service = harness.service({ id: 'name', multi: true });
    await service.create([{ name: 'a' }, { name: 'b' }]);
    expect(await service.patch(null, { age: 1 }, { query: { $select: ['age'], $sort: { name: 1 } } })).toEqual([
      { name: 'a', age: 1 },
      { name: 'b', age: 1 },
    ]);
  });
});

describe('an operator without an object of paths', () => {
  it('changes nothing when it is undefined, and is 400 as anything else', async () => {
    const harness = await startHarness();
    const service = harness.service();
    const { _id: id } = await service.create({ name: 'Ann', age: 1 });
    const change = (data: object) => service.patch(id as never, data);
    expect(await change({ $set: undefined, $inc: undefined, age: 2 })).toEqual({ _id: id, name: 'Ann', age: 2 });
    for (const $set of [null, 'text', 5, ['a']])
      await expect(change({ $set })).rejects.toMatchObject({ code: 400, message: '$set takes an object' });
    await harness.database.close();
  });
});
