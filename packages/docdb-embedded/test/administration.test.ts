import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Decimal128, Double, Int32, Long, MongoClient, Timestamp, UUID, type Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());
beforeEach(() => harness.db.dropDatabase());

const run = (command: Document): Promise<Document> => harness.db.command(command);
const raw = (command: Document): Promise<Document> => harness.db.command(command, { promoteValues: false });
const admin = (command: Document): Promise<Document> => harness.client.db('admin').command(command);

describe('names of databases', () => {
  it('have 63 bytes at most', async () => {
    await run({ create: 'source' });
    await harness.client.db('d'.repeat(63)).command({ create: 'a' });
    await harness.client.db('d'.repeat(63)).dropDatabase();
    const to = `${'d'.repeat(64)}.a`;
    await expect(admin({ renameCollection: 'test.source', to })).rejects.toMatchObject({ code: 73 });
    await expect(admin({ renameCollection: to, to: 'test.source' })).rejects.toMatchObject({ code: 73 });
  });

  it('differ in more than their case', async () => {
    await run({ create: 'source' });
    await expect(harness.client.db('TEST').collection('a').insertOne({})).rejects.toMatchObject({ code: 13297 });
    await expect(admin({ renameCollection: 'test.source', to: 'Test.a' })).rejects.toMatchObject({ code: 13297 });
    await run({ create: 'other' });
  });
});

describe('serverStatus', () => {
  it('has room for more connections than there are, and less of it for each that comes', async () => {
    const connections = async (client: MongoClient): Promise<{ current: number; available: number }> =>
      (await client.db('admin').command({ serverStatus: 1 })).connections as { current: number; available: number };
    const before = await connections(harness.client);
    expect(before.available).toBeGreaterThan(100_000);
    const other = await MongoClient.connect(harness.server.uri);
    try {
      const { current, available } = await connections(other);
      expect(current).toBeGreaterThan(before.current);
      expect(current + available).toBe(before.current + before.available);
    } finally {
      await other.close();
    }
  });

  it('tells the place in the replica set as hello does', async () => {
    const { repl } = await admin({ serverStatus: 1 });
    const { setName, hosts, primary, me } = await admin({ hello: 1 });
    expect(repl).toMatchObject({ setName, hosts, primary, me, isWritablePrimary: true, secondary: false });
    expect(await admin({ serverStatus: 1, repl: 0 })).not.toHaveProperty('repl');
  });
});

describe('the replica set', () => {
  it('has a configuration, with the server as its only member', async () => {
    const { config } = await admin({ replSetGetConfig: 1 });
    const { setName, me } = await admin({ hello: 1 });
    expect(config).toMatchObject({ _id: setName, version: 1, members: [{ _id: 0, host: me, votes: 1 }] });
  });

  it('has a status, with what tools that watch a set ask for', async () => {
    await harness.db.collection('watched').insertOne({});
    const { setName, me, lastWrite } = await admin({ hello: 1 });
    const status = await admin({ replSetGetStatus: 1 });
    const { opTime, lastWriteDate } = lastWrite;
    expect(status).toMatchObject({ set: setName, myState: 1, syncSourceHost: '', votingMembersCount: 1, writeMajorityCount: 1 });
    expect(status.date).toBeInstanceOf(Date);
    expect(status.optimes).toMatchObject({
      lastCommittedOpTime: opTime,
      appliedOpTime: opTime,
      durableOpTime: opTime,
      lastAppliedWallTime: lastWriteDate,
    });
    const member = { _id: 0, name: me, health: 1, state: 1, stateStr: 'PRIMARY', self: true, optime: opTime, optimeDate: lastWriteDate };
    expect(status.members).toEqual([expect.objectContaining({ ...member, uptime: expect.any(Number), configVersion: 1 })]);
  });

  it('makes no index anew, as none does that is a member of a replica set', async () => {
    const refused = harness.db.command({ reIndex: 'items' });
    await expect(refused).rejects.toMatchObject({ code: 20, codeName: 'IllegalOperation', message: expect.stringContaining('standalone') });
  });

  it('is there already where it is to be set up', async () => {
    await expect(admin({ replSetInitiate: {} })).rejects.toMatchObject({ code: 23, codeName: 'AlreadyInitialized' });
  });

  it('has nobody who would take the place of its only member', async () => {
    await expect(admin({ replSetStepDown: 60 })).rejects.toMatchObject({ code: 262, codeName: 'ExceededTimeLimit' });
    const forced = admin({ replSetStepDown: 60, force: true });
    await expect(forced).rejects.toMatchObject({ code: 115, message: expect.stringContaining('Fail points') });
    await expect(admin({ replSetFreeze: 60 })).rejects.toMatchObject({ code: 95, codeName: 'NotSecondary' });
  });
});

