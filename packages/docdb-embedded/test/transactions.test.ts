import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Long, ReadConcern, UUID, type ClientSession, type Collection } from 'mongodb';
import { start, untilRunning, type Harness } from './harness.ts';
import { WireClient } from './wire-client.ts';

let harness: Harness;
let accounts: Collection;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  accounts = harness.db.collection('accounts');
  await accounts.drop();
  await accounts.insertMany([
    { _id: 'a' as never, n: 1 },
    { _id: 'b' as never, n: 1 },
  ]);
});

describe('transactions', () => {
  it.each([{ ping: 1 }, { count: 'accounts' }, { drop: 'accounts' }, { listCollections: 1 }, { explain: { find: 'accounts' } }])(
    'have no command %j, at their beginning with a read concern or later',
    async (command) => {
      const session = harness.client.startSession();
      session.startTransaction({ readConcern: new ReadConcern('snapshot') });
      await expect(harness.db.command(command, { session })).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
      session.startTransaction({ readConcern: new ReadConcern('snapshot') });
      await accounts.insertOne({ n: 2 }, { session });
      await expect(harness.db.command({ ...command, stmtId: 1 }, { session })).rejects.toMatchObject({ code: 263 });
      await session.commitTransaction();
      expect(await accounts.countDocuments({ n: 2 })).toBe(1);
      await session.endSession();
    },
  );

  it.each([
    [{ insert: 'system.js', documents: [{ _id: 2 }] }, 50791],
    [{ update: 'system.js', updates: [{ q: {}, u: { $set: { a: 1 } } }] }, 50791],
    [{ delete: 'system.js', deletes: [{ q: {}, limit: 1 }] }, 50791],
    [{ findAndModify: 'system.js', query: {}, remove: true }, 50781],
    [{ find: 'system.views' }, 51071],
    [{ aggregate: 'system.views', pipeline: [], cursor: {} }, 51071],
  ])('leave collections of the system alone: %j', async (command, code) => {
    await harness.db.collection<{ _id: number }>('system.js').replaceOne({ _id: 1 }, { a: 0 }, { upsert: true });
    const session = harness.client.startSession();
    session.startTransaction();
    await expect(harness.db.command(command, { session })).rejects.toMatchObject({ code });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    await session.endSession();
    expect(await harness.db.collection('system.js').find().toArray()).toEqual([{ _id: 1, a: 0 }]);
  });

  it('take effect as a whole or not at all', async () => {
    const session = harness.client.startSession();
    session.startTransaction();
    await accounts.updateOne({ _id: 'a' as never }, { $inc: { n: -1 } }, { session });
    await accounts.insertOne({ _id: 'c' as never, n: 5 }, { session });
    expect(await accounts.countDocuments({}, { session })).toBe(3);
    expect(await accounts.countDocuments({})).toBe(2);
    await session.abortTransaction();
    expect(await accounts.find().toArray()).toEqual([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    await session.withTransaction(async () => {
      await accounts.updateOne({ _id: 'a' as never }, { $inc: { n: -1 } }, { session });
      await accounts.updateOne({ _id: 'b' as never }, { $inc: { n: 1 } }, { session });
    });
    expect(await accounts.find().toArray()).toEqual([
      { _id: 'a', n: 0 },
      { _id: 'b', n: 2 },
    ]);
    await session.endSession();
  });

  it('read one snapshot, by scan, by id and by index', async () => {
    await accounts.createIndexes([{ key: { n: 1 } }]);
    const session = harness.client.startSession();
    session.startTransaction({ readConcern: new ReadConcern('snapshot') });
    expect(await accounts.countDocuments({ n: 1 }, { session })).toBe(2);
    await accounts.updateOne({ _id: 'a' as never }, { $set: { n: 9 } });
    await accounts.insertOne({ _id: 'd' as never, n: 1 });
    await accounts.deleteOne({ _id: 'b' as never });
    expect((await accounts.find({ n: 1 }, { session }).toArray()).map((doc) => doc._id).sort()).toEqual(['a', 'b']);
    expect(await accounts.findOne({ _id: 'b' as never }, { session })).toEqual({ _id: 'b', n: 1 });
    expect((await accounts.find({}, { session }).toArray()).map((doc) => doc._id)).toEqual(['a', 'b']);
    await session.commitTransaction();
    expect((await accounts.find().toArray()).map((doc) => doc._id)).toEqual(['a', 'd']);
    await session.endSession();
  });

  it('let the first writer win', async () => {
    const [one, two] = [harness.client.startSession(), harness.client.startSession()];
    one.startTransaction();
    two.startTransaction();
    await accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } }, { session: one });
    await expect(accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } }, { session: two })).rejects.toMatchObject({
      code: 112,
      errorLabels: ['TransientTransactionError'],
    });
    await one.commitTransaction();
    await two.abortTransaction();
    await Promise.all([one.endSession(), two.endSession()]);
  });

  it('count right with many at once, by the retry of the driver', async () => {
    await Promise.all(
      Array.from({ length: 8 }, () =>
        harness.client.withSession((session) =>
          session.withTransaction(async () => {
            const found = await accounts.findOne({ _id: 'a' as never }, { session });
            await accounts.updateOne({ _id: 'a' as never }, { $set: { n: (found?.n as number) + 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await accounts.findOne({ _id: 'a' as never })).toEqual({ _id: 'a', n: 9 });
  });

  it('keep unique values apart between two at once', async () => {
    await accounts.createIndexes([{ key: { email: 1 }, unique: true, sparse: true }]);
    const [one, two] = [harness.client.startSession(), harness.client.startSession()];
    one.startTransaction();
    two.startTransaction();
    await accounts.insertOne({ email: 'x' }, { session: one });
    await expect(accounts.insertOne({ email: 'x' }, { session: two })).rejects.toMatchObject({ code: 112 });
    await one.commitTransaction();
    await expect(accounts.insertOne({ email: 'x' })).rejects.toMatchObject({ code: 11000 });
    await Promise.all([one.endSession(), two.endSession()]);
  });

  it('begin with a write on the state that they find when it is their turn', async () => {
    const session = harness.client.startSession();
    const inside = async (work: () => Promise<unknown>): Promise<void> => {
      session.startTransaction();
      await work();
      await session.commitTransaction();
    };
    const made = async (name: string, indexed: boolean): Promise<void> => {
      await harness.db.createCollection(name).catch((error: unknown) => expect(error).toMatchObject({ code: 48 }));
      if (indexed) await harness.db.collection(name).createIndexes([{ key: { n: 1 } }, { key: { u: 1 }, unique: true }]);
    };
    for (let round = 0; round < 40; round++) {
      const name = `made${String(round)}`;
      // Neither of them waits for the other to begin.
      await Promise.all([made(name, round % 2 === 0), inside(() => harness.db.collection(name).insertOne({ n: round }, { session }))]);
      expect(await harness.db.collection(name).countDocuments()).toBe(1);
      const raise = (options: object): Promise<unknown> => accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } }, options);
      await Promise.all([raise({}), raise({}), inside(() => raise({ session }))]);
    }
    expect(await accounts.findOne({ _id: 'a' as never })).toEqual({ _id: 'a', n: 121 });
    await session.endSession();
  });

  it('keep to the state that they began with, once they have answered', async () => {
    const session = harness.client.startSession();
    session.startTransaction();
    expect(await accounts.countDocuments({}, { session })).toBe(2);
    await accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } });
    await expect(accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } }, { session })).rejects.toMatchObject({ code: 112 });
    await session.abortTransaction();
    await session.endSession();
  });

  it('make no indexes on what others see, and find those that are there', async () => {
    await accounts.createIndex({ n: 1 });
    const session = harness.client.startSession();
    session.startTransaction();
    expect(await accounts.createIndex({ n: 1 }, { session })).toBe('n_1');
    await session.commitTransaction();
    session.startTransaction();
    await expect(accounts.createIndex({ m: 1 }, { session })).rejects.toMatchObject({ code: 263 });
    await session.abortTransaction();
    await session.endSession();
  });

  it('make a write outside wait for them', async () => {
    const session = harness.client.startSession();
    session.startTransaction();
    await accounts.updateOne({ _id: 'a' as never }, { $set: { n: 5 } }, { session });
    let done = false;
    const outside = accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } }).then(() => {
      done = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toBe(false);
    await session.commitTransaction();
    await outside;
    expect(await accounts.findOne({ _id: 'a' as never })).toEqual({ _id: 'a', n: 6 });
    await session.endSession();
  });

  it.each([
    ['renamed', () => harness.client.db('admin').command({ renameCollection: 'test.accounts', to: 'test.made', maxTimeMS: 50 })],
    ['written by $out', () => accounts.aggregate([{ $out: 'made' }], { maxTimeMS: 50 }).toArray()],
    ['copied', () => harness.db.command({ cloneCollectionAsCapped: 'accounts', toCollection: 'made', size: 4096, maxTimeMS: 50 })],
  ])('keep the name of a collection that they make from one that is %s', async (_how, take) => {
    const made = harness.db.collection('made');
    await made.drop();
    await harness.client.withSession(async (session) => {
      session.startTransaction();
      await made.insertOne({ _id: 'm' as never }, { session });
      await expect(take()).rejects.toMatchObject({ code: 50 });
      await session.commitTransaction();
    });
    expect(await made.find().toArray()).toEqual([{ _id: 'm' }]);
    expect(await accounts.countDocuments()).toBe(2);
  });

  const ONES: readonly (readonly [string, (options: { session?: ClientSession }) => Promise<unknown>])[] = [
    ['a creation', (options) => harness.db.createCollection('made', options)],
    ['an insertion', (options) => harness.db.collection('made').insertOne({ by: 1 }, options)],
  ];
  const PAIRS = ONES.flatMap(([one, make]) => ONES.map(([other, makeToo]) => [`${one} and ${other}`, make, makeToo] as const));

  it.each(PAIRS)('make a collection of one name beside each other by %s: who commits first has it', async (_how, make, makeToo) => {
    const made = harness.db.collection('made');
    await made.drop();
    const [first, second] = [harness.client.startSession(), harness.client.startSession()];
    first.startTransaction();
    second.startTransaction();
    await make({ session: first });
    await makeToo({ session: second });
    await made.insertOne({ _id: 'second' as never }, { session: second });
    await second.commitTransaction();
    await expect(first.commitTransaction()).rejects.toMatchObject({ code: 112, errorLabels: ['TransientTransactionError'] });
    expect(await made.countDocuments({ _id: 'second' as never })).toBe(1);
    await first.endSession();
    await second.endSession();
  });

  it.each(ONES)('do not make who is outside wait with %s of a name that they make', async (_how, make) => {
    const made = harness.db.collection('made');
    await made.drop();
    const session = harness.client.startSession();
    session.startTransaction();
    await made.insertOne({ _id: 'inside' as never }, { session });
    await make({});
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 112 });
    expect(await made.countDocuments({ _id: 'inside' as never })).toBe(0);
    await session.endSession();
  });

  it('make a collection that has been made since they began, and can not commit that', async () => {
    const made = harness.db.collection('made');
    await made.drop();
    const session = harness.client.startSession();
    session.startTransaction();
    await accounts.findOne({}, { session });
    await made.insertOne({ _id: 'outside' as never });
    await harness.db.createCollection('made', { session });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 112 });
    expect(await made.find().toArray()).toEqual([{ _id: 'outside' }]);
    await session.endSession();
  });

  it('keep the name of a database that they make from one in another case', async () => {
    await harness.client.withSession(async (session) => {
      session.startTransaction();
      await harness.client.db('cased').collection('c').insertOne({}, { session });
      await expect(harness.client.db('Cased').collection('c').insertOne({})).rejects.toMatchObject({ code: 13297 });
      await session.abortTransaction();
    });
  });

  it('end when their session goes on with a write of a later number', async () => {
    const client = await WireClient.connect(harness.server);
    const session = { lsid: { id: new UUID() }, autocommit: false };
    // Less than transactions that nobody goes on with have.
    const increment = { update: 'accounts', updates: [{ q: { _id: 'a' }, u: { $inc: { n: 10 } } }], maxTimeMS: 30_000 };
    await client.ask('test', { ...increment, ...session, txnNumber: Long.fromNumber(1), startTransaction: true });
    const later = await client.ask('test', { ...increment, lsid: session.lsid, txnNumber: Long.fromNumber(2) });
    expect(later).toMatchObject({ ok: 1, nModified: 1 });
    const commit = await client.ask('admin', { commitTransaction: 1, ...session, txnNumber: Long.fromNumber(1) });
    expect(commit).toMatchObject({ ok: 0, code: 225 });
    expect(await accounts.findOne({ _id: 'a' as never })).toEqual({ _id: 'a', n: 11 });
    client.close();
  });

  it('end with an error inside', async () => {
    const session = harness.client.startSession();
    session.startTransaction();
    await accounts.insertOne({ _id: 'z' as never }, { session });
    await expect(accounts.insertOne({ _id: 'a' as never }, { session })).rejects.toMatchObject({ code: 11000 });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
    expect(await accounts.countDocuments()).toBe(2);
    await session.endSession();
  });
});

