import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MongoClient, type CollationOptions, type Collection, type Document, type IndexDescription } from 'mongodb';
import {
  compareIndexes,
  describeServer,
  DocDbService,
  sentenceOf,
  transaction,
  type DocDbServiceOptions,
  type SlowCall,
} from '../src/index.ts';
import { startFeatureProxy, WITHOUT, type FeatureProxy } from './feature-proxy.ts';

let database: TestDatabase;
let people: Collection;
beforeAll(async () => {
  database = await startDatabase();
  people = database.db.collection('people');
});
afterAll(() => database.close());

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await people.drop();
  for (const end of ends.splice(0).reverse()) await end();
});

/** A database behind a proxy that lacks some features. */
async function withoutFeatures(
  ...names: (keyof typeof WITHOUT)[]
): Promise<{ client: MongoClient; people: Collection; proxy: FeatureProxy }> {
  const proxy = await startFeatureProxy(
    database.uri,
    names.map((name) => WITHOUT[name]),
  );
  const client = await new MongoClient(proxy.uri).connect();
  ends.push(
    () => proxy.stop(),
    () => client.close(),
  );
  return { client, people: client.db(database.db.databaseName).collection('people'), proxy };
}

/** The warnings of the process while something is done, by their code. */
async function warningsOf(work: () => Promise<unknown>): Promise<Record<string, string[]>> {
  const warnings: Record<string, string[]> = {};
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation((text, options) => {
    const { code = '' } = options as { readonly code?: string };
    (warnings[code] ??= []).push(String(text));
  });
  try {
    await work();
  } finally {
    warned.mockRestore();
  }
  return warnings;
}

const setup = (options: DocDbServiceOptions): Promise<unknown> => framework().use('people', new DocDbService(options)).setup();

describe('a server of the protocol', () => {
  it('is described with all that it can do, and nothing is written by asking', async () => {
    const before = await database.db.listCollections().toArray();
    const server = await describeServer(database.db);
    expect(server.features).toEqual({ transactions: 'yes', changeStreams: 'yes', collation: 'yes', text: 'yes', updatePipelines: 'yes' });
    expect(sentenceOf(server)).toMatch(/^The database at 127\.0\.0\.1:\d+ is .+, a replica set, and has all that the adapter can use\.$/);
    expect(await database.db.listCollections().toArray()).toEqual(before);
  });

  it.each(Object.keys(WITHOUT) as (keyof typeof WITHOUT)[])('that lacks %s is told from one that has it', async (name) => {
    const { client } = await withoutFeatures(name);
    const { features } = await describeServer(client.db('any'));
    expect(Object.entries(features).filter(([, answer]) => answer === 'no')).toEqual([[name, 'no']]);
  });

  it('is told in one sentence, with all that it lacks and without its password', async () => {
    const { client } = await withoutFeatures('transactions', 'changeStreams', 'collation');
    const server = await describeServer(client.db('any'));
    expect(sentenceOf(server)).toMatch(/, a standalone server, and has no transactions, no change streams and no collation\.$/);
  });

  it('that does not let itself be asked is not taken for one that can not', async () => {
    const proxy = await startFeatureProxy(database.uri, [
      { refuse: (command) => ('aggregate' in command ? { code: 13, errmsg: 'not authorized on any to execute command' } : undefined) },
    ]);
    const client = await new MongoClient(proxy.uri).connect();
    ends.push(
      () => proxy.stop(),
      () => client.close(),
    );
    const server = await describeServer(client.db('any'));
    expect(server.features.changeStreams).toBe('unknown');
    expect(sentenceOf(server)).toContain('; the user of the connection may not ask about change streams.');
  });
});