describe('currentOp', () => {
  it('takes what every command has for no condition on what runs', async () => {
    const { inprog } = await admin({ currentOp: 1, apiVersion: '1', readConcern: { level: 'local' } });
    expect(inprog).toContainEqual(expect.objectContaining({ ns: 'admin.$cmd', active: true }));
  });

  it.each([{ $or: [{ op: 'none' }, { active: 'no' }] }, { $and: [{ op: 'none' }] }, { $nor: [{ type: 'op' }, { type: 'idleSession' }] }])(
    'shows what fits %j',
    async (conditions) => {
      expect((await admin({ currentOp: 1, ...conditions })).inprog).toEqual([]);
      await expect(admin({ currentOp: 1, $none: 1 })).rejects.toMatchObject({ code: 2 });
      expect((await admin({ currentOp: 1, $ownOps: true, $all: true, $truncateOps: true })).inprog).not.toEqual([]);
    },
  );

  it('shows where each connection comes from, and what its driver has told of itself', async () => {
    const client = new MongoClient(harness.server.uri, { appName: 'shown' });
    try {
      const [busy] = (await client.db('admin').command({ currentOp: 1, active: true, appName: 'shown' })).inprog as Document[];
      const { you } = await client.db('admin').command({ whatsmyuri: 1 });
      const told = { application: { name: 'shown' }, driver: { name: expect.stringContaining('nodejs') }, os: expect.anything() };
      expect(busy).toMatchObject({ client: you, appName: 'shown', clientMetadata: told });
      const operations = harness.client.db('admin').aggregate([{ $currentOp: { idleConnections: true } }, { $match: { client: you } }]);
      expect(await operations.toArray()).toMatchObject([{ active: false, clientMetadata: told }]);
    } finally {
      await client.close();
    }
  });
});

describe('rolesInfo', () => {
  const roles = async (fields: Document): Promise<Document[]> => (await run(fields)).roles as Document[];

  it('tells of a role by its name, in a database', async () => {
    expect(await roles({ rolesInfo: 'read' })).toEqual([{ role: 'read', db: 'test', isBuiltin: true, roles: [], inheritedRoles: [] }]);
    const named = await roles({ rolesInfo: [{ role: 'root', db: 'admin' }, 'dbOwner'] });
    expect(named.map(({ role, db }) => [role, db])).toEqual([
      ['root', 'admin'],
      ['dbOwner', 'test'],
    ]);
  });

  it('knows nothing of a role that there is not', async () => {
    expect(await roles({ rolesInfo: ['none', { role: 'root', db: 'test' }] })).toEqual([]);
    await expect(run({ rolesInfo: [5] })).rejects.toMatchObject({ code: 2 });
  });

  it('tells of those that are built in only when they are asked for', async () => {
    expect(await roles({ rolesInfo: 1 })).toEqual([]);
    const names = (found: Document[]): unknown[] => found.map(({ role }) => role as unknown);
    const own = names(await roles({ rolesInfo: 1, showBuiltinRoles: true }));
    expect(own).toEqual(['read', 'readWrite', 'dbAdmin', 'userAdmin', 'dbOwner']);
    const all = (await admin({ rolesInfo: 1, showBuiltinRoles: true })).roles as Document[];
    expect(names(all)).toEqual([...own, ...names(all).slice(own.length)]);
    expect(names(all)).toContain('root');
  });

  it('tells what a role allows', async () => {
    const [found] = await roles({ rolesInfo: 'read', showPrivileges: true });
    expect(found?.privileges).toEqual([
      { resource: { db: 'test', collection: '' }, actions: expect.arrayContaining(['find', 'listCollections']) },
    ]);
    expect(found?.inheritedPrivileges).toEqual(found?.privileges);
  });
});

describe('hello', () => {
  it('keeps of what a driver tells of itself as much as drivers send at most', async () => {
    const client = (length: number): Document => ({ driver: { name: 'd'.repeat(length) } });
    expect(await admin({ hello: 1, client: client(400) })).toMatchObject({ isWritablePrimary: true });
    await expect(admin({ hello: 1, client: client(500) })).rejects.toMatchObject({ code: 185, codeName: 'ClientMetadataDocumentTooLarge' });
  });

  it('tells when something was written last, for clients that bound how old their reads may be', async () => {
    const { operationTime: before } = await run({ insert: 'items', documents: [{}] });
    const { lastWrite, operationTime: after } = await admin({ hello: 1 });
    const { ts } = lastWrite.opTime;
    expect(lastWrite).toEqual({
      opTime: { ts, t: 1 },
      lastWriteDate: new Date((ts as Timestamp).t * 1000),
      majorityOpTime: lastWrite.opTime,
      majorityWriteDate: lastWrite.lastWriteDate,
    });
    expect((ts as Timestamp).greaterThanOrEqual(before as Timestamp)).toBe(true);
    expect((ts as Timestamp).lessThanOrEqual(after as Timestamp)).toBe(true);
  });
});

