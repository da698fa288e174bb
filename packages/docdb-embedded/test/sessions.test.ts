import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Binary, type Document, Long, Timestamp, UUID } from 'bson';
import { start, type Harness } from './harness.ts';
import { WireClient } from './wire-client.ts';

let harness: Harness;
let wire: WireClient;
beforeAll(async () => {
  harness = await start();
  wire = await WireClient.connect(harness.server);
});
afterAll(async () => {
  wire.close();
  await harness.stop();
});
beforeEach(async () => {
  await wire.ask('admin', { killAllSessions: [] });
  await harness.db.dropDatabase();
  await harness.db.collection<{ _id: number }>('items').insertMany([{ _id: 1 }, { _id: 2 }]);
});

const session = (): Document => ({ id: new UUID() });
const INSERT: Document = { insert: 'items', documents: [{ _id: 9 }] };
const write = (lsid: Document, number: number, more: Document = {}): Document => ({
  ...INSERT,
  lsid,
  txnNumber: Long.fromNumber(number),
  ...more,
});
const FIND: Document = { find: 'items' };
const begin = (lsid: Document, number: number, command: Document = FIND): Document => ({
  ...command,
  lsid,
  txnNumber: Long.fromNumber(number),
  autocommit: false,
  startTransaction: true,
});
const goOn = (lsid: Document, number: number, command: Document = FIND): Document => ({
  ...command,
  lsid,
  txnNumber: Long.fromNumber(number),
  autocommit: false,
});
const end = (name: string, lsid: Document, number: number): Promise<Document> =>
  wire.ask('admin', { [name]: 1, lsid, txnNumber: Long.fromNumber(number), autocommit: false });
const ids = async (): Promise<unknown[]> => (await harness.db.collection('items').find().toArray()).map(({ _id }) => _id);

describe('a number of a transaction', () => {
  it.each<[string, Document, number]>([
    ['no session', { lsid: undefined }, 72],
    ['a fraction', { txnNumber: 1.5 }, 14],
    ['a sign', { txnNumber: Long.fromNumber(-1) }, 72],
    ['autocommit', { autocommit: true }, 72],
    ['no start', { autocommit: false, startTransaction: false }, 72],
    ['a start and no autocommit', { startTransaction: true }, 72],
    ['a session whose id is no UUID', { lsid: { id: Buffer.alloc(3) } }, 14],
    ['a session whose id is too short', { lsid: { id: new Binary(Buffer.alloc(3), 4) } }, 207],
  ])('is refused with %s', async (_what, more, code) => {
    expect(await wire.ask('test', write(session(), 1, more))).toMatchObject({ ok: 0, code });
    expect(await ids()).toEqual([1, 2]);
  });

  it('is needed beside autocommit', async () => {
    expect(await wire.ask('test', { find: 'items', lsid: session(), autocommit: false })).toMatchObject({ code: 72 });
  });

  it('begins one transaction', async () => {
    const lsid = session();
    expect(await wire.ask('test', begin(lsid, 1))).toMatchObject({ ok: 1 });
    expect(await wire.ask('test', begin(lsid, 1))).toMatchObject({ code: 117, codeName: 'ConflictingOperationInProgress' });
  });

  it('begins no transaction when it is that of a write', async () => {
    const lsid = session();
    expect(await wire.ask('test', write(lsid, 1))).toMatchObject({ n: 1 });
    expect(await wire.ask('test', begin(lsid, 1))).toMatchObject({ code: 117 });
    expect(await wire.ask('test', goOn(lsid, 1))).toMatchObject({ code: 251 });
  });

  it('is that of no other write while its transaction is open, and after', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1));
    expect(await wire.ask('test', write(lsid, 1))).toMatchObject({ code: 72 });
    await end('commitTransaction', lsid, 1);
    expect(await wire.ask('test', write(lsid, 1))).toMatchObject({ code: 72 });
    expect(await ids()).toEqual([1, 2]);
  });

  it('is committed again for its own transaction alone', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1, { insert: 'items', documents: [{ _id: 7 }] }));
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ ok: 1 });
    expect(await end('commitTransaction', lsid, 2)).toMatchObject({ code: 251 });
    const other = session();
    expect(await wire.ask('test', write(other, 1))).toMatchObject({ n: 1 });
    expect(await end('commitTransaction', other, 1)).toMatchObject({ code: 251 });
  });

  it('is too old when a newer one was used', async () => {
    const lsid = session();
    await wire.ask('test', write(lsid, 5));
    expect(await wire.ask('test', write(lsid, 4))).toMatchObject({ code: 225 });
    expect(await wire.ask('test', begin(lsid, 4))).toMatchObject({ code: 225 });
  });
});

