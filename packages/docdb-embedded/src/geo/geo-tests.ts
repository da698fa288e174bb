import { toNumber } from '../bson/arithmetic.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue } from '../errors.ts';
import { type Geometry, geometryOf, isOnEarth, type Position, positionOf, readGeometry } from './geometry.ts';
import { intersects, onSphere, type SphereShape, within, withinCap } from './sphere.ts';

type Test = (geometry: Geometry) => boolean;

/** @returns the shape of a stored geometry, `undefined` for one that is none on the earth, or an area that only searches may have */
export function shapeOf(geometry: Geometry): SphereShape | undefined {
  try {
    return geometry.strict !== true && geometry.points.every(isOnEarth) ? onSphere(geometry) : undefined;
  } catch {
    return undefined;
  }
}

/** The operators that ask where a field is; `$within` is the old name of `$geoWithin`. */
export const placeOperators: readonly string[] = ['$geoWithin', '$within', '$geoIntersects'];

/** An option of all of them that once had a meaning. */
export const WITHOUT_MEANING = '$uniqueDocs';

function onlyField(operand: Value, name: string): readonly [string, Value] {
  if (!isDocument(operand)) throw badValue(`${name} requires a document`);
  const names = Object.keys(operand).filter((given) => given.startsWith('$') && given !== WITHOUT_MEANING);
  const [first] = names;
  if (first === undefined || names.length !== 1) throw badValue(`${name} requires one shape`);
  return [first, operand[first]];
}

/**
 * Compiles `$geoWithin`.
 *
 * @throws DocDbError (2) for a shape that is not valid
 */
export function geoWithin(operand: Value): (value: Value) => boolean {
  const [name, shape] = onlyField(operand, '$geoWithin');
  const read = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
  if (!read) throw badValue(`invalid shape of $geoWithin: ${name}`);
  const inside = read(shape);
  return (value) => {
    const geometry = geometryOf(value);
    return geometry !== undefined && inside(geometry);
  };
}

/**
 * Compiles `$geoIntersects`.
 *
 * @throws DocDbError (2) for a geometry that is not valid
 */
export function geoIntersects(operand: Value): (value: Value) => boolean {
  const [name, given] = onlyField(operand, '$geoIntersects');
  if (name !== '$geometry') throw badValue(`$geoIntersects not supported with provided geometry: ${name}`);
  const wanted = onSphere(readGeometry(given));
  return (value) => {
    const geometry = geometryOf(value);
    const shape = geometry && shapeOf(geometry);
    return shape !== undefined && intersects(shape, wanted);
  };
}

function flat(inside: (position: Position) => boolean): Test {
  return ({ points, lines, areas }) => lines.length === 0 && areas.length === 0 && points.every(inside);
}

function corner(value: Value): Position | undefined {
  const given = Array.isArray(value) ? value : isDocument(value) ? Object.values(value) : [];
  return given.length === 2 ? positionOf(value) : undefined;
}

function positions(value: Value, least: number): Position[] {
  const given = Array.isArray(value) ? (value as Value[]) : isDocument(value) ? Object.values(value) : [];
  const found = given.map(corner).filter((position) => position !== undefined);
  if (given.length < least || found.length < given.length) throw badValue(`a shape of $geoWithin needs at least ${String(least)} points`);
  return found;
}

function circle(value: Value): readonly [Position, number] {
  const given = Array.isArray(value) ? (value as Value[]) : isDocument(value) ? Object.values(value) : [];
  const [center, size] = given;
  const position = corner(center);
  const radius = isNumber(size) ? toNumber(size) : Number.NaN;
  if (!position || given.length !== 2 || !(radius >= 0))
    throw badValue('a circle of $geoWithin needs a center and a radius that is not negative');
  return [position, radius];
}

/** Counts the edges that a ray from the point crosses; what lies on an edge is inside. */
function inPolygon(corners: readonly Position[]): (point: Position) => boolean {
  return ([x, y]) => {
    let inside = false;
    for (const [index, [x1, y1]] of corners.entries()) {
      const [x2, y2] = corners[(index + 1) % corners.length] as Position;
      const turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      if (turn === 0 && x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2)) return true;
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    }
    return inside;
  };
}

const SHAPES: Readonly<Record<string, (value: Value) => Test>> = {
  $box(value) {
    const [low, high] = positions(value, 2) as [Position, Position];
    const [left, right] = [Math.min(low[0], high[0]), Math.max(low[0], high[0])];
    const [bottom, top] = [Math.min(low[1], high[1]), Math.max(low[1], high[1])];
    return flat(([x, y]) => x >= left && x <= right && y >= bottom && y <= top);
  },
  $center(value) {
    const [[cx, cy], radius] = circle(value);
    return flat(([x, y]) => Math.hypot(x - cx, y - cy) <= radius);
  },
  $polygon: (value) => flat(inPolygon(positions(value, 3))),
  $centerSphere(value) {
    const [center, radius] = circle(value);
    if (!isOnEarth(center)) throw badValue('Spherical circle center has bad coordinates');
    return (geometry) => {
      const shape = shapeOf(geometry);
      return shape !== undefined && withinCap(shape, center, radius);
    };
  },
  $geometry(value) {
    const wanted = readGeometry(value);
    if (wanted.areas.length === 0 || wanted.points.length > 0 || wanted.lines.length > 0)
      throw badValue('$geoWithin needs a Polygon or a MultiPolygon');
    const areas = onSphere(wanted);
    return (geometry) => {
      const shape = shapeOf(geometry);
      return shape !== undefined && within(shape, areas);
    };
  },
};

/** @returns whether a field of a document is asked for by distance */
export function isNear(condition: Doc): boolean {
  return '$near' in condition || '$nearSphere' in condition || '$geoNear' in condition;
}
