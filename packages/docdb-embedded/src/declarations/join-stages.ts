import { toNumber } from '../bson/arithmetic.ts';
import type { Value } from '../bson/values.ts';
import { fieldPath } from '../aggregation/field-path.ts';
import { DocDbError, failedToParse } from '../errors.ts';
import { NUMBERS, type StageDeclaration, type StageField } from './stage-declaration.ts';

function checkPath(value: Value): void {
  if (value === '') throw failedToParse('a field of $lookup may not be empty');
  fieldPath(String(value));
}

const path: StageField = { types: ['string'], check: checkPath };

// Who may read is asked by these names: nothing else may become one.
const database: StageField = { types: ['string'], wrongType: 9 };

const graphPath: StageField = { types: ['string'], wrongType: 40103, check: (value) => void fieldPath(String(value)) };

/** @throws DocDbError (40101, 40102) for what counts no steps */
function checkDepth(value: Value): void {
  const depth = toNumber(value);
  if (depth < 0) throw new DocDbError(40101, `maxDepth requires a nonnegative argument, found: ${String(value)}`);
  if (!Number.isInteger(depth)) throw new DocDbError(40102, `maxDepth could not be represented as a long long: ${String(value)}`);
}

/** Stages that read other collections. */
export const joinStages: Readonly<Record<string, StageDeclaration>> = {
  $lookup: {
    types: ['object'],
    wrongType: 9,
    unknown: 9,
    fields: {
      from: { types: ['string', 'object'], wrongType: 9, unknown: 9, fields: { db: database, coll: { ...database, missing: 9 } } },
      as: { ...path, missing: 40414, nullable: true, check: (value) => void fieldPath(String(value)) },
      localField: { ...path, nullable: true },
      foreignField: { ...path, nullable: true },
      let: { types: ['object'], wrongType: 9 },
      pipeline: { types: ['array'] },
    },
  },
  $graphLookup: {
    types: ['object'],
    wrongType: 9,
    unknown: 40104,
    fields: {
      from: {},
      startWith: { missing: 40105 },
      connectFromField: { ...graphPath, missing: 40105 },
      connectToField: { ...graphPath, missing: 40105 },
      as: { ...graphPath, missing: 40105 },
      maxDepth: { types: NUMBERS, wrongType: 40100, check: checkDepth },
      depthField: graphPath,
      restrictSearchWithMatch: { types: ['object'], wrongType: 40185 },
    },
  },
  $unionWith: {
    types: ['string', 'object'],
    wrongType: 9,
    unknown: 40415,
    fields: {
      coll: { types: ['string'], wrongType: 9 },
      pipeline: { types: ['array'] },
      db: { types: ['string'] },
    },
  },
};
