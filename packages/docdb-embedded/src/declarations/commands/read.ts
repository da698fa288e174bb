import { toNumber } from '../../bson/arithmetic.ts';
import { isDocument, type Value } from '../../bson/values.ts';
import { badValue, typeMismatch } from '../../errors.ts';
import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { amount, anything, array, bool, number, object, oneOf, text, truth, whole } from '../field.ts';
import { collation, collectionUuid, cursor, hint, variables } from '../shared-fields.ts';

/** Without a collection there is a 1 in its place. */
function checkTarget(value: Value): void {
  if (typeof value !== 'string' && toNumber(value) !== 1)
    throw badValue("Invalid argument for 'aggregate': a collection's name or 1 is expected");
}

function checkStages(value: Value): void {
  if (!(Array.isArray(value) && value.every(isDocument))) throw typeMismatch("Each element of the 'pipeline' array must be an object");
}

const find = declare(
  'find',
  'collection',
  {
    filter: object({ nullable: false }),
    projection: object(),
    sort: object(),
    hint,
    skip: amount(0),
    limit: amount(0),
    batchSize: amount(0),
    ntoreturn: amount(0, Infinity, { effect: 'refused' }),
    singleBatch: truth(),
    allowDiskUse: truth({ effect: 'without effect' }),
    min: object(),
    max: object(),
    returnKey: truth(),
    showRecordId: truth(),
    tailable: truth(),
    oplogReplay: truth({ effect: 'without effect' }),
    noCursorTimeout: truth(),
    awaitData: truth(),
    allowPartialResults: truth({ effect: 'without effect' }),
    mirrored: truth({ effect: 'without effect' }),
    collation,
    let: variables,
    collectionUUID: collectionUuid,
    term: number({ effect: 'refused' }),
    options: number({ effect: 'refused' }),
    resumeAfter: object({ effect: 'refused' }),
    requestResumeToken: truth({ effect: 'refused' }),
  },
  { reads: 'all', stable: true },
);

const count = declare(
  'count',
  'collection',
  {
    query: object(),
    limit: whole(-(2 ** 63) + 1, 2 ** 63, { wrongType: 2, nullable: false }),
    skip: whole(0, 2 ** 63, { wrongType: 2 }),
    hint,
    collation,
    fields: anything({ effect: 'without effect' }),
    collectionUUID: collectionUuid,
  },
  { reads: 'all', stable: true },
);

const distinct = declare(
  'distinct',
  'collection',
  { key: text({ required: true }), query: object(), hint, collation, collectionUUID: collectionUuid },
  { reads: 'all' },
);

const aggregate = declare(
  'aggregate',
  oneOf(['string', 'int', 'long', 'double', 'decimal'], { wrongType: 73, nullable: false, check: checkTarget }),
  {
    pipeline: array({ required: true, nullable: false, check: checkStages }),
    cursor: object({ fields: { batchSize: amount(0) } }),
    explain: bool({ nullable: false }),
    allowDiskUse: bool({ effect: 'without effect' }),
    hint,
    bypassDocumentValidation: truth(),
    collation,
    let: variables,
    collectionUUID: collectionUuid,
    needsMerge: truth({ effect: 'refused' }),
    fromMongos: truth({ effect: 'refused' }),
    exchange: object({ effect: 'refused' }),
    isMapReduceCommand: truth({ effect: 'refused' }),
  },
  { reads: 'all', writes: 'told behind', stable: true },
);

const explain = declare(
  'explain',
  object({ required: true }),
  { verbosity: text({ range: "'queryPlanner', 'executionStats', 'allPlansExecution'" }) },
  { reads: 'all', stable: true },
);

const getMore = declare(
  'getMore',
  oneOf(['long'], { required: true }),
  {
    collection: text({ required: true, nullable: false }),
    batchSize: amount(0),
    maxTimeMS: amount(0),
    term: number({ effect: 'without effect' }),
  },
  { reads: 'all', stable: true },
);

const killCursors = declare(
  'killCursors',
  'collection',
  { cursors: array({ required: true, skipsNull: true, elements: oneOf(['long'], { nullable: false }) }) },
  { reads: 'all', stable: true },
);

const listCollections = declare(
  'listCollections',
  anything(),
  {
    filter: object({ nullable: true }),
    nameOnly: bool(),
    authorizedCollections: bool({ effect: 'without effect' }),
    cursor,
  },
  { stable: true },
);

const listDatabases = declare(
  'listDatabases',
  anything(),
  { filter: object(), nameOnly: truth(), authorizedDatabases: bool() },
  { adminOnly: true, stable: true },
);

const listIndexes = declare(
  'listIndexes',
  'collection',
  { cursor, includeIndexBuildInfo: truth({ effect: 'refused' }), includeBuildUUIDs: truth({ effect: 'refused' }) },
  { stable: true },
);

/** Commands that read. */
export const readCommands: readonly CommandDeclaration[] = [
  find,
  count,
  distinct,
  aggregate,
  explain,
  getMore,
  killCursors,
  listCollections,
  listDatabases,
  listIndexes,
];
