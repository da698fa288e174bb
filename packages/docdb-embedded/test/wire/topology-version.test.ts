import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Long, MongoClient, ObjectId, type Document, type ServerHeartbeatStartedEvent } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

let server: DocDbServer;
let client: MongoClient;
beforeAll(async () => {
  server = await DocDbServer.start();
  client = await new MongoClient(server.uri).connect();
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

const hello = (fields: Document): Promise<Document> => client.db('admin').command({ hello: 1, ...fields });

describe('what the server is', () => {
  it('has a version, which a client that knows it waits for another of', async () => {
    const { topologyVersion } = await hello({});
    expect(topologyVersion).toEqual({ processId: expect.any(ObjectId), counter: expect.anything() });
    const patient = await new MongoClient(server.uri).connect();
    let waiting = true;
    const forever = patient
      .db('admin')
      .command({ hello: 1, topologyVersion, maxAwaitTimeMS: 600_000 })
      .finally(() => (waiting = false));
    expect((await hello({ topologyVersion, maxAwaitTimeMS: 200 })).topologyVersion).toEqual(topologyVersion);
    expect(waiting).toBe(true);
    await Promise.all([patient.close(), expect(forever).rejects.toThrow()]);
    // That of a server that has gone.
    const other = { processId: new ObjectId(), counter: Long.fromNumber(3) };
    expect((await hello({ topologyVersion: other, maxAwaitTimeMS: 600_000 })).topologyVersion).toEqual(topologyVersion);
  });

  it.each([
    ['a version without a time', { topologyVersion: { processId: new ObjectId(), counter: Long.ZERO } }, 31368],
    ['a time without a version', { maxAwaitTimeMS: 5 }, 31368],
    ['a time before now', { topologyVersion: {}, maxAwaitTimeMS: -1 }, 31373],
    ['a time that is none', { topologyVersion: {}, maxAwaitTimeMS: 'long' }, 31373],
    ['a version without a counter', { topologyVersion: {}, maxAwaitTimeMS: 5 }, 31372],
  ])('is not told for %s', async (_what, fields, code) => {
    await expect(hello(fields)).rejects.toMatchObject({ code });
  });

  it('is not told for a version that it has not reached', async () => {
    const { topologyVersion } = await hello({});
    const counter = Long.fromNumber(1);
    await expect(hello({ topologyVersion: { ...topologyVersion, counter }, maxAwaitTimeMS: 5 })).rejects.toMatchObject({ code: 31382 });
  });

  it('is told to drivers without their asking, so that they learn of its end by the end of the connection', async () => {
    const own = await DocDbServer.start();
    const watching = new MongoClient(own.uri, { heartbeatFrequencyMS: 500 });
    const awaited: boolean[] = [];
    watching.on('serverHeartbeatStarted', (event: ServerHeartbeatStartedEvent) => awaited.push(event.awaited));
    await watching.connect();
    while (awaited.length < 4) await once(watching, 'serverHeartbeatStarted');
    expect(awaited.slice(1)).toEqual(awaited.slice(1).map(() => true));
    const gone = once(watching, 'serverDescriptionChanged');
    await own.stop();
    const [{ newDescription }] = (await gone) as [{ newDescription: { type: string } }];
    expect(newDescription.type).toBe('Unknown');
    await watching.close();
  });
});
