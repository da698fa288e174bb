import { toNumber } from '../bson/arithmetic.ts';
import { fieldPath } from '../aggregation/field-path.ts';
import { isDocument, isNumber } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import type { StageDeclaration, StageField } from './stage-declaration.ts';

function distance(name: string, notConstant: number): StageField {
  return {
    types: ['int', 'long', 'double', 'decimal', 'string', 'object'],
    check(value) {
      if (typeof value === 'string' && value.startsWith('$') && !value.startsWith('$$'))
        throw new DocDbError(notConstant, `${name} of $geoNear must evaluate to a constant`);
      if (typeof value === 'string' && !value.startsWith('$$')) throw new DocDbError(14, `${name} of $geoNear must be a number`);
      if (isNumber(value) && !(toNumber(value) >= 0)) throw badValue(`${name} of $geoNear must be nonnegative`);
    },
  };
}

const path: StageField = { types: ['string'], check: (value) => void fieldPath(String(value)) };

/** The stage that searches by distance. */
export const geoStages: Readonly<Record<string, StageDeclaration>> = {
  $geoNear: {
    types: ['object', 'array'],
    wrongType: 10065,
    unknown: 2,
    fields: {
      near: {},
      distanceField: path,
      spherical: {},
      maxDistance: distance('maxDistance', 7555702),
      minDistance: distance('minDistance', 7555701),
      query: { types: ['object'] },
      distanceMultiplier: {
        types: ['int', 'long', 'double', 'decimal'],
        check(value) {
          if (!(toNumber(value) >= 0)) throw badValue('distanceMultiplier of $geoNear must be nonnegative');
        },
      },
      includeLocs: path,
      uniqueDocs: {},
      key: {
        types: ['string'],
        check(value) {
          if (value === '') throw badValue("'key' of $geoNear may not be empty");
          fieldPath(String(value));
        },
      },
    },
    check(operand) {
      if (!isDocument(operand) || !('near' in operand)) throw new DocDbError(5860400, '$geoNear requires a near argument');
      const { near } = operand;
      if (typeof near === 'string' && near.startsWith('$') && !near.startsWith('$$'))
        throw new DocDbError(5860402, '$geoNear requires a constant near argument');
      if (!(typeof near === 'string' && near.startsWith('$$')) && !isDocument(near) && !Array.isArray(near))
        throw new DocDbError(5860401, '$geoNear requires an array or a GeoJSON point as near');
    },
  },
};
