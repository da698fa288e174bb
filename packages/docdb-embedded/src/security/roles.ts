import { DocDbError } from '../errors.ts';

/** A role of a user in a database. */
export interface RoleName {
  readonly role: string;
  readonly db: string;
}

/** What a command needs: an action on a collection, on a database (`''` for its ordinary collections), or on the server. */
export interface Need {
  readonly action: string;
  /** `undefined` for the server; `''` for all databases. */
  readonly db: string | undefined;
  readonly collection: string;
}

const READ =
  'changeStream collStats dbHash dbStats find indexStats killCursors listCollections listIndexes listSearchIndexes planCacheRead';
const WRITE = `convertToCapped createCollection createIndex createSearchIndexes dropCollection dropIndex dropSearchIndex insert remove
  renameCollectionSameDB update updateSearchIndex`;
const ADMINISTER = `bypassDocumentValidation collMod collStats convertToCapped createCollection createIndex createSearchIndexes dbStats
  dropCollection dropDatabase dropIndex dropSearchIndex enableProfiler indexStats listCollections listIndexes listSearchIndexes
  planCacheIndexFilter planCacheRead planCacheWrite reIndex renameCollectionSameDB updateSearchIndex validate`;
const USERS = 'changeCustomData changePassword createUser dropUser grantRole revokeRole viewRole viewUser';
const MONITOR = `connPoolStats getCmdLineOpts getDefaultRWConcern getLog getParameter hostInfo inprog listDatabases listSessions
  replSetGetConfig replSetGetStatus serverStatus top`;
const HOST = 'compact dropConnections fsync killAnyCursor killAnySession killop setParameter unlock';
const CONFIGURE = 'setFeatureCompatibilityVersion replSetConfigure replSetStateChange';

const actions = (...texts: readonly string[]): ReadonlySet<string> => new Set(texts.join(' ').split(/\s+/));
const NONE: ReadonlySet<string> = new Set();

interface Role {
  /** What it may do with the ordinary collections of a database. */
  readonly data: ReadonlySet<string>;
  /** What it may do with the server. */
  readonly cluster: ReadonlySet<string>;
  /** Whether it holds in every database; it is given in `admin` only. */
  readonly everywhere: boolean;
  /** Whether `local`, `config` and the collections of the system are not exempt. */
  readonly whole?: boolean;
  /** Whether it may read what the server notes: `local`, `config`, and what profilers have noted. */
  readonly watches?: boolean;
}

const inOne = (...data: readonly string[]): Role => ({ data: actions(...data), cluster: NONE, everywhere: false });
const inAll = (data: string, cluster: string, whole = false): Role => ({
  data: actions(data),
  cluster: actions(cluster),
  everywhere: true,
  whole,
});

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['read', inOne(READ)],
  ['readWrite', inOne(READ, WRITE)],
  ['dbAdmin', inOne(ADMINISTER)],
  ['userAdmin', inOne(USERS)],
  ['dbOwner', inOne(READ, WRITE, ADMINISTER, USERS)],
  ['readAnyDatabase', inAll(READ, 'listDatabases')],
  ['readWriteAnyDatabase', inAll(`${READ} ${WRITE}`, 'listDatabases')],
  ['dbAdminAnyDatabase', inAll(ADMINISTER, 'listDatabases')],
  ['userAdminAnyDatabase', inAll(USERS, 'listDatabases', true)],
  ['clusterMonitor', { ...inAll('collStats dbStats indexStats', MONITOR, true), watches: true }],
  ['hostManager', inAll('killCursors', HOST, true)],
  [
    'clusterAdmin',
    { ...inAll('collStats dbStats dropDatabase indexStats killCursors', `${MONITOR} ${HOST} ${CONFIGURE}`, true), watches: true },
  ],
  ['root', inAll(`${READ} ${WRITE} ${ADMINISTER} ${USERS} dropDatabase`, `${MONITOR} ${HOST} ${CONFIGURE} configureFailPoint`, true)],
]);

/** What those who decide over the profiler may do with what it has noted. */
const PROFILE: ReadonlySet<string> = new Set([
  'collStats',
  'convertToCapped',
  'createCollection',
  'dropCollection',
  'find',
  'indexStats',
  'listIndexes',
]);

const READING = actions(READ);
/** Databases of the server's own. */
const OWN = ['config', 'local'];

/** Collections that are nobody's, whatever the role. */
const SECRET: ReadonlySet<string> = new Set(['admin.system.users', 'admin.system.roles', 'admin.system.keys']);

/** @throws DocDbError (31) for a role that there is not; there are those of MongoDB that are built in, and no others */
export function checkRole({ role, db }: RoleName): void {
  const known = ROLES.get(role);
  if (!known || (known.everywhere && db !== 'admin'))
    throw new DocDbError(31, `Could not find role: ${role}@${db}. There are built-in roles only: ${[...ROLES.keys()].join(', ')}`);
}

/** @returns the roles that there are in a database */
export function rolesIn(db: string): RoleName[] {
  return [...ROLES].filter(([, { everywhere }]) => !everywhere || db === 'admin').map(([role]) => ({ role, db }));
}

/** @returns whether roles allow what is needed */
export function allows(roles: readonly RoleName[], need: Need): boolean {
  if (need.db !== undefined && SECRET.has(`${need.db}.${need.collection}`)) return false;
  return roles.some((given) => allowsRole(given, need));
}

function allowsRole({ role, db }: RoleName, need: Need): boolean {
  const known = ROLES.get(role);
  if (!known) return false;
  if (need.db === undefined) return known.cluster.has(need.action);
  if (need.collection === 'system.profile' && known.data.has('enableProfiler') && PROFILE.has(need.action))
    return known.everywhere || need.db === db;
  if (known.watches === true && isNoted(need)) return true;
  if (!known.data.has(need.action)) return false;
  if (known.whole !== true && need.collection.startsWith('system.') && need.collection !== 'system.js') return false;
  if (!known.everywhere) return need.db === db;
  return known.whole === true || !OWN.includes(need.db);
}

/** @returns whether it is the reading of what the server notes */
function isNoted({ action, db, collection }: Need): boolean {
  if (collection === 'system.profile') return action === 'find';
  return OWN.includes(db ?? '') && READING.has(action) && (!collection.startsWith('system.') || collection === 'system.js');
}

/** @returns what roles allow, as `connectionStatus` and `usersInfo` show it */
export function privilegesOf(roles: readonly RoleName[]): Record<string, unknown>[] {
  return roles.flatMap(({ role, db }) => {
    const known = ROLES.get(role);
    if (!known) return [];
    const data = { resource: { db: known.everywhere ? '' : db, collection: '' }, actions: [...known.data].sort() };
    const noted = [
      ...OWN.map((name) => ({ resource: { db: name, collection: '' }, actions: [...READING].sort() })),
      { resource: { db: '', collection: 'system.profile' }, actions: ['find'] },
    ];
    const cluster = { resource: { cluster: true }, actions: [...known.cluster].sort() };
    return [data, ...(known.watches === true ? noted : []), ...(known.cluster.size > 0 ? [cluster] : [])];
  });
}
