import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, type Long, MongoClient } from 'mongodb';
import { declaredCommands } from '../../src/declarations/all-commands.ts';
import { stages } from '../../src/declarations/stages.ts';
import { needsOf } from '../../src/security/command-needs.ts';
import { DocDbServer } from '../../src/index.ts';

/** A user for each row: the role, and its database. */
const ROLES = {
  none: [],
  read: [{ role: 'read', db: 'app' }],
  readWrite: [{ role: 'readWrite', db: 'app' }],
  dbAdmin: [{ role: 'dbAdmin', db: 'app' }],
  dbOwner: [{ role: 'dbOwner', db: 'app' }],
  userAdmin: [{ role: 'userAdmin', db: 'app' }],
  readAny: [{ role: 'readAnyDatabase', db: 'admin' }],
  readWriteAny: [{ role: 'readWriteAnyDatabase', db: 'admin' }],
  dbAdminAny: [{ role: 'dbAdminAnyDatabase', db: 'admin' }],
  userAdminAny: [{ role: 'userAdminAnyDatabase', db: 'admin' }],
  monitor: [{ role: 'clusterMonitor', db: 'admin' }],
  cluster: [{ role: 'clusterAdmin', db: 'admin' }],
  root: [{ role: 'root', db: 'admin' }],
} as const;
type RoleKey = keyof typeof ROLES;

const READERS: RoleKey[] = ['read', 'readWrite', 'dbOwner', 'readAny', 'readWriteAny', 'root'];
const ALL_READERS: RoleKey[] = ['readAny', 'readWriteAny', 'root'];
const WRITERS: RoleKey[] = ['readWrite', 'dbOwner', 'readWriteAny', 'root'];
const ALL_WRITERS: RoleKey[] = ['readWriteAny', 'root'];
const ADMINS: RoleKey[] = ['dbAdmin', 'dbOwner', 'dbAdminAny', 'root'];
const MAKERS: RoleKey[] = [...WRITERS, 'dbAdmin', 'dbAdminAny'];
const MONITORS: RoleKey[] = ['monitor', 'cluster', 'root'];

const aggregate = (...pipeline: Document[]): Document => ({ aggregate: 'notes', pipeline, cursor: {} });
const namedUpdate = { q: { n: -1 }, u: { $set: { a: 1 } } };

