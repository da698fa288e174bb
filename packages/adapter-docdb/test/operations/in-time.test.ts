import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startNetwork } from '@framework-internal/testing/network';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MongoClient, type ClientSession, type Db, type FindCursor } from 'mongodb';
import { DocDbIdempotencyStore, DocDbLimiterStore, DocDbService, eventLog, transaction } from '../../src/index.ts';
import { LONGEST } from '../../src/operations/call.ts';
import { inTime } from '../../src/operations/in-time.ts';
import { readInTime } from '../../src/operations/read-in-time.ts';
import { limitOf } from '../../src/operations/within-limit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(async () => {
  await database.close();
});

const UNKNOWN = 'The database did not answer: whether it has made the change is not known. Look before you try again';
const LATE = 'The database took too long. Try again';
const LIMITS = { serverSelectionTimeoutMS: 1000, connectTimeoutMS: 1000, socketTimeoutMS: 1000 };

/**
 * Asks in the moment in which the server has ended the connections that there are and the driver does not know of it yet.
 *
 * @returns what each question came to
 */
async function askWhenEnded(maxPoolSize: number, prepare: (db: Db) => Promise<readonly (() => Promise<unknown>)[]>): Promise<unknown[]> {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  const all: Promise<unknown>[] = [];
  const network = await startNetwork(Number(new URL(database.uri).port));
  const client = new MongoClient(`mongodb://127.0.0.1:${String(network.port)}/?directConnection=true`, { ...LIMITS, maxPoolSize });
  try {
    const questions = await prepare(client.db(database.db.databaseName));
    const asked = new Promise<unknown[]>((resolve) => {
      const ask = (): void => {
        const answers = Promise.all(questions.map((question) => question().catch((error: unknown) => error)));
        all.push(answers);
        resolve(answers);
      };
      for (const socket of sockets.filter(({ remotePort }) => remotePort === network.port)) socket.once('end', () => setImmediate(ask));
    });
    await network.cut();
    return await asked;
  } finally {
    unsubscribe('net.client.socket', note);
    await Promise.all(all);
    await client.close();
    network.stop();
  }
}

type Ask = (db: Db) => Promise<() => Promise<unknown>>;

/** What each comes to, over a connection of its own: one that is given up lets go the connection that others wait for. */
function answersOf(asks: readonly Ask[]): Promise<unknown[]> {
  return Promise.all(asks.map(async (ask) => (await askWhenEnded(1, async (db) => [await ask(db)]))[0]));
}

