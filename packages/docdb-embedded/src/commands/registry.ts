import { aggregate } from './aggregate.ts';
import {
  collMod,
  collStats,
  create,
  dbStats,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  renameCollection,
  validate,
} from './catalog.ts';
import type { Command } from './command.ts';
import {
  buildInfo,
  configureFailPoint,
  connectionStatus,
  getMore,
  getParameter,
  hello,
  killCursors,
  nothing,
  replSetGetStatus,
  searchIndexes,
  serverStatus,
} from './diagnostics.ts';
import { findAndModify } from './find-and-modify.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { count, distinct, explain, find } from './read.ts';
import { abortTransaction, commitTransaction, endSessions, killAllSessions, refreshSessions } from './session.ts';
import { deleteCommand, insert, update } from './write.ts';

/** All commands by name. */
export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    abortTransaction,
    aggregate,
    buildInfo,
    buildinfo: buildInfo,
    collMod,
    collStats,
    commitTransaction,
    configureFailPoint,
    connectionStatus,
    count,
    create,
    createIndexes,
    createSearchIndexes: searchIndexes,
    dbStats,
    delete: deleteCommand,
    distinct,
    drop,
    dropDatabase,
    dropIndexes,
    endSessions,
    explain,
    find,
    findAndModify,
    findandmodify: findAndModify,
    fsync: nothing,
    getCmdLineOpts: nothing,
    getLog: nothing,
    getMore,
    getParameter,
    hello,
    hostInfo: nothing,
    insert,
    isMaster: hello,
    ismaster: hello,
    killAllSessions,
    killAllSessionsByPattern: killAllSessions,
    killCursors,
    killSessions: endSessions,
    listCollections,
    listDatabases,
    listIndexes,
    ping: nothing,
    refreshSessions,
    renameCollection,
    replSetGetStatus,
    serverStatus,
    dropSearchIndex: searchIndexes,
    updateSearchIndex: searchIndexes,
    startSession: refreshSessions,
    update,
    validate,
    whatsmyuri: nothing,
  } satisfies Record<string, Command>),
);

/** Commands that may run inside a transaction. */
export const transactionCommands: ReadonlySet<string> = new Set([
  'abortTransaction',
  'aggregate',
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
export const retryableCommands: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify', 'findandmodify']);
