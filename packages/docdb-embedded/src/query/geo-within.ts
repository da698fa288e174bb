import { isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';

type Point = readonly [x: number, y: number];

/**
 * Compiles `$geoWithin` for flat shapes and circles on a sphere, over points written as two numbers or as GeoJSON.
 *
 * @returns tells whether a value is a point inside
 * @throws DocDbError (2) for a shape that is not valid, (291) for one that is not offered
 */
export function geoWithin(operand: Value): (value: Value) => boolean {
  if (!isDocument(operand)) throw badValue('$geoWithin requires a document');
  const [name = ''] = Object.keys(operand);
  const inside = shape(name, operand[name]);
  return (value) => {
    const point = pointOf(value);
    return point !== undefined && inside(point);
  };
}

function shape(name: string, value: Value): (point: Point) => boolean {
  switch (name) {
    case '$box': {
      const [low, high] = points(value, 2);
      const [[x1, y1], [x2, y2]] = [low as Point, high as Point];
      return ([x, y]) => x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
    }
    case '$center': {
      const [[cx, cy], radius] = circle(value);
      return ([x, y]) => Math.hypot(x - cx, y - cy) <= radius;
    }
    case '$centerSphere': {
      const [center, radius] = circle(value);
      return (point) => angle(center, point) <= radius;
    }
    case '$polygon':
      return inPolygon(points(value, 3));
    default:
      throw new DocDbError(291, `The shape ${name} is not supported by this database; $box, $center, $centerSphere and $polygon are`);
  }
}

function pointOf(value: Value): Point | undefined {
  if (Array.isArray(value)) {
    const [x, y] = value as Value[];
    return isNumber(x) && isNumber(y) ? [Number(String(x)), Number(String(y))] : undefined;
  }
  if (!isDocument(value)) return undefined;
  if (value.type === 'Point') return pointOf(value.coordinates);
  return pointOf(Object.values(value));
}

function points(value: Value, least: number): Point[] {
  const found = Array.isArray(value) ? (value as Value[]).map(pointOf) : [];
  if (found.length < least || found.some((point) => point === undefined))
    throw badValue(`a shape of $geoWithin needs at least ${String(least)} points`);
  return found as Point[];
}

function circle(value: Value): readonly [Point, number] {
  const [center, radius] = Array.isArray(value) ? (value as Value[]) : [];
  const point = pointOf(center);
  if (!point || !isNumber(radius) || Number(String(radius)) < 0) throw badValue('a circle of $geoWithin needs a center and a radius');
  return [point, Number(String(radius))];
}

/** Counts the edges that a ray from the point crosses. */
function inPolygon(corners: readonly Point[]): (point: Point) => boolean {
  return ([x, y]) => {
    let inside = false;
    corners.forEach(([x1, y1], index) => {
      const [x2, y2] = corners[(index + 1) % corners.length] as Point;
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
    });
    return inside;
  };
}

/** The angle between two places on a sphere, in radians. */
function angle([lng1, lat1]: Point, [lng2, lat2]: Point): number {
  const radians = Math.PI / 180;
  const sine = Math.sin(((lat2 - lat1) * radians) / 2) ** 2;
  const across = Math.cos(lat1 * radians) * Math.cos(lat2 * radians) * Math.sin(((lng2 - lng1) * radians) / 2) ** 2;
  return 2 * Math.asin(Math.sqrt(Math.min(1, sine + across)));
}
