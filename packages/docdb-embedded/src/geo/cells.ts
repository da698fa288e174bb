import { isDocument, isNumber, type Value } from '../bson/values.ts';
import { toNumber } from '../bson/arithmetic.ts';
import { type Geometry, geometryOf, isOnEarth, type Position, positionOf, readGeometry } from './geometry.ts';
import { EARTH_RADIUS, angle, library } from './sphere.ts';
import type { Near } from './near.ts';

/** A part of the earth: all places that are at most so far from one, in radians. */
export interface Cap {
  readonly center: Position;
  readonly radius: number;
}

/** Names of cells from one to another. */
export interface CellRange {
  readonly first: string;
  readonly last: string;
}

/** The cell of what is everywhere, or nowhere in particular: every search looks at it. */
export const ANYWHERE = '';
/** Larger parts of the earth are anywhere; in smaller ones the area within a ring is what lies between its corners. */
const LARGEST = 1;
/** Cells of a geometry in an index, and of what is searched for. */
const STORED_CELLS = 6;
const SEARCHED_CELLS = 16;
/** What searches allow for where numbers were rounded: less than a centimeter. */
const ROUNDED = 1e-9;

/** @returns a part of the earth that holds a geometry, `undefined` for a large one or none */
export function capOf({ points, lines, areas, strict }: Geometry): Cap | undefined {
  const places = [...points, ...lines.flat(), ...areas.flat(2)];
  const [first] = places;
  if (!first || strict === true || !places.every(isOnEarth)) return undefined;
  const center: Position = areas.length + lines.length === 0 && places.length === 1 ? first : middleOf(places);
  const radius = places.reduce((most, place) => Math.max(most, angle(center, place)), 0);
  return radius > LARGEST ? undefined : { center, radius };
}

function middleOf(places: readonly Position[]): Position {
  const sum = [0, 0, 0] as [number, number, number];
  for (const [longitude, latitude] of places) {
    const [theta, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180];
    sum[0] += Math.cos(theta) * Math.cos(phi);
    sum[1] += Math.sin(theta) * Math.cos(phi);
    sum[2] += Math.sin(phi);
  }
  const [x, y, z] = sum;
  return [(Math.atan2(y, x) * 180) / Math.PI, (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI];
}

const nameOf = (cell: bigint): string => cell.toString(16).padStart(16, '0');

function cover({ center: [longitude, latitude], radius }: Cap, maxCells: number): bigint[] {
  const { Cap: Circle, LatLng, Point, RegionCoverer } = library();
  const circle = Circle.fromCenterAngle(Point.fromLatLng(LatLng.fromDegrees(latitude, longitude)), radius + ROUNDED);
  return [...new RegionCoverer({ maxCells }).covering(circle)];
}

/** @returns the names of the cells of a value in an index */
export function cellsOf(value: Value): string[] {
  const geometry = geometryOf(value);
  if (!geometry) return [];
  const cap = capOf(geometry);
  if (!cap) return [ANYWHERE];
  const { cellid, LatLng } = library();
  if (cap.radius === 0) return [nameOf(cellid.fromLatLng(LatLng.fromDegrees(cap.center[1], cap.center[0])))];
  return cover(cap, STORED_CELLS).map(nameOf);
}

/** @returns the cells that may hold something in a part of the earth: those within it, and larger ones around */
export function searchedCells(cap: Cap): CellRange[] {
  const { cellid } = library();
  const ranges: CellRange[] = [{ first: ANYWHERE, last: ANYWHERE }];
  const around = new Set<string>();
  for (const cell of cover(cap, SEARCHED_CELLS)) {
    ranges.push({ first: nameOf(cellid.rangeMin(cell)), last: nameOf(cellid.rangeMax(cell)) });
    for (let level = cellid.level(cell) - 1; level >= 0; level--) around.add(nameOf(cellid.parent(cell, level)));
  }
  for (const name of around) ranges.push({ first: name, last: name });
  return ranges;
}

/** @returns where an operator on a field looks, `undefined` for anywhere; its operand was checked before */
export function capOfOperator(operand: Value): Cap | undefined {
  if (!isDocument(operand)) return undefined;
  if ('$geometry' in operand) return capOf(readGeometry(operand.$geometry));
  const { $centerSphere: circle } = operand;
  const [center, size] = Array.isArray(circle) ? (circle as Value[]) : [];
  const position = positionOf(center);
  if (!position || !isOnEarth(position) || !isNumber(size)) return undefined;
  return capWithin(position, toNumber(size));
}

/** @returns where the nearest are looked for, `undefined` for anywhere */
export function capOfNear({ center, spherical, meters, most }: Near): Cap | undefined {
  return spherical ? capWithin(center, most / (meters ? EARTH_RADIUS : 1)) : undefined;
}

function capWithin(center: Position, radius: number): Cap | undefined {
  return radius >= 0 && radius <= LARGEST ? { center, radius } : undefined;
}
