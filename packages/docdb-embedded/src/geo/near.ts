import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, setOwn, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { pathValues } from '../query/path-values.ts';
import { isNear, placeOperators, shapeOf, WITHOUT_MEANING } from './geo-tests.ts';
import { geometryOf, isOnEarth, type Position, positionOf } from './geometry.ts';
import { distance, EARTH_RADIUS } from './sphere.ts';

/** How a collection is searched by distance. */
export interface Near {
  readonly path: string;
  readonly center: Position;
  /** Whether distances are on the earth, else on a plane. */
  readonly spherical: boolean;
  /** Whether the center was written as GeoJSON: then distances are meters, else radians or units of the plane. */
  readonly meters: boolean;
  readonly least: number;
  readonly most: number;
}

const OPERATORS = ['$near', '$nearSphere', '$geoNear'];
/** What stands beside an operator, or in its operand. */
const DISTANCES: readonly string[] = ['$minDistance', '$maxDistance'];
const OPTIONS: readonly string[] = [...DISTANCES, WITHOUT_MEANING];
const PARTS: ReadonlySet<string> = new Set(['$geometry', ...OPTIONS]);

function bound(value: Value, missing: number, name: string, code: number): number {
  if (value === undefined) return missing;
  const given = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!(given >= 0 && given < Infinity)) throw new DocDbError(code, `${name} must be a finite number that is not negative`);
  return given;
}

/** The center of GeoJSON, `undefined` for what is not written so. */
function center(value: Value): Position | undefined {
  if (!isDocument(value) || (value.type !== 'Point' && !(value.type === undefined && 'coordinates' in value))) return undefined;
  return positionOf(value.coordinates);
}

/** The distance that a pair of coordinates may have as a third number. */
function thirdOf(operand: Value): number | undefined {
  const given: readonly Value[] = Array.isArray(operand) ? (operand as Value[]) : isDocument(operand) ? Object.values(operand) : [];
  const [, , third] = given;
  return given.length === 3 && isNumber(third) ? bound(third, Infinity, 'the distance behind a pair of coordinates', 18522) : undefined;
}

function readNear(path: string, condition: Doc): Near {
  const operator = OPERATORS.find((name) => name in condition) ?? '$near';
  const operand = condition[operator];
  const written = isDocument(operand) && '$geometry' in operand ? operand : undefined;
  if (written) for (const name of Object.keys(written)) if (!PARTS.has(name)) throw badValue(`invalid argument in geo near query: ${name}`);
  const beside = written && DISTANCES.find((name) => name in condition);
  if (beside !== undefined) throw badValue(`${beside} belongs into the operand of ${operator}, beside $geometry`);
  const pair = written ? undefined : positionOf(operand);
  // A point of GeoJSON may stand there itself.
  const point = isDocument(operand) && operand.type === 'Point' ? operand : undefined;
  const position = pair ?? center(written?.$geometry ?? point);
  if (!position) throw badValue(`invalid point in geo near query $geometry argument: ${path}`);
  const spherical = !pair || operator === '$nearSphere';
  if (spherical && !isOnEarth(position)) throw badValue(`a point of ${operator} must have a longitude and a latitude`);
  const own = isDocument(operand) ? operand : {};
  const part = (name: string): Value => (own[name] === undefined ? condition[name] : own[name]);
  return {
    path,
    center: position,
    spherical,
    meters: !pair,
    least: bound(part('$minDistance'), 0, '$minDistance', 16893),
    most: bound(part('$maxDistance'), (pair && thirdOf(operand)) ?? Infinity, '$maxDistance', 16895),
  };
}

/**
 * Takes the search by distance out of a filter: a field of its own, or of an `$and`.
 *
 * @throws DocDbError (2) for two of them, or one that is not valid
 */
export function splitNear(filter: Doc): { readonly near: Near | undefined; readonly rest: Doc } {
  let near: Near | undefined;
  const split = (source: Doc): Doc => {
    const rest: Doc = {};
    for (const name of Object.keys(source)) {
      const condition = source[name];
      if (name === '$and' && Array.isArray(condition)) {
        rest[name] = (condition as Value[]).map((branch) => (isDocument(branch) ? split(branch) : branch));
      } else if (!name.startsWith('$') && isDocument(condition) && isNear(condition)) {
        if (near) throw badValue('Too many geoNear expressions');
        near = readNear(name, condition);
        const others = Object.fromEntries(Object.entries(condition).filter(([key]) => !OPERATORS.includes(key) && !OPTIONS.includes(key)));
        if (OPERATORS.filter((key) => key in condition).length > 1 || placeOperators.some((key) => key in others))
          throw badValue('a field is asked for by one operator of places');
        if ('$eq' in others) throw new DocDbError(34413, 'geo near must not be combined with $eq of the same field');
        if (Object.keys(others).length > 0) setOwn(rest, name, others);
      } else setOwn(rest, name, condition);
    }
    return rest;
  };
  return { rest: hasNear(filter) ? split(filter) : filter, near };
}

/** @returns whether a filter asks for the nearest */
export function hasNear(filter: Doc): boolean {
  return Object.keys(filter).some((name) => {
    const condition = filter[name];
    if (name === '$and' && Array.isArray(condition)) return (condition as Value[]).some((branch) => isDocument(branch) && hasNear(branch));
    return isDocument(condition) && isNear(condition);
  });
}

/** What is found of a document: how far it is away, and what of it. */
export interface Found {
  readonly distance: number;
  readonly place: Value;
}

/** Measures documents; `undefined` for those without a place, or outside of the bounds. */
export function measurer(near: Near): (doc: Doc) => Found | undefined {
  const path = near.path.split('.');
  const scale = near.meters ? EARTH_RADIUS : 1;
  const measure = (value: Value): number | undefined => {
    const geometry = geometryOf(value);
    if (!geometry) return undefined;
    if (near.spherical) {
      const shape = shapeOf(geometry);
      return shape && distance(shape, near.center) * scale;
    }
    const [first] = geometry.points;
    return first && Math.hypot(first[0] - near.center[0], first[1] - near.center[1]);
  };
  return (doc) => {
    let best: Found | undefined;
    for (const value of pathValues(doc, path).flatMap((found) =>
      Array.isArray(found) && !positionOf(found) ? (found as Value[]) : [found],
    )) {
      const far = measure(value);
      if (far !== undefined && far >= near.least && far <= near.most && (!best || far < best.distance))
        best = { distance: far, place: value };
    }
    return best;
  };
}
