import { toNumber } from '../bson/arithmetic.ts';
import { isWhole, wholeOption } from '../bson/rounding.ts';
import { isDocument, isInt32, isNumber, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { fusionStages } from './fusion-stages.ts';
import { geoStages } from './geo-stages.ts';
import { joinStages } from './join-stages.ts';
import { outputStages } from './output-stages.ts';
import { checkOperand, NUMBERS, type StageDeclaration } from './stage-declaration.ts';
import { statusStages } from './status-stages.ts';

function amount(code: number, lowest: number, others: { readonly type?: number; readonly low?: number } = {}): StageDeclaration {
  return {
    types: NUMBERS,
    wrongType: others.type ?? code,
    check(operand) {
      const given = toNumber(operand);
      if (!Number.isInteger(given) || !isLong(operand, given) || !isNumber(operand) || !isWhole(operand))
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

/** Every stage that this server knows. */
export const stages: Readonly<Record<string, StageDeclaration>> = {
  ...fusionStages,
  ...geoStages,
  ...joinStages,
  ...outputStages,
  ...statusStages,
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
          if (!isInt32(given + 0)) throw new DocDbError(40242, "The $bucketAuto 'buckets' field must be representable as a 32-bit integer");
          if (given <= 0)
            throw new DocDbError(40243, `The $bucketAuto 'buckets' field must be greater than 0, but found: ${String(given)}`);
        },
      },
      output: { types: ['object'], wrongType: 40244 },
      granularity: { types: ['string'], wrongType: 40261 },
    },
  },
  $changeStream: {},
  $count: { types: ['string'], wrongType: 40156 },
  $densify: {
    types: ['object'],
    wrongType: 5733402,
    unknown: 40415,
    fields: {
      field: { types: ['string'], missing: 40414 },
      partitionByFields: { types: ['array'] },
      range: {
        types: ['object'],
        missing: 40414,
        fields: {
          step: { types: NUMBERS, missing: 40414 },
          unit: { types: ['string'] },
          bounds: { types: ['string', 'array'], missing: 40414 },
        },
      },
    },
  },
  $documents: {},
  $facet: { types: ['object'], wrongType: 40169 },
  $fill: {
    types: ['object'],
    wrongType: 9,
    unknown: 40415,
    fields: {
      partitionBy: {},
      partitionByFields: { types: ['array'] },
      sortBy: { types: ['object'] },
      output: { types: ['object'], missing: 40414 },
    },
  },
  $group: { types: ['object'], wrongType: 15947 },
  $limit: amount(5107201, 1, { low: 15958 }),
  $match: { types: ['object'], wrongType: 15959 },
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
      },
    },
    check(operand) {
      if (isDocument(operand) && sampleSize(operand.size) <= 0)
        throw new DocDbError(28747, 'size argument to $sample must be a positive integer');
    },
  },
  $set: { types: ['object'], wrongType: 40272 },
  $setWindowFields: {
    types: ['object'],
    wrongType: 9,
    unknown: 40415,
    fields: {
      partitionBy: {},
      sortBy: { types: ['object'], wrongType: 14, nullable: true },
      output: { types: ['object'], wrongType: 14, missing: 40414 },
    },
  },
  $skip: amount(5107200, 0),
  $sort: { types: ['object'], wrongType: 15973 },
  $sortByCount: {},
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
  $querySettings: { refused: 'not supported' },
  $scoreFusion: { refused: 'not supported' },
  $shardedDataDistribution: { refused: 'another kind of server' },
  $search: { refused: 'another kind of server' },
  $searchMeta: { refused: 'another kind of server' },
  $vectorSearch: { refused: 'another kind of server' },
  $listSearchIndexes: { refused: 'another kind of server' },
};

/** @returns how many documents a sample has: a decimal is rounded, a double cut off */
export function sampleSize(value: Value): number {
  return isNumber(value) ? wholeOption(value) : 0;
}

function checkGroupBy(code: number): (value: Value) => void {
  return (value) => {
    if (!(typeof value === 'string' && value.startsWith('$')) && !isDocument(value))
      throw new DocDbError(code, "The 'groupBy' field must be defined as a $-prefixed path or an expression object");
  };
}

/**
 * Checks the operand of a stage against its declaration.
 *
 * @throws DocDbError (40324) for a stage that does not exist, and with the codes of the declaration
 */
export function checkStage(name: string, operand: Value): void {
  const declared = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!declared) throw new DocDbError(40324, `Unrecognized pipeline stage name: '${name}'`);
  checkOperand(name, operand, declared);
}
