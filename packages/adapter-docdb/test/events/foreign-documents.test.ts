import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { entry, readLog, told, type Told } from './log-harness.ts';

let database: TestDatabase;
let read: Told | undefined;
beforeAll(async () => {
  database = await startDatabase();
});
afterEach(async () => {
  await read?.log.stop();
  await database.db.dropDatabase();
});
afterAll(() => database.close());

async function started(): Promise<Told> {
  read = readLog(database.db);
  await read.log.start();
  return read;
}

it('what others write into the collection of a log does not keep it from telling what comes behind', async () => {
  const reading = await started();
  const { log, lines } = reading;
  await log.append([entry('before')]);
  const foreign = [{ at: new Date(), title: 'a party' }, { entries: 'three' }, { entries: [5] }, { entries: [null] }, { entries: [{}] }];
  await database.db.collection('events').insertMany(foreign);
  for (const targets of ['all', [null], ['all'], [{ channel: 5 }], [{ channel: 'all', text: 5 }]])
    await database.db.collection('events').insertOne({ entries: [{ ...entry('x'), targets }] });
  await log.append([entry('behind')]);
  await told(reading, 'entry behind');
  expect(lines).toEqual(['lost', 'entry before', 'entry behind']);
});

it('a collection that holds something else is no place for a log, and is left as it is', async () => {
  const events = database.db.collection('events');
  await events.insertOne({ at: new Date(0), title: 'a party' });
  await expect(started()).rejects.toThrow("The collection 'events' holds documents that are no events of a log");
  expect((await events.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  await events.drop();
  await expect(started()).resolves.toMatchObject({ lines: ['lost'] });
});

it('a collection that a log has written to is taken again, also with nothing but the mark of a start', async () => {
  const { log } = await started();
  await log.stop();
  await log.start();
  expect(await database.db.collection('events').countDocuments()).toBe(2);
});