describe('renameCollection', () => {
  it('looks at the UUID of the collection that it is to drop first', async () => {
    const names = { renameCollection: 'test.none', to: 'test.none2', dropTarget: new UUID() };
    await expect(admin(names)).rejects.toMatchObject({ code: 361 });
    await expect(admin({ ...names, to: 'other.none' })).rejects.toMatchObject({ code: 72 });
  });
});

describe('collMod', () => {
  it('tells which options of an index it has changed', async () => {
    const items = harness.db.collection('items');
    await items.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    await items.createIndex({ a: 1 });
    const change = (name: string, options: Document): Promise<Document> => raw({ collMod: 'items', index: { name, ...options } });
    expect(await change('at_1', { expireAfterSeconds: 20 })).toMatchObject({
      expireAfterSeconds_old: Long.fromNumber(10),
      expireAfterSeconds_new: Long.fromNumber(20),
    });
    const first = await change('a_1', { expireAfterSeconds: 5 });
    expect(first).toMatchObject({ expireAfterSeconds_new: Long.fromNumber(5) });
    expect(first).not.toHaveProperty('expireAfterSeconds_old');
    expect(await change('a_1', { hidden: true })).toMatchObject({ hidden_old: false, hidden_new: true });
    expect(await change('a_1', { hidden: true })).not.toHaveProperty('hidden_new');
    expect(await change('a_1', { prepareUnique: true })).toMatchObject({ prepareUnique_old: false, prepareUnique_new: true });
    expect(await change('a_1', { unique: true })).toMatchObject({ unique_new: true });
  });

  describe('of an index that is to be unique', () => {
    const change = (index: Document, more: Document = {}): Promise<Document> =>
      run({ collMod: 'items', index: { keyPattern: { a: 1 }, ...index }, ...more });
    const spec = async (): Promise<unknown> => (await harness.db.collection('items').indexes())[1];
    const plain = { v: 2, key: { a: 1 }, name: 'a_1' };

    beforeEach(async () => {
      const items = harness.db.collection('items');
      await items.drop();
      await items.createIndex({ a: 1 });
      await items.insertMany([{ _id: 1 as never, a: 1 }]);
      await change({ prepareUnique: true });
    });

    it('changes nothing where it is only tried', async () => {
      await change({ unique: true }, { dryRun: true });
      expect(await spec()).toEqual({ ...plain, prepareUnique: true });
      await change({ prepareUnique: false });
      await harness.db.collection('items').insertOne({ _id: 2 as never, a: 1 });
      await change({ prepareUnique: true });
      await expect(change({ unique: true }, { dryRun: true })).rejects.toMatchObject({ code: 359 });
    });

    it.each<[Document, Document]>([
      [{ hidden: true }, {}],
      [{ unique: true, hidden: true }, {}],
      [{ unique: true }, { validationLevel: 'off' }],
    ])('tries nothing else: %j %j', async (index, more) => {
      await expect(change(index, { ...more, dryRun: true })).rejects.toMatchObject({ code: 72 });
      expect(await spec()).toEqual({ ...plain, prepareUnique: true });
    });

    it('makes it one that is not', async () => {
      await change({ unique: true });
      expect(await spec()).toEqual({ ...plain, unique: true });
      await expect(change({ forceNonUnique: false })).rejects.toMatchObject({ code: 2 });
      await expect(change({ forceNonUnique: true, unique: true })).rejects.toMatchObject({ code: 72 });
      expect(await change({ forceNonUnique: true })).toMatchObject({ forceNonUnique_new: true });
      expect(await spec()).toEqual(plain);
      await harness.db.collection('items').insertOne({ a: 1 } as never);
    });
  });

  it('asks for the name where the key is that of several', async () => {
    const items = harness.db.collection('items');
    await items.createIndex({ b: 1 }, { expireAfterSeconds: 10 });
    await items.createIndex({ b: 1 }, { name: 'french', collation: { locale: 'fr' } });
    await expect(run({ collMod: 'items', index: { keyPattern: { b: 1 }, hidden: true } })).rejects.toMatchObject({ code: 181 });
    await run({ collMod: 'items', index: { name: 'french', hidden: true } });
  });
});

