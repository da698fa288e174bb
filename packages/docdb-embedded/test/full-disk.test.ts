import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, statfsSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { Random } from '@framework-internal/random';
import { DocDbServer } from '../src/index.ts';
import { leftOut } from './harness.ts';

const SEED = Number(process.env.DISK_SEED ?? 20261121);
const MEGABYTES = 3;
const cli = join(import.meta.dirname, '../dist/cli.js');
let disk: string;
let mounted = false;
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'docdb-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(MEGABYTES)}m`, 'tmpfs', disk], { stdio: 'ignore' });
    mounted = true;
  } catch {
    mounted = false;
  }
});
afterEach(() => {
  if (mounted) execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

interface Item {
  _id: number;
  n: number;
  text?: string;
}

const text = 'x'.repeat(3000);

/** What a full disk may meet: each kind of write on its own. */
const KINDS: Readonly<Record<string, (client: MongoClient, items: Collection<Item>, id: number, n: number) => Promise<unknown>>> = {
  insert: (_client, items, id, n) => items.insertOne({ _id: id, n, text }),
  update: (_client, items, id, n) => items.updateOne({ _id: id % 50 }, { $set: { n, text: text + String(n) } }, { upsert: true }),
  transaction: (client, items, id, n) =>
    client.withSession(async (session) => {
      session.startTransaction();
      await items.insertOne({ _id: id, n, text }, { session });
      await items.insertOne({ _id: -id - 1, n, text }, { session });
      await session.commitTransaction();
    }),
  findAndModify: (_client, items, id, n) =>
    items.findOneAndUpdate({ _id: id }, { $set: { n, text } }, { upsert: true, returnDocument: 'after' }),
  bulk: (_client, items, id, n) => items.bulkWrite([0, 1, 2].map((part) => ({ insertOne: { document: { _id: id * 3 + part, n, text } } }))),
  index: async (_client, items, id, n) => {
    await items.insertOne({ _id: id, n, text });
    if (n % 20 === 0) await items.createIndex({ text: 1, [`n${String(n)}`]: 1 });
  },
  out: async (_client, items, id, n) => {
    await items.insertOne({ _id: id, n, text });
    if (n % 20 === 0) await items.aggregate([{ $out: `copy${String(n)}` }]).toArray();
  },
};

describe('a full disk', () => {
  it.each(Object.keys(KINDS))(
    'loses nothing acknowledged, and acknowledges nothing that is not there: %s',
    async (kind) => {
      if (!mounted) {
        leftOut('a file system of its own can not be mounted here');
        expect(mounted).toBe(false);
        return;
      }
      const random = new Random(SEED);
      const path = join(disk, 'data');
      const server = await DocDbServer.start({ path });
      const client = await new MongoClient(server.uri).connect();
      const items = client.db('t').collection<Item>('items');
      const acknowledged = new Map<number, number>();
      let failure: { code?: number } | undefined;
      for (let n = 1; n < 20_000 && !failure; n++) {
        const id = kind === 'update' ? random.below(1000) : n;
        try {
          await (KINDS[kind] as (typeof KINDS)[string])(client, items, id, n);
          acknowledged.set(kind === 'update' ? id % 50 : kind === 'bulk' ? id * 3 : id, n);
          // An update frees what it replaces: something else has to fill the disk.
          if (kind === 'update' && n % 5 === 0) await items.insertOne({ _id: 10_000 + n, n, text });
        } catch (error) {
          failure = error as { code?: number };
        }
      }
      expect([14031, 8000]).toContain(failure?.code);
      expect(acknowledged.size).toBeGreaterThan(20);
      // Nothing more is acknowledged, a retry neither, and what was acknowledged can be read.
      for (let n = 0; n < 3; n++) await expect(items.insertOne({ _id: 1_000_000 + n, n })).rejects.toMatchObject({ code: failure?.code });
      await expectThere(items, acknowledged);
      await client.close();
      await server.stop();
      execFileSync('mount', ['-o', `remount,size=${String(MEGABYTES * 8)}m`, disk]);
      const again = await DocDbServer.start({ path });
      const reader = await new MongoClient(again.uri).connect();
      const found = reader.db('t').collection<Item>('items');
      await expectThere(found, acknowledged);
      if (kind === 'transaction')
        for (const { _id } of await found.find({ _id: { $gt: 0 } }).toArray())
          expect(await found.countDocuments({ _id: -_id - 1 })).toBe(1);
      expect(await reader.db('t').command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
      await found.insertOne({ _id: 2_000_000, n: 0 });
      await reader.close();
      await again.stop();
    },
    120_000,
  );
});

/** Writes until there is no more room. */
async function failureOf(items: Collection<Item>): Promise<{ code?: number; message: string }> {
  for (let n = 0; n < 20_000; n++) {
    try {
      await items.insertOne({ _id: n, n, text });
    } catch (error) {
      return error as { code?: number; message: string };
    }
  }
  throw new Error('the disk was not full');
}

describe('a server on a full disk', () => {
  it.each(['always', 'interval', 'never'] as const)(
    'stops, and another one goes on with its folder: sync %s',
    async (sync) => {
      if (!mounted) {
        leftOut('a file system of its own can not be mounted here');
        expect(mounted).toBe(false);
        return;
      }
      const path = join(disk, 'data');
      const server = await DocDbServer.start({ path, sync });
      const client = await new MongoClient(server.uri).connect();
      expect((await failureOf(client.db('t').collection<Item>('items'))).code).toBe(14031);
      await client.close();
      await server.stop();
      execFileSync('mount', ['-o', `remount,size=${String(MEGABYTES * 8)}m`, disk]);
      const again = await DocDbServer.start({ path, sync });
      const reader = await new MongoClient(again.uri).connect();
      expect(await reader.db('t').command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
      await reader.db('t').collection<Item>('items').insertOne({ _id: -1, n: 0 });
      await reader.close();
      await again.stop();
    },
    60_000,
  );

  it('says which disk is full where it has no folder', async () => {
    if (!mounted) {
      leftOut('a file system of its own can not be mounted here');
      expect(mounted).toBe(false);
      return;
    }
    const child = spawn(process.execPath, [cli, '--port', '0'], {
      env: { ...process.env, TMPDIR: disk },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const uri = await new Promise<string>((resolve) => {
        child.stdout.once('data', (said: Buffer) => {
          resolve(said.toString().trim());
        });
      });
      const client = await new MongoClient(uri).connect();
      const { code, message } = await failureOf(client.db('t').collection<Item>('items'));
      expect({ code, message }).toEqual({ code: 14031, message: expect.stringContaining(disk) });
      expect(message).toContain('TMPDIR');
      await client.close();
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  }, 60_000);
});

/** Takes all that is left of the disk. */
function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  appendFileSync(join(disk, 'others'), Buffer.alloc(bavail * bsize));
}

describe('a disk that others have filled', () => {
  it('does not end a server, however many cursors are opened', async () => {
    if (!mounted) {
      leftOut('a file system of its own can not be mounted here');
      expect(mounted).toBe(false);
      return;
    }
    const child = spawn(process.execPath, [cli, '--port', '0', '--path', join(disk, 'data')], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const client = await new MongoClient(String(said).trim()).connect();
    try {
      const items = client.db('t').collection<Item>('items');
      await items.insertMany([0, 1, 2].map((_id) => ({ _id, n: 0 })));
      // Each cursor holds another state: the room is for what is written.
      for (let n = 1; n <= 100; n++) {
        fill();
        truncateSync(join(disk, 'others'), statSync(join(disk, 'others')).size - 65_536);
        await items.updateOne({ _id: 0 }, { $inc: { n: 1 } });
        fill();
        expect(await items.find({}, { batchSize: 1 }).next()).toEqual({ _id: 0, n });
      }
    } finally {
      await client.close();
      child.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  }, 60_000);

  it('has no user who was refused', async () => {
    if (!mounted) {
      leftOut('a file system of its own can not be mounted here');
      expect(mounted).toBe(false);
      return;
    }
    const server = await DocDbServer.start({ path: join(disk, 'data') });
    const client = await new MongoClient(server.uri).connect();
    const db = client.db('t');
    const login = (username: string): Promise<unknown> =>
      new MongoClient(server.uri, { auth: { username, password: 'secret' }, authSource: 't' }).connect().then((one) => one.close());
    try {
      fill();
      let made = 0;
      const make = async (): Promise<never> => {
        for (;;) {
          await db.command({ createUser: `user${String(made)}`, pwd: 'secret', roles: [], customData: { text: text.repeat(50) } });
          made += 1;
        }
      };
      await expect(make()).rejects.toMatchObject({ code: 14031 });
      await expect(login(`user${String(made)}`)).rejects.toMatchObject({ code: 18 });
      expect((await db.command({ usersInfo: 1 })).users).toHaveLength(made);
    } finally {
      await client.close();
      await server.stop();
    }
  }, 60_000);

  it('is said where a folder is new', async () => {
    if (!mounted) {
      leftOut('a file system of its own can not be mounted here');
      expect(mounted).toBe(false);
      return;
    }
    fill();
    const child = spawn(process.execPath, [cli, '--port', '0', '--path', join(disk, 'data')], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => (said += String(bytes)));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    expect({ code, signal, said }).toEqual({ code: 1, signal: null, said: expect.stringContaining('its disk is full') });
  }, 60_000);
});

async function expectThere(items: Collection<Item>, acknowledged: ReadonlyMap<number, number>): Promise<void> {
  const there = new Map((await items.find().toArray()).map(({ _id, n }) => [_id, n]));
  const lost = [...acknowledged].filter(([id, n]) => (there.get(id) ?? -1) < n);
  expect(lost).toEqual([]);
}
