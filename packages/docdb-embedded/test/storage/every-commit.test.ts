import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { Collection } from 'mongodb';
import { decode } from '../../src/bson/decode.ts';
import { Engine } from '../../src/storage/engine.ts';
import { sizeKey } from '../../src/storage/reader.ts';
import { start, type Harness } from '../harness.ts';

interface Item {
  _id: number;
  n: number;
}

/**
 * How much a folder has of what belongs together: documents, what is noted of their number, entries of indexes, changes in the log, and writes that are
 * answered again when they are sent again.
 */
type Content = readonly [documents: number, noted: number, entries: number, changes: number, answered: number];

let harness: Harness;
let items: Collection<Item>;
/** What is committed, behind each commit: a process that is killed leaves one of these. */
let contents: Content[] = [];

beforeAll(async () => {
  const { write } = Engine.prototype;
  jest.spyOn(Engine.prototype, 'write').mockImplementation(async function (this: Engine, ...given: Parameters<Engine['write']>) {
    const made = await write.apply(this, given);
    contents.push(contentOf(this));
    return made;
  });
  harness = await start();
  items = harness.db.collection<Item>('items');
  await items.createIndex({ n: 1 });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await harness.stop();
});
beforeEach(async () => {
  await items.deleteMany({});
  await items.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 2 },
  ]);
});

function contentOf(engine: Engine): Content {
  const transaction = engine.read();
  try {
    const { documents, pairs, log, retries, system } = engine;
    const keys = [...documents.getKeys({ transaction })];
    const noted = keys[0] && system.get(sizeKey(keys[0].readUInt32BE(0)), { transaction })?.readDoubleBE(0);
    const [entries = 0, changes = 0] = [pairs, log].map((table) => [...table.getKeys({ transaction })].length);
    // A session has one answer, that of its last write.
    const answered = [...retries.getRange({ transaction })].map(({ value }) => Number(decode(value).number));
    return [keys.length, noted ?? 0, entries, changes, answered.reduce((sum, number) => sum + number, 0)];
  } finally {
    transaction.done();
  }
}

it.each<[string, Content, () => Promise<unknown>]>([
  ['a document that is added', [1, 1, 2, 1, 1], () => items.insertOne({ _id: 3, n: 3 })],
  ['one that is removed', [-1, -1, -2, 1, 1], () => items.deleteOne({ _id: 1 })],
  ['one that is found and removed', [-1, -1, -2, 1, 1], () => items.findOneAndDelete({ _id: 1 })],
  ['one that is found and added', [1, 1, 2, 1, 1], () => items.findOneAndUpdate({ _id: 3 }, { $set: { n: 3 } }, { upsert: true })],
  [
    'what is written in bulk',
    [0, 0, 0, 2, 1],
    () =>
      harness.client.bulkWrite<Record<'test.items', Item>>([
        { name: 'insertOne', namespace: 'test.items', document: { _id: 3, n: 3 } },
        { name: 'deleteOne', namespace: 'test.items', filter: { _id: 1 } },
      ]),
  ],
  [
    'a transaction',
    [1, 1, 2, 3, 1],
    () =>
      harness.client.withSession((session) =>
        session.withTransaction(async () => {
          await items.insertMany(
            [
              { _id: 3, n: 3 },
              { _id: 4, n: 4 },
            ],
            { session },
          );
          await items.deleteOne({ _id: 1 }, { session });
        }),
      ),
  ],
])('%s is committed with all that belongs to it', async (_what, added, write) => {
  const before = contents.at(-1);
  contents = [];
  await write();
  // Works of a transaction before its commit write nothing.
  const others = contents.filter((content) => String(content) !== String(before));
  expect(others).toEqual([before?.map((amount, at) => amount + (added[at] ?? 0))]);
});
