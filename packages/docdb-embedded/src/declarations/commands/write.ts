import { toNumber } from '../../bson/arithmetic.ts';
import { isDocument, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { type CommandDeclaration, declare } from '../command-declaration.ts';
import { array, bool, number, object, oneOf, text, truth } from '../field.ts';
import { arrayFilters, collation, collectionUuid, cursor, hint, modification, variables } from '../shared-fields.ts';

const batch = {
  ordered: bool(),
  bypassDocumentValidation: truth(),
  stmtId: number(),
  stmtIds: array(),
  isTimeseriesNamespace: truth({ effect: 'refused' }),
  collectionUUID: collectionUuid,
};

const insert = declare(
  'insert',
  'collection',
  { documents: array({ required: true, elements: object() }), bypassEmptyTsReplacement: truth(), ...batch },
  { reads: 'all', writes: 'told behind', stable: true },
);

const update = declare(
  'update',
  'collection',
  {
    updates: array({
      required: true,
      elements: object({
        fields: {
          q: object({ required: true }),
          u: modification,
          c: object(),
          multi: bool(),
          upsert: bool(),
          collation,
          arrayFilters,
          hint,
          sort: object(),
          upsertSupplied: truth({ effect: 'refused' }),
          sampleId: oneOf(['binData'], { effect: 'without effect' }),
        },
      }),
    }),
    let: variables,
    bypassEmptyTsReplacement: truth(),
    ...batch,
  },
  { reads: 'all', writes: 'told behind', stable: true },
);

/** How many documents of a filter are deleted: all of them, or one. */
const limit = number({
  required: true,
  range: '0, 1',
  check(value) {
    if (toNumber(value) !== 0 && toNumber(value) !== 1)
      throw failedToParse(`The limit field in delete objects must be 0 or 1. Got ${String(value)}`);
  },
});

const remove = declare(
  'delete',
  'collection',
  {
    deletes: array({
      required: true,
      elements: object({
        fields: {
          q: object({ required: true }),
          limit,
          collation,
          hint,
          sampleId: oneOf(['binData'], { effect: 'without effect' }),
        },
      }),
    }),
    let: variables,
    ...batch,
  },
  { reads: 'all', writes: 'told behind', stable: true },
);

const findAndModify = declare(
  'findAndModify',
  'collection',
  {
    query: object(),
    fields: object(),
    sort: object(),
    hint,
    collation,
    arrayFilters,
    remove: truth(),
    update: modification,
    upsert: truth(),
    new: truth(),
    let: variables,
    bypassDocumentValidation: truth(),
    bypassEmptyTsReplacement: truth(),
    stmtId: number(),
    isTimeseriesNamespace: truth({ effect: 'refused' }),
    collectionUUID: collectionUuid,
  },
  { aliases: ['findandmodify'], reads: 'all', writes: 'told behind', stable: true },
);

const operation = {
  update: number(),
  insert: number(),
  delete: number(),
  document: object(),
  filter: object(),
  updateMods: modification,
  multi: bool(),
  upsert: bool(),
  arrayFilters,
  constants: object(),
  collation,
  hint,
  sort: object(),
};

/** @throws DocDbError (40414) for an operation that names no collection */
function checkOperation(value: Value, path: string): void {
  const missing = isDocument(value) ? ['insert', 'update', 'delete'].find((kind) => value[kind] === null) : undefined;
  if (missing !== undefined) throw new DocDbError(40414, `BSON field '${path}.${missing}' is missing but a required field`);
}

const bulkWrite = declare(
  'bulkWrite',
  // The command names its collections in `nsInfo`.
  oneOf([
    'int',
    'long',
    'double',
    'decimal',
    'string',
    'bool',
    'object',
    'array',
    'null',
    'binData',
    'objectId',
    'date',
    'timestamp',
    'regex',
    'javascript',
    'minKey',
    'maxKey',
    'symbol',
  ]),
  {
    ops: array({ required: true, elements: object({ fields: operation, nullable: false, check: checkOperation }) }),
    nsInfo: array({
      required: true,
      elements: object({
        nullable: false,
        fields: {
          ns: text({ required: true }),
          collectionUUID: collectionUuid,
          encryptionInformation: object({ effect: 'refused' }),
          isTimeseriesNamespace: truth({ effect: 'refused' }),
        },
      }),
    }),
    ordered: bool(),
    bypassDocumentValidation: truth(),
    bypassEmptyTsReplacement: truth(),
    errorsOnly: bool(),
    let: variables,
    cursor,
    stmtId: number(),
    stmtIds: array(),
  },
  { adminOnly: true, writes: 'told behind', stable: true },
);

/** Commands that write documents. */
export const writeCommands: readonly CommandDeclaration[] = [insert, update, remove, findAndModify, bulkWrite];
