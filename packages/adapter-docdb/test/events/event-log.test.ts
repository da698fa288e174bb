import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timestamp, type Db, type Document } from 'mongodb';
import { eventLog, type EventLogOptions } from '../../src/index.ts';
import { entry, readLog, told, until, type Told } from './log-harness.ts';

let database: TestDatabase;
let db: Db;
const logs: Told[] = [];
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
});
let count = 0;
beforeEach(() => {
  // A log that looks back would see how that of the test before was dropped.
  db = database.client.db(`${database.db.databaseName}_${String((count += 1))}`);
});
afterEach(async () => {
  for (const { log } of logs.splice(0)) await log.stop();
  await db.dropDatabase();
});
afterAll(() => database.close());

async function started(options: EventLogOptions = {}): Promise<Told> {
  const read = readLog(db, options);
  logs.push(read);
  await read.log.start();
  return read;
}

describe('a log of events', () => {
  it('tells each process the same entries at the same places, in the order in which they were stored', async () => {
    const [one, two] = [await started(), await started()];
    await one.log.append([entry('a'), entry('b')]);
    await two.log.append([entry('c')]);
    await one.log.append([]);
    await one.log.append([entry('d')]);
    await Promise.all([told(one, 'entry d'), told(two, 'entry d')]);
    expect(one.lines).toEqual(['lost', 'entry a', 'entry b', 'entry c', 'entry d']);
    expect(two.lines).toEqual(one.lines);
    expect(new Set(one.places).size).toBe(4);
    expect(two.places).toEqual(one.places);
    expect(one.log.latest.join(' ')).toBe(one.places.at(-1));
    expect(two.epochs).toEqual(one.epochs);
    expect(one.epochs).toEqual([one.log.epoch]);
    expect(one.log.epoch).toMatch(/^[0-9a-z]{20,24}$/);
  });

  it('begins with what was stored within the milliseconds of replay, and with nothing of before', async () => {
    const first = await started();
    await first.log.append([entry('before')]);
    const [all, none] = [await started({ replay: 60_000 }), await started({ replay: 0 })];
    await first.log.append([entry('behind')]);
    await Promise.all([told(all, 'entry behind'), told(none, 'entry behind')]);
    expect([all.lines, none.lines]).toEqual([
      ['lost', 'entry before', 'entry behind'],
      ['lost', 'entry behind'],
    ]);
  });

  it('has read what is there by the time it is started', async () => {
    const first = await started();
    await first.log.append(['a', 'b', 'c'].map(entry));
    const { lines } = await started({ replay: 60_000 });
    expect(lines).toEqual(['lost', 'entry a', 'entry b', 'entry c']);
  });

  it('goes back as many seconds of the database as the milliseconds of replay fill', async () => {
    const { operationTime } = await db.command({ ping: 1 });
    const { log } = readLog(db, { replay: 2001 });
    const starts: Document[] = [];
    database.client.on('commandStarted', ({ command }) => starts.push(command));
    await log.start();
    const [{ startAtOperationTime }] = starts.flatMap(({ pipeline }) => pipeline?.[0]?.$changeStream ?? []);
    await log.stop();
    const seconds = (time: Timestamp): number => time.getHighBitsUnsigned();
    expect([startAtOperationTime.getLowBitsUnsigned(), seconds(startAtOperationTime)]).toEqual([0, expect.any(Number)]);
    expect(seconds(startAtOperationTime)).toBeGreaterThanOrEqual(seconds(operationTime) - 3);
  });

  it('is another one when its collection was made anew', async () => {
    const first = await started();
    const { epoch } = first.log;
    await first.log.stop();
    await db.dropDatabase();
    expect((await started()).log.epoch).not.toBe(epoch);
  });

  it('has its entries removed by the database after the seconds of keep', async () => {
    await started({ collection: 'log', keep: 77 });
    const indexes = await db.collection('log').indexes();
    expect(indexes.map(({ key, expireAfterSeconds }) => [key, expireAfterSeconds])).toEqual([
      [{ _id: 1 }, undefined],
      [{ at: 1 }, 77],
    ]);
    expect(await db.collection('log').findOne()).toMatchObject({ at: expect.any(Date), entries: [] });
  });

  it('keeps its entries as long as who starts it last says', async () => {
    for (const keep of [3600, 7200, 7200, 60]) {
      await Promise.all(Array.from({ length: 12 }, () => started({ keep })));
      const indexes = await db.collection('events').indexes();
      expect(indexes.find(({ key }) => key.at === 1)?.expireAfterSeconds).toBe(keep);
    }
  });

  it('has one reader, and another one when that has ended', async () => {
    const log = eventLog(db);
    const lines: string[] = [];
    const reader = {
      entry: () => undefined,
      changed: () => undefined,
      passed: () => undefined,
      lost: () => void lines.push('lost'),
    };
    const end = log.read(reader);
    expect(() => log.read(reader)).toThrow('The log is read already: give each application a log of its own');
    end();
    log.read({ ...reader, lost: () => void lines.push('lost to the other one') });
    await log.start();
    await log.stop();
    expect(lines).toEqual(['lost to the other one']);
  });

  it('needs no reader to be written and followed, also behind changes of what it watches and when it was lost', async () => {
    const log = eventLog(() => Promise.resolve(db), { replay: 0, watch: ['orders'] });
    await log.start();
    const { epoch } = log;
    const moved = async (write: () => Promise<unknown>): Promise<void> => {
      const before = log.latest.join();
      await write();
      await until(() => log.latest[2] > 0 && log.latest.join() !== before);
    };
    await moved(() => db.collection('orders').insertOne({}));
    await moved(() => log.append([entry('a')]));
    await db.dropDatabase();
    await until(() => log.epoch !== epoch);
    await moved(() => log.append([entry('b')]));
    await log.stop();
    const stored = await db.collection('events').find().toArray();
    expect(stored.flatMap(({ entries }) => entries).map(({ text }) => text)).toEqual(['b']);
  });

  it('says what it is to gather and what it watches', () => {
    const log = eventLog(db, { gather: 7, watch: { 'shop/orders': 'orders', bills: 'paid' } });
    expect([log.gather, log.watched, log.epoch]).toEqual([7, ['shop/orders', 'bills'], '']);
    expect(eventLog(db, { watch: { '/': 'all', '//shop/orders/': 'orders' } }).watched).toEqual(['/', 'shop/orders']);
  });

  it('that was not started refuses what needs the database, and can be stopped', async () => {
    const log = eventLog(Promise.resolve(db));
    const sentence = 'The event log was not started: app.setup() or app.listen() starts it';
    await expect(log.append([entry('a')])).rejects.toThrow(sentence);
    await expect(log.checkService('people', {})).rejects.toThrow(sentence);
    await expect(log.transaction({ params: {} } as never, () => Promise.resolve([]))).rejects.toThrow(sentence);
    await expect(log.stop()).resolves.toBeUndefined();
  });

  it('tells nothing once it was stopped, no failure either, and all that is new when it is started again', async () => {
    const [one, two] = [await started(), await started()];
    await one.log.stop();
    await two.log.append([entry('meanwhile')]);
    await told(two, 'entry meanwhile');
    // The time at which a log begins is that of the last write.
    await db.collection('others').insertOne({});
    expect(one.lines).toEqual(['lost']);
    await one.log.start();
    await two.log.append([entry('again')]);
    await told(one, 'entry again');
    expect(one.lines).toEqual(['lost', 'lost', 'entry again']);
  });
});

