import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Db, type Document, MongoClient } from 'mongodb';

const PROGRAM = fileURLToPath(new URL('../bin/framework-docdb.js', import.meta.url));
/** Megabytes of JavaScript values that the server has room for. */
const ROOM = 100;

let child: ChildProcess;
let client: MongoClient;
let db: Db;
beforeAll(async () => {
  child = spawn(process.execPath, [`--max-old-space-size=${String(ROOM)}`, PROGRAM, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [text] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  client = await new MongoClient(text.toString().trim(), { retryReads: false, serverSelectionTimeoutMS: 20_000 }).connect();
  db = client.db('test');
  await db.collection('one').insertOne({ _id: 1 as never });
  await db.collection('large').insertMany(Array.from({ length: 1000 }, (_none, n) => ({ k: 1, n, text: 'x'.repeat(6000) })));
  await db.collection('many').insertMany(Array.from({ length: 90 }, (_none, n) => ({ n, k: 1 })));
});
afterAll(async () => {
  await client.close();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
});

const run = (name: string, pipeline: Document[]): Promise<Document[]> => db.collection(name).aggregate(pipeline).toArray();

it('lists are unwound without a copy of all that they hold', async () => {
  const list = { $range: [0, 1200] };
  const pipeline = [{ $set: { a: list, b: list, c: 1, d: 1, e: 1, f: 1 } }, { $unwind: '$a' }, { $unwind: '$b' }, { $count: 'n' }];
  expect(await run('one', pipeline)).toEqual([{ n: 1_440_000 }]);
});

it('a list is unwound as far as somebody reads', async () => {
  const list = { $range: [0, 100_000] };
  const pipeline = [
    { $set: { a: list, b: list } },
    { $unwind: '$a' },
    { $unwind: '$b' },
    { $limit: 3 },
    { $project: { a: 1, b: 1, _id: 0 } },
  ];
  expect(await run('one', pipeline)).toEqual([0, 1, 2].map((b) => ({ a: 0, b })));
});

it('what each document is joined with is not kept for all of them', async () => {
  const pipeline = [
    { $lookup: { from: 'large', pipeline: [], as: 'all' } },
    { $project: { count: { $size: '$all' } } },
    { $group: { _id: '$count', n: { $sum: 1 } } },
  ];
  expect(await run('many', pipeline)).toEqual([{ _id: 1000, n: 90 }]);
});

it('what becomes a capped collection is copied a few large documents at a time', async () => {
  const texts = db.collection('texts');
  for (let n = 0; n < 15; n++) await texts.insertOne({ n, text: 'x'.repeat(8_000_000) });
  expect(await db.command({ convertToCapped: 'texts', size: 1e9 })).toMatchObject({ ok: 1 });
  expect(await texts.countDocuments({}, { hint: { $natural: 1 } })).toBe(15);
  await texts.drop();
});

it('what is joined and unwound is not kept for all of them', async () => {
  const pipeline = [{ $lookup: { from: 'large', localField: 'k', foreignField: 'k', as: 'all' } }, { $unwind: '$all' }, { $count: 'n' }];
  expect(await run('many', pipeline)).toEqual([{ n: 90_000 }]);
});
