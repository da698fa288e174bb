import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { MongoClient, type Document } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';
import { WireClient } from '../wire-client.ts';

let server: DocDbServer;
let client: MongoClient;
beforeAll(async () => {
  server = await DocDbServer.start();
  client = await new MongoClient(server.uri).connect();
  await client
    .db('test')
    .collection('items')
    .insertMany([...Array(7).keys()].map((n) => ({ n, text: 'x'.repeat(1_000_000) })));
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

let wire: WireClient;
beforeEach(async () => {
  wire = await WireClient.connect(server);
});
afterEach(() => wire.close());

const opened = async (find: Document): Promise<Document> => (await wire.ask('test', find)).cursor as Document;

/** The numbers of the documents that are left, a list for each answer. */
async function streamed(more: Document): Promise<{ n: number[]; goesOn: boolean }[]> {
  const answers: { n: number[]; goesOn: boolean }[] = [];
  for await (const { cursor, goesOn } of wire.askForAll('test', more)) {
    const batch = (cursor as Document).nextBatch as { n: number }[];
    answers.push({ n: batch.map(({ n }) => n), goesOn: goesOn as boolean });
  }
  return answers;
}

describe('a client that takes all batches of a cursor for one request', () => {
  it('is sent them until there are no more', async () => {
    const { id } = await opened({ find: 'items', batchSize: 2 });
    expect(await streamed({ getMore: id, collection: 'items', batchSize: 2 })).toEqual([
      { n: [2, 3], goesOn: true },
      { n: [4, 5], goesOn: true },
      { n: [6], goesOn: false },
    ]);
    expect(await wire.ask('test', { ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('asks again where nothing is there yet', async () => {
    await client.db('test').createCollection('capped', { capped: true, size: 10_000 });
    await client.db('test').collection('capped').insertOne({ n: 0 });
    const { id } = await opened({ find: 'capped', tailable: true });
    expect(await streamed({ getMore: id, collection: 'capped' })).toEqual([{ n: [], goesOn: false }]);
  });

  it('is told of an error once', async () => {
    const answers: Document[] = [];
    for await (const answer of wire.askForAll('test', { getMore: 5n, collection: 'items' })) answers.push(answer);
    expect(answers).toMatchObject([{ ok: 0, code: 43, goesOn: false }]);
  });

  it('does not keep the others from their turn, however fast it takes them', async () => {
    await client
      .db('test')
      .collection('many')
      .insertMany(Array.from({ length: 400 }, (_, n) => ({ n })));
    const answered = async (): Promise<number> => Number((await client.db('admin').command({ serverStatus: 1 })).opcounters.getmore);
    const before = await answered();
    const { id } = await opened({ find: 'many', batchSize: 1 });
    wire.send([Buffer.of(0), serialize({ getMore: id, collection: 'many', batchSize: 1, $db: 'test' })], 0x10000);
    for (let now = before, asked = 0; now < before + 399; asked++) {
      const next = await answered();
      // One whose turn comes now and then would see all at once.
      expect(next - now).toBeLessThan(100);
      expect(asked).toBeLessThan(10_000);
      now = next;
    }
  });

  it('leaves no cursor behind when it goes', async () => {
    const open = async (): Promise<number> => Number((await client.db('admin').command({ serverStatus: 1 })).metrics.cursor.open.total);
    const before = await open();
    const { id } = await opened({ find: 'items', batchSize: 1 });
    expect(await open()).toBe(before + 1);
    // It reads one answer of those that do not fit between the two, and goes.
    for await (const answer of wire.askForAll('test', { getMore: id, collection: 'items', batchSize: 1 })) {
      expect(answer).toMatchObject({ ok: 1, goesOn: true });
      break;
    }
    wire.close();
    for (let asked = 0; asked < 500 && (await open()) > before; asked++) await new Promise((resolve) => setImmediate(resolve));
    expect(await open()).toBe(before);
  });
});
