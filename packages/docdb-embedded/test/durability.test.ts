import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Long, MongoClient, UUID, type Collection, type Document } from 'mongodb';
import { Random, Variety } from '@framework-internal/random';
import { DocDbServer } from '../src/index.ts';
import { Engine } from '../src/storage/engine.ts';
import { Store } from '../src/storage/store.ts';
import { startLater } from './start-later.ts';
import { untilRunning } from './harness.ts';
import { WireClient } from './wire-client.ts';

/** Chooses the moments of copies and kills. */
const SEED = Number(process.env.CRASH_SEED ?? 20261122);
const cli = join(import.meta.dirname, '../dist/cli.js');
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-'));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(path, { recursive: true, force: true });
});

const withServer = async <T>(work: (client: MongoClient) => Promise<T>, folder = path): Promise<T> => {
  const server = await DocDbServer.start({ path: folder, failPoints: true });
  const client = await new MongoClient(server.uri).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
    await server.stop();
  }
};

interface Item {
  _id: number | string;
  [name: string]: unknown;
}

const items = (client: MongoClient): Collection<Item> => client.db('t').collection<Item>('items');

function startProcess(...args: string[]): Promise<{ child: ChildProcess; uri: string }> {
  const child = spawn(process.execPath, [cli, '--port', '0', '--path', path, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('the server ended'));
    });
    child.stdout.once('data', (text: Buffer) => {
      resolve({ child, uri: text.toString().split('\n')[0] as string });
    });
  });
}

const exitOf = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve));

/** Stops a server whose ten seconds for what runs are over at once, or never where nothing runs that it would wait for. */
async function stopWithLimit(server: DocDbServer, over: 'at once' | 'never'): Promise<void> {
  const { setTimeout: real } = globalThis;
  const limits: number[] = [];
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((ring: () => void, delay: number, ...given: []) => {
    if (delay !== 10_000) return real(ring, delay, ...given);
    limits.push(delay);
    return over === 'at once' ? real(ring, 0, ...given) : undefined;
  }) as never);
  await server.stop();
  timers.mockRestore();
  expect(limits).toEqual([10_000]);
}

/** A transaction that is not of the driver, which would look for the server again to end it. */
async function begin(server: DocDbServer): Promise<{ wire: WireClient; ask(database: string, command: Document): Promise<Document> }> {
  const wire = await WireClient.connect(server);
  const transaction = { lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1), autocommit: false };
  let starts: Document = { startTransaction: true };
  return {
    wire,
    async ask(database, command) {
      const answer = wire.ask(database, { ...command, ...transaction, ...starts });
      starts = {};
      return answer;
    },
  };
}

