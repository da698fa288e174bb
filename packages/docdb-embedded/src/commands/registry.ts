import {
  autoCompact,
  dropConnections,
  fsync,
  fsyncUnlock,
  profile,
  setFeatureCompatibilityVersion,
  validateDBMetadata,
} from './administration.ts';
import { connectionStatus, logout, saslContinue, saslStart } from './authentication.ts';
import { bulkWrite } from './bulk-write.ts';
import { cloneCollectionAsCapped, convertToCapped } from './capped.ts';
import { create, drop, dropDatabase, listCollections, listDatabases, renameCollection } from './catalog.ts';
import { collMod } from './coll-mod.ts';
import type { Command } from './command.ts';
import { connPoolStats, currentOp, killOp, lockInfo } from './current-operations.ts';
import { getMore, killCursors } from './cursor-commands.ts';
import { configureFailPoint, searchIndexes } from './fail-point-command.ts';
import { findAndModify } from './find-and-modify.ts';
import { createIndexes, dropIndexes, listIndexes, reIndex } from './indexes.ts';
import { planCacheClear, planCacheClearFilters, planCacheListFilters, planCacheSetFilter } from './plan-cache.ts';
import { aggregateOrExplain, explain } from './explain.ts';
import { count, distinct, find } from './read.ts';
import {
  buildInfo,
  getCmdLineOpts,
  getDefaultRWConcern,
  getLog,
  getParameter,
  hello,
  hostInfo,
  listCommands,
  nothing,
  replSetGetConfig,
  replSetGetStatus,
  replSetFreeze,
  replSetInitiate,
  replSetStepDown,
  setParameter,
  whatsmyuri,
} from './server-info.ts';
import {
  abortTransaction,
  commitTransaction,
  endSessions,
  killAllSessions,
  killAllSessionsByPattern,
  refreshSessions,
  startSession,
} from './session.ts';
import { filemd5 } from './file-digest.ts';
import { collStats, dataSize, dbHash, dbStats, serverStatus, top } from './statistics.ts';
import { changeRoles, createUser, dropAllUsersFromDatabase, dropUser, rolesInfo, updateUser, usersInfo } from './users.ts';
import { validate } from './validate.ts';
import { deleteCommand, insert, update } from './write.ts';
import { declaredCommands } from '../declarations/all-commands.ts';
import type { CommandDeclaration } from '../declarations/command-declaration.ts';

/** A command: what it takes, and what carries it out. */
export interface RegisteredCommand {
  readonly declared: CommandDeclaration;
  readonly run: Command;
}

const handlers: Readonly<Record<string, Command>> = {
  abortTransaction,
  aggregate: aggregateOrExplain,
  autoCompact,
  buildInfo,
  bulkWrite,
  cloneCollectionAsCapped,
  collMod,
  collStats,
  commitTransaction,
  configureFailPoint,
  connectionStatus,
  connPoolStats,
  convertToCapped,
  count,
  create,
  createIndexes,
  createSearchIndexes: searchIndexes,
  createUser,
  currentOp,
  dataSize,
  dbHash,
  filemd5,
  dbStats,
  delete: deleteCommand,
  distinct,
  drop,
  dropAllUsersFromDatabase,
  dropConnections,
  dropDatabase,
  dropIndexes,
  dropSearchIndex: searchIndexes,
  dropUser,
  endSessions,
  explain,
  find,
  findAndModify,
  fsync,
  fsyncUnlock,
  getCmdLineOpts,
  getDefaultRWConcern,
  getLog,
  getMore,
  getParameter,
  grantRolesToUser: changeRoles,
  hello,
  hostInfo,
  insert,
  killAllSessions,
  killAllSessionsByPattern,
  killCursors,
  killOp,
  killSessions: endSessions,
  listCollections,
  listCommands,
  listDatabases,
  listIndexes,
  lockInfo,
  logout,
  ping: nothing,
  planCacheClear,
  planCacheClearFilters,
  planCacheListFilters,
  planCacheSetFilter,
  profile,
  refreshSessions,
  renameCollection,
  replSetGetConfig,
  replSetGetStatus,
  reIndex,
  replSetFreeze,
  replSetInitiate,
  replSetStepDown,
  revokeRolesFromUser: changeRoles,
  rolesInfo,
  saslContinue,
  saslStart,
  serverStatus,
  setFeatureCompatibilityVersion,
  setParameter,
  startSession,
  top,
  update,
  updateSearchIndex: searchIndexes,
  updateUser,
  usersInfo,
  validate,
  validateDBMetadata,
  whatsmyuri,
};

/** All commands by the names that they are called by. */
export const commands: ReadonlyMap<string, RegisteredCommand> = new Map(
  [...declaredCommands].map(([name, declared]) => {
    const run = handlers[declared.name];
    if (!run) throw new Error(`The command ${declared.name} is declared and not written`);
    return [name, { declared, run }];
  }),
);

/** Commands that may run inside a transaction. */
export const transactionCommands: ReadonlySet<string> = new Set([
  'abortTransaction',
  'aggregate',
  'bulkWrite',
  'commitTransaction',
  'create',
  'createIndexes',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'findandmodify',
  'getMore',
  'insert',
  'killCursors',
  'update',
]);

/** Commands that a driver may send twice under one transaction number. */
export const retryableCommands: ReadonlySet<string> = new Set([
  'bulkWrite',
  'delete',
  'findAndModify',
  'findandmodify',
  'insert',
  'update',
]);
