import { ObjectId } from 'bson';
import { MAX_DOCUMENT_SIZE } from '../bson/encode.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { DocDbError, SEARCH_NOT_ENABLED } from '../errors.ts';
import type { Command, CommandContext } from './command.ts';

/** Codes after which a change stream goes on by itself. */
const RESUMABLE: ReadonlySet<number> = new Set([
  6, 7, 43, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
]);

/** Version of the server whose behaviour is followed. */
export const SERVER_VERSION = '7.0.0';
/** Wire version of that server. At 25 and above drivers expect the `bulkWrite` command. */
const WIRE_VERSION = 21;

/** `hello` and its older names: the server is the primary of a replica set of one. */
export const hello: Command = ({ command, connection, server }) => {
  const client = isDocument(command.client) ? command.client : {};
  const application = isDocument(client.application) ? client.application : {};
  if (typeof application.name === 'string') connection.appName = application.name;
  return {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    secondary: false,
    setName: server.setName,
    setVersion: 1,
    electionId: new ObjectId('7fffffff0000000000000001'),
    hosts: [server.address],
    primary: server.address,
    me: server.address,
    maxBsonObjectSize: MAX_DOCUMENT_SIZE,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: connection.id,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
  };
};

/** `buildInfo`: says honestly what this is. */
export const buildInfo: Command = () => ({
  version: SERVER_VERSION,
  versionArray: [7, 0, 0, 0],
  gitVersion: 'docdb-embedded',
  modules: ['docdb-embedded'],
  maxBsonObjectSize: MAX_DOCUMENT_SIZE,
  bits: 64,
  debug: false,
});

/** `serverStatus` */
export const serverStatus: Command = ({ server }) => ({
  host: server.address,
  version: SERVER_VERSION,
  process: 'docdb-embedded',
  pid: process.pid,
  uptime: Math.round((Date.now() - server.started) / 1000),
  localTime: new Date(),
  storageEngine: { name: 'docdb-embedded' },
  mem: { bits: 64, resident: Math.round(process.memoryUsage().rss / 2 ** 20) },
  metrics: { cursor: { open: { total: server.cursors.open } } },
  transactions: { currentOpen: server.store.openTransactions.size },
});

/** `getParameter` */
export const getParameter: Command = ({ command }) => ({
  ...(command.enableTestCommands === undefined ? {} : { enableTestCommands: true }),
  ...(command.featureCompatibilityVersion === undefined ? {} : { featureCompatibilityVersion: { version: '7.0' } }),
  ...(command.authenticationMechanisms === undefined ? {} : { authenticationMechanisms: [] }),
});

/** `configureFailPoint` */
export const configureFailPoint: Command = ({ command, server, database }) => {
  if (database !== 'admin') throw new DocDbError(13, 'configureFailPoint may only be run against the admin database.');
  server.failPoints.configure(String(command.configureFailPoint), command.mode, command.data);
  return { count: 0 };
};

/** `connectionStatus` */
export const connectionStatus: Command = () => ({
  authInfo: { authenticatedUsers: [], authenticatedUserRoles: [], authenticatedUserPrivileges: [] },
});

/** `replSetGetStatus` */
export const replSetGetStatus: Command = ({ server }) => ({
  set: server.setName,
  myState: 1,
  members: [{ _id: 0, name: server.address, stateStr: 'PRIMARY', state: 1, health: 1, self: true }],
});

/** Commands that have nothing to say here. */
export const nothing: Command = () => ({});

/** Commands of search indexes */
export const searchIndexes: Command = () => {
  throw new DocDbError(31082, SEARCH_NOT_ENABLED);
};

/** `getMore` */
export const getMore: Command = async ({ command, database, server, connection, transaction }: CommandContext) => {
  const data = server.failPoints.hit('failGetMoreAfterCursorCheckout');
  if (data) {
    const code = Number(String(data.errorCode));
    const labels = data.errorLabels ?? (RESUMABLE.has(code) ? ['ResumableChangeStreamError'] : undefined);
    throw new DocDbError(code, "Hit 'failGetMoreAfterCursorCheckout' fail point", labels === undefined ? {} : { errorLabels: labels });
  }
  const batchSize = command.batchSize === undefined ? undefined : Number(String(command.batchSize)) || undefined;
  const waitMs = command.maxTimeMS === undefined ? 1000 : Number(String(command.maxTimeMS));
  const answer: Doc = await server.cursors.more(
    BigInt(String(command.getMore)),
    `${database}.${String(command.collection)}`,
    batchSize,
    connection.closed ? 0 : waitMs,
    transaction,
  );
  return answer;
};

/** `killCursors` */
export const killCursors: Command = async ({ command, server }) => {
  const killed: bigint[] = [];
  const missing: bigint[] = [];
  for (const id of command.cursors as bigint[]) ((await server.cursors.kill(BigInt(String(id)))) ? killed : missing).push(id);
  return { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] };
};
