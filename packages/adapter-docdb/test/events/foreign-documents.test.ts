import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventLog, type DocDbEventLog, type LogEntry } from '../../src/index.ts';

let database: TestDatabase;
let log: DocDbEventLog | undefined;
beforeAll(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  await log?.stop();
  await database.db.dropDatabase();
});
afterAll(() => database.close());

const entry = (text: string): LogEntry => ({ key: text, path: 'notes', event: 'created', text, targets: [{ channel: 'all' }], at: 1 });

/** A started log, and what it has told. */
async function started(): Promise<{ readonly told: string[] }> {
  log = eventLog(database.db, { gather: 0, replay: 0 });
  const told: string[] = [];
  log.read({ entry: ({ text }) => told.push(text), changed: () => undefined, passed: () => undefined, lost: () => undefined });
  await log.start();
  return { told };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('what others write into the collection of a log does not keep it from telling what comes behind', async () => {
  const { told } = await started();
  await log?.append([entry('before')]);
  const foreign = [{ at: new Date(), title: 'a party' }, { entries: 'three' }, { entries: [5] }, { entries: [null] }, { entries: [{}] }];
  await database.db.collection('events').insertMany(foreign);
  for (const targets of ['all', [null], ['all'], [{ channel: 5 }], [{ channel: 'all', text: 5 }]])
    await database.db.collection('events').insertOne({ entries: [{ ...entry('x'), targets }] });
  await log?.append([entry('behind')]);
  await until(() => told.includes('behind'));
  expect(told).toEqual(['before', 'behind']);
});

it('a collection that holds something else is no place for a log, and is left as it is', async () => {
  const events = database.db.collection('events');
  await events.insertOne({ at: new Date(0), title: 'a party' });
  await expect(started()).rejects.toThrow("The collection 'events' holds documents that are no events of a log");
  expect((await events.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  await events.drop();
  await expect(started()).resolves.toMatchObject({ told: [] });
});

it('a collection that a log has written to is taken again, also with nothing but the mark of a start', async () => {
  await started();
  await log?.stop();
  await log?.start();
  expect(await database.db.collection('events').countDocuments()).toBe(2);
});
