import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Document, type MongoClientOptions } from 'mongodb';
import { framework } from '@framework/core';
import { freePort } from '@framework-internal/testing/free-port';
import { DocDbService } from '../src/index.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

describe('create of several records, one of which is refused', () => {
  let harness: ServiceHarness;
  let before: Document[];

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    const people = harness.database.db.collection<{ _id: string; name: string; email?: string }>('people');
    await people.createIndex({ email: 1 }, { unique: true, sparse: true });
    await people.insertMany([
      { _id: 'a', name: 'Ann', email: 'ann@example.com' },
      { _id: 'B', name: 'Bea' },
    ]);
    before = await stored();
    harness.commands.length = 0;
  });

  const stored = (): Promise<Document[]> => harness.database.db.collection('people').find().sort({ _id: 1 }).toArray();
  const taken = { name: 'Ann', email: 'ann@example.com' };

  it('stores none of them, and tells of no event', async () => {
    const app = framework().use('people', harness.service({ multi: true }));
    const told: unknown[] = [];
    app.service('people').on('created', (record: unknown) => void told.push(record));
    const created = app.service('people').create([{ name: 'one' }, { name: 'two' }, taken, { name: 'three' }] as never);
    await expect(created).rejects.toMatchObject({ code: 409, data: { fields: ['email'] } });
    expect(await stored()).toEqual(before);
    expect(told).toEqual([]);
  });

  it('leaves records alone that were there before, whose ids the caller gave', async () => {
    const service = harness.service({ multi: true, disableObjectify: true });
    for (const data of [
      [{ _id: 'a', name: 'one' }, { name: 'two' }],
      [
        { _id: 'c', name: 'one' },
        { _id: 'a', name: 'two' },
        { _id: 'B', name: 'three' },
      ],
      [
        { _id: 'c', name: 'one' },
        { _id: 'c', name: 'two' },
      ],
    ]) {
      await expect(service.create(data)).rejects.toMatchObject({ code: 409 });
      expect(await stored()).toEqual(before);
    }
  });

  it('takes back by the ids as they are, and not as a collation of the call has them', async () => {
    const service = harness.service({ multi: true, disableObjectify: true });
    const collation = { locale: 'en', strength: 1 };
    expect(await service.create({ _id: 'd', name: 'Dan' }, { collation })).toEqual({ _id: 'd', name: 'Dan' });
    await service.remove('d');
    await expect(service.create([{ _id: 'b', name: 'one' }, taken], { collation })).rejects.toMatchObject({ code: 409 });
    expect(await stored()).toEqual(before);
  });

  it('takes back what has its id under another name', async () => {
    const service = harness.service({ multi: true, id: 'key' });
    await expect(service.create([{ name: 'one' }, taken])).rejects.toMatchObject({ code: 409 });
    expect(await stored()).toEqual(before);
  });

  it('stores what can be stored for who asks for that', async () => {
    const service = harness.service({ multi: true });
    const data = [{ name: 'one' }, taken, { name: 'two' }];
    await expect(service.create(data, { docdb: { ordered: false } } as object)).rejects.toMatchObject({ code: 409 });
    expect((await stored()).map(({ name }) => name as unknown).sort()).toEqual(['Ann', 'Bea', 'one', 'two']);
  });

  it('takes nothing back where nothing was stored, nor in a transaction, which has ended', async () => {
    const service = harness.service({ multi: true });
    await expect(service.create([taken, { name: 'one' }])).rejects.toMatchObject({ code: 409 });
    const session = harness.database.client.startSession();
    session.startTransaction();
    await expect(service.create([{ name: 'one' }, taken], { docdb: { session } })).rejects.toMatchObject({ code: 409 });
    await session.abortTransaction();
    await session.endSession();
    expect(harness.commands.map((command) => Object.keys(command)[0])).toEqual(['insert', 'insert']);
    expect(await stored()).toEqual(before);
  });
});

describe('create of several records without a database', () => {
  let clients: MongoClient[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));

  function connectTo(uri: string, options: MongoClientOptions): DocDbService<any> {
    const client = new MongoClient(uri, options);
    clients = [...clients, client];
    return new DocDbService({ Model: client.db('none').collection('people'), multi: true });
  }

  it('can be tried again, as that of one can', async () => {
    const port = await freePort();
    const service = connectTo(`mongodb://127.0.0.1:${String(port)}`, { serverSelectionTimeoutMS: 50 });
    for (const data of [{ name: 'one' }, [{ name: 'one' }, { name: 'two' }]])
      await expect(service.create(data)).rejects.toMatchObject({ code: 503, data: { retryAfter: 5 } });
  });
});
