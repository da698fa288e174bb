import { checkSpelling } from '@framework/core';
import type { ClientSession } from 'mongodb';

/** What commands of the driver take. A later driver may take more: what is like none of these is passed on. */
const NAMES: ReadonlySet<string> = new Set(
  [
    'session readPreference readConcern writeConcern collation comment hint let upsert explain signal',
    'maxTimeMS maxAwaitTimeMS timeoutMS timeoutMode socketTimeoutMS retryWrites omitReadPreference rawData',
    'limit skip sort projection min max batchSize cursor allowDiskUse returnKey showRecordId',
    'tailable awaitData noCursorTimeout singleBatch allowPartialResults oplogReplay partial',
    'arrayFilters returnDocument includeResultMetadata ordered forceServerObjectId bypassDocumentValidation',
    'enableUtf8Validation fieldsAsRaw useBigInt64 promoteLongs promoteBuffers promoteValues bsonRegExp raw checkKeys serializeFunctions ignoreUndefined',
    'dbName authdb out map w wtimeout wtimeoutMS j journal fsync',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Refuses misspelt names in `params.docdb`, which the driver passes over: a write with a `sesion` is outside of its transaction. So would be one whose session is none.
 *
 * @throws TypeError
 */
export function checkDriverOptions(given: object | undefined): void {
  if (given === undefined || given === null) return;
  if (Object.keys(given).some((name) => !NAMES.has(name))) checkSpelling('params.docdb', given, NAMES);
  const session: unknown = Reflect.get(given, 'session') ?? undefined;
  if (session !== undefined && !isSession(session))
    throw new TypeError(
      'params.docdb.session is a session of the driver, as client.startSession() gives it; a call without one leaves it out',
    );
}

/** @returns whether a value is a session, of any copy of the driver */
export function isSession(value: unknown): value is ClientSession {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'inTransaction') === 'function';
}