describe('the command framework-adapter-docdb', () => {
  const bin = new URL('../bin/framework-adapter-docdb.js', import.meta.url);
  const run = async (...args: string[]): Promise<{ code: number | null; output: string }> => {
    const child = spawn(process.execPath, [bin.pathname, ...args], { env: { ...process.env, DOCDB_URL: database.uri } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  };

  it('prints what a server is and can do', async () => {
    const { code, output } = await run('probe', '-');
    expect([code, output]).toEqual([0, expect.stringContaining('has all that the adapter can use.')]);
    expect(output.match(/^\| .+ \| yes {2}\| .+ \|$/gm)).toHaveLength(5);
  });

  it('prints it as JSON', async () => {
    const { code, output } = await run('probe', database.uri, '--json');
    expect([code, JSON.parse(output)]).toEqual([
      0,
      expect.objectContaining({ topology: 'replica set', features: expect.objectContaining({ text: 'yes' }) }),
    ]);
  });

  it.each([
    [[]],
    [['probe']],
    [['make', 'x']],
    [['probe', 'no url']],
    [['probe', 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=50']],
    [['--magic']],
  ])('ends with 2 and a sentence for %j', async (args) => {
    const { code, output } = await run(...args);
    expect([code, output]).toEqual([2, expect.stringMatching(/Usage|Invalid|ECONNREFUSED|Server selection timed out|Unknown option/)]);
  });
});

describe('the start of an application', () => {
  it('says once what the server lacks, however many services it has, and works with the rest', async () => {
    const { people: Model } = await withoutFeatures('transactions', 'changeStreams');
    const app = framework().use('people', new DocDbService({ Model })).use('others', new DocDbService({ Model }));
    const warnings = await warningsOf(async () => {
      await app.setup();
      // Nobody waits for what is told; this is asked behind it.
      await describeServer(Model.db);
      await describeServer(Model.db);
    });
    expect(warnings.DOCDB_SERVER).toEqual([expect.stringMatching(/standalone server, and has no transactions and no change streams\.$/)]);
    const created = await app.service('people').create({ name: 'Ann' });
    await app.service('people').patch(created._id, { name: 'Bea' });
    expect(await app.service('people').find({ query: { name: 'Bea' } })).toHaveLength(1);
    expect(await app.service('people').remove(created._id)).toMatchObject({ name: 'Bea' });
  });

  it.each([
    ['requires', 'transactions', { requires: ['transactions'] }],
    ['requires', 'collation', { requires: ['collation'] }],
    ['hidden', 'updatePipelines', { hidden: ['secret'] }],
    ['operators', 'text', { operators: ['$text'] }],
    ['filters', 'text', { filters: ['$text'] }],
    ['filters', 'text', { filters: ['$search'] }],
  ] as const)('fails by the option %s on a server without %s, and says why', async (option, feature, options) => {
    const { people: Model } = await withoutFeatures(feature);
    await expect(setup({ Model, ...options })).rejects.toThrow(
      new RegExp(
        `The service 'people' can not start: its option '${option}' needs .+ The database at 127\\.0\\.0\\.1:\\d+ is .+ Leave the option out`,
      ),
    );
    await expect(setup({ Model: people, ...options })).resolves.toBeDefined();
  });

  it('does not wait for a database that is away, where no option needs it', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:9', { serverSelectionTimeoutMS: 50 });
    ends.push(() => client.close());
    expect(await warningsOf(() => setup({ Model: client.db('any').collection('people') }))).toEqual({});
  });

  it('leaves a transaction to the server that has none: it is refused there', async () => {
    const { client, people: Model } = await withoutFeatures('transactions');
    await expect(transaction(client, (session) => Model.insertOne({}, { session }))).rejects.toMatchObject({ code: 500 });
    expect(await people.countDocuments()).toBe(0);
  });

  it('refuses features and options that it does not know', () => {
    expect(() => new DocDbService({ Model: people, requires: ['magic' as never] })).toThrow("and not 'magic'");
    expect(() => new DocDbService({ Model: people, slowMs: Number.NaN })).toThrow("'slowMs'");
    expect(() => new DocDbService({ Model: people, createIndexes: true })).toThrow("needs 'indexes'");
    const wrong: [object, string][] = [
      [{ hiden: ['password'] }, "has no option 'hiden'"],
      [{ whitelist: ['$regex'] }, "Here it is 'operators'"],
      [{ Model: 'people' }, 'and not string'],
      [{ total: 'non' }, "'total'"],
      [{ total: {} }, "'total'"],
      [{ returning: 'id' }, "'returning'"],
      [{ operators: ['regex'] }, "as in '$regex'"],
      [{ updateOperators: ['inc'] }, "as in '$inc'"],
      [{ indexes: [{ email: 1 }] }, "'indexes'"],
      // As there are in FeathersJS.
      [{ filters: { $populate: true } }, "'filters' of DocDbService is a list of names, and not an object"],
      [{ hidden: 'password' }, "'hidden' of DocDbService is a list of names, and not 'password'"],
      [{ paths: 'address.city' }, "'paths' of DocDbService is a list of names, and not 'address.city'"],
      [{ paths: true }, "'paths' of DocDbService is a list of names, and not true"],
      [{ objectIds: 'authorId' }, "'objectIds' of DocDbService is a list of names, and not 'authorId'"],
      [{ disabledOperators: '$regex' }, "'disabledOperators' of DocDbService is a list of names, and not '$regex'"],
      [{ maxSkip: 'many' }, "'maxSkip' of DocDbService is a whole number, or Infinity for no limit, and not 'many'"],
    ];
    for (const [options, message] of wrong) expect(() => new DocDbService({ Model: people, ...options } as never)).toThrow(message);
  });
});

describe('declared indexes', () => {
  const indexes = [{ key: { email: 1 }, unique: true }, { key: { name: 1, age: -1 } }] as const;

  it('with an option that there is not are refused: the driver leaves it out, and values would come twice', async () => {
    const misspelt = [{ key: { email: 1 } }, { key: { name: 1 }, uniqe: true }] as never;
    const message = "index 2 has no option 'uniqe'. Did you mean 'unique'?";
    expect(() => new DocDbService({ Model: people, indexes: misspelt })).toThrow(`The option 'indexes' of DocDbService: ${message}`);
    await expect(compareIndexes(people, misspelt)).rejects.toThrow(`What compareIndexes() is given: ${message}`);
    await expect(compareIndexes(people, [{ keys: { email: 1 } }] as never)).rejects.toThrow('as { key: { email: 1 }, unique: true }');
  });

  it('that are missing are told and not created', async () => {
    const warnings = await warningsOf(() => setup({ Model: people, indexes }));
    expect(warnings.DOCDB_INDEXES).toEqual([
      expect.stringContaining('.people has no index {"email":1}: create it, or let the service do so with createIndexes: true.'),
      expect.stringContaining('.people has no index {"name":1,"age":-1}'),
    ]);
    expect(await compareIndexes(people, indexes)).toMatchObject({ missing: [{}, {}], different: [], undeclared: [] });
  });

  it('are told as different where a process that starts at the same time has created them with other options', async () => {
    const Model = new Proxy(people, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'createIndexes') return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          await target.createIndex({ email: 1 });
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
    const warnings = await warningsOf(() => setup({ Model, indexes, createIndexes: true }));
    expect(warnings.DOCDB_INDEXES).toEqual([
      expect.stringMatching(
        /^The index 'email_1' of .*people is not as declared for {"email":1} \(unique\): drop it and create it again\.$/,
      ),
    ]);
    expect(await compareIndexes(people, indexes)).toMatchObject({ missing: [], different: [{ options: ['unique'] }] });
  });

  it('that can not be created fail the start', async () => {
    await people.insertMany([{ email: 'a' }, { email: 'a' }]);
    await expect(setup({ Model: people, indexes, createIndexes: true })).rejects.toMatchObject({ code: 11000 });
  });

  it('are created where the service is told to, once', async () => {
    for (let start = 0; start < 2; start++) {
      expect(await warningsOf(() => setup({ Model: people, indexes, createIndexes: true }))).toEqual({});
    }
    expect((await people.listIndexes().toArray()).map(({ name, unique }) => [name, unique])).toEqual([
      ['_id_', undefined],
      ['email_1', true],
      ['name_1_age_-1', undefined],
    ]);
  });

  it('that are otherwise, and others, are told and never changed', async () => {
    await people.createIndexes([
      { key: { email: 1 } },
      { key: { age: -1, name: 1 } },
      { key: { at: 1 }, expireAfterSeconds: 60 },
      { key: { city: 1 }, partialFilterExpression: { active: true } },
    ]);
    const declared = [
      { key: { email: 1 }, unique: true },
      { key: { name: 1, age: -1 } },
      { key: { at: 1 }, expireAfterSeconds: 3600 },
      { key: { city: 1 } },
    ] as const;
    const before = await people.listIndexes().toArray();
    const warnings = await warningsOf(() => setup({ Model: people, indexes: declared }));
    expect(warnings.DOCDB_INDEXES).toEqual([
      expect.stringContaining('has no index {"name":1,"age":-1}'),
      expect.stringContaining("The index 'email_1' of"),
      expect.stringContaining('(expireAfterSeconds): drop it and create it again.'),
      expect.stringContaining('(partialFilterExpression)'),
      expect.stringContaining('that its service does not declare: age_-1_name_1. Each of them'),
    ]);
    expect(await people.listIndexes().toArray()).toEqual(before);
  });

  it('are told apart by their collation, and for text by their paths', async () => {
    const french = { key: { name: 1 }, collation: { locale: 'fr' }, name: 'french' } as const;
    const text = { key: { name: 'text', about: 'text' } } as const;
    await people.createIndexes([french, { key: { about: 'text', name: 'text' } }]);
    const report = await compareIndexes(people, [{ key: { name: 1 } }, french, text]);
    expect(report).toMatchObject({ missing: [{ key: { name: 1 } }], different: [], undeclared: [] });
    expect(report.missing).toHaveLength(1);
  });

  it('have the collation of their collection where they declare none', async () => {
    const { db, collectionName } = people;
    await people.drop();
    await db.createCollection(collectionName, { collation: { locale: 'en', strength: 2 } });
    const given = { Model: people, indexes: [{ key: { email: 1 }, unique: true }], createIndexes: true };
    for (let start = 0; start < 2; start++) expect(await warningsOf(() => setup(given))).toEqual({});
    expect(await people.listIndexes().toArray()).toHaveLength(2);
    const collation = { locale: 'en', strength: 2 };
    expect(await compareIndexes(people, [{ key: { email: 1 }, unique: true, collation }])).toMatchObject({ missing: [], undeclared: [] });
    const simple = [{ key: { email: 1 }, unique: true, collation: { locale: 'simple' } }];
    expect(await compareIndexes(people, simple)).toMatchObject({ missing: simple, undeclared: [{ name: 'email_1' }] });
  });

  it.each<[object, object]>([
    [
      { locale: 'en', strength: 1 },
      { locale: 'en', strength: 1, caseLevel: true },
    ],
    [
      { locale: 'en', strength: 1, caseLevel: true },
      { locale: 'en', strength: 1 },
    ],
    [{ locale: 'en' }, { locale: 'en', numericOrdering: true }],
    [{ locale: 'en' }, { locale: 'en', alternate: 'shifted' }],
    [
      { locale: 'en', caseFirst: 'upper' },
      { locale: 'en', caseFirst: 'lower' },
    ],
  ])('are others where they compare texts otherwise: %j is not %j', async (collation, declared) => {
    await people.createIndex({ email: 1 }, { unique: true, collation: collation as CollationOptions });
    const indexes = (given: object): IndexDescription[] => [{ key: { email: 1 }, unique: true, collation: given as CollationOptions }];
    expect(await compareIndexes(people, indexes(declared))).toMatchObject({
      missing: [{ key: { email: 1 } }],
      undeclared: [{ name: 'email_1' }],
    });
    expect(await compareIndexes(people, indexes(collation))).toMatchObject({ missing: [], different: [], undeclared: [] });
  });

  it('are told where they leave paths out that are declared', async () => {
    await people.createIndex({ '$**': 1 }, { wildcardProjection: { name: 1 } });
    expect((await compareIndexes(people, [{ key: { '$**': 1 } }])).different).toMatchObject([{ options: ['wildcardProjection'] }]);
  });
});

describe('calls', () => {
  describe('of an id that is not _id', () => {
    const told = async (options: Omit<DocDbServiceOptions, 'Model'>): Promise<string[]> =>
      (await warningsOf(() => setup({ Model: people, ...options }))).DOCDB_ID ?? [];

    /** Where nothing else is asked of the database, nobody waits for its answer. */
    const toldLater = async (): Promise<string> => {
      let message = '';
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation((text) => void (message = String(text)));
      await setup({ Model: people, id: 'uuid' });
      while (message === '') await new Promise(setImmediate);
      warned.mockRestore();
      return message;
    };
    const mending = "declare it in the option 'indexes' of the service with createIndexes: true";

    it.each<[string, (() => Promise<unknown>) | undefined]>([
      ['there is none', undefined],
      ['it lets several records have one', () => people.createIndex({ uuid: 1 })],
      ['it asks for more than the id', () => people.createIndex({ uuid: 1, tenant: 1 }, { unique: true })],
      ['it leaves records out', () => people.createIndex({ uuid: 1 }, { unique: true, partialFilterExpression: { kind: 1 } })],
    ])('is told at start where %s: two records with one id would be one for their callers', async (_what, make) => {
      await people.insertOne({ uuid: 'a' });
      await make?.();
      expect(await toldLater()).toContain(`${people.namespace} may have several records with one 'uuid'`);
      expect(await told({ id: 'uuid', indexes: [] })).toContainEqual(expect.stringContaining(mending));
    });

    it('is not told where the database keeps it unique', async () => {
      await people.insertOne({ uuid: 'a' });
      expect(await told({ indexes: [] })).toEqual([]);
      await people.createIndex({ uuid: -1 }, { unique: true });
      expect(await told({ id: 'uuid', indexes: [] })).toEqual([]);
    });

    it('is not told where the service creates it', async () => {
      expect(await told({ id: 'uuid', indexes: [{ key: { uuid: 1 }, unique: true }], createIndexes: true })).toEqual([]);
    });
  });

  it('pass read preference and read concern on to the server', async () => {
    const client = await new MongoClient(database.uri, { monitorCommands: true }).connect();
    ends.push(() => client.close());
    const commands: Document[] = [];
    client.on('commandStarted', ({ command }) => commands.push(command));
    const service = new DocDbService({ Model: client.db(database.db.databaseName).collection('people') });
    await service.find({ docdb: { readPreference: 'secondaryPreferred', readConcern: { level: 'majority' } } });
    expect(commands.at(-1)).toMatchObject({ readConcern: { level: 'majority' } });
    expect(commands.at(-1)?.$readPreference).toMatchObject({ mode: 'secondaryPreferred' });
  });

  it.each([
    ['takes too long', 50],
    ['is about to end', 91],
    ['is no longer the primary', 10107],
  ])('are 503 with the time to wait when the server %s', async (_title, code) => {
    const proxy = await startFeatureProxy(database.uri, [
      { refuse: (command) => ('find' in command ? { code, errmsg: 'of the database' } : undefined) },
    ]);
    const client = await new MongoClient(proxy.uri, { retryReads: false }).connect();
    ends.push(
      () => proxy.stop(),
      () => client.close(),
    );
    const service = new DocDbService({ Model: client.db('any').collection('people') });
    await expect(service.find()).rejects.toMatchObject({ code: 503, data: { retryAfter: 5 } });
  });
});

describe('slow calls', () => {
  async function slowCallsOf(work: (app: any) => Promise<unknown>, slowMs = 0): Promise<SlowCall[]> {
    const calls: SlowCall[] = [];
    await people.insertOne({ age: 40 });
    const app: any = framework().use('people', new DocDbService({ Model: people, slowMs, multi: true }));
    app.on('slow-call', (call: SlowCall) => calls.push(call));
    await app.setup();
    await work(app);
    while (slowMs === 0 && calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return calls;
  }

  it('are told with names, and without a value of the query', async () => {
    await people.createIndex({ email: 1 });
    const [call] = await slowCallsOf((app) =>
      app
        .service('people')
        .find({ query: { email: 'ann@secret.example', $or: [{ age: { $gt: 41 } }, { tags: { $in: ['hush'] } }], $sort: { age: 1 } } }),
    );
    expect(call).toEqual({
      path: 'people',
      method: 'find',
      milliseconds: expect.any(Number),
      shape: '{"filter":{"email":"?","$or":[{"age":{"$gt":"?"}},{"tags":{"$in":"?"}}]},"sort":{"age":1}}',
      index: 'email_1',
    });
    // What it took may have any digits.
    expect(JSON.stringify({ ...call, milliseconds: 0 })).not.toMatch(/secret|41|hush/);
  });

  it.each([
    ['a query without an index', (people: any) => people.find({ query: { age: 1 } }), { method: 'find', index: null }],
    [
      'an id',
      (people: any) => people.get('none').catch(() => undefined),
      { method: 'get', index: '_id_', shape: '{"filter":{"_id":"?"}}' },
    ],
    ['several records', (people: any) => people.patch(null, { a: 1 }, { query: { age: 1 } }), { method: 'patch', index: null }],
    ['a new record', (people: any) => people.create({ age: 1 }), { method: 'create', index: undefined, shape: '{"filter":{}}' }],
  ])('are told for %s', async (_title, work, expected) => {
    expect(await slowCallsOf((app) => work(app.service('people')))).toEqual([expect.objectContaining({ path: 'people', ...expected })]);
  });

  it('ask once for each shape of query which index serves it', async () => {
    const asked: string[] = [];
    const client = await new MongoClient(database.uri, { monitorCommands: true }).connect();
    client.on('commandStarted', ({ commandName }) => asked.push(commandName));
    ends.push(() => client.close());
    const app: any = framework().use(
      'people',
      new DocDbService({ Model: client.db(database.db.databaseName).collection('people'), slowMs: 0 }),
    );
    await people.insertOne({ age: 40 });
    let told = 0;
    app.on('slow-call', () => told++);
    await app.setup();
    for (let age = 0; age < 20; age++) await app.service('people').find({ query: { age } });
    while (told < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked.filter((name) => name === 'explain')).toHaveLength(1);
  });

  it.each([
    [true, 'throws'],
    [false, 'throws'],
    [true, 'rejects'],
    [false, 'rejects'],
  ])('leave the process as it is where a listener fails; its error is told where somebody listens: %p, it %s', async (listens, how) => {
    const unowned: unknown[] = [];
    const note = (reason: unknown): void => void unowned.push(reason);
    const told: unknown[] = [];
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation((text) => void told.push(text));
    process.on('unhandledRejection', note);
    const failure = new Error('of a listener');
    await slowCallsOf((app) => {
      app.on('slow-call', () => {
        if (how === 'throws') throw failure;
        return Promise.reject(failure);
      });
      if (listens) app.on('listenerError', (error: unknown, source: unknown) => told.push(error, source));
      return app.service('people').find({});
    });
    for (let tries = 0; told.length === 0 && tries < 2000; tries++) await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', note);
    warned.mockRestore();
    expect([told, unowned]).toEqual([
      listens ? [failure, { path: 'people', event: 'slow-call' }] : ["A listener of 'slow-call' failed"],
      [],
    ]);
  });

  it('are not told below the limit', async () => {
    expect(await slowCallsOf((app) => app.service('people').find({}), 60_000)).toEqual([]);
  });
});
