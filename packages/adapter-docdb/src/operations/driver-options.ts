import { checkSpelling } from '@framework/core';

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
 * Refuses misspelt names in `params.docdb`, which the driver passes over: a write with a `sesion` is outside of its transaction.
 *
 * @throws TypeError
 */
export function checkDriverOptions(given: object | undefined): void {
  if (given === undefined || given === null) return;
  if (Object.keys(given).some((name) => !NAMES.has(name))) checkSpelling('params.docdb', given, NAMES);
}
