import { Binary, type Doc, isDocument, type Value } from '../bson/values.ts';
import { declaredCommands } from '../declarations/all-commands.ts';
import { chunksOf } from '../declarations/commands/diagnostic.ts';
import { isOn } from '../declarations/field.ts';
import { DocDbError } from '../errors.ts';
import { onServer, pipelineNeeds, readsCollection } from './pipeline-needs.ts';
import type { Need } from './roles.ts';

/** What a command needs: nothing, a login, or something that a role allows. */
export type CommandNeeds = 'nothing' | 'a login' | ((command: Doc, name: string, db: string) => Need[]);

const server =
  (...actions: readonly string[]): CommandNeeds =>
  () =>
    actions.flatMap(onServer);
const database =
  (action: string): CommandNeeds =>
  (_, __, db) => [{ action, db, collection: '' }];
const collection =
  (...given: readonly string[]): CommandNeeds =>
  (command, name, db) =>
    given.map((action) => ({ action, db, collection: textOf(command[name]) }));

function textOf(value: Value): string {
  if (typeof value !== 'string') throw new DocDbError(73, 'collection name has invalid type');
  return value;
}

const listOf = (value: Value): Doc[] => (Array.isArray(value) ? (value as Value[]).filter(isDocument) : []);

function dotted(value: Value): { readonly db: string; readonly collection: string } {
  const ns = textOf(value);
  const point = ns.indexOf('.');
  return point < 0 ? { db: ns, collection: '' } : { db: ns.slice(0, point), collection: ns.slice(point + 1) };
}

const bypass = (command: Doc): string[] => (isOn(command.bypassDocumentValidation) ? ['bypassDocumentValidation'] : []);
const writing = (command: Doc, upserts: boolean, ...given: readonly string[]): string[] => [
  ...given,
  ...(upserts ? ['insert'] : []),
  ...bypass(command),
];

const aggregate: CommandNeeds = (command, name, db) => {
  const named = command[name];
  const place = { db, collection: typeof named === 'string' ? named : '' };
  const own = typeof named === 'string' && readsCollection(command.pipeline) ? [{ action: 'find', ...place }] : [];
  return [...own, ...pipelineNeeds(command.pipeline, { ...place, writing: bypass(command) })];
};

/** Who makes a view has to be allowed to read what it shows. */
function viewNeeds(command: Doc, db: string): Need[] {
  if (typeof command.viewOn !== 'string') return [];
  const place = { db, collection: command.viewOn };
  return [{ action: 'find', ...place }, ...pipelineNeeds(command.pipeline, place)];
}

const bulkWrite: CommandNeeds = (command) => {
  const namespaces = listOf(command.nsInfo).map(({ ns }) => dotted(ns));
  return listOf(command.ops).flatMap((op) =>
    ['insert', 'update', 'delete']
      .filter((kind) => op[kind] !== undefined)
      .flatMap((kind) => {
        // The command refuses a namespace that is not there; who gets so far has to be allowed everything.
        const place = namespaces[Number(op[kind])] ?? { db: '', collection: '' };
        const needed = writing(command, isOn(op.upsert), kind === 'delete' ? 'remove' : kind);
        return needed.map((action) => ({ action, ...place }));
      }),
  );
};

const findAndModify: CommandNeeds = (command, name, db) =>
  writing(command, isOn(command.upsert), 'find', isOn(command.remove) ? 'remove' : 'update').map((action) => ({
    action,
    db,
    collection: textOf(command[name]),
  }));

const renameCollection: CommandNeeds = (command, name) => {
  const [from, to] = [dotted(command[name]), dotted(command.to)];
  // The target may also be named by its UUID.
  const replaced = isOn(command.dropTarget) || command.dropTarget instanceof Binary ? [{ action: 'dropCollection', ...to }] : [];
  if (from.db === to.db) return [...[from, to].map((place) => ({ action: 'renameCollectionSameDB', ...place })), ...replaced];
  const read = ['find', 'dropCollection'].map((action) => ({ action, ...from }));
  return [...read, ...['insert', 'createIndex'].map((action) => ({ action, ...to })), ...replaced];
};

const explain: CommandNeeds = (command, _, db) => {
  const inner = isDocument(command.explain) ? command.explain : {};
  const name = Object.keys(inner)[0] ?? '';
  const needs = needsOf(declaredCommands.get(name)?.name ?? '');
  if (typeof needs !== 'function') throw new DocDbError(13, `not authorized on ${db} to explain this command`);
  return needs(inner, name, db);
};