/** Database, command, and who may. */
const TABLE: [string, Document, RoleKey[]][] = [
  ['app', { find: 'notes' }, READERS],
  ['other', { find: 'notes' }, ALL_READERS],
  ['app', { count: 'notes' }, READERS],
  ['app', { distinct: 'notes', key: 'n' }, READERS],
  ['app', { explain: { find: 'notes' } }, READERS],
  ['app', { explain: { delete: 'notes', deletes: [{ q: {}, limit: 0 }] } }, WRITERS],
  ['app', aggregate({ $match: {} }), READERS],
  ['app', aggregate({ $lookup: { from: 'others', localField: 'n', foreignField: 'n', as: 'o' } }), READERS],
  ['app', aggregate({ $unionWith: { coll: 'others', pipeline: [{ $match: {} }] } }), READERS],
  ['app', aggregate({ $facet: { all: [{ $lookup: { from: 'others', pipeline: [], as: 'o' } }] } }), READERS],
  ['app', aggregate({ $out: { db: 'app', coll: 'made' } }), WRITERS],
  ['app', aggregate({ $out: { db: 'other', coll: 'made' } }), ALL_WRITERS],
  ['app', aggregate({ $merge: { into: 'made' } }), WRITERS],
  ['app', aggregate({ $merge: { into: { db: 'other', coll: 'made' } } }), ALL_WRITERS],
  ['app', aggregate({ $collStats: { count: {} } }), [...new Set([...READERS, ...ADMINS, ...MONITORS])]],
  ['app', aggregate({ $changeStream: {} }), READERS],
  ['admin', { aggregate: 1, pipeline: [{ $changeStream: { allChangesForCluster: true } }], cursor: {} }, ALL_READERS],
  ['admin', { aggregate: 1, pipeline: [{ $currentOp: { allUsers: true } }], cursor: {} }, MONITORS],
  ['app', { insert: 'notes', documents: [{ n: 9 }] }, WRITERS],
  ['other', { insert: 'notes', documents: [{ n: 9 }] }, ALL_WRITERS],
  ['app', { insert: 'notes', documents: [{ n: 9 }], bypassDocumentValidation: true }, ['dbOwner', 'root']],
  ['app', { update: 'notes', updates: [namedUpdate] }, WRITERS],
  ['app', { delete: 'notes', deletes: [{ q: { n: -1 }, limit: 1 }] }, WRITERS],
  ['app', { findAndModify: 'notes', query: { n: -1 }, update: { $set: { a: 1 } } }, WRITERS],
  ['admin', { bulkWrite: 1, ops: [{ insert: 0, document: { n: 3 } }], nsInfo: [{ ns: 'app.notes' }] }, WRITERS],
  ['admin', { bulkWrite: 1, ops: [{ delete: 1, filter: { n: -1 } }], nsInfo: [{ ns: 'app.notes' }, { ns: 'other.notes' }] }, ALL_WRITERS],
  ['app', { createIndexes: 'notes', indexes: [{ key: { n: 1 }, name: 'n_1' }] }, MAKERS],
  ['app', { listIndexes: 'notes' }, [...READERS, 'dbAdmin', 'dbAdminAny']],
  ['app', { listCollections: 1 }, [...READERS, 'dbAdmin', 'dbAdminAny']],
  ['app', { collMod: 'notes', validationLevel: 'off' }, ADMINS],
  ['app', { validate: 'notes' }, ADMINS],
  ['app', { dbStats: 1 }, [...READERS, 'dbAdmin', 'dbAdminAny', 'monitor', 'cluster']],
  ['app', { profile: 0 }, ADMINS],
  ['app', { usersInfo: 1 }, ['dbOwner', 'userAdmin', 'userAdminAny', 'root']],
  ['app', { usersInfo: { forAllDBs: true } }, ['userAdminAny', 'root']],
  ['app', { rolesInfo: 1, showBuiltinRoles: true }, ['dbOwner', 'userAdmin', 'userAdminAny', 'root']],
  ['app', { rolesInfo: 'read' }, ['read', 'dbOwner', 'userAdmin', 'userAdminAny', 'root']],
  ['app', { dropAllUsersFromDatabase: 1 }, ['dbOwner', 'userAdmin', 'userAdminAny', 'root']],
  ['admin', { createUser: 'read', pwd: 'x', roles: [] }, ['userAdminAny', 'root']],
  ['admin', { serverStatus: 1 }, MONITORS],
  ['admin', { currentOp: 1 }, MONITORS],
  ['admin', { replSetGetConfig: 1 }, MONITORS],
  ['admin', { replSetInitiate: {} }, ['cluster', 'root']],
  ['admin', { replSetStepDown: 1 }, ['cluster', 'root']],
  ['admin', { replSetFreeze: 1 }, ['cluster', 'root']],
  ['admin', { killOp: 1, op: 1_000_000 }, ['cluster', 'root']],
  ['admin', { killAllSessions: [] }, ['cluster', 'root']],
  ['admin', { renameCollection: 'app.notes', to: 'other.taken' }, ALL_WRITERS],
  ['gone', { dropDatabase: 1 }, ['dbAdminAny', 'cluster', 'root']],
  ['app', { find: 'system.profile' }, [...ADMINS, 'monitor', 'cluster']],
  ['app', { drop: 'system.profile' }, ADMINS],
  ['local', { find: 'startup_log' }, MONITORS],
  ['config', { listCollections: 1 }, MONITORS],
  ['config', { insert: 'settings', documents: [{}] }, ['root']],
  ['admin', { find: 'system.users' }, []],
  ['admin', aggregate({ $lookup: { from: 'system.users', pipeline: [], as: 'o' } }), []],
];

let server: DocDbServer;
const clients = new Map<RoleKey, MongoClient>();

