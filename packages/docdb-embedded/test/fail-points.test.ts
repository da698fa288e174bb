import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AbstractCursor, type Document, MongoClient, type MongoServerError, UUID } from 'mongodb';
import { start, type Harness } from './harness.ts';
import { WireClient } from './wire-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertOne({ a: 1 });
});
afterAll(() => harness.stop());

describe('a fail point', () => {
  it.each(['alwaysOn', 'off'])('that there is not is refused when it is set to %s', async (mode) => {
    const configured = harness.client.db('admin').command({ configureFailPoint: 'failComand', mode });
    await expect(configured).rejects.toMatchObject({ code: 148, codeName: 'FailPointSetFailed', message: 'failComand not found' });
  });

  it.each(['failCommand', 'failGetMoreAfterCursorCheckout', 'maxTimeAlwaysTimeOut', 'onPrimaryTransactionalWrite'])(
    'named %s is one of those that tests of drivers use',
    async (name) => {
      expect(await harness.client.db('admin').command({ configureFailPoint: name, mode: 'off' })).toMatchObject({ ok: 1 });
    },
  );
});

describe('the fail point failCommand', () => {
  const configure = (mode: unknown, data: Document): Promise<unknown> =>
    harness.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

  it('is of an application from its first greeting on', async () => {
    await configure({ times: 1 }, { failCommands: ['hello', 'ismaster'], errorCode: 1234, appName: 'tried' });
    const failed: unknown[] = [];
    for (const appName of ['other', 'tried']) {
      const client = new MongoClient(harness.server.uri, { appName, directConnection: true, heartbeatFrequencyMS: 500 });
      client.on('serverHeartbeatFailed', ({ failure }) => failed.push([appName, (failure as { code?: unknown }).code]));
      await client.connect();
      await client.close();
    }
    expect(failed).toEqual([['tried', 1234]]);
  });

  it.each([
    ['isMaster', { ismaster: 1 }, true],
    ['ismaster', { isMaster: 1 }, true],
    ['isMaster', { hello: 1 }, false],
    ['findAndModify', { findandmodify: 'items', query: {}, remove: true }, true],
  ])('of %s fails %j: %s', async (name, command, failed) => {
    await configure({ times: 1 }, { failCommands: [name], errorCode: 1234 });
    const answer = await harness.db.command(command).catch((error: unknown) => error);
    expect(answer).toMatchObject(failed ? { code: 1234 } : { ok: 1 });
    await configure('off', {});
  });

  it.each([
    [189, true],
    [10107, true],
    [11602, true],
    [13435, true],
    [13436, true],
    [91, false],
    [11600, false],
    [1234, false],
  ])('with error %i tells the state of the server that it is of: %s', async (code, tells) => {
    const client = await WireClient.connect(harness.server);
    const { topologyVersion } = await client.ask('test', { hello: 1 });
    expect(topologyVersion).toBeDefined();
    await configure({ times: 1 }, { failCommands: ['find'], errorCode: code });
    const failed = await client.ask('test', { find: 'items' });
    await configure({ times: 1 }, { failCommands: ['insert'], writeConcernError: { code, errmsg: 'tried' } });
    const unsure = await client.ask('test', { insert: 'told', documents: [{}] });
    client.close();
    expect(failed).toMatchObject({ ok: 0, code });
    expect(unsure).toMatchObject({ ok: 1, writeConcernError: { code } });
    for (const answer of [failed, unsure]) expect(answer.topologyVersion).toEqual(tells ? topologyVersion : undefined);
  });

  it.each([
    [280, { getMore: 1n, collection: 'items' }, true],
    [286, { aggregate: 'items', pipeline: [], cursor: {} }, true],
    [280, { find: 'items' }, false],
    [9001, { getMore: 1n, collection: 'items' }, false],
  ])('says with %d of %j that a change stream can not go on: %s', async (errorCode, command, isLabelled) => {
    await configure({ times: 1 }, { failCommands: [Object.keys(command)[0]], errorCode });
    const failed: unknown = await harness.db.command(command).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: errorCode });
    expect((failed as MongoServerError).hasErrorLabel('NonResumableChangeStreamError')).toBe(isLabelled);
  });

  it('leaves the server in use where it says that it is not the primary', async () => {
    const client = new MongoClient(harness.server.uri);
    const descriptions: string[] = [];
    client.on('serverDescriptionChanged', ({ newDescription }) => descriptions.push(newDescription.type));
    await client.db('test').collection('items').findOne();
    await configure({ times: 1 }, { failCommands: ['insert'], errorCode: 10_107 });
    await client.db('test').collection('told').insertOne({});
    await client.close();
    expect(descriptions.filter((type) => type === 'Unknown').length).toBe(0);
  });

  it('is of one collection where it names one', async () => {
    await configure('alwaysOn', { failCommands: ['find', 'getMore'], errorCode: 1234, namespace: 'test.items' });
    expect(await harness.db.collection('others').findOne()).toBeNull();
    await expect(harness.db.collection('items').findOne()).rejects.toMatchObject({ code: 1234 });
    await configure('off', {});
  });

  it('holds nothing back for a client that has gone', async () => {
    await configure('alwaysOn', { failCommands: ['insert'], blockConnection: true, blockTimeMS: 3_600_000 });
    const client = await WireClient.connect(harness.server);
    const stream = harness.db.collection('held').watch();
    await stream.tryNext();
    void client.ask('test', { insert: 'held', documents: [{ a: 1 }] });
    expect(await stream.tryNext()).toBeNull();
    client.close();
    expect((await stream.next()).operationType).toBe('insert');
    await stream.close();
    await configure('off', {});
  });

  it('holds a command back no longer than the command may take, and nothing comes of it', async () => {
    await configure({ times: 1 }, { failCommands: ['insert'], blockConnection: true, blockTimeMS: 3_600_000 });
    const write = harness.db.command({ insert: 'late', documents: [{ a: 1 }], maxTimeMS: 1 });
    await expect(write).rejects.toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
    expect(await harness.db.collection('late').countDocuments()).toBe(0);
  });

  it('says of a write concern that a write may be sent again, and nothing of the kind within a transaction', async () => {
    await configure({ times: 2 }, { failCommands: ['insert'], writeConcernError: { code: 91, errmsg: 'ends' } });
    const client = await WireClient.connect(harness.server);
    const lsid = { id: new UUID() };
    const write = { insert: 'items', documents: [{ a: 2 }], lsid };
    expect(await client.ask('test', { ...write, txnNumber: 1n })).toMatchObject({ errorLabels: ['RetryableWriteError'] });
    const inside = { ...write, txnNumber: 2n, startTransaction: true, autocommit: false };
    expect(await client.ask('test', inside)).not.toHaveProperty('errorLabels');
    await client.ask('admin', { abortTransaction: 1, lsid, txnNumber: 2n, autocommit: false });
    await client.ask('test', { delete: 'items', deletes: [{ q: { a: 2 }, limit: 0 }] });
    client.close();
  });
});