describe('listCollections', () => {
  it('shows bounds as whole numbers, and the pipeline of every view', async () => {
    await run({ create: 'capped', capped: true, size: new Double(5000.7), max: Decimal128.fromString('7') });
    await run({ create: 'large', capped: true, size: Long.fromNumber(2 ** 40) });
    await run({ create: 'view', viewOn: 'capped' });
    const { cursor } = await raw({ listCollections: 1 });
    const options = Object.fromEntries((cursor.firstBatch as Document[]).map((row) => [row.name, row.options]));
    expect(options.capped).toMatchObject({ size: new Int32(5000), max: new Int32(7) });
    expect(options.large).toMatchObject({ size: Long.fromNumber(2 ** 40) });
    expect(options.view).toEqual({ viewOn: 'capped', pipeline: [] });
  });

  it.each<[string, Document]>([
    ['capped: false', { capped: false }],
    ['capped: 0', { capped: 0 }],
    ['no images', { changeStreamPreAndPostImages: { enabled: false } }],
    ['an empty validator', { validator: {} }],
    ['an empty storage engine', { storageEngine: {}, indexOptionDefaults: {} }],
    ['a simple collation', { collation: { locale: 'simple' } }],
  ])('shows nothing of %s, which every collection has', async (_what, options) => {
    await run({ create: 'plain', ...options });
    await run({ create: 'plain' });
    const { cursor } = await raw({ listCollections: 1 });
    expect(cursor.firstBatch).toMatchObject([{ name: 'plain', options: {} }]);
    expect(Object.keys((cursor.firstBatch as Document[])[0]?.options as Document)).toEqual([]);
  });

  it('shows no images that have been turned off', async () => {
    await run({ create: 'plain', changeStreamPreAndPostImages: { enabled: true } });
    await run({ collMod: 'plain', changeStreamPreAndPostImages: { enabled: false } });
    const { cursor } = await raw({ listCollections: 1 });
    expect(Object.keys((cursor.firstBatch as Document[])[0]?.options as Document)).toEqual([]);
  });
});

describe('databases', () => {
  it('of the server itself are never empty', async () => {
    const { databases } = await admin({ listDatabases: 1, filter: { empty: false } });
    const names = (databases as Document[]).map(({ name }) => name as string);
    expect(names).toEqual(expect.arrayContaining(['admin', 'config', 'local']));
  });

  it('with a collection or a view are not empty, though there are no documents', async () => {
    await run({ create: 'source' });
    await harness.client.db('views').command({ create: 'view', viewOn: 'none' });
    const { databases } = await admin({ listDatabases: 1, filter: { name: /^(test|views)$/ } });
    await harness.client.db('views').dropDatabase();
    expect(databases).toHaveLength(2);
    for (const row of databases as Document[]) {
      expect(row).toMatchObject({ empty: false });
      expect(row.sizeOnDisk).toBeGreaterThan(0);
    }
  });
});

describe('flags', () => {
  it('are on for the smallest decimal, and for what is no number', async () => {
    const least = Decimal128.fromString('1E-6176');
    expect(await admin({ listDatabases: 1, nameOnly: least })).not.toHaveProperty('totalSize');
    expect(await admin({ listDatabases: 1, nameOnly: Decimal128.fromString('0E-6176') })).toHaveProperty('totalSize');
    expect(await admin({ serverStatus: 1, mirroredReads: [] })).toHaveProperty('mirroredReads');
    expect(await admin({ serverStatus: 1, network: null })).not.toHaveProperty('network');
  });
});

it('says that nothing is locked to who unlocks it', async () => {
  await expect(admin({ fsyncUnlock: 1 })).rejects.toMatchObject({ code: 20, codeName: 'IllegalOperation' });
  await expect(run({ fsyncUnlock: 1 })).rejects.toMatchObject({ code: 13 });
  await expect(run({ fsync: 1, lock: true })).rejects.toMatchObject({ code: 13 });
});

describe('a time to read after', () => {
  it('is a time, and for commands that applications have in sessions', async () => {
    const after = (time: Timestamp): Document => ({ readConcern: { afterClusterTime: time } });
    const past = new Timestamp({ t: 1, i: 1 });
    const zero = new Timestamp({ t: 0, i: 0 });
    expect(await run({ find: 'items', ...after(past) })).toMatchObject({ cursor: { firstBatch: [] } });
    await expect(run({ find: 'items', ...after(zero) })).rejects.toMatchObject({ code: 72 });
    await expect(admin({ fsync: 1, ...after(past) })).rejects.toMatchObject({ code: 20 });
    await expect(admin({ fsync: 1, ...after(zero) })).rejects.toMatchObject({ code: 72 });
  });
});

