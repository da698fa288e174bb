import { framework, type Application, type HookContext, type NextFunction } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient, type Db, type Document } from 'mongodb';
import { DocDbService, transaction } from '../../src/index.ts';
import { startFeatureProxy, type FeatureProxy } from '../feature-proxy.ts';
import { entry, readLog, told, type Told } from './log-harness.ts';

interface Note {
  readonly _id?: unknown;
  readonly text: string;
}

let database: TestDatabase;
let proxy: FeatureProxy;
let client: MongoClient;
let db: Db;
let read: Told;
/** What the database answers to `create`. */
let refusal: { readonly code: number; readonly errmsg: string } | undefined;
let commands: string[] = [];

beforeAll(async () => {
  database = await startDatabase();
  const refuse = (command: Document): typeof refusal => {
    commands.push(Object.keys(command)[0] ?? '');
    return 'create' in command ? refusal : undefined;
  };
  proxy = await startFeatureProxy(database.uri, [{ refuse }]);
  client = await new MongoClient(proxy.uri).connect();
  db = client.db(database.db.databaseName);
});
beforeEach(async () => {
  refusal = undefined;
  read = readLog(db);
  await read.log.start();
  commands = [];
});
afterEach(async () => {
  await read.log.stop();
  await database.db.dropDatabase();
});
afterAll(async () => {
  await client.close();
  await proxy.stop();
  await database.close();
});

const check = (service: object): Promise<void> => read.log.checkService('notes', service);
const collections = async (): Promise<string[]> => (await db.listCollections().toArray()).map(({ name }) => name).sort();

describe('a service that is to be durable', () => {
  it('gets its collection where there is none, in its own database', async () => {
    await check(new DocDbService({ Model: db.collection('notes') }));
    expect(await collections()).toEqual(['events', 'notes']);
    const other = client.db(`${db.databaseName}_other`);
    await check(new DocDbService({ Model: Promise.resolve(other.collection('notes')) }));
    const there = await other.listCollections().toArray();
    await other.dropDatabase();
    expect(there.map(({ name }) => name)).toEqual(['notes']);
  });

  it('keeps the collection that it has', async () => {
    await db.createCollection('notes', { collation: { locale: 'de' } });
    commands = [];
    await check(new DocDbService({ Model: db.collection('notes') }));
    expect(commands).not.toContain('create');
  });

  it('may find that another process has made the collection meanwhile, and no other failure', async () => {
    const service = new DocDbService({ Model: db.collection('notes') });
    refusal = { code: 48, errmsg: 'Collection already exists' };
    await expect(check(service)).resolves.toBeUndefined();
    refusal = { code: 13, errmsg: 'no right to create' };
    await expect(check(service)).rejects.toThrow('no right to create');
  });

  it('has to have its records in a database that the client of the log reaches', async () => {
    const sentence = "'notes' can not be durable: its records have to be in the database of the log, by the same MongoClient. Register a ";
    const services = [
      new DocDbService({ Model: database.db.collection('notes') }),
      {},
      { getModel: 5 },
      ...[undefined, null, 5, {}, { client }, { client, dbName: 'a' }, { client, collectionName: 'a' }].map((model) => ({
        getModel: () => model,
      })),
    ];
    for (const service of services) {
      await expect(check(service)).rejects.toThrow(`${sentence}DocDbService there, or leave out 'durable'`);
    }
    expect(await collections()).toEqual(['events']);
  });
});

describe('a call and its events', () => {
  let app: Application<{ notes: DocDbService<Note, Partial<Note>> }>;
  beforeEach(async () => {
    await db.createCollection('notes');
    app = framework<{ notes: DocDbService<Note, Partial<Note>> }>().use(
      'notes',
      new DocDbService<Note, Partial<Note>>({ Model: db.collection('notes') }),
    );
    app.service('notes').hooks({
      around: {
        create: [
          (context: HookContext, next: NextFunction) =>
            read.log.transaction(context, async () => {
              await next();
              const { text } = context.data as Note;
              if (text === 'given up') throw new Error('given up');
              return text === 'silent' ? [] : [entry(text)];
            }),
        ],
      },
    });
  });
  const stored = async (): Promise<string[]> => (await db.collection('notes').find().toArray()).map(({ text }) => text);

  it('are stored as one, or not at all', async () => {
    await app.service('notes').create({ text: 'a' });
    await expect(app.service('notes').create({ text: 'given up' })).rejects.toThrow('given up');
    await app.service('notes').create({ text: 'silent' });
    await app.service('notes').create({ text: 'b' });
    await told(read, 'entry b');
    expect([read.lines, await stored()]).toEqual([
      ['lost', 'entry a', 'entry b'],
      ['a', 'silent', 'b'],
    ]);
    const log = await db.collection('events').countDocuments();
    // One is the mark of the start.
    expect(log).toBe(3);
  });

  it('become part of a transaction of the caller, and go with it', async () => {
    const both = (fails: boolean): Promise<void> =>
      transaction(client, async (session) => {
        await app.service('notes').create({ text: fails ? 'x' : 'a' }, { docdb: { session } });
        await app.service('notes').create({ text: fails ? 'y' : 'b' }, { docdb: { session } });
        if (fails) throw new Error('undone');
      });
    await expect(both(true)).rejects.toThrow('undone');
    await both(false);
    await told(read, 'entry b');
    expect([read.lines, await stored()]).toEqual([
      ['lost', 'entry a', 'entry b'],
      ['a', 'b'],
    ]);
    const time = (place = ''): string => place.split(' ').slice(0, 2).join(' ');
    expect([time(read.places[1]), read.places.map((place) => place.split(' ')[2])]).toEqual([time(read.places[0]), ['1', '2']]);
  });
});
