import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framework } from '@framework/core';
import { toFrameworkError, transaction } from '../src/index.ts';
import type { LogDocument } from '../src/events/changes.ts';
import { storeDocuments } from '../src/events/store-documents.ts';
import { startHarness, type ServiceHarness } from './harness.ts';

const UNCONFIRMED = 'The database has not confirmed that the change lasts. Look before you try again';

describe('a write that is not confirmed by as many members as it asks for', () => {
  let harness: ServiceHarness;
  // More than a set can have: the primary has made the change when it says so.
  const docdb = { writeConcern: { w: 50, wtimeoutMS: 50 } };

  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.database.close());
  beforeEach(async () => {
    await harness.reset();
    await harness.database.db.collection<{ _id: string; name: string }>('people').insertMany([
      { _id: 'a', name: 'Ann' },
      { _id: 'b', name: 'Bob' },
    ]);
  });

  const names = async (): Promise<unknown[]> =>
    (await harness.database.db.collection('people').find().sort({ name: 1 }).toArray()).map(({ name }) => name as unknown);

  it.each<[string, (service: ReturnType<ServiceHarness['service']>) => Promise<unknown>, string[]]>([
    ['create', (service) => service.create({ name: 'Cid' }, { docdb }), ['Ann', 'Bob', 'Cid']],
    ['create of several', (service) => service.create([{ name: 'Cid' }, { name: 'Dan' }], { docdb }), ['Ann', 'Bob', 'Cid', 'Dan']],
    ['update', (service) => service.update('a', { name: 'Zoe' }, { docdb }), ['Bob', 'Zoe']],
    ['patch', (service) => service.patch('a', { name: 'Zoe' }, { docdb }), ['Bob', 'Zoe']],
    ['patch of several', (service) => service.patch(null, { name: 'Zoe' }, { docdb }), ['Zoe', 'Zoe']],
    ['remove', (service) => service.remove('a', { docdb }), ['Bob']],
    ['remove of several', (service) => service.remove(null, { docdb }), []],
  ])('is no failure after which the call can be made again: %s', async (of, write, left) => {
    const error: unknown = await write(harness.service({ multi: true })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 503, message: UNCONFIRMED });
    expect(error).not.toHaveProperty('data.retryAfter');
    expect(await names()).toEqual(left);
  });

  it.each<[string, (service: ReturnType<ServiceHarness['service']>) => Promise<unknown>]>([
    ['create', (service) => service.create({ _id: 'a', name: 'Cid' }, { docdb })],
    ['create of several', (service) => service.create([{ name: 'Cid' }, { _id: 'a', name: 'Dan' }], { docdb })],
    ['patch', (service) => service.patch('a', { name: 'Bob' }, { docdb })],
    ['patch of several', (service) => service.patch(null, { name: 'Bob' }, { query: { _id: 'a' }, docdb })],
  ])('is refused all the same where it can not be made: %s', async (of, write) => {
    await harness.database.db.collection('people').createIndex({ name: 1 }, { unique: true });
    await expect(write(harness.service({ multi: true }))).rejects.toMatchObject({ code: 409 });
    expect(await names()).toEqual(['Ann', 'Bob']);
  });

  it('is told alike of a transaction', async () => {
    const app = framework().use('people', harness.service());
    const work = transaction(
      harness.database.client,
      (session) => app.service('people').patch('a', { name: 'Zoe' }, { docdb: { session } }) as Promise<unknown>,
      docdb,
    );
    await expect(work).rejects.toMatchObject({ code: 503, message: UNCONFIRMED });
    expect(await names()).toEqual(['Bob', 'Zoe']);
  });

  it('is nothing that can not be reached, where its members say so', () => {
    for (const code of [50, 91, 189, 11602]) {
      const error = toFrameworkError(Object.assign(new Error('shutting down'), { name: 'MongoWriteConcernError', code }));
      expect(error).toMatchObject({ code: 503, message: UNCONFIRMED });
      expect(error).not.toHaveProperty('data.retryAfter');
    }
  });

  it('is an entry of a log of events that is stored once', async () => {
    const log = harness.database.db.collection<LogDocument>('events', docdb);
    const documents = ['a', 'b'].map((mark) => ({ at: new Date(0), entries: [], mark }));
    await storeDocuments(log, documents, new AbortController().signal);
    expect((await log.find().toArray()).map(({ mark }) => mark)).toEqual(['a', 'b']);
    await log.drop({ writeConcern: { w: 1 } });
  });
});
