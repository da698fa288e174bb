import { toNumber } from '../bson/arithmetic.ts';
import { isDocument, typeName, type TypeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

const NUMBERS: readonly TypeName[] = ['int', 'long', 'double', 'decimal'];

/** One field of a stage's operand. */
export interface StageField {
  readonly types?: readonly TypeName[];
  /** Code of the error for another type. */
  readonly wrongType?: number;
  /** Code of the error when it is missing. */
  readonly missing?: number;
  readonly check?: (value: Value) => void;
}

/** What a stage takes. */
export interface StageDeclaration {
  /** The BSON types of its operand; `undefined` for any. */
  readonly types?: readonly TypeName[];
  readonly wrongType?: number;
  /** Fields of its operand where that is an object; `undefined` for those of the user. */
  readonly fields?: Readonly<Record<string, StageField>>;
  /** Code of the error for a field that is not known. */
  readonly unknown?: number;
  /** Looks at an operand of the right type. */
  readonly check?: (operand: Value) => void;
  /** Why it is refused, where it is. */
  readonly refused?: 'another kind of server' | 'not supported';
}

function amount(code: number, lowest: number, others: { readonly type?: number; readonly low?: number } = {}): StageDeclaration {
  return {
    types: NUMBERS,
    wrongType: others.type ?? code,
    check(operand) {
      const given = toNumber(operand);
      if (!Number.isInteger(given) || !isLong(operand, given) || !/^-?\d+(\.0+)?$|E/i.test(String(operand)))
        throw new DocDbError(code, `Expected an integer: ${String(operand)}`);
      if (given < lowest) throw new DocDbError(others.low ?? code, `the value must be at least ${String(lowest)}, found ${String(given)}`);
    },
  };
}

/** The largest long is no double, and only another type can say it. */
function isLong(operand: Value, given: number): boolean {
  if (given < 2 ** 63) return given >= -(2 ** 63);
  const text = String(operand);
  return typeName(operand) !== 'double' && /^\d+$/.test(text) && BigInt(text) < 2n ** 63n;
}

const collectionName: StageField = { types: ['string'], wrongType: 9 };

/** Every stage that this server knows. */
export const stages: Readonly<Record<string, StageDeclaration>> = {
  $addFields: { types: ['object'], wrongType: 40272 },
  $bucket: {
    types: ['object'],
    wrongType: 40201,
    unknown: 40197,
    fields: {
      groupBy: { missing: 40198, wrongType: 40202, check: checkGroupBy(40202) },
      boundaries: { missing: 40198, types: ['array'], wrongType: 40200 },
      default: {},
      output: { types: ['object'], wrongType: 40196 },
    },
  },
  $bucketAuto: {
    types: ['object'],
    wrongType: 40240,
    unknown: 40245,
    fields: {
      groupBy: { missing: 40246, check: checkGroupBy(40239) },
      buckets: {
        missing: 40246,
        types: NUMBERS,
        wrongType: 40241,
        check(value) {
          const given = toNumber(value);
          if (!Number.isInteger(given) || Math.abs(given) > 2 ** 31)
            throw new DocDbError(40242, "The $bucketAuto 'buckets' field must be representable as a 32-bit integer");
          if (given <= 0)
            throw new DocDbError(40243, `The $bucketAuto 'buckets' field must be greater than 0, but found: ${String(given)}`);
        },
      },
      output: { types: ['object'], wrongType: 40244 },
      granularity: { types: ['string'], wrongType: 40261 },
    },
  },
  $changeStream: {},
  $collStats: { types: ['object'], wrongType: 5447000 },
  $count: { types: ['string'], wrongType: 40156 },
  $currentOp: {
    types: ['object'],
    wrongType: 9,
    unknown: 9,
    fields: Object.fromEntries(
      ['allUsers', 'idleConnections', 'idleSessions', 'localOps', 'truncateOps', 'idleCursors', 'backtrace', 'targetAllNodes'].map(
        (name) => [name, { types: ['bool'], wrongType: 9 }],
      ),
    ),
  },
  $densify: { types: ['object'], wrongType: 5733402 },
  $documents: {},
  $facet: { types: ['object'], wrongType: 40169 },
  $fill: { types: ['object'], wrongType: 6050200 },
  $geoNear: { types: ['object'], wrongType: 10065 },
  $graphLookup: { types: ['object'], wrongType: 9 },
  $group: { types: ['object'], wrongType: 15947 },
  $indexStats: {
    types: ['object'],
    wrongType: 28803,
    check(operand) {
      if (Object.keys(operand as object).length > 0)
        throw new DocDbError(28803, 'The $indexStats stage specification must be an empty object');
    },
  },
  $limit: amount(5107201, 1, { low: 15958 }),
  $listLocalSessions: {
    types: ['object'],
    wrongType: 14,
    unknown: 40415,
    fields: { users: { types: ['array'], wrongType: 14 }, allUsers: { types: ['bool'], wrongType: 14 } },
  },
  $listSessions: {
    types: ['object'],
    wrongType: 14,
    unknown: 40415,
    fields: { users: { types: ['array'], wrongType: 14 }, allUsers: { types: ['bool'], wrongType: 14 } },
  },
  $lookup: {
    types: ['object'],
    wrongType: 9,
    unknown: 9,
    fields: {
      from: { types: ['string', 'object'], wrongType: 9 },
      as: { types: ['string'], wrongType: 9, missing: 9 },
      localField: { types: ['string'], wrongType: 9 },
      foreignField: { types: ['string'], wrongType: 9 },
      let: { types: ['object'], wrongType: 9 },
      pipeline: { types: ['array'], wrongType: 9 },
    },
  },
  $match: { types: ['object'], wrongType: 15959 },
  $merge: {
    types: ['string', 'object'],
    wrongType: 51182,
    unknown: 40415,
    fields: {
      into: { types: ['string', 'object'], wrongType: 51178, missing: 40414 },
      on: { types: ['string', 'array'], wrongType: 51186 },
      let: { types: ['object', 'null'], wrongType: 14 },
      whenMatched: { types: ['string', 'array', 'null'], wrongType: 51191 },
      whenNotMatched: { types: ['string', 'null'], wrongType: 14 },
      targetCollectionVersion: {},
      allowMergeOnNullishValues: {},
    },
  },
  $out: { types: ['string', 'object'], wrongType: 16990 },
  $project: { types: ['object'], wrongType: 15969 },
  $redact: {},
  $replaceRoot: { types: ['object'], wrongType: 40229, unknown: 40415, fields: { newRoot: { missing: 40414 } } },
  $replaceWith: {},
  $sample: {
    types: ['object'],
    wrongType: 28745,
    unknown: 28748,
    fields: {
      size: {
        types: NUMBERS,
        wrongType: 28746,
        missing: 28749,
        check(value) {
          if (!(Math.trunc(toNumber(value)) > 0)) throw new DocDbError(28747, 'size argument to $sample must be a positive integer');
        },
      },
    },
  },
  $set: { types: ['object'], wrongType: 40272 },
  $setWindowFields: {
    types: ['object'],
    wrongType: 9,
    unknown: 40415,
    fields: {
      partitionBy: {},
      sortBy: { types: ['object'], wrongType: 14 },
      output: { types: ['object'], wrongType: 14, missing: 40414 },
    },
  },
  $skip: amount(5107200, 0),
  $sort: { types: ['object'], wrongType: 15973 },
  $sortByCount: {},
  $unionWith: {
    types: ['string', 'object'],
    wrongType: 9,
    unknown: 40415,
    fields: { coll: collectionName, pipeline: { types: ['array'], wrongType: 14 }, db: { types: ['string'], wrongType: 14 } },
  },
  $unset: { types: ['string', 'array'], wrongType: 31002 },
  $unwind: {
    types: ['string', 'object'],
    wrongType: 15981,
    unknown: 28811,
    fields: {
      path: { types: ['string'], wrongType: 28808, missing: 28812 },
      includeArrayIndex: { types: ['string'], wrongType: 28810 },
      preserveNullAndEmptyArrays: { types: ['bool'], wrongType: 28809 },
    },
  },
  $planCacheStats: { refused: 'not supported' },
  $listClusterCatalog: { refused: 'not supported' },
  $querySettings: { refused: 'not supported' },
  $rankFusion: { refused: 'not supported' },
  $scoreFusion: { refused: 'not supported' },
  $shardedDataDistribution: { refused: 'another kind of server' },
  $search: { refused: 'another kind of server' },
  $searchMeta: { refused: 'another kind of server' },
  $vectorSearch: { refused: 'another kind of server' },
  $listSearchIndexes: { refused: 'another kind of server' },
};

function checkGroupBy(code: number): (value: Value) => void {
  return (value) => {
    if (!(typeof value === 'string' && value.startsWith('$')) && !isDocument(value))
      throw new DocDbError(code, "The 'groupBy' field must be defined as a $-prefixed path or an expression object");
  };
}

/**
 * Checks the operand of a stage against its declaration.
 *
 * @throws DocDbError with the codes of the declaration
 */
export function checkStage(name: string, operand: Value): void {
  const declared = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!declared) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${name}'`);
  const { types, wrongType = 9, fields, unknown = 40415, check } = declared;
  const type = typeName(operand);
  if (types && !types.includes(type))
    throw new DocDbError(wrongType, `the ${name} stage specification must be of type ${types.join(' or ')}, found ${type}`);
  if (fields && isDocument(operand)) checkFields(name, operand, fields, unknown);
  check?.(operand);
}

function checkFields(
  name: string,
  operand: Readonly<Record<string, Value>>,
  fields: Readonly<Record<string, StageField>>,
  unknown: number,
): void {
  for (const field of Object.keys(operand)) {
    const declared = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!declared) throw new DocDbError(unknown, `unrecognized field '${field}' of the stage ${name}`);
    const value = operand[field];
    const type = typeName(value);
    if (declared.types && !declared.types.includes(type))
      throw new DocDbError(
        declared.wrongType ?? 14,
        `the field '${field}' of ${name} must be of type ${declared.types.join(' or ')}, found ${type}`,
      );
    declared.check?.(value);
  }
  for (const [field, { missing }] of Object.entries(fields))
    if (missing !== undefined && operand[field] === undefined) throw new DocDbError(missing, `${name} requires the field '${field}'`);
}
