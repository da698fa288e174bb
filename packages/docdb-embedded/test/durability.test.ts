import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DocDbServer } from '../src/index.ts';

const cli = join(import.meta.dirname, '../dist/cli.js');
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

const withServer = async <T>(work: (client: MongoClient) => Promise<T>, options: { repair?: boolean } = {}): Promise<T> => {
  const server = await DocDbServer.start({ path, ...options });
  const client = await new MongoClient(server.uri).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
    await server.stop();
  }
};

const items = (client: MongoClient) => client.db('t').collection('items');
const journal = (): string =>
  join(
    path,
    readdirSync(path)
      .filter((name) => name.startsWith('journal'))
      .sort()
      .at(-1) ?? '',
  );

function startProcess(): Promise<{ child: ChildProcess; uri: string }> {
  const child = spawn(process.execPath, [cli, '--port', '0', '--path', path], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('exit', () => {
      reject(new Error('the server ended'));
    });
    child.stdout.once('data', (text: Buffer) => {
      resolve({ child, uri: text.toString().split('\n')[0] as string });
    });
  });
}

describe('a folder', () => {
  it('keeps documents, indexes, options and deletions', async () => {
    await withServer(async (client) => {
      await client.db('t').createCollection('items', { validator: { a: { $exists: true } } });
      await items(client).insertMany([
        { _id: 1 as never, a: 1 },
        { _id: 2 as never, a: 2 },
        { _id: 3 as never, a: 3 },
      ]);
      await items(client).createIndexes([{ key: { a: 1 }, unique: true }]);
      await items(client).deleteOne({ _id: 2 as never });
      await items(client).updateOne({ _id: 3 as never }, { $set: { b: [1, { c: null }] } });
    });
    await withServer(async (client) => {
      expect(await items(client).find().toArray()).toEqual([
        { _id: 1, a: 1 },
        { _id: 3, a: 3, b: [1, { c: null }] },
      ]);
      await expect(items(client).insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
      await expect(items(client).insertOne({ b: 1 })).rejects.toMatchObject({ code: 121 });
    });
  });

  it('keeps a transaction whole, and nothing of an aborted one', async () => {
    await withServer(async (client) => {
      await items(client).insertOne({ _id: 0 as never });
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await items(client).insertOne({ _id: 1 as never }, { session });
          await items(client).insertOne({ _id: 2 as never }, { session });
        }),
      );
      const session = client.startSession();
      session.startTransaction();
      await items(client).insertOne({ _id: 3 as never }, { session });
      await session.abortTransaction();
      await session.endSession();
    });
    await withServer(async (client) => {
      expect((await items(client).find().toArray()).map((doc) => doc._id)).toEqual([0, 1, 2]);
    });
  });

  it('is refused to a second server', async () => {
    const server = await DocDbServer.start({ path });
    await expect(DocDbServer.start({ path })).rejects.toThrow('is in use by process');
    await server.stop();
  });

  it('is compacted without loss', async () => {
    await withServer(async (client) => {
      for (let round = 0; round < 20; round++) {
        await items(client).insertMany(
          Array.from({ length: 500 }, (_unused, n) => ({ _id: `${round}-${n}` as never, text: 'x'.repeat(200) })),
        );
        if (round % 2 === 0) await items(client).deleteMany({ _id: { $regex: `^${round}-` } } as never);
      }
    });
    expect(readdirSync(path).some((name) => name.startsWith('snapshot'))).toBe(true);
    await withServer(async (client) => {
      expect(await items(client).countDocuments()).toBe(5000);
    });
  });
});

describe('a torn journal', () => {
  const fill = (): Promise<void> =>
    withServer(async (client) => {
      for (let n = 0; n < 20; n++) await items(client).insertOne({ _id: n as never });
    });

  it('is cut off at each possible place, and read up to the last whole write', async () => {
    await fill();
    const bytes = readFileSync(journal());
    const file = journal();
    for (let cut = 1; cut < 120; cut += 7) {
      writeFileSync(file, bytes);
      truncateSync(file, bytes.length - cut);
      const ids = await withServer(async (client) => (await items(client).find().toArray()).map((doc) => doc._id as unknown));
      expect(ids).toEqual(Array.from({ length: ids.length }, (_unused, n) => n));
      expect(ids.length).toBeGreaterThanOrEqual(17);
      expect(ids.length).toBeLessThan(20);
    }
  });

  it('may end in garbage', async () => {
    await fill();
    appendFileSync(journal(), Buffer.alloc(100, 7));
    expect(await withServer((client) => items(client).countDocuments())).toBe(20);
    expect(await withServer((client) => items(client).countDocuments())).toBe(20);
  });

  it('with damage in the middle is refused, and opened up to there on request', async () => {
    await fill();
    const file = journal();
    const bytes = readFileSync(file);
    bytes[Math.floor(statSync(file).size / 2)]! ^= 0xff;
    writeFileSync(file, bytes);
    await expect(DocDbServer.start({ path })).rejects.toThrow(/damaged at byte \d+.*repair/s);
    const count = await withServer((client) => items(client).countDocuments(), { repair: true });
    expect(count).toBeGreaterThan(5);
    expect(count).toBeLessThan(20);
  });
});

/** Kills; the long form is a command of its own (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 5);

describe('a server process', () => {
  it(`loses no acknowledged write and no half transaction when it is killed: ${ROUNDS} rounds`, async () => {
    const acknowledged = new Set<number>();
    let next = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { child, uri } = await startProcess();
      const client = await new MongoClient(uri, { retryWrites: false, serverSelectionTimeoutMS: 1000 }).connect();
      const exited = new Promise((resolve) => child.once('exit', resolve));
      let running = true;
      const writer = async (): Promise<void> => {
        while (running) {
          const n = next++;
          try {
            if (n % 5 === 0) {
              await client.withSession((session) =>
                session.withTransaction(async () => {
                  await items(client).insertOne({ _id: n as never, half: 1 }, { session });
                  await items(client).insertOne({ _id: `pair-${n}` as never, half: 2 }, { session });
                }),
              );
            } else await items(client).insertOne({ _id: n as never });
            acknowledged.add(n);
          } catch {
            return;
          }
        }
      };
      const writers = [writer(), writer(), writer(), writer()];
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 250));
      child.kill('SIGKILL');
      await exited;
      running = false;
      await client.close(true);
      await Promise.allSettled(writers);
    }
    await withServer(async (client) => {
      const ids = new Set((await items(client).find().toArray()).map((doc) => doc._id as unknown));
      expect(acknowledged.size).toBeGreaterThan(20);
      expect([...acknowledged].filter((n) => !ids.has(n))).toEqual([]);
      const halves = [...ids].filter((id) => typeof id === 'number' && id % 5 === 0 && !ids.has(`pair-${id}`));
      expect(halves).toEqual([]);
    });
  }, 900_000);

  it('prints its URL first and ends with the process that started it', async () => {
    const spawned = await DocDbServerFromDist(path);
    const client = await new MongoClient(spawned.uri).connect();
    await items(client).insertOne({ a: 1 });
    await client.close();
    await spawned.stop();
    expect(await withServer((reader) => items(reader).countDocuments())).toBe(1);
  });
});

/** The built package: a process needs compiled code. */
async function DocDbServerFromDist(folder: string): Promise<{ uri: string; stop(): Promise<void> }> {
  const { DocDbServer: Built } = (await import('../dist/index.js')) as unknown as { DocDbServer: typeof DocDbServer };
  return Built.spawn({ path: folder });
}
