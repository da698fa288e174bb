import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import {
  DocDbIdempotencyStore,
  DocDbLimiterStore,
  DocDbService,
  eventLog,
  toFrameworkError,
  type DocDbServiceOptions,
} from '../src/index.ts';
import { driverOptions, ownOptions } from '../src/operations/call.ts';

let database: TestDatabase;
let client: MongoClient;
let people: Collection;
/** Whether commands are taken and not answered; greetings of connections are. */
let silent = false;
const sockets = new Set<Socket>();

const proxy = createServer((caller) => {
  const { hostname, port } = new URL(database.uri);
  const server = connect(Number(port), hostname);
  let muted = false;
  for (const [socket, other] of [[caller, server] as const, [server, caller] as const]) {
    sockets.add(socket);
    socket.on('error', () => other.destroy()).on('close', () => other.destroy());
  }
  caller.on('data', (bytes: Buffer) => {
    muted ||= silent && !/hello|ismaster/i.test(bytes.toString('latin1'));
    server.write(bytes);
  });
  server.on('data', (bytes: Buffer) => {
    if (!muted) caller.write(bytes);
  });
});

beforeAll(async () => {
  database = await startDatabase();
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  client = await new MongoClient(`mongodb://127.0.0.1:${String((proxy.address() as AddressInfo).port)}/?directConnection=true`).connect();
  people = client.db(database.db.databaseName).collection('people');
});

afterAll(async () => {
  await client.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await database.close();
});

const params = { docdb: { socketTimeoutMS: 100 } };
const READ = { code: 503, message: 'The database took too long. Try again', data: { retryAfter: 5 } };
const UNKNOWN = 'The database did not answer: whether it has made the change is not known. Look before you try again';

describe('a database that takes commands and does not answer', () => {
  it('is given up: reads may be tried again, and of writes nobody knows whether they were made', async () => {
    const service = new DocDbService({ Model: people, multi: true, paginate: { default: 5, max: 5 } });
    const { _id: id } = (await service.create({ name: 'Ann' })) as { _id: string };
    silent = true;
    try {
      for (const read of [
        () => service.find(params),
        () => service.get(id, params),
        () => service.find({ ...params, pipeline: [{ $match: {} }] }),
      ])
        await expect(read()).rejects.toMatchObject(READ);
      const writes = [
        () => service.create({ name: 'Bob' }, params),
        () => service.create([{ name: 'Bob' }, { name: 'Cid' }], params),
        () => service.update(id, { name: 'Bob' }, params),
        () => service.patch(id, { name: 'Bob' }, params),
        () => service.patch(null, { name: 'Bob' }, params),
        () => service.remove(id, params),
      ];
      for (const write of writes) {
        const error = toFrameworkError(
          await write().then(
            () => undefined,
            (thrown: unknown) => thrown,
          ),
        );
        expect([error.code, error.message, error.data]).toEqual([503, UNKNOWN, undefined]);
      }
    } finally {
      silent = false;
    }
  });

  it.each<[string, Partial<DocDbServiceOptions>, (service: any) => Promise<unknown>]>([
    [
      'which indexes there are',
      { filters: ['$search'], hidden: ['secret'] },
      (service) => service.find({ ...params, provider: 'rest', query: { $search: 'a' } }),
    ],
    ['which collation the collection has', { id: 'key' }, (service) => service.update('a', { name: 'Ann' }, params)],
  ])(
    'is given up where it is asked %s',
    async (_what, options, call) => {
      const app = framework();
      app.use('people', new DocDbService({ Model: client.db(database.db.databaseName).collection('people'), ...options }));
      silent = true;
      try {
        await expect(call(app.service('people'))).rejects.toMatchObject({ code: 503 });
      } finally {
        silent = false;
      }
    },
    10_000,
  );

  /** As it is, but that what has 35 seconds to be answered has a tenth of one while nothing is answered, as all calls of stores and logs are to have. */
  function hurried<C extends object>(collection: C): C {
    return new Proxy(collection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) =>
          Reflect.apply(
            member,
            target,
            given.map((value) =>
              silent && Object(value).socketTimeoutMS === 35_000 ? { ...(value as object), socketTimeoutMS: 100 } : value,
            ),
          ) as unknown;
      },
    });
  }

  it('is given up by stores, which say that it is so', async () => {
    const db = client.db(database.db.databaseName);
    const limiter = new DocDbLimiterStore(hurried(db.collection('attempts')) as never);
    const calls = new DocDbIdempotencyStore(hurried(db.collection('calls')) as never);
    const rule = { attempts: 1, window: 1000, delay: 1 };
    const held = { key: 'k', holder: 'h' };
    const all = [
      () => limiter.attempt('k', rule),
      () => limiter.restore('k', rule, { readyAt: 0 }),
      () => limiter.reset('k'),
      () => calls.take(held, 'f', 1000),
      () => calls.keep(held, 'o'),
      () => calls.free(held),
    ];
    for (const call of all) await call();
    silent = true;
    try {
      for (const call of all) await expect(call()).rejects.toMatchObject(READ);
      const unprepared = new DocDbLimiterStore(hurried(db.collection('others')) as never);
      await expect(unprepared.reset('k')).rejects.toMatchObject(READ);
    } finally {
      silent = false;
    }
  });

  it('is given up by the log of events, whose writes have the same time', async () => {
    const own = await new MongoClient(database.uri, { monitorCommands: true }).connect();
    const times: unknown[] = [];
    own.on('commandStarted', ({ commandName, command }) => commandName === 'insert' && times.push(command.maxTimeMS));
    const db = own.db(database.db.databaseName);
    const log = eventLog(db);
    try {
      await log.start();
      await log.append([{ name: 'notes created' } as never]);
      await log.stop();
    } finally {
      await own.close();
    }
    expect(times).toEqual([30_000, 30_000]);
    expect(ownOptions(db.collection('event_log'))).toEqual({ maxTimeMS: 30_000, socketTimeoutMS: 35_000 });
  });

  it('is given up five seconds after the time of its command, or as the client says', async () => {
    const of = (maxTimeMS: number, docdb?: object): object => driverOptions({ maxTimeMS }, { docdb: docdb as never }, people);
    expect(of(30_000)).toEqual({ maxTimeMS: 30_000, socketTimeoutMS: 35_000 });
    expect(of(30_000, { maxTimeMS: 100 })).toEqual({ maxTimeMS: 100, socketTimeoutMS: 5100 });
    expect(of(30_000, { socketTimeoutMS: 100 })).toEqual({ maxTimeMS: 30_000, socketTimeoutMS: 100 });
    expect(of(2 ** 31 - 1)).toEqual({ maxTimeMS: 2 ** 31 - 1, socketTimeoutMS: 2 ** 31 - 1 });
    expect(of(0)).toEqual({});
    const other = new MongoClient('mongodb://127.0.0.1:1', { socketTimeoutMS: 2000 });
    expect(driverOptions({ maxTimeMS: 30_000 }, {}, other.db('x').collection('y'))).toEqual({ maxTimeMS: 30_000 });
    expect(driverOptions({ maxTimeMS: 30_000 }, {}, {} as never)).toEqual({ maxTimeMS: 30_000, socketTimeoutMS: 35_000 });
  });

  it('and did not answer a commit leaves it unknown whether the transaction was made', () => {
    const cut = Object.assign(new Error('connection timed out'), {
      name: 'MongoNetworkTimeoutError',
      hasErrorLabel: (label: string) => label === 'UnknownTransactionCommitResult',
    });
    expect(toFrameworkError(cut)).toMatchObject({ code: 503, message: UNKNOWN });
  });
});