describe('a transaction', () => {
  it('is committed again with the same success, and not aborted then', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1, INSERT));
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ ok: 1 });
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ ok: 1 });
    expect(await end('abortTransaction', lsid, 1)).toMatchObject({ code: 256 });
    expect(await wire.ask('test', goOn(lsid, 1))).toMatchObject({ code: 256 });
  });

  it('is not committed when it was aborted', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1));
    expect(await end('abortTransaction', lsid, 1)).toMatchObject({ ok: 1 });
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ code: 251 });
  });

  it('ends with its session', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1));
    await wire.ask('test', { endSessions: [lsid] });
    expect(await wire.ask('test', goOn(lsid, 1))).toMatchObject({ code: 251, errorLabels: ['TransientTransactionError'] });
  });

  it('ends with its session between any two statements of a write, and nobody reads on in what it gave back', async () => {
    const other = await WireClient.connect(harness.server);
    const updates = Array.from({ length: 300 }, () => ({ q: { _id: 1 }, u: { $inc: { n: 1 } } }));
    for (let turns = 0; turns < 20; turns++) {
      const lsid = session();
      await wire.ask('test', begin(lsid, 1));
      const written = wire.ask('test', goOn(lsid, 1, { update: 'items', updates }));
      for (let turn = 0; turn < turns % 7; turn++) await other.ask('admin', { ping: 1 });
      await other.ask('admin', { endSessions: [lsid] });
      expect(await written).toMatchObject({ ok: 0, code: 251, errorLabels: ['TransientTransactionError'] });
    }
    other.close();
    expect(await harness.db.collection('items').find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
  });

  it.each<[string, Document]>([
    ['linearizable', { ...FIND, readConcern: { level: 'linearizable' } }],
    ['available', { ...FIND, readConcern: { level: 'available' } }],
  ])('does not begin with the read concern %s', async (_level, more) => {
    expect(await wire.ask('test', begin(session(), 1, more))).toMatchObject({ code: 72 });
  });

  it.each(['afterClusterTime', 'atClusterTime'])('does not begin with a time to come: %s', async (name) => {
    const lsid = session();
    const readConcern = { level: 'snapshot', [name]: new Timestamp({ t: 4_000_000_000, i: 1 }) };
    expect(await wire.ask('test', begin(lsid, 1, { ...FIND, readConcern }))).toMatchObject({ code: 72 });
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ code: 251 });
  });

  it('sees what is there by now, and is refused where it asks for what was there before', async () => {
    const { operationTime } = await harness.db.command({ ping: 1 });
    const at = (lsid: Document): Promise<Document> =>
      wire.ask('test', begin(lsid, 1, { ...FIND, readConcern: { level: 'snapshot', atClusterTime: operationTime } }));
    expect(await at(session())).toMatchObject({ ok: 1 });
    await wire.ask('test', { insert: 'items', documents: [{ _id: 50 }] });
    const lsid = session();
    expect(await at(lsid)).toMatchObject({ ok: 0, code: 239 });
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ code: 251 });
  });

  it('has its read concern in its first command', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1, { ...FIND, readConcern: { level: 'snapshot' } }));
    expect(await wire.ask('test', goOn(lsid, 1, { ...FIND, readConcern: { level: 'snapshot' } }))).toMatchObject({ code: 72 });
  });

  it('has its write concern in its commit', async () => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1));
    expect(await wire.ask('test', goOn(lsid, 1, { ...INSERT, writeConcern: { w: 1 } }))).toMatchObject({
      code: 72,
    });
  });

  it.each(['admin', 'config', 'local'])('does not read the database %s', async (database) => {
    expect(await wire.ask(database, begin(session(), 1))).toMatchObject({ code: 263 });
  });

  it('does not write the database admin by a bulkWrite', async () => {
    const bulk = { bulkWrite: 1, ops: [{ insert: 0, document: {} }], nsInfo: [{ ns: 'admin.items' }] };
    expect(await wire.ask('admin', begin(session(), 1, bulk))).toMatchObject({ code: 263 });
  });

  it.each<[string, Document]>([
    ['killCursors', { killCursors: 'items', cursors: [Long.fromNumber(1)] }],
    ['count', { count: 'items' }],
    ['explain', { explain: { find: 'items' } }],
    ...['$collStats', '$indexStats', '$changeStream'].map((stage): [string, Document] => [
      stage,
      { aggregate: 'items', pipeline: [{ [stage]: {} }], cursor: {} },
    ]),
  ])('does not begin with %s', async (_what, more) => {
    expect(await wire.ask('test', begin(session(), 1, more))).toMatchObject({ code: 263 });
  });

  it.each<[string, Document, number]>([
    ['a command that transactions do not have', { count: 'items' }, 263],
    ['a command that there is not', { nothing: 'items' }, 59],
    ['another database', { ...INSERT, $db: 'admin' }, 263],
    ['a read concern', { ...FIND, readConcern: { level: 'snapshot' } }, 72],
    ['a write concern', { ...INSERT, writeConcern: { w: 1 } }, 72],
  ])('goes on after %s, which it never had', async (_what, { $db = 'test', ...refused }, code) => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1, INSERT));
    expect(await wire.ask($db as string, goOn(lsid, 1, refused))).toMatchObject({ code });
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ ok: 1 });
    expect(await ids()).toEqual([1, 2, 9]);
  });

  it('is not begun by a command that transactions do not have', async () => {
    const lsid = session();
    expect(await wire.ask('test', begin(lsid, 1, { count: 'items' }))).toMatchObject({ code: 263 });
    expect(await end('commitTransaction', lsid, 1)).toMatchObject({ code: 251 });
    expect(await wire.ask('test', begin(lsid, 1))).toMatchObject({ ok: 1 });
  });

  it('has a bulkWrite', async () => {
    const lsid = session();
    const bulk = { bulkWrite: 1, ops: [{ insert: 0, document: { _id: 9 } }], nsInfo: [{ ns: 'test.items' }] };
    expect(await wire.ask('admin', begin(lsid, 1, bulk))).toMatchObject({ ok: 1, nInserted: 1 });
    expect(await ids()).toEqual([1, 2]);
    await end('commitTransaction', lsid, 1);
    expect(await ids()).toEqual([1, 2, 9]);
  });

  it('goes on with the results of its bulkWrite, and with nothing else of that database', async () => {
    const lsid = session();
    const ops = [8, 9].map((_id) => ({ insert: 0, document: { _id } }));
    const bulk = { bulkWrite: 1, ops, nsInfo: [{ ns: 'test.items' }], cursor: { batchSize: 1 } };
    const { cursor } = await wire.ask('admin', begin(lsid, 1, bulk));
    expect(cursor.firstBatch).toHaveLength(1);
    const more = { getMore: cursor.id, collection: '$cmd.bulkWrite', lsid, txnNumber: Long.fromNumber(1), autocommit: false };
    expect((await wire.ask('admin', more)).cursor.nextBatch).toMatchObject([{ idx: 1, n: 1 }]);
    expect(await wire.ask('admin', { ...more, collection: 'items' })).toMatchObject({ code: 263 });
  });
});

