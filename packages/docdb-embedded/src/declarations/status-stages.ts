import { wholeOption } from '../bson/rounding.ts';
import { isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { NUMBERS, type StageDeclaration, type StageField } from './stage-declaration.ts';

const part: StageField = {
  types: ['object'],
  nullable: true,
  check(value) {
    if (isDocument(value) && Object.keys(value).length > 0) throw new DocDbError(31170, 'this part of $collStats takes no fields');
  },
};

const open: StageField = { types: ['object'], nullable: true };

function checkScale(value: Value): void {
  if (!(isNumber(value) && wholeOption(value) >= 1)) throw badValue("$collStats: 'scale' must be at least 1");
}

const user: StageField = {
  types: ['object', 'null'],
  fields: { user: { types: ['string'], nullable: true, missing: 40414 }, db: { types: ['string'], nullable: true, missing: 40414 } },
};

const sessions: StageDeclaration = {
  types: ['object'],
  wrongType: 14,
  unknown: 40415,
  fields: {
    users: { types: ['array'], wrongType: 14, nullable: true, elements: user },
    allUsers: { types: ['bool'], wrongType: 14, nullable: true },
  },
};

/** @returns the error for a list of collections where the documents of one are read */
export function needsDatabase(): DocDbError {
  return new DocDbError(9621301, '$listClusterCatalog must be run on a database, with {aggregate: 1}, as the first stage');
}

/** Stages that tell of the server, and of what it holds. */
export const statusStages: Readonly<Record<string, StageDeclaration>> = {
  $collStats: {
    types: ['object'],
    wrongType: 5447000,
    unknown: 40415,
    fields: {
      count: part,
      queryExecStats: part,
      latencyStats: { ...open, fields: { histograms: { types: ['bool'] } } },
      storageStats: {
        ...open,
        open: true,
        fields: {
          scale: { types: NUMBERS, nullable: true, check: checkScale },
          verbose: { types: ['bool'], nullable: true },
          waitForLock: { types: ['bool'], nullable: true },
          freeStorage: { types: ['bool'], nullable: true },
        },
      },
    },
  },
  $currentOp: {
    types: ['object'],
    wrongType: 14,
    unknown: 40415,
    fields: Object.fromEntries(
      ['allUsers', 'idleConnections', 'idleSessions', 'localOps', 'truncateOps', 'idleCursors', 'backtrace', 'targetAllNodes'].map(
        (name) => [name, { types: ['bool'], wrongType: 14 }],
      ),
    ),
    check(operand) {
      if (isDocument(operand) && operand.targetAllNodes === true)
        throw new DocDbError(9, "$currentOp supports 'targetAllNodes' on a router only");
    },
  },
  $indexStats: {
    types: ['object'],
    wrongType: 28803,
    check(operand) {
      if (isDocument(operand) && Object.keys(operand).length > 0)
        throw new DocDbError(28803, 'The $indexStats stage specification must be an empty object');
    },
  },
  $listClusterCatalog: {
    types: ['object'],
    wrongType: 9621302,
    unknown: 40415,
    fields: {
      shards: {
        types: ['bool'],
        check(value) {
          if (value === true)
            throw new DocDbError(115, "'shards' of $listClusterCatalog is not supported by this database: it is no cluster and has none");
        },
      },
      balancingConfiguration: { types: ['bool'] },
    },
  },
  $listLocalSessions: sessions,
  $listSessions: sessions,
};