describe('retryable writes', () => {
  it('happen once when the answer is lost', async () => {
    await harness.client.db('admin').command({ configureFailPoint: 'onPrimaryTransactionalWrite', mode: { times: 1 }, data: {} });
    await accounts.updateOne({ _id: 'a' as never }, { $inc: { n: 1 } });
    expect(await accounts.findOne({ _id: 'a' as never })).toEqual({ _id: 'a', n: 2 });
  });

  it('are sent again after an error of the fail point', async () => {
    await harness.client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: ['insert'], errorCode: 91, errorLabels: ['RetryableWriteError'] },
    });
    await expect(accounts.insertOne({ _id: 'r' as never })).resolves.toMatchObject({ insertedId: 'r' });
  });
});

describe('change streams', () => {
  it('give changes in order, and go on from a token', async () => {
    const stream = accounts.watch([], { fullDocument: 'updateLookup' });
    const first = stream.next();
    await untilRunning(harness.client, { op: 'getmore' });
    await accounts.insertOne({ _id: 'n' as never, v: 1 });
    const { _id: token, operationType } = await first;
    expect(operationType).toBe('insert');
    await accounts.updateOne({ _id: 'n' as never }, { $set: { v: 2 } });
    await accounts.deleteOne({ _id: 'n' as never });
    expect(await stream.next()).toMatchObject({
      operationType: 'update',
      updateDescription: { updatedFields: { v: 2 }, removedFields: [] },
    });
    await stream.close();
    const resumed = accounts.watch([], { resumeAfter: token });
    expect(await resumed.next()).toMatchObject({ operationType: 'update', documentKey: { _id: 'n' } });
    expect(await resumed.next()).toMatchObject({ operationType: 'delete', documentKey: { _id: 'n' } });
    await resumed.close();
  });
});