describe('the time that a client has been told', () => {
  const answer = (told: unknown): Promise<Document> => wire.ask('test', { find: 'items', $clusterTime: told });

  it('is a time', async () => {
    const { $clusterTime: told } = await harness.db.command({ ping: 1 });
    expect(await answer(told)).toMatchObject({ ok: 1 });
    expect(await answer({ clusterTime: {} })).toMatchObject({ code: 14 });
    expect(await answer({})).toMatchObject({ code: 40414 });
    expect(await answer(1)).toMatchObject({ code: 14 });
    expect(await answer({ ...told, signature: 'none' })).toMatchObject({ code: 14 });
  });
});

describe('a write that may come again', () => {
  it.each<[string, Document]>([
    ['an update of many', { update: 'items', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }] }],
    ['a deletion of many', { delete: 'items', deletes: [{ q: {}, limit: 0 }] }],
  ])('is not %s', async (_what, more) => {
    const command = { ...more, lsid: session(), txnNumber: Long.fromNumber(1) };
    expect(await wire.ask('test', command)).toMatchObject({ n: 0, writeErrors: [{ index: 0, code: 72 }] });
    expect(await harness.db.collection('items').countDocuments({ a: { $exists: false } })).toBe(2);
  });

  it('is no bulkWrite of many', async () => {
    const ops = [
      { update: 0, filter: {}, updateMods: { $set: { a: 1 } }, multi: true },
      { delete: 0, filter: {}, multi: true },
    ];
    const command = { bulkWrite: 1, ops, ordered: false, nsInfo: [{ ns: 'test.items' }], lsid: session(), txnNumber: Long.fromNumber(1) };
    expect(await wire.ask('admin', command)).toMatchObject({ nErrors: 2, cursor: { firstBatch: [{ code: 72 }, { code: 72 }] } });
    expect(await harness.db.collection('items').countDocuments({ a: { $exists: false } })).toBe(2);
  });

  it.each<[string, string, Document]>([
    ['an insert', 'test', { insert: 'items', documents: [{ _id: 9 }, { _id: 1 }] }],
    ['an update', 'test', { update: 'items', updates: [{ q: { _id: 7 }, u: { $inc: { n: 1 } }, upsert: true }] }],
    ['a deletion', 'test', { delete: 'items', deletes: [{ q: {}, limit: 1 }] }],
    ['a findAndModify', 'test', { findAndModify: 'items', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true }],
    [
      'a bulkWrite',
      'admin',
      {
        bulkWrite: 1,
        nsInfo: [{ ns: 'test.items' }],
        ops: [
          { update: 0, filter: { _id: 7 }, updateMods: { $inc: { n: 1 } }, upsert: true },
          { insert: 0, document: { _id: 1 } },
        ],
      },
    ],
  ])('is %s that gives its answer again', async (_what, database, command) => {
    const sent = { ...command, lsid: session(), txnNumber: Long.fromNumber(1) };
    const first = await wire.ask(database, sent);
    const kept = await harness.db.collection('items').find().toArray();
    expect(first).toMatchObject({ ok: 1 });
    const { retriedStmtIds: _ids, retriedStmtId: _id, ...again } = await wire.ask(database, sent);
    expect(again).toEqual(first);
    expect(await harness.db.collection('items').find().toArray()).toEqual(kept);
  });
});