describe('the fail point maxTimeAlwaysTimeOut', () => {
  it('ends commands that have a limit of time, and no others', async () => {
    const items = harness.db.collection('items');
    const configure = (mode: unknown): Promise<unknown> =>
      harness.client.db('admin').command({ configureFailPoint: 'maxTimeAlwaysTimeOut', mode });
    await configure({ times: 1 });
    await expect(items.countDocuments()).resolves.toBe(1);
    await expect(items.find({}).maxTimeMS(60_000).toArray()).rejects.toMatchObject({ code: 50 });
    await expect(items.find({}).maxTimeMS(60_000).toArray()).resolves.toHaveLength(1);
  });

  it.each(['find', 'aggregate'])('ends a cursor of %s whose command has a limit of time, and no other', async (name) => {
    const items = harness.db.collection('many');
    await items.deleteMany({});
    await items.insertMany([{}, {}, {}]);
    const open = (options: { maxTimeMS?: number }): AbstractCursor =>
      name === 'find' ? items.find({}, { batchSize: 1, ...options }) : items.aggregate([], { batchSize: 1, ...options });
    const [limited, unlimited] = [open({ maxTimeMS: 60_000 }), open({})];
    await limited.next();
    await unlimited.next();
    await harness.client.db('admin').command({ configureFailPoint: 'maxTimeAlwaysTimeOut', mode: { times: 1 } });
    await expect(unlimited.next()).resolves.not.toBeNull();
    await expect(limited.next()).rejects.toMatchObject({ code: 50 });
    await unlimited.close();
  });
});
