import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { DocDbServer } from '../../src/index.ts';

let server: DocDbServer;
let admin: MongoClient;
let reader: MongoClient;

const as = (username: string): Promise<MongoClient> =>
  new MongoClient(server.uri, { auth: { username, password: username }, maxPoolSize: 3 }).connect();
const shown = (client: MongoClient, operand: Document): Promise<Document[]> =>
  client
    .db('admin')
    .aggregate([{ $currentOp: operand }])
    .toArray();
const comments = (operations: readonly Document[]): string[] =>
  operations.flatMap(({ command }) => ((command as Document | undefined)?.comment as string | undefined) ?? []).sort();

beforeAll(async () => {
  server = await DocDbServer.start({ auth: { user: 'admin', password: 'admin' } });
  admin = await as('admin');
  await admin.db('app').collection('notes').insertOne({ n: 1 });
  await admin.db('admin').command({ createUser: 'reader', pwd: 'reader', roles: [{ role: 'read', db: 'app' }] });
  reader = await as('reader');
});
afterAll(async () => {
  await admin.close();
  await reader.close();
  await server.stop();
});

/** Runs something while each of the two waits for a change that does not come. */
async function whileBothWait(run: () => Promise<void>): Promise<void> {
  const streams = [admin, reader].map((client) =>
    client
      .db('app')
      .collection('notes')
      .watch([], {
        maxAwaitTimeMS: 3_600_000,
        comment: client === admin ? 'of admin' : 'of reader',
      }),
  );
  const ends = streams.map((stream) => stream.next().catch(() => undefined));
  try {
    const waiting = async (): Promise<Document[]> => (await shown(admin, { allUsers: true })).filter(({ op }) => op === 'getmore');
    while ((await waiting()).length < 2);
    await run();
  } finally {
    for (const stream of streams) await stream.close();
    await Promise.all(ends);
  }
}

describe('who may not see what everybody does', () => {
  it('sees what they do themselves', () =>
    whileBothWait(async () => {
      expect(comments(await shown(reader, {}))).toEqual(['of reader']);
      const { inprog } = await reader.db('admin').command({ currentOp: 1, $ownOps: true });
      expect(comments(inprog as Document[])).toEqual(['of reader']);
      expect(comments(await shown(admin, { allUsers: true }))).toEqual(['of admin', 'of reader']);
      expect(comments(await shown(admin, { allUsers: false }))).toEqual(['of admin']);
    }));

  it('sees their own connections, transactions, cursors and sessions', async () => {
    const session = reader.startSession();
    const other = admin.startSession();
    const cursor = reader
      .db('app')
      .collection('notes')
      .aggregate([{ $unionWith: 'notes' }], { batchSize: 1, session: reader.startSession() });
    await cursor.next();
    session.startTransaction();
    other.startTransaction();
    await reader.db('app').collection('notes').findOne({}, { session });
    await admin.db('app').collection('notes').findOne({}, { session: other });
    const everything = { idleConnections: true, idleCursors: true };
    const kinds = (operations: readonly Document[]): Document => {
      const counts: Document = {};
      for (const { type } of operations) counts[type as string] = ((counts[type as string] as number | undefined) ?? 0) + 1;
      return counts;
    };
    const own = kinds(await shown(reader, everything));
    const all = kinds(await shown(admin, { ...everything, allUsers: true }));
    expect(own).toMatchObject({ idleSession: 1, idleCursor: 1 });
    expect(all).toMatchObject({ idleSession: 2, idleCursor: 1 });
    expect(own.op).toBeLessThan(all.op as number);
    expect(kinds(await shown(admin, everything))).not.toHaveProperty('idleCursor');
    const sessions = (client: MongoClient, operand: Document): Promise<Document[]> =>
      client
        .db('app')
        .aggregate([{ $listLocalSessions: operand }])
        .toArray();
    expect((await sessions(reader, {})).length).toBeLessThan((await sessions(admin, { allUsers: true })).length);
    await Promise.all([session.abortTransaction(), other.abortTransaction(), cursor.close()]);
    await Promise.all([session.endSession(), other.endSession()]);
  });

  it('is refused what others do', async () => {
    await expect(shown(reader, { allUsers: true })).rejects.toMatchObject({ code: 13 });
    await expect(reader.db('admin').command({ currentOp: 1 })).rejects.toMatchObject({ code: 13 });
    await expect(
      reader
        .db('app')
        .aggregate([{ $listLocalSessions: { allUsers: true } }])
        .toArray(),
    ).rejects.toMatchObject({ code: 13 });
  });
});