describe('another write under the same number', () => {
  it.each<[string, Document]>([
    ['with another statement', { ...INSERT, stmtId: 1 }],
    ['by another command', { update: 'items', updates: [{ q: { _id: 1 }, u: { $set: { a: 1 } } }] }],
  ])('is refused %s', async (_what, command) => {
    const lsid = session();
    await wire.ask('test', write(lsid, 1));
    expect(await wire.ask('test', { ...command, lsid, txnNumber: Long.fromNumber(1) })).toMatchObject({ code: 72 });
  });
});

describe('the sessions that are killed', () => {
  const isOpen = async (lsid: Document): Promise<boolean> => (await wire.ask('test', goOn(lsid, 1))).ok === 1;

  it.each<[string, (lsid: Document) => Document, boolean]>([
    ['all', () => ({ killAllSessions: [] }), false],
    ['those of a user, who has none', () => ({ killAllSessions: [{ user: 'ann', db: 'test' }] }), true],
    ['all, by no pattern', () => ({ killAllSessionsByPattern: [] }), false],
    ['the one of an id', ({ id }) => ({ killAllSessionsByPattern: [{ lsid: { id, uid: new Binary(Buffer.alloc(32)) } }] }), false],
    ['that of another id', () => ({ killAllSessionsByPattern: [{ lsid: { id: new UUID(), uid: new Binary(Buffer.alloc(32)) } }] }), true],
    ['those of a user by a pattern', () => ({ killAllSessionsByPattern: [{ users: [{ user: 'ann', db: 'test' }] }] }), true],
  ])('are %s', async (_which, command, open) => {
    const lsid = session();
    await wire.ask('test', begin(lsid, 1));
    expect(await wire.ask('admin', command(lsid))).toMatchObject({ ok: 1 });
    expect(await isOpen(lsid)).toBe(open);
  });

  it.each<[Document, number]>([
    [{ roles: [{ role: 'read', db: 'test' }] }, 72],
    [{ nobody: 1 }, 40415],
  ])('are none for the pattern %j', async (pattern, code) => {
    expect(await wire.ask('admin', { killAllSessionsByPattern: [pattern] })).toMatchObject({ code });
  });
});