/** A program that keeps others from writing into the folder that it is given, until it is ended. */
const HOLDING = `
const root = require('lmdb').open({ path: process.argv[1], maxDbs: 8, encoding: 'binary', keyEncoding: 'binary', pageSize: 2048, remapChunks: true });
root.transactionSync(() => {
  require('node:fs').writeSync(1, 'holds');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

describe('a folder', () => {
  it('keeps documents, indexes, options and deletions', async () => {
    await withServer(async (client) => {
      await client.db('t').createCollection('items', { validator: { a: { $exists: true } } });
      await items(client).insertMany([
        { _id: 1, a: 1 },
        { _id: 2, a: 2 },
        { _id: 3, a: 3 },
      ]);
      await items(client).createIndexes([{ key: { a: 1 }, unique: true }]);
      await items(client).deleteOne({ _id: 2 });
      await items(client).updateOne({ _id: 3 }, { $set: { b: [1, { c: null }] } });
    });
    await withServer(async (client) => {
      expect(await items(client).find().toArray()).toEqual([
        { _id: 1, a: 1 },
        { _id: 3, a: 3, b: [1, { c: null }] },
      ]);
      await expect(items(client).insertOne({ _id: 4, a: 1 })).rejects.toMatchObject({ code: 11000 });
      await expect(items(client).insertOne({ _id: 5, b: 1 })).rejects.toMatchObject({ code: 121 });
    });
  });

  it('keeps a transaction whole, and nothing of an aborted one', async () => {
    await withServer(async (client) => {
      await items(client).insertOne({ _id: 0 });
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await items(client).insertOne({ _id: 1 }, { session });
          await items(client).insertOne({ _id: 2 }, { session });
        }),
      );
      const session = client.startSession();
      session.startTransaction();
      await items(client).insertOne({ _id: 3 }, { session });
      await session.abortTransaction();
      await session.endSession();
    });
    await withServer(async (client) => {
      expect((await items(client).find().toArray()).map((doc) => doc._id)).toEqual([0, 1, 2]);
    });
  });

  it('keeps a transaction of 36 MB', async () => {
    const text = 'x'.repeat(9_000_000);
    await withServer((client) =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          for (const _id of [1, 2, 3, 4]) await items(client).insertOne({ _id, text }, { session });
        }),
      ),
    );
    await withServer(async (client) => {
      expect(await items(client).countDocuments({ text })).toBe(4);
    });
  });

  it('keeps documents that are nested as deep as they may be', async () => {
    let doc: Item = { _id: 1 };
    for (let depth = 0; depth < 150; depth++) doc = { _id: 1, inner: doc };
    await withServer((client) => items(client).insertOne(doc));
    await withServer(async (client) => {
      expect(await items(client).findOne({ _id: 1 })).toEqual(doc);
    });
  });

  it('keeps collections whose names begin as those do that $out fills', async () => {
    const name = 'tmp.agg_out.mine';
    await withServer(async (client) => {
      await client.db('t').collection<Item>(name).insertOne({ _id: 1 });
      await client.db('dropped').collection<Item>(name).insertOne({ _id: 1 });
      await client.db('dropped').dropDatabase();
    });
    await withServer(async (client) => {
      expect(await client.db('t').collection<Item>(name).find().toArray()).toEqual([{ _id: 1 }]);
      expect((await client.db('t').listCollections().toArray()).map((collection) => collection.name)).toEqual([name]);
      expect((await client.db('admin').admin().listDatabases({ nameOnly: true })).databases.map((database) => database.name)).not.toContain(
        'dropped',
      );
    });
  });

  it('has nothing of what $out had filled by the time of a crash', async () => {
    const engine = new Engine({ path, sync: 'always', maxSize: undefined });
    const store = new Store(engine);
    await store.recover();
    await store.write((writer) => {
      writer.insert(writer.collections.create('half.tmp.agg_out.1', { temp: true }, undefined, false), { _id: 1 }, undefined, false);
    });
    await store.close();
    await withServer(async (client) => {
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      expect(databases.map((database) => database.name)).not.toContain('half');
    });
  });

  it('keeps the order of names that look like numbers, and documents that look like values', async () => {
    const doc = new Map<string, unknown>([
      ['_id', 1],
      ['b', 1],
      ['1', -1],
      ['0', 2],
      ['_bsontype', 'ObjectId'],
    ]);
    await withServer((client) => items(client).insertOne(doc as never));
    await withServer(async (client) => {
      await items(client).updateOne({ _id: 1 }, { $set: { '5': 1, c: 1 } });
      const raw = await items(client).findOne({ _id: 1 }, { raw: true });
      const bytes = Buffer.from(raw as unknown as Uint8Array).toString('latin1');
      const places = ['_id', 'b\0', '1\0', '0\0', '_bsontype', '5\0', 'c\0'].map((name) => bytes.indexOf(name));
      expect(places).toEqual([...places].sort((a, b) => a - b));
    });
  });

  it('is refused to a second server of this process and of another', async () => {
    const server = await DocDbServer.start({ path });
    await expect(DocDbServer.start({ path })).rejects.toThrow('is in use by process');
    await server.stop();
    const { child } = await startProcess();
    await expect(startLater({ path })).rejects.toThrow(`is in use by process ${String(child.pid)}`);
    const exited = exitOf(child);
    child.kill('SIGKILL');
    await exited;
    await (await DocDbServer.start({ path })).stop();
  }, 60_000);

  it('of an older version is refused with the way to move it', async () => {
    writeFileSync(join(path, 'journal-3.docdb'), 'DOCDB');
    await expect(DocDbServer.start({ path })).rejects.toThrow(/version 0\.1 .*mongodump and mongorestore/);
  });

  it('is refused with what to do where its file is cut off or none of a database', async () => {
    const file = join(path, 'data.mdb');
    await withServer(async (client) => {
      await items(client).insertMany(
        Array.from({ length: 500 }, (_none, n) => ({ _id: n, text: 'x'.repeat(n % 50 === 0 ? 20_000 : 400) })),
      );
    });
    const whole = readFileSync(file);
    for (const part of [0.95, 0.7, 0.4, 0.01]) {
      writeFileSync(file, whole.subarray(0, whole.length * part));
      await expect(DocDbServer.start({ path })).rejects.toThrow(/data\.mdb is cut off.*a whole copy of the folder/);
    }
    for (const bytes of [
      Buffer.alloc(whole.length),
      Buffer.alloc(50, 'x'),
      Buffer.concat([Buffer.alloc(2048, 255), whole.subarray(2048)]),
    ]) {
      writeFileSync(file, bytes);
      await expect(DocDbServer.start({ path })).rejects.toThrow(/data\.mdb is damaged, or no file of this database/);
    }
    writeFileSync(file, whole);
    await withServer(async (client) => {
      expect(await items(client).countDocuments()).toBe(500);
    });
  });

  it.each<[string, (page: Buffer) => void]>([
    ['zeros', (page) => page.fill(0)],
    ['bytes of another file', (page) => page.fill('x')],
    ['another page', (page) => page.writeUInt8(page.readUInt8(0) ^ 1, 0)],
    ['places outside of it', (page) => page.fill(255, 24, 26)],
  ])('is refused where an upper page of its file has %s', async (_what, spoil) => {
    const file = join(path, 'data.mdb');
    await withServer(async (client) => {
      await items(client).insertMany(Array.from({ length: 500 }, (_none, n) => ({ _id: n, text: 'x'.repeat(400) })));
    });
    const whole = readFileSync(file);
    const pageSize = whole.readUInt32LE(48);
    const newer = whole.readBigUInt64LE(152) > whole.readBigUInt64LE(pageSize + 152) ? 0 : pageSize;
    // The tables, and the first one that they name.
    const catalogue = Number(whole.readBigUInt64LE(newer + 96 + 40));
    const node = catalogue * pageSize + 24 + whole.readUInt16LE(catalogue * pageSize + 24);
    const table = Number(whole.readBigUInt64LE(node + 8 + whole.readUInt16LE(node + 6) + 40));
    for (const page of [catalogue, table]) {
      const bytes = Buffer.from(whole);
      spoil(bytes.subarray(page * pageSize, (page + 1) * pageSize));
      writeFileSync(file, bytes);
      const message = new RegExp(`data\\.mdb is damaged: its page ${String(page)} of .* a whole copy of the folder`);
      await expect(DocDbServer.start({ path })).rejects.toThrow(message);
    }
    writeFileSync(file, whole);
    await withServer(async (client) => {
      expect(await items(client).countDocuments()).toBe(500);
    });
  });

  it('is opened where its file is short of pages that are free', async () => {
    const file = join(path, 'data.mdb');
    await withServer(async (client) => {
      await items(client).insertMany(Array.from({ length: 500 }, (_none, n) => ({ _id: n, text: 'x'.repeat(400) })));
    });
    // Both states say that there was more once.
    const bytes = readFileSync(file);
    const pageSize = bytes.readUInt32LE(48);
    for (const page of [0, pageSize]) bytes.writeBigUInt64LE(BigInt(bytes.length / pageSize + 9), page + 144);
    writeFileSync(file, bytes);
    await withServer(async (client) => {
      expect(await items(client).countDocuments()).toBe(500);
    });
  });

  it('is for its user alone', async () => {
    const folder = join(path, 'data');
    await withServer((client) => items(client).insertOne({ _id: 1 }), folder);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('keeps resume tokens, and answers of writes that are sent again', async () => {
    const lsid = { id: new UUID().toBinary() };
    const retry = (client: MongoClient) =>
      client.withSession((session) => {
        Object.assign(session.serverSession?.id ?? {}, lsid);
        const updates = [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }];
        return client.db('t').command({ update: 'items', updates, txnNumber: Long.fromNumber(5) }, { session });
      });
    const { token, first } = await withServer(async (client) => {
      await items(client).insertOne({ _id: 1, n: 0 });
      const stream = items(client).watch();
      const next = stream.next();
      await untilRunning(client, { op: 'getmore' });
      await items(client).insertOne({ _id: 2 });
      const { _id } = await next;
      await stream.close();
      await items(client).insertOne({ _id: 3 });
      return { token: _id, first: await retry(client) };
    });
    await withServer(async (client) => {
      expect(await retry(client)).toMatchObject({ n: first.n as number, nModified: 1 });
      expect(await items(client).findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
      const stream = items(client).watch([], { resumeAfter: token });
      expect(await stream.next()).toMatchObject({ operationType: 'insert', documentKey: { _id: 3 } });
      await stream.close();
    });
  });

  it('is given back when what runs was interrupted, and nothing reads it any more', async () => {
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri, { retryReads: false, retryWrites: false }).connect();
    const faults = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      await items(client).insertMany(Array.from({ length: 5000 }, (_none, at) => ({ _id: at })));
      const long = { $size: { $map: { input: { $range: [0, 20_000] }, in: '$$this' } } };
      const writing = items(client).updateMany({ $expr: { $gt: [long, 1] } }, { $set: { n: 1 } });
      const pipeline = [{ $match: { $expr: { $gt: ['$_id', { $add: ['$$id', 1e9] }] } } }];
      const reading = items(client).aggregate([{ $lookup: { from: 'items', let: { id: '$_id' }, pipeline, as: 'all' } }]);
      const ended = Promise.allSettled([writing, reading.toArray()]);
      for (const name of ['update', 'aggregate']) await untilRunning(client, { [`command.${name}`]: 'items' });
      await stopWithLimit(server, 'at once');
      // By then the driver knows that the server has gone: before, its end may wait for a closed socket.
      expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      await client.close();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect(faults).not.toHaveBeenCalled();
    } finally {
      faults.mockRestore();
    }
    await withServer(async (again) => {
      expect(await items(again).countDocuments()).toBe(5000);
    });
  });

  it('is given back at once while change streams wait', async () => {
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri).connect();
    const stream = items(client).watch([], { maxAwaitTimeMS: 60_000 });
    const next = stream.next().catch(() => 'ended');
    await untilRunning(client, { op: 'getmore' });
    await stopWithLimit(server, 'never');
    await client.close(true);
    expect(await next).toBe('ended');
  });

  it.each<[string, string, (collection: Collection<Item>) => Promise<unknown>]>([
    ['a write', 'update', (collection) => collection.updateOne({ _id: 1 }, { $set: { a: 2 } })],
    ['a drop', 'drop', (collection) => collection.drop()],
    ['an index that is built', 'createIndexes', (collection) => collection.createIndex({ a: 1 })],
    ['$out', 'aggregate', (collection) => collection.aggregate([{ $out: 'items' }]).toArray()],
  ])('is given back at once while %s waits for a transaction that nobody goes on with', async (_what, name, work) => {
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri).connect();
    await items(client).insertMany([{ _id: 1 }, { _id: 2 }]);
    const transaction = await begin(server);
    await transaction.ask('t', { update: 'items', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }] });
    const waiting = work(items(client)).catch(() => 'ended');
    await untilRunning(client, { [`command.${name}`]: 'items' });
    await stopWithLimit(server, 'never');
    transaction.wire.close();
    await client.close(true);
    expect(await waiting).toBe('ended');
    await withServer(async (again) => {
      expect(await items(again).countDocuments({ a: 1 })).toBe(0);
    });
  });

  it('keeps the transaction whose commit waits to be written when the server stops', async () => {
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri).connect();
    await items(client).insertOne({ _id: 0 });
    const transaction = await begin(server);
    await transaction.ask('t', { insert: 'items', documents: [{ _id: 1 }, { _id: 2 }] });
    // LMDB has one writer at a time, of all processes.
    const writer = spawn(process.execPath, ['-e', HOLDING, path], { cwd: import.meta.dirname, stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise((resolve) => writer.stdout.once('data', resolve));
    const committed = transaction.ask('admin', { commitTransaction: 1 }).catch(() => undefined);
    await untilRunning(client, { 'command.commitTransaction': 1 });
    await client.close();
    const exited = exitOf(writer);
    const stopped = server.stop();
    writer.kill();
    await Promise.all([stopped, exited, committed]);
    transaction.wire.close();
    await withServer(async (again) => {
      expect(await items(again).countDocuments()).toBe(3);
    });
  });

  it('gives the place of a document that was removed to no other one while a transaction sees it', async () => {
    await withServer((client) => items(client).insertMany([{ _id: 1 }, { _id: 2 }]));
    await withServer(async (client) => {
      await client.withSession(async (session) => {
        session.startTransaction();
        expect(await items(client).countDocuments({}, { session })).toBe(2);
        await items(client).deleteOne({ _id: 2 });
        await items(client).insertOne({ _id: 3 }, { session });
        expect(await items(client).find({}, { session }).toArray()).toEqual([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
        expect(await items(client).findOne({ _id: 2 }, { session })).toEqual({ _id: 2 });
        await session.abortTransaction();
      });
    });
  });

  it('refuses what would make it larger than it may be, and takes deletions', async () => {
    const server = await DocDbServer.start({ path, maxSize: 4_000_000 });
    const client = await new MongoClient(server.uri).connect();
    const text = 'x'.repeat(100_000);
    let n = 0;
    await expect(
      (async () => {
        for (; n < 100; n++) await items(client).insertOne({ _id: n, text });
      })(),
    ).rejects.toMatchObject({ code: 14031 });
    expect(await items(client).countDocuments()).toBe(n);
    expect(n).toBeGreaterThan(5);
    await items(client).drop();
    await client.close();
    await server.stop();
  });

  it.each<[string, (client: MongoClient, ids: number[]) => Promise<unknown>]>([
    ['delete', (client, ids) => items(client).deleteMany({ _id: { $in: ids } })],
    ['findAndModify', (client, ids) => Promise.all(ids.map((_id) => items(client).findOneAndDelete({ _id })))],
    [
      'bulkWrite',
      (client, ids) =>
        client.bulkWrite<Record<'t.items', Item>>(ids.map((_id) => ({ name: 'deleteOne', namespace: 't.items', filter: { _id } }))),
    ],
    [
      'a transaction',
      (client, ids) =>
        client.withSession((session) => session.withTransaction(() => items(client).deleteMany({ _id: { $in: ids } }, { session }))),
    ],
  ])('takes deletions by %s where it has its largest size', async (_what, remove) => {
    const server = await DocDbServer.start({ path, sync: 'never', maxSize: 4_000_000 });
    const client = await new MongoClient(server.uri).connect();
    try {
      const text = 'x'.repeat(900);
      let count = 0;
      const fill = async (): Promise<never> => {
        for (;;) {
          await items(client).insertMany(Array.from({ length: 20 }, (_none, at) => ({ _id: count + at, text })));
          count += 20;
        }
      };
      await expect(fill()).rejects.toMatchObject({ code: 14031 });
      await remove(client, [1, 2]);
      expect(await items(client).countDocuments({ _id: { $lt: 20 } })).toBe(18);
    } finally {
      await client.close();
      await server.stop();
    }
  });

  it('fills the room of what was removed, and stays as large as it may be', async () => {
    const maxSize = 6_000_000;
    const server = await DocDbServer.start({ path, sync: 'never', maxSize });
    const client = await new MongoClient(server.uri).connect();
    const insert = (): Promise<boolean> =>
      items(client)
        .insertMany(Array.from({ length: 100 }, () => ({ _id: new UUID().toString(), text: 'x'.repeat(300) })))
        .then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ code: 14031 });
            return false;
          },
        );
    try {
      let first = 0;
      while (await insert()) first += 1;
      expect(first).toBeGreaterThan(5);
      await items(client).drop();
      // Somebody may still read what was removed, such as a copy of the folder.
      for (let again = 0; again < 5;) {
        if (await insert()) again += 1;
        else await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(statSync(join(path, 'data.mdb')).size).toBeLessThan(1.15 * maxSize);
    } finally {
      await client.close();
      await server.stop();
    }
  });

  it('keeps nothing of an index for which there is no room, and lets go of others', async () => {
    await withServer(async (client) => {
      await items(client).createIndex({ n: 1 });
      const tags = Array.from({ length: 40 }, (_none, at) => `tag ${'x'.repeat(20)} ${String(at)}`);
      await items(client).insertMany(
        Array.from({ length: 2000 }, (_none, n) => ({ _id: n, n, tags: tags.map((tag) => `${tag} ${String(n)}`) })),
      );
    });
    const maxSize = statSync(join(path, 'data.mdb')).size + 100_000;
    const server = await DocDbServer.start({ path, sync: 'never', maxSize });
    const client = await new MongoClient(server.uri).connect();
    const indexCount = async (): Promise<unknown> => (await client.db('t').command({ collStats: 'items' })).nindexes as unknown;
    try {
      await expect(items(client).createIndex({ tags: 1 })).rejects.toMatchObject({ code: 14031 });
      expect(await indexCount()).toBe(2);
      expect(await items(client).findOneAndDelete({ _id: 5 })).toMatchObject({ n: 5 });
      await items(client).dropIndex('n_1');
      expect(await indexCount()).toBe(1);
    } finally {
      await client.close();
      await server.stop();
    }
  });

  it('is opened at its largest size, and gives up what is over', async () => {
    const server = await DocDbServer.start({ path });
    const client = await new MongoClient(server.uri).connect();
    await items(client).createIndex({ at: 1 }, { expireAfterSeconds: 0 });
    const later = new Date(Date.now() + 3_600_000);
    await items(client).insertMany(Array.from({ length: 20 }, (_none, at) => ({ _id: at, at: at < 15 ? new Date(0) : later })));
    await client.close();
    await server.stop();
    const full = await DocDbServer.start({ path, maxSize: 4096 });
    const again = await new MongoClient(full.uri).connect();
    try {
      expect(await items(again).countDocuments({ at: later })).toBe(5);
      await expect(items(again).insertOne({ _id: 20 })).rejects.toMatchObject({ code: 14031 });
      await again.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
      while ((await items(again).countDocuments()) > 5) await new Promise((resolve) => setTimeout(resolve, 50));
      await items(again).deleteMany({});
      expect(await items(again).countDocuments()).toBe(0);
    } finally {
      await again.close();
      await full.stop();
    }
  });
});

/** Copies of a folder that is written to; more by a command of their own (CONTRIBUTING.md). */
const COPIES = Number(process.env.COPY_ROUNDS ?? 8);

describe('a copy of a folder', () => {
  it(`that is made while it is written to has everything acknowledged before, and no half transaction: ${String(COPIES)} copies`, async () => {
    const copies = mkdtempSync(join(tmpdir(), 'docdb-copy-'));
    await withServer(async (client) => {
      await items(client).createIndexes([{ key: { n: 1 } }]);
      const work = new Writers(client);
      const random = new Random(SEED);
      for (let round = 0; round < COPIES; round++) {
        await new Promise((resolve) => setTimeout(resolve, 20 + random.below(250)));
        const before = new Set(work.acknowledged);
        const copy = join(copies, String(round));
        cpSync(path, copy, { recursive: true, filter: (name) => !name.endsWith('.sock') });
        await withServer((reader) => expectWhole(reader, before), copy);
      }
      await work.stop();
      expect(work.acknowledged.size).toBeGreaterThan(COPIES);
    });
    rmSync(copies, { recursive: true });
  }, 300_000);
});

/** Eight that write at once, each fifth time two documents in a transaction. */
class Writers {
  readonly acknowledged = new Set<number>();
  readonly #work: Promise<void>[];
  #running = true;

  constructor(client: MongoClient, next: { n: number } = { n: 0 }) {
    const write = async (): Promise<void> => {
      while (this.#running) {
        const n = next.n++;
        try {
          if (n % 5 === 0) {
            await client.withSession((session) =>
              session.withTransaction(async () => {
                await items(client).insertOne({ _id: n, n, half: 1 }, { session });
                await items(client).insertOne({ _id: `pair-${String(n)}`, n, half: 2 }, { session });
              }),
            );
          } else await items(client).insertOne({ _id: n, n });
          this.acknowledged.add(n);
        } catch {
          return;
        }
      }
    };
    this.#work = Array.from({ length: 8 }, write);
  }

  /** Resolves once each writer may have written, however slow the machine is. */
  async begun(): Promise<void> {
    while (this.acknowledged.size < 8) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.allSettled(this.#work);
  }
}

async function expectWhole(client: MongoClient, acknowledged: ReadonlySet<number>): Promise<void> {
  const ids = new Set<unknown>((await items(client).find().toArray()).map((doc) => doc._id));
  expect([...acknowledged].filter((n) => !ids.has(n))).toEqual([]);
  const halves = [...ids].filter((id) => typeof id === 'number' && id % 5 === 0 && !ids.has(`pair-${String(id)}`));
  expect(halves).toEqual([]);
  expect(await client.db('t').command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
}

/** Kills; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);

describe('a server process', () => {
  it(`loses no acknowledged write and no half transaction when it is killed: ${String(ROUNDS)} rounds`, async () => {
    const acknowledged = new Set<number>();
    const next = { n: 0 };
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const { child, uri } = await startProcess('--sync', ['always', 'interval', 'never'][round % 3] as string);
      const client = await new MongoClient(uri, { retryWrites: false, serverSelectionTimeoutMS: 2000 }).connect();
      const exited = exitOf(child);
      if (round === 0) await items(client).createIndexes([{ key: { n: 1 } }]);
      const work = new Writers(client, next);
      const moment = 100 + random.below(400);
      variety.tried(String(moment));
      await work.begun();
      await new Promise((resolve) => setTimeout(resolve, moment));
      child.kill('SIGKILL');
      await exited;
      await client.close(true);
      await work.stop();
      for (const n of work.acknowledged) acknowledged.add(n);
    }
    console.log(`${variety.report('CRASH_SEED', SEED)}, ${String(acknowledged.size)} acknowledged`);
    variety.expect(ROUNDS / 2, {});
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS);
    await withServer((client) => expectWhole(client, acknowledged));
  }, 1_800_000);

  it('prints its URL first and ends with the process that started it', async () => {
    const { DocDbServer: Built } = (await import('../dist/index.js')) as unknown as { DocDbServer: typeof DocDbServer };
    const spawned = await Built.spawn({ path });
    const client = await new MongoClient(spawned.uri).connect();
    await items(client).insertOne({ _id: 1 });
    await client.close();
    await spawned.stop();
    expect(await withServer((reader) => items(reader).countDocuments())).toBe(1);
  });

  it('says where it was started that its process has ended, and by what', async () => {
    const { DocDbServer: Built } = (await import('../dist/index.js')) as unknown as { DocDbServer: typeof DocDbServer };
    const spawned = await Built.spawn({ path });
    const client = await new MongoClient(spawned.uri).connect();
    const { pid } = await client.db('admin').command({ serverStatus: 1 });
    const gone = once(client, 'serverDescriptionChanged');
    const spied = jest.spyOn(console, 'error');
    const said = new Promise((resolve) => spied.mockImplementation(resolve));
    process.kill(pid as number, 'SIGSEGV');
    expect(await said).toContain(`has ended by SIGSEGV: ${path} may be damaged`);
    spied.mockRestore();
    // What the client knows to be gone is not waited for when it is closed.
    await gone;
    await client.close();
    await spawned.stop();
  });

  it('says where it was started what went wrong later', async () => {
    const { DocDbServer: Built } = (await import('../dist/index.js')) as unknown as { DocDbServer: typeof DocDbServer };
    const spawned = await Built.spawn({ path });
    const client = await new MongoClient(spawned.uri).connect();
    const checked = await client.db('app').createCollection<{ _id: number }>('checked', {
      validator: { _id: { $gt: 5 } },
      validationAction: 'warn',
    });
    const spied = jest.spyOn(process.stderr, 'write');
    const said = new Promise((resolve) =>
      spied.mockImplementation((text) => {
        resolve(String(text));
        return true;
      }),
    );
    await checked.insertOne({ _id: 1 });
    expect(await said).toContain('Document would fail validation');
    spied.mockRestore();
    await client.close();
    await spawned.stop();
  });

  it('leaves the signals of a terminal to the process that started it', async () => {
    const child = spawn(process.execPath, [cli, '--port', '0', '--path', path], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
    const uri = await new Promise<string>((resolve) => {
      child.stdout?.once('data', (text: Buffer) => {
        resolve(text.toString().split('\n')[0] as string);
      });
    });
    child.kill('SIGINT');
    const client = await new MongoClient(uri).connect();
    await items(client).insertOne({ _id: 1 });
    await client.close();
    const exited = exitOf(child);
    child.disconnect();
    expect(await exited).toBe(0);
  });

  it('ends with the process that started it while it starts itself', async () => {
    const child = spawn(process.execPath, [cli, '--port', '0', '--path', path], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
    const said = new Promise((resolve) => child.stdout?.once('data', resolve));
    const exited = exitOf(child);
    child.disconnect();
    expect(await Promise.race([exited, said])).toBe(0);
  });

  it('ends at a signal when nobody started it', async () => {
    const { child } = await startProcess();
    const exited = exitOf(child);
    child.kill('SIGINT');
    expect(await exited).toBe(0);
    expect(existsSync(join(path, 'data.mdb'))).toBe(true);
  });
});
