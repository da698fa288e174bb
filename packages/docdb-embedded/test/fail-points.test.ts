import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, Long, MongoClient, UUID } from 'mongodb';
import { start, type Harness } from './harness.ts';
import { WireClient } from './wire-client.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
  await harness.db.collection('items').insertOne({ a: 1 });
});
afterAll(() => harness.stop());

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
    ['a write that a client may repeat', {}, ['RetryableWriteError']],
    ['a write in a transaction', { autocommit: false, startTransaction: true }, undefined],
  ])('says that %s may be sent again, or not', async (_what, fields, errorLabels) => {
    const error = { code: 91, errmsg: 'stopping' };
    await configure({ times: 1 }, { failCommands: ['insert'], writeConcernError: error });
    const client = await WireClient.connect(harness.server);
    const numbered = { lsid: { id: new UUID() }, txnNumber: Long.ONE, ...fields };
    const answer = await client.ask('test', { insert: 'written', documents: [{ b: 1 }], ...numbered });
    expect(answer).toMatchObject({ n: 1, writeConcernError: error });
    expect(answer.errorLabels).toEqual(errorLabels);
    client.close();
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
});
