import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { Collection, Db, Document } from 'mongodb';
import { eventLog } from '../../src/index.ts';
import { entry, readLog, told, until, type Told } from './log-harness.ts';

let database: TestDatabase;
let db: Db;
const logs: Told[] = [];
/** Change streams that were opened and not closed. */
const open = new Set<object>();
/** What the end of a stream waits for. */
let closing: Promise<void> | undefined;
/** Called in front of each command of one kind. */
let first: (name: string) => Promise<unknown> | undefined;
beforeAll(async () => {
  database = await startDatabase();
});
let count = 0;
beforeEach(() => {
  first = () => undefined;
  closing = undefined;
  const own = database.client.db(`${database.db.databaseName}_${String((count += 1))}`);
  const collection = (name: string): Collection => after(own.collection(name));
  db = new Proxy(own, {
    get(target, name) {
      if (name === 'collection') return collection;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'watch') return value.bind(target) as unknown;
      return (pipeline: Document[]) => {
        const stream = target.watch(pipeline);
        open.add(stream);
        stream.on('close', () => open.delete(stream));
        const close = stream.close.bind(stream);
        stream.close = async () => {
          await closing;
          await close();
        };
        return stream;
      };
    },
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const { log } of logs.splice(0)) await log.stop();
  await db.dropDatabase();
});
afterAll(() => database.close());

/** A collection whose commands wait for {@link first}. */
function after(collection: Collection): Collection {
  return new Proxy(collection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!['findOne', 'createIndexes', 'insertOne'].includes(String(name))) return value.bind(target) as unknown;
      return async (...args: unknown[]) => {
        await first(String(name));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
}

function create(): Told {
  const read = readLog(db);
  logs.push(read);
  return read;
}

it.each(['findOne', 'createIndexes', 'insertOne'])('a log that is stopped while it waits for %s does not start', async (waitsFor) => {
  const read = create();
  let goOn = (): void => undefined;
  let isThere = false;
  first = (name) => {
    if (name !== waitsFor) return undefined;
    isThere = true;
    return new Promise<void>((resolve) => {
      goOn = resolve;
    });
  };
  const refused = expect(read.log.start()).rejects.toThrow('The event log was stopped before it had started');
  await until(() => isThere);
  await read.log.stop();
  goOn();
  await refused;
  await until(() => open.size === 0);
  first = () => undefined;
  await read.log.start();
  await read.log.append([entry('a')]);
  await told(read, 'entry a');
});

it('a log that is stopped before its database is there does not start', async () => {
  let connect: (given: Db) => void = () => undefined;
  const log = eventLog(() => new Promise<Db>((resolve) => (connect = resolve)));
  const refused = expect(log.start()).rejects.toThrow('The event log was stopped before it had started');
  await log.stop();
  connect(db);
  await refused;
  expect([open.size, await db.listCollections().toArray()]).toEqual([0, []]);
});

it('a log that starts again while its stream still closes keeps what it has opened', async () => {
  const read = create();
  await read.log.start();
  let goOn = (): void => undefined;
  closing = new Promise((resolve) => {
    goOn = resolve;
  });
  const stopped = read.log.stop();
  await read.log.start();
  goOn();
  await stopped;
  await read.log.stop();
  await until(() => open.size === 0);
  expect(open.size).toBe(0);
});

it('a log that is not read in time says so, also where its own write has no answer', async () => {
  const read = create();
  let writes = false;
  const timers = jest.spyOn(globalThis, 'setTimeout');
  first = (name) => {
    if (name !== 'insertOne') return undefined;
    writes = true;
    return new Promise(() => undefined);
  };
  const refused = expect(read.log.start()).rejects.toThrow('The event log could not be read within 30000 ms');
  await until(() => writes);
  const late = timers.mock.calls.filter(([, milliseconds]) => milliseconds === 30_000).map(([run]) => run);
  for (const run of late) run();
  await refused;
  await until(() => open.size === 0);
});
