import { type Doc, typeName, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { amount, anything, array, bool, type FieldDeclaration, number, object, text, truth } from '../field.ts';

const any = anything();

const hello = declare('hello', any, {}, { aliases: ['isMaster', 'ismaster'], open: true, stable: true });
const ping = declare('ping', any, {}, { stable: true });
const buildInfo = declare('buildInfo', any, {}, { aliases: ['buildinfo'] });
const serverStatus = declare('serverStatus', any, {}, { open: true });
const hostInfo = declare('hostInfo', any, {});
const top = declare('top', any, {}, { adminOnly: true, open: true });
const connectionStatus = declare('connectionStatus', any, { showPrivileges: truth() }, { stable: true });
const getCmdLineOpts = declare('getCmdLineOpts', any, {}, { adminOnly: true });
const getLog = declare('getLog', text({ required: true }), {}, { adminOnly: true });
const getParameter = declare('getParameter', anything(), {}, { adminOnly: true, open: true });
/** Its fields are names of parameters. */
export const setParameter: CommandDeclaration = declare('setParameter', anything(), {}, { adminOnly: true, open: true });
const listCommands = declare('listCommands', any, {}, { open: true });
const whatsmyuri = declare('whatsmyuri', any, {}, { open: true });
const lockInfo = declare('lockInfo', any, { includeStorageEngineDump: truth({ effect: 'without effect' }) }, { adminOnly: true });
const connPoolStats = declare('connPoolStats', any, {}, { open: true });
/** Its other fields are conditions on what is shown. */
export const currentOp: CommandDeclaration = declare('currentOp', any, {}, { adminOnly: true, open: true });
const killOp = declare('killOp', any, { op: number({ nullable: false }) }, { adminOnly: true, open: true });
const replSetGetStatus = declare('replSetGetStatus', any, {}, { adminOnly: true, open: true });
const replSetGetConfig = declare('replSetGetConfig', any, {}, { adminOnly: true, open: true });
const replSetInitiate = declare('replSetInitiate', any, {}, { adminOnly: true, open: true });
const replSetStepDown = declare(
  'replSetStepDown',
  number(),
  { force: truth(), secondaryCatchUpPeriodSecs: number({ effect: 'without effect' }) },
  { adminOnly: true },
);
const replSetFreeze = declare('replSetFreeze', number({ effect: 'without effect' }), {}, { adminOnly: true });
const profile = declare('profile', number({ required: true }), {
  slowms: number(),
  sampleRate: number({ range: 'from 0 to 1' }),
  filter: anything(),
});
const dbHash = declare('dbHash', any, { collections: anything() }, { aliases: ['dbhash'], open: true });
const filemd5 = declare(
  'filemd5',
  any,
  { root: text(), partialOk: anything({ effect: 'refused' }), md5state: anything({ effect: 'refused' }) },
  { open: true },
);

/** @returns the name of the collection that the command `filemd5` reads: the pieces of the files in a bucket */
export function chunksOf({ root }: Doc): string {
  return `${typeof root === 'string' && root !== '' ? root : 'fs'}.chunks`;
}

const dataSize = declare(
  'dataSize',
  text({ required: true }),
  {
    keyPattern: object(),
    min: object(),
    max: object(),
    estimate: truth({ effect: 'without effect' }),
    maxSize: number(),
    maxObjects: number(),
  },
  { aliases: ['datasize'] },
);
const dbStats = declare('dbStats', any, { scale: amount(1), freeStorage: truth({ effect: 'without effect' }) }, { aliases: ['dbstats'] });
const collStats = declare(
  'collStats',
  'collection',
  { scale: amount(1), verbose: anything({ effect: 'without effect' }) },
  { aliases: ['collstats'] },
);
/** A query by its shape; what is no query is told from one where the command is carried out, once there is a collection. */
const shape = { query: anything(), sort: anything(), projection: anything(), collation: anything() };
const reIndex = declare('reIndex', 'collection', {});
const planCacheClear = declare('planCacheClear', 'collection', shape, { open: true });
const planCacheClearFilters = declare('planCacheClearFilters', 'collection', shape, { open: true });
const planCacheListFilters = declare('planCacheListFilters', 'collection', {}, { open: true });
const planCacheSetFilter = declare('planCacheSetFilter', 'collection', { ...shape, indexes: anything() }, { open: true });
/** @throws DocDbError (9, 14) for what names no host */
function checkHosts(value: Value, path: string): void {
  for (const [at, host] of (value as Value[]).entries()) {
    if (host === null) continue;
    if (typeof host !== 'string')
      throw new DocDbError(14, `BSON field '${path}.${String(at)}' is the wrong type '${typeName(host)}', expected type 'string'`);
    const { name = '', port = '27017' } = /^(?<name>\[[^\]]+\]|[^:[\]]+)(?::(?<port>\d+))?$/.exec(host)?.groups ?? {};
    if (name === '' || Number(port) < 1 || Number(port) > 65_535) throw failedToParse(`'${host}' is no host with a port`);
  }
}