beforeAll(async () => {
  server = await DocDbServer.start({ auth: { user: 'setup', password: 'setup' } });
  const setup = await new MongoClient(server.uri, { auth: { username: 'setup', password: 'setup' } }).connect();
  for (const db of ['app', 'other'])
    await setup
      .db(db)
      .collection('notes')
      .insertMany([{ n: 1 }, { n: 2 }]);
  await setup.db('other').collection('taken').insertOne({});
  for (const [name, roles] of Object.entries(ROLES)) {
    await setup.db('admin').command({ createUser: name, pwd: name, roles: [...roles] });
    clients.set(name as RoleKey, await new MongoClient(server.uri, { auth: { username: name, password: name } }).connect());
  }
  await setup.close();
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
  await server.stop();
});

const isUnauthorized = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => (error as Document).code === 13,
  );

describe('roles', () => {
  it.each(TABLE)('let those run on %s the command %j who may', async (db, command, allowed) => {
    const may: string[] = [];
    for (const [name, client] of clients) if (!(await isUnauthorized(client.db(db).command(command)))) may.push(name);
    expect(may.sort()).toEqual([...new Set(allowed)].sort());
  });

  it('show the databases that somebody may see', async () => {
    const names = async (role: RoleKey): Promise<string[]> => {
      const { databases } = (await clients.get(role)?.db('admin').command({ listDatabases: 1, nameOnly: true })) as Document;
      return (databases as Document[]).map(({ name }) => name as string);
    };
    expect(await names('read')).toEqual(['app']);
    expect(await names('none')).toEqual([]);
    expect(await names('monitor')).toContain('other');
  });

  it('show other databases to those who may see all, unless these ask for their own alone', async () => {
    const listed = async (role: RoleKey, authorizedDatabases: boolean): Promise<unknown> => {
      const command = { listDatabases: 1, nameOnly: true, authorizedDatabases };
      const { databases } = (await clients.get(role)?.db('admin').command(command)) as Document;
      return (databases as Document[]).map(({ name }) => name as string);
    };
    expect(await listed('read', true)).toEqual(['app']);
    expect(await listed('none', true)).toEqual([]);
    expect(await listed('monitor', false)).toContain('other');
    expect(await listed('root', true)).toEqual(await listed('root', false));
    for (const role of ['read', 'none'] as const) await expect(listed(role, false)).rejects.toMatchObject({ code: 13 });
  });

  it('of one are no help to another: cursors and sessions belong to users', async () => {
    const [owner, other] = [clients.get('readAny') as MongoClient, clients.get('root') as MongoClient];
    const { cursor } = await owner.db('app').command({ find: 'notes', batchSize: 1 });
    const id = cursor.id as Long;
    expect(await isUnauthorized(other.db('app').command({ getMore: id, collection: 'notes' }))).toBe(true);
    expect(await isUnauthorized((clients.get('read') as MongoClient).db('app').command({ killCursors: 'notes', cursors: [id] }))).toBe(
      true,
    );
    expect(await owner.db('app').command({ getMore: id, collection: 'notes' })).toMatchObject({ ok: 1 });
  });

  it('name no view on what may not be read', async () => {
    const owner = clients.get('dbOwner') as MongoClient;
    expect(await isUnauthorized(owner.db('admin').command({ create: 'v', viewOn: 'system.users', pipeline: [] }))).toBe(true);
    const admin = clients.get('dbAdmin') as MongoClient;
    expect(await isUnauthorized(admin.db('app').command({ create: 'v', viewOn: 'notes', pipeline: [] }))).toBe(true);
    const root = clients.get('root') as MongoClient;
    expect(await isUnauthorized(root.db('admin').command({ create: 'v', viewOn: 'system.users', pipeline: [] }))).toBe(true);
  });
});

describe('a command or stage', () => {
  it('is refused where nobody has said what it needs, and each of ours has that said', () => {
    expect([...declaredCommands.values()].filter(({ name }) => needsOf(name) === undefined).map(({ name }) => name)).toEqual([]);
    expect(needsOf('constructor')).toBeUndefined();
    expect(Object.keys(stages).length).toBeGreaterThan(30);
  });
});