describe('a cursor', () => {
  const open = async (fields: Document): Promise<Long> => (await wire.ask('test', { ...FIND, batchSize: 1, ...fields })).cursor.id as Long;
  const more = (id: Long, fields: Document): Promise<Document> => wire.ask('test', { getMore: id, collection: 'items', ...fields });

  it('has a name that clients send back as it came', async () => {
    const command = { find: 'items', batchSize: 1 };
    const { cursor } = await harness.db.command(command);
    expect(await harness.db.command({ getMore: cursor.id, collection: 'items' })).toMatchObject({ ok: 1 });
  });

  it.each<[string, Document, Document, number]>([
    ['without a session in one', {}, { lsid: session() }, 50736],
    ['of a session without one', { lsid: session() }, {}, 50737],
    ['of a session in another', { lsid: session() }, { lsid: session() }, 50738],
  ])('%s is not read', async (_what, opened, asked, code) => {
    const id = await open(opened);
    expect(await more(id, asked)).toMatchObject({ code });
    expect(await more(id, opened)).toMatchObject({ ok: 1 });
  });

  it.each<[string, (lsid: Document) => Document, (lsid: Document) => Document, number]>([
    ['without a transaction in one', (lsid) => ({ lsid }), (lsid) => goOn(lsid, 1, {}), 50739],
    ['of a transaction without one', (lsid) => begin(lsid, 1, {}), (lsid) => ({ lsid }), 50740],
  ])('%s is not read', async (_what, opened, asked, code) => {
    const lsid = session();
    const id = await open(opened(lsid));
    if (code === 50739) await wire.ask('test', begin(lsid, 1));
    expect(await more(id, asked(lsid))).toMatchObject({ code });
  });

  it.each<[string, (lsid: Document) => Document]>([
    ['ended', (lsid) => ({ endSessions: [lsid] })],
    ['killed', (lsid) => ({ killSessions: [lsid] })],
    ['killed with all others', () => ({ killAllSessions: [] })],
    ['killed by a pattern', () => ({ killAllSessionsByPattern: [] })],
  ])('goes with its session that is %s', async (_how, command) => {
    const [lsid, other] = [session(), await open({})];
    const id = await open({ lsid });
    await wire.ask('admin', command(lsid));
    expect(await more(id, { lsid })).toMatchObject({ code: 43 });
    expect(await more(other, {})).toMatchObject({ ok: 1 });
  });

  it('that waits is interrupted where its session is killed', async () => {
    const lsid = session();
    const { cursor } = await wire.ask('test', { aggregate: 'items', pipeline: [{ $changeStream: {} }], cursor: {}, lsid });
    const waiting = more(cursor.id as Long, { lsid, maxTimeMS: 600_000 });
    const killer = await WireClient.connect(harness.server);
    while ((await killer.ask('admin', { currentOp: 1, 'command.getMore': cursor.id })).inprog.length === 0);
    await killer.ask('admin', { killSessions: [lsid] });
    expect(await waiting).toMatchObject({ code: 11601 });
    killer.close();
  });
});

describe('a session of snapshots', () => {
  it('reads on in its cursors on the state that it has read, and closes them', async () => {
    const items = harness.db.collection<{ _id: number; n?: number }>('items');
    await items.deleteMany({});
    await items.insertMany(Array.from({ length: 300 }, (_none, _id) => ({ _id })));
    const open = async (): Promise<number> => Number((await harness.db.admin().serverStatus()).metrics.cursor.open.total);
    const before = await open();
    const reading = harness.client.startSession({ snapshot: true });
    const found = items.find({}, { session: reading, batchSize: 100 });
    const counted = items.aggregate([{ $match: { n: { $exists: false } } }], { session: reading, batchSize: 100 });
    await Promise.all([found.next(), counted.next()]);
    await items.updateMany({}, { $set: { n: 1 } });
    expect(await found.toArray()).toHaveLength(299);
    expect(await counted.toArray()).toHaveLength(299);
    const left = items.find({}, { session: reading, batchSize: 10 });
    await left.next();
    expect(await open()).toBe(before + 1);
    await left.close();
    expect(await open()).toBe(before);
    await reading.endSession();
  });
});
