import { isDocument, isNumber, type Value } from '../bson/values.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { badValue } from '../errors.ts';

/** Longitude and latitude, or x and y. */
export type Position = readonly [number, number];

/** What a shape is made of: places, lines through places, and areas with their outer ring first. */
export interface Geometry {
  readonly points: readonly Position[];
  readonly lines: readonly (readonly Position[])[];
  readonly areas: readonly (readonly (readonly Position[])[])[];
  /** Whether it was written as GeoJSON: only then it has edges on a sphere. */
  readonly spherical: boolean;
  /** Whether an area lies to the left of its ring, even where it is the larger one. */
  readonly strict?: boolean;
}

/** Entries of a list; a document counts as the list of its values. */
function entries(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value as Value[];
  return isDocument(value) ? Object.values(value) : undefined;
}

/** @returns two numbers as a position; what follows them does not count */
export function positionOf(value: Value): Position | undefined {
  const [x, y] = entries(value) ?? [];
  if (!isNumber(x) || !isNumber(y)) return undefined;
  const position: Position = [toNumber(x), toNumber(y)];
  return position.every(Number.isFinite) ? position : undefined;
}

/** @returns whether a position is one of the earth */
export function isOnEarth([longitude, latitude]: Position): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

function place(value: Value): Position {
  const position = positionOf(value);
  if (!position) throw badValue('Point must only contain numeric elements');
  if (!isOnEarth(position)) throw badValue(`longitude/latitude is out of bounds, lng: ${String(position[0])} lat: ${String(position[1])}`);
  return position;
}

function same([x1, y1]: Position, [x2, y2]: Position): boolean {
  return x1 === x2 && y1 === y2;
}

function list<T>(value: Value, of: (entry: Value) => T, least: number, what: string): T[] {
  if (!Array.isArray(value) || value.length < least) throw badValue(`${what} needs at least ${String(least)} elements`);
  return (value as Value[]).map(of);
}

function line(value: Value): Position[] {
  const all = list(value, place, 2, 'a LineString').filter(
    (position, index, from) => index === 0 || !same(position, from[index - 1] as Position),
  );
  if (all.length < 2) throw badValue('GeoJSON LineString must have at least 2 different vertices');
  return all;
}

/** A closed ring, without its last place, which is the first. */
function ring(value: Value): Position[] {
  const all = list(value, place, 4, 'a ring of a Polygon');
  const [first] = all;
  const last = all.at(-1);
  if (!first || !last || !same(first, last)) throw badValue('Polygon loop is not closed');
  const open = all.slice(1).filter((position, index) => !same(position, all[index] as Position));
  if (new Set(open.map(String)).size < 3) throw badValue('Polygon loop must have at least 3 different vertices');
  if (new Set(open.map(String)).size < open.length) throw badValue('Polygon loop has a vertex twice');
  return open;
}

const EMPTY: Geometry = { points: [], lines: [], areas: [], spherical: true };

const TYPES: Readonly<Record<string, (coordinates: Value) => Geometry>> = {
  Point: (value) => ({ ...EMPTY, points: [place(value)] }),
  LineString: (value) => ({ ...EMPTY, lines: [line(value)] }),
  Polygon: (value) => ({ ...EMPTY, areas: [list(value, ring, 1, 'a Polygon')] }),
  MultiPoint: (value) => ({ ...EMPTY, points: list(value, place, 1, 'a MultiPoint') }),
  MultiLineString: (value) => ({ ...EMPTY, lines: list(value, line, 1, 'a MultiLineString') }),
  MultiPolygon: (value) => ({ ...EMPTY, areas: list(value, (one) => list(one, ring, 1, 'a Polygon'), 1, 'a MultiPolygon') }),
};

/** Names of coordinate systems that are the earth in degrees. */
const STRICT = 'urn:x-mongodb:crs:strictwinding:EPSG:4326';
const SYSTEMS: ReadonlySet<Value> = new Set(['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326']);

/** @returns whether the areas are those to the left of their rings */
function isStrict(value: Value, type: string): boolean {
  if (value === undefined) return false;
  const name = isDocument(value) && value.type === 'name' && isDocument(value.properties) ? value.properties.name : undefined;
  if (name === STRICT && type === 'Polygon') return true;
  if (!SYSTEMS.has(name)) throw badValue(`Unknown or unsupported coordinate reference system: ${String(name)}`);
  return false;
}

/** Collections inside each other. */
const MAX_DEPTH = 100;

/**
 * Reads GeoJSON.
 *
 * @throws DocDbError (2) for what is none
 */
export function readGeometry(value: Value, depth = 0): Geometry {
  if (Array.isArray(value) || (isDocument(value) && value.type === undefined)) return legacy(value);
  if (!isDocument(value)) throw badValue('a geometry must be a document');
  if (typeof value.type !== 'string') throw badValue("GeoJSON needs a 'type' that is a string");
  const strict = isStrict(value.crs, value.type);
  if (value.type === 'GeometryCollection') {
    if (depth > MAX_DEPTH) throw badValue('GeometryCollections are nested too deeply');
    const parts = list(value.geometries, (part) => readGeometry(part, depth + 1), 1, 'a GeometryCollection');
    return {
      points: parts.flatMap(({ points }) => points),
      lines: parts.flatMap(({ lines }) => lines),
      areas: parts.flatMap(({ areas }) => areas),
      spherical: true,
    };
  }
  const read = Object.hasOwn(TYPES, value.type) ? TYPES[value.type] : undefined;
  if (!read) throw badValue(`unknown GeoJSON type: ${value.type}`);
  if (value.type === 'Point' && isDocument(value.coordinates)) return read(Object.values(value.coordinates));
  return { ...read(value.coordinates), strict };
}

/** A place that is written without its type. */
function legacy(value: Value): Geometry {
  const inner = isDocument(value) && 'coordinates' in value ? value.coordinates : value;
  if ((entries(inner) ?? []).length !== 2) throw badValue('a place without a type has two numbers');
  return { ...EMPTY, points: [place(inner)] };
}

/** @returns the geometry that a value of a document is: GeoJSON, or two numbers; `undefined` for another value */
export function geometryOf(value: Value): Geometry | undefined {
  if (isDocument(value) && typeof value.type === 'string') {
    try {
      return readGeometry(value);
    } catch {
      return undefined;
    }
  }
  const position = positionOf(value);
  return position && { points: [position], lines: [], areas: [], spherical: false };
}