describe('a connection that ends in the moment in which the driver takes it', () => {
  it('keeps no call of a service or a store waiting for ever', async () => {
    const asking = (of: (people: DocDbService, id: string) => Promise<unknown>): Ask => {
      return async (db) => {
        const people = new DocDbService({ Model: db.collection('people'), multi: true });
        const { _id: id } = (await people.create({ name: 'Ann' })) as { _id: string };
        return () => of(people, id);
      };
    };
    const reads: Ask[] = [
      asking((people) => people.find()),
      asking((people) => people.find({ pipeline: [{ $match: {} }] })),
      asking((people, id) => people.get(id)),
      async (db) => {
        const limiter = new DocDbLimiterStore(db.collection('attempts') as never);
        await limiter.reset('k');
        return () => limiter.attempt('k', { attempts: 1, window: 1000, delay: 1 });
      },
      async (db) => {
        const calls = new DocDbIdempotencyStore(db.collection('calls') as never);
        await calls.free({ key: 'k', holder: 'h' });
        return () => calls.take({ key: 'k', holder: 'h' }, 'f', 1000);
      },
    ];
    const writes = [
      asking((people) => people.create({ name: 'Bob' })),
      asking((people) => people.create([{ name: 'Bob' }, { name: 'Cid' }])),
      asking((people, id) => people.update(id, { name: 'Bob' })),
      asking((people, id) => people.patch(id, { name: 'Bob' })),
      asking((people) => people.patch(null, { name: 'Bob' })),
      asking((people, id) => people.remove(id)),
    ];
    const [read, written] = await Promise.all([answersOf(reads), answersOf(writes)]);
    const givenUp = (message: string): object => ({ code: 503, message, cause: { name: 'UnansweredError' } });
    expect(read).toMatchObject(reads.map(() => givenUp(LATE)));
    expect(written).toMatchObject(writes.map(() => givenUp(UNKNOWN)));
  }, 60_000);

  it('is let go, or the pool of the driver would run out of connections', async () => {
    const [answer] = await askWhenEnded(1, async (db) => {
      const people = new DocDbService({ Model: db.collection('pool') });
      await people.find();
      return [
        async () => {
          await expect(people.find()).rejects.toMatchObject({ code: 503, cause: { name: 'UnansweredError' } });
          return people.find();
        },
      ];
    });
    expect(answer).toEqual([]);
  }, 60_000);

  it('keeps no log waiting for ever', async () => {
    const append = (): Promise<unknown[]> =>
      askWhenEnded(5, async (db) => {
        const log = eventLog(db);
        await log.start();
        return [
          async () => {
            try {
              await log.append([{ key: 'a', path: 'people', event: 'created', text: '{}', targets: [], at: 0 }]);
            } finally {
              await log.stop();
            }
          },
        ];
      });
    // Of several connections the driver may take one whose end it has heard of: what it writes over that is written again, and answered.
    let answers: unknown[] = [];
    for (let times = 0; times < 10 && answers[0] === undefined; times++) answers = await append();
    expect(answers).toMatchObject([{ name: 'UnansweredError' }]);
  }, 120_000);

  it('keeps nobody waiting for ever who reads a raw cursor, in whichever way', async () => {
    const numbersOf = async (db: Db): Promise<DocDbService> => {
      const numbers = new DocDbService({ Model: db.collection('numbers'), multi: true });
      await numbers.create([1, 2, 3].map((n) => ({ n })));
      return numbers;
    };
    const begun = (read: (cursor: FindCursor) => Promise<unknown>): Ask => {
      return async (db) => {
        const cursor = await (await numbersOf(db)).findRaw({ docdb: { batchSize: 1 } });
        await cursor.next();
        return () => read(cursor);
      };
    };
    const first = (read: (numbers: DocDbService) => Promise<unknown>): Ask => {
      return async (db) => {
        const numbers = await numbersOf(db);
        return () => read(numbers);
      };
    };
    const found = (read: (cursor: FindCursor) => Promise<unknown>): Ask => first(async (numbers) => read(await numbers.findRaw()));
    const answers = await answersOf([
      begun((cursor) => cursor.next()),
      begun((cursor) => cursor.close()),
      found((cursor) => cursor.next()),
      found((cursor) => cursor.hasNext()),
      found((cursor) => cursor.tryNext()),
      found((cursor) => cursor.toArray()),
      found((cursor) => cursor.clone().next()),
      found((cursor) => cursor.map((document: unknown) => document).forEach(() => undefined)),
      found(async (cursor) => {
        for await (const document of cursor.stream()) return document;
        return undefined;
      }),
      first(async (numbers) => {
        for await (const document of await numbers.aggregateRaw({ pipeline: [{ $match: {} }] })) return document;
        return undefined;
      }),
      first(async (numbers) => (await numbers.aggregateRaw({ pipeline: [{ $match: {} }] })).explain()),
    ]);
    expect(answers).toMatchObject(answers.map(() => ({ name: 'UnansweredError' })));
    expect(answers).toHaveLength(11);
  }, 60_000);

  it('keeps no transaction waiting for ever: it is committed over another connection', async () => {
    const name = 'committed';
    const answers = await askWhenEnded(5, async (db) => {
      const people = new DocDbService({ Model: db.collection(name) });
      const work = new EventEmitter();
      const done = transaction(db.client, async (session) => {
        await people.create({ name: 'Ann' }, { docdb: { session } });
        const asked = once(work, 'asked');
        work.emit('made');
        await asked;
        return 'done';
      });
      await once(work, 'made');
      return [
        () => {
          work.emit('asked');
          return done;
        },
      ];
    });
    expect(answers).toEqual(['done']);
    expect(await database.db.collection(name).countDocuments()).toBe(1);
  }, 60_000);

  it('keeps nobody waiting for ever who commits or undoes a transaction', async () => {
    const again: unknown[] = [];
    const sessions: unknown[] = [];
    const begun = (end: (session: ClientSession) => Promise<unknown>): Ask => {
      return async (db) => {
        const people = new DocDbService({ Model: db.collection('people') });
        const session = db.client.startSession();
        session.startTransaction();
        await people.create({ name: 'Ann' }, { docdb: { session } });
        sessions.push(session.id);
        return () => end(session);
      };
    };
    const answers = await answersOf([
      begun((session) => session.commitTransaction()),
      begun(async (session) => {
        await session.abortTransaction();
        await session.abortTransaction();
        try {
          session.startTransaction();
        } catch (error) {
          again.push(error);
        }
        await session.endSession();
      }),
    ]);
    // The server would keep them for a minute.
    await database.db.admin().command({ killSessions: sessions });
    expect(answers).toMatchObject([{ name: 'UnansweredError' }, undefined]);
    expect((answers[0] as { hasErrorLabel(label: string): boolean }).hasErrorLabel('UnknownTransactionCommitResult')).toBe(true);
    expect(again[0]).toMatchObject({ name: 'UnansweredError' });
  }, 60_000);
});