describe('explain', () => {
  it('tells how a pipeline would run on a collection that is not there', async () => {
    const pipeline = [{ $out: 'target' }];
    const told = await run({ explain: { aggregate: 'none', pipeline, cursor: {} }, verbosity: 'executionStats' });
    expect(told.stages[0].$cursor).toMatchObject({ queryPlanner: { winningPlan: { stage: 'EOF' } }, executionStats: { nReturned: 0 } });
    expect(told.stages[1]).toEqual(pipeline[0]);
  });

  it('refuses the nearest documents by an index that has no places', async () => {
    const places = harness.db.collection('places');
    await places.createIndex({ at: '2dsphere' });
    await places.createIndex({ a: 1 });
    const filter = { at: { $nearSphere: { $geometry: { type: 'Point', coordinates: [0, 0] } } } };
    await expect(places.find(filter, { hint: { a: 1 } }).toArray()).rejects.toMatchObject({ code: 291 });
    expect(await places.find(filter, { hint: 'at_2dsphere' }).toArray()).toEqual([]);
  });
});

describe('a stage that is not offered', () => {
  it('is refused for what it is, before anything is said of where it could stand', async () => {
    await expect(run({ aggregate: 1, pipeline: [{ $nope: {} }], cursor: {} })).rejects.toMatchObject({ code: 40324 });
    await expect(run({ aggregate: 1, pipeline: [{ $querySettings: {} }], cursor: {} })).rejects.toMatchObject({ code: 40324 });
    await expect(run({ aggregate: 1, pipeline: [{ $match: {} }], cursor: {} })).rejects.toMatchObject({ code: 73 });
  });
});

describe('the sizes of data', () => {
  it('are told to clients that write the command in small letters', async () => {
    await run({ insert: 'items', documents: [{ _id: new Int32(1) }] });
    expect(await run({ dbstats: 1 })).toMatchObject({ db: 'test', objects: 1 });
    expect(await run({ datasize: 'test.items' })).toMatchObject({ numObjects: 1, size: 14 });
  });
});

describe('connectionStatus', () => {
  it('has what tells the connection from others', async () => {
    const { uuid } = await run({ connectionStatus: 1 });
    expect(uuid).toMatchObject({ sub_type: 4 });
  });
});

describe('dropConnections', () => {
  const answer = (hostAndPort: unknown): Promise<unknown> =>
    harness.client
      .db('admin')
      .command({ dropConnections: 1, hostAndPort })
      .then(
        ({ ok }) => ok as unknown,
        (error: unknown) => (error as { code?: unknown }).code,
      );

  it('ends the connections that the server makes to others: none', async () => {
    for (const hosts of [[], ['a.invalid:27017', 'b.invalid'], ['[::1]:27018'], [null]]) expect(await answer(hosts)).toBe(1);
    expect(await harness.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('refuses what names no host', async () => {
    for (const host of ['', ':1', 'a:', 'a:0', 'a:65536', 'a:b', 'a:1:2', '[]:1']) expect([host, await answer([host])]).toEqual([host, 9]);
    expect([await answer([1]), await answer('a:1'), await answer(null)]).toEqual([14, 14, 40414]);
  });
});

describe('what this database does not change', () => {
  const answer = (command: Record<string, unknown>): Promise<unknown> =>
    harness.client
      .db('admin')
      .command(command)
      .then(
        ({ ok }) => ok as unknown,
        (error: unknown) => (error as { code?: unknown }).code,
      );

  it('is the version of its features: it can be set to what it is', async () => {
    const { featureCompatibilityVersion } = await harness.client.db('admin').command({ getParameter: 1, featureCompatibilityVersion: 1 });
    const { version } = featureCompatibilityVersion as { version: string };
    const set = (to: unknown, confirm?: unknown): Promise<unknown> =>
      answer({ setFeatureCompatibilityVersion: to, ...(confirm === undefined ? {} : { confirm }) });
    expect([await set(version, true), await set(version, 1)]).toEqual([1, 1]);
    expect([await set('8.0', true), await set(version), await set(version, false), await set('7.5', true)]).toEqual([
      115, 7369100, 7369100, 4926900,
    ]);
  });

  it('is the size of its file: autoCompact can be off', async () => {
    expect([await answer({ autoCompact: false }), await answer({ autoCompact: false, freeSpaceTargetMB: 0.5 })]).toEqual([1, 2]);
    expect([await answer({ autoCompact: true }), await answer({ autoCompact: true, freeSpaceTargetMB: 2 ** 43 })]).toEqual([115, 2]);
  });
});