/** What each command needs. One that is not here is refused where authentication is on. */
const NEEDS: Readonly<Record<string, CommandNeeds>> = {
  abortTransaction: 'a login',
  aggregate,
  autoCompact: server('compact'),
  buildInfo: 'nothing',
  bulkWrite,
  cloneCollectionAsCapped: (command, name, db) => [
    { action: 'find', db, collection: textOf(command[name]) },
    ...['insert', 'createIndex', 'convertToCapped'].map((action) => ({ action, db, collection: textOf(command.toCollection) })),
  ],
  collMod: (command, name, db) => {
    if ((command.viewOn ?? undefined) === undefined && Array.isArray(command.pipeline))
      throw new DocDbError(72, "Must specify both 'viewOn' and 'pipeline' when modifying a view and auth is enabled");
    return [{ action: 'collMod', db, collection: textOf(command[name]) }, ...viewNeeds(command, db)];
  },
  collStats: collection('collStats'),
  commitTransaction: 'a login',
  configureFailPoint: server('configureFailPoint'),
  connPoolStats: server('connPoolStats'),
  connectionStatus: 'nothing',
  convertToCapped: collection('convertToCapped'),
  count: collection('find'),
  create: (command, name, db) => [{ action: 'createCollection', db, collection: textOf(command[name]) }, ...viewNeeds(command, db)],
  createIndexes: collection('createIndex'),
  createSearchIndexes: collection('createSearchIndexes'),
  // These are about users: who may is asked where it is known of whom they speak.
  createUser: 'a login',
  currentOp: (command) => (isOn(command.$ownOps) ? [] : onServer('inprog')),
  dataSize: (command, name) => [{ action: 'find', ...dotted(command[name]) }],
  dbHash: database('dbHash'),
  dbStats: database('dbStats'),
  delete: collection('remove'),
  distinct: collection('find'),
  drop: collection('dropCollection'),
  dropAllUsersFromDatabase: 'a login',
  dropConnections: server('dropConnections'),
  dropDatabase: database('dropDatabase'),
  dropIndexes: collection('dropIndex'),
  dropSearchIndex: collection('dropSearchIndex'),
  dropUser: 'a login',
  endSessions: 'nothing',
  explain,
  filemd5: (command, _name, db) => [{ action: 'find', db, collection: chunksOf(command) }],
  find: collection('find'),
  findAndModify,
  fsync: server('fsync'),
  fsyncUnlock: server('unlock'),
  getCmdLineOpts: server('getCmdLineOpts'),
  getDefaultRWConcern: server('getDefaultRWConcern'),
  getLog: server('getLog'),
  // Cursors are read by whom they belong to.
  getMore: 'a login',
  getParameter: server('getParameter'),
  grantRolesToUser: 'a login',
  hello: 'nothing',
  hostInfo: server('hostInfo'),
  insert: (command, name, db) => writing(command, false, 'insert').map((action) => ({ action, db, collection: textOf(command[name]) })),
  killAllSessions: server('killAnySession'),
  killAllSessionsByPattern: server('killAnySession'),
  killCursors: 'a login',
  killOp: server('killop'),
  killSessions: 'a login',
  listCollections: database('listCollections'),
  listCommands: 'nothing',
  // It shows the databases that one may see.
  listDatabases: 'a login',
  listIndexes: collection('listIndexes'),
  lockInfo: server('serverStatus'),
  logout: 'nothing',
  ping: 'nothing',
  planCacheClear: collection('planCacheWrite'),
  planCacheClearFilters: collection('planCacheIndexFilter'),
  planCacheListFilters: collection('planCacheIndexFilter'),
  planCacheSetFilter: collection('planCacheIndexFilter'),
  profile: database('enableProfiler'),
  reIndex: collection('reIndex'),
  refreshSessions: 'a login',
  renameCollection,
  replSetGetConfig: server('replSetGetConfig'),
  replSetGetStatus: server('replSetGetStatus'),
  replSetFreeze: server('replSetStateChange'),
  replSetInitiate: server('replSetConfigure'),
  replSetStepDown: server('replSetStateChange'),
  revokeRolesFromUser: 'a login',
  rolesInfo: 'a login',
  saslContinue: 'nothing',
  saslStart: 'nothing',
  serverStatus: server('serverStatus'),
  top: server('top'),
  setFeatureCompatibilityVersion: server('setFeatureCompatibilityVersion'),
  setParameter: server('setParameter'),
  startSession: 'a login',
  update: (command, name, db) =>
    writing(
      command,
      listOf(command.updates).some(({ upsert }) => isOn(upsert)),
      'update',
    ).map((action) => ({
      action,
      db,
      collection: textOf(command[name]),
    })),
  updateSearchIndex: collection('updateSearchIndex'),
  updateUser: 'a login',
  usersInfo: 'a login',
  validate: collection('validate'),
  validateDBMetadata: (command) => [{ action: 'validate', db: typeof command.db === 'string' ? command.db : '', collection: '' }],
  whatsmyuri: 'nothing',
};

/** @returns what a command needs, by the name that it is declared by; `undefined` for one of which nobody has said it */
export function needsOf(declared: string): CommandNeeds | undefined {
  return Object.hasOwn(NEEDS, declared) ? NEEDS[declared] : undefined;
}