describe('a collection that a log watches', () => {
  it('tells each change with the record as it is, and of a removed one what the database has kept', async () => {
    await db.createCollection('kept', { changeStreamPreAndPostImages: { enabled: true } });
    const { lines, records, log } = await started({ watch: { 'shop/orders': 'orders', kept: 'kept' } });
    for (const name of ['orders', 'others', 'kept']) {
      const collection = db.collection<{ _id: number }>(name);
      await collection.insertOne({ _id: 1, number: 1 } as never);
      await collection.updateOne({ _id: 1 }, { $set: { more: 2 } });
      await collection.replaceOne({ _id: 1 }, { number: 3 } as never);
      // A change is looked up when it is read: by then the record has to be there.
      await until(() => name === 'others' || records.length % 4 === 3);
      await collection.deleteOne({ _id: 1 });
    }
    await until(() => records.length === 8);
    const events = ['created', 'patched', 'updated', 'removed'];
    expect(lines).toEqual(['lost', ...['shop/orders', 'kept'].flatMap((path) => events.map((event) => `changed ${path} ${event}`))]);
    const [number1, number3] = [
      { _id: 1, number: 1 },
      { _id: 1, number: 3 },
    ];
    expect([records[0], records[2], records[3]]).toEqual([number1, number3, { _id: 1 }]);
    expect([records[4], records[6], records[7]]).toEqual([number1, number3, number3]);
    expect(log.watched).toEqual(['shop/orders', 'kept']);
  });

  it('tells the record of a patch, and not the fields that were changed alone', async () => {
    const { records } = await started({ watch: ['orders'] });
    await db.collection<{ _id: number }>('orders').insertOne({ _id: 1, number: 1 } as never);
    await db.collection<{ _id: number }>('orders').updateOne({ _id: 1 }, { $set: { more: 2 } });
    await until(() => records.length === 2);
    expect(records[1]).toEqual({ _id: 1, number: 1, more: 2 });
  });

  it('tells lists under names that all objects have as what they are', async () => {
    const { records } = await started({ watch: ['orders'] });
    await db.collection('orders').insertOne({ _id: 1, toString: [{ number: 1 }] } as never);
    await until(() => records.length === 1);
    expect(records).toEqual([{ _id: 1, toString: [{ number: 1 }] }]);
  });

  it('has its changes of one transaction at places of one time, one behind the other', async () => {
    const { places } = await started({ watch: ['orders'] });
    await db.createCollection('orders');
    await database.client.withSession((session) =>
      session.withTransaction(async () => {
        for (const number of [1, 2, 3]) await db.collection('orders').insertOne({ number }, { session });
      }),
    );
    await until(() => places.length === 3);
    const time = places[0]?.split(' ').slice(0, 2).join(' ') ?? '';
    expect(places).toEqual([`${time} 1`, `${time} 2`, `${time} 3`]);
  });
});
