import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import { entry, readLog, told, until, type Told } from './log-harness.ts';

let database: TestDatabase;
let stock: Collection<{ _id: string; text: string }>;
let read: Told;

beforeAll(async () => {
  database = await startDatabase();
});
beforeEach(async () => {
  const { db } = database;
  stock = await db.createCollection('stock', { changeStreamPreAndPostImages: { enabled: true } });
  read = readLog(db, { watch: { stock: 'stock' } });
  await read.log.start();
});
afterEach(async () => {
  await read.log.stop();
  await database.db.dropDatabase();
});
afterAll(() => database.close());

/** Letters: two of such a document are more than the database answers with at once. */
const LARGE = 9_000_000;

describe('the changes of a large document', () => {
  it('are told, whatever the document was before, and so is what comes behind them', async () => {
    await stock.insertOne({ _id: 'a', text: 'x'.repeat(LARGE) });
    await stock.updateOne({ _id: 'a' }, { $set: { text: 'y'.repeat(LARGE) } });
    await stock.deleteOne({ _id: 'a' });
    await read.log.append([entry('a')]);
    await told(read, 'entry a');
    expect(read.lines).toEqual(['lost', 'changed stock created', 'changed stock patched', 'changed stock removed', 'entry a']);
    expect(read.records.at(-1)).toMatchObject({ _id: 'a', text: expect.stringMatching(/^y/) });
  });

  it('that no answer has room for are lost, which is told, and not what comes behind them', async () => {
    // The id is told twice, beside the document.
    const _id = 'x'.repeat(100_000);
    await stock.insertOne({ _id, text: 'x'.repeat(16 * 1024 * 1024 - _id.length - 100) });
    await until(() => read.epochs.length === 2);
    await read.log.append([entry('a')]);
    await told(read, 'entry a');
    expect(read.lines).toEqual(['lost', expect.stringContaining('failed '), 'lost', 'entry a']);
  });
});