describe('the time until an answer is given up', () => {
  /** The delays of the timers that are set while something is asked. */
  async function delaysOf(ask: () => Promise<unknown>): Promise<readonly unknown[]> {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      await ask();
      return timers.mock.calls.map(([, delay]) => delay);
    } finally {
      timers.mockRestore();
    }
  }
  const times = { socketTimeoutMS: 1_000_000 };
  const limit = (): number => limitOf(database.client, times) ?? 0;

  it.each([
    [1, 1],
    [1000, 1],
    [1001, 2],
    [2500, 3],
  ])('of %i documents that are given at once is that of %i commands', async (count, commands) => {
    const given = inTime<{ n: number }>(database.db.collection('given'), times);
    const delays = await delaysOf(() => given.insertMany(Array.from({ length: count }, (_none, n) => ({ n }))));
    expect(delays.filter((delay) => Number(delay) >= limit())).toEqual([limit() * commands]);
  });

  it('of nothing that is given is that of one command', async () => {
    const given = inTime(database.db.collection('given'), times);
    expect(await delaysOf(() => given.insertMany([]).catch(() => undefined))).toContain(limit());
  });

  it('is that of each call, also of one collection', async () => {
    const given = database.db.collection('given');
    expect(await delaysOf(() => inTime(given, times).findOne())).toContain(limit());
    expect(await delaysOf(() => inTime(given, { socketTimeoutMS: 1_000_001 }).findOne())).toContain(limit() + 2);
  });

  it('is none that no timer could wait', async () => {
    const given = inTime(database.db.collection('given'), { socketTimeoutMS: LONGEST });
    const delays = await delaysOf(async () => [await given.findOne(), await given.find().toArray()]);
    expect(delays.filter((delay) => Number(delay) >= LONGEST)).toEqual(delays.filter((delay) => delay === LONGEST));
    expect(delays.filter((delay) => delay === LONGEST).length).toBeGreaterThan(1);
  });

  it('is over with the answer, so that no timer is left of it', async () => {
    const given = inTime(database.db.collection('given'), times);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    try {
      await given.findOne();
      const own = timers.mock.results.filter((_result, at) => timers.mock.calls[at]?.[1] === limit()).map(({ value }) => value as unknown);
      expect(own).toHaveLength(1);
      expect(cleared.mock.calls.map(([timer]) => timer)).toContain(own[0]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('is none of a document that the server has sent with others', async () => {
    const given = database.db.collection<{ n: number }>('sent');
    await given.insertMany(Array.from({ length: 50 }, (_none, n) => ({ n })));
    const cursor = inTime(given, times).find();
    await cursor.next();
    expect(await delaysOf(async () => [await cursor.next(), await cursor.hasNext(), await cursor.tryNext()])).not.toContain(limit());
    await cursor.close();
  });

  it('is none for a client without a time for answers', async () => {
    const given = database.db.collection('given');
    expect(inTime(given, {})).toBe(given);
    expect(inTime(given, { socketTimeoutMS: 0 })).toBe(given);
  });
});

describe('a cursor that waits for documents which are still to come', () => {
  it('has no bound', async () => {
    const capped = await database.db.createCollection<{ n: number }>('capped', { capped: true, size: 10_000 });
    await capped.insertOne({ n: 1 });
    const cursor = readInTime(capped.find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 50 }), 20, undefined);
    expect(await cursor.next()).toMatchObject({ n: 1 });
    const next = cursor.next();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await capped.insertOne({ n: 2 });
    expect(await next).toMatchObject({ n: 2 });
    await cursor.close();
  });
});