const dropConnections = declare('dropConnections', any, { hostAndPort: array({ required: true, check: checkHosts }) }, { adminOnly: true });
const autoCompact = declare(
  'autoCompact',
  bool({ required: true }),
  { freeSpaceTargetMB: amount(1), runOnce: bool({ effect: 'without effect' }) },
  { adminOnly: true },
);
const setFeatureCompatibilityVersion = declare(
  'setFeatureCompatibilityVersion',
  text({ required: true }),
  { confirm: truth() },
  { adminOnly: true, writes: 'refused before' },
);
const fsync = declare(
  'fsync',
  any,
  { lock: truth(), async: anything({ effect: 'without effect' }), fsyncLockAcquisitionTimeoutMillis: number({ effect: 'without effect' }) },
  { adminOnly: true },
);
const fsyncUnlock = declare('fsyncUnlock', any, {}, { adminOnly: true });
const configureFailPoint = declare('configureFailPoint', text({ required: true }), { mode: anything(), data: object() }, { open: true });
const searchCommands = ['createSearchIndexes', 'dropSearchIndex', 'updateSearchIndex'].map((name) =>
  declare(name, anything(), {}, { open: true }),
);
/** Whoever wants nothing but the stable API logs in too. */
const LOGIN = { open: true, stable: true, reads: 'none' } as const;
const saslStart = declare(
  'saslStart',
  any,
  {
    mechanism: text({ required: true }),
    payload: anything(),
    options: object(),
    db: text(),
    autoAuthorize: anything({ effect: 'without effect' }),
  },
  LOGIN,
);
const saslContinue = declare('saslContinue', any, { conversationId: number(), payload: anything() }, LOGIN);
const logout = declare('logout', any, {}, { open: true });
const getDefaultRWConcern = declare('getDefaultRWConcern', any, { inMemory: bool({ effect: 'without effect' }) }, { adminOnly: true });

/** Commands that say something of the server, and what a client asks for to begin with. */
export const diagnosticCommands: readonly CommandDeclaration[] = [
  hello,
  ping,
  buildInfo,
  serverStatus,
  hostInfo,
  top,
  connectionStatus,
  getCmdLineOpts,
  getLog,
  getParameter,
  setParameter,
  listCommands,
  whatsmyuri,
  lockInfo,
  connPoolStats,
  dropConnections,
  autoCompact,
  setFeatureCompatibilityVersion,
  currentOp,
  killOp,
  replSetGetStatus,
  replSetGetConfig,
  replSetInitiate,
  replSetStepDown,
  replSetFreeze,
  profile,
  dbHash,
  filemd5,
  dataSize,
  dbStats,
  collStats,
  reIndex,
  planCacheClear,
  planCacheClearFilters,
  planCacheListFilters,
  planCacheSetFilter,
  fsync,
  fsyncUnlock,
  configureFailPoint,
  ...searchCommands,
  saslStart,
  saslContinue,
  logout,
  getDefaultRWConcern,
];

/** The form of `getParameter` that asks for many. */
export const parameterChoice: FieldDeclaration = object({
  fields: { showDetails: bool(), allParameters: bool(), setAt: text({ nullable: true }) },
});
