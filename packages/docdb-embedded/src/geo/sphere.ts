import { createRequire } from 'node:module';
import type * as S2js from 's2js';
import { badValue } from '../errors.ts';
import type { Geometry, Position } from './geometry.ts';
import { someNear } from './near-edges.ts';

type S2 = typeof S2js.s2;
/** A place on a sphere around the origin. */
export type Vector = readonly [number, number, number];
type Area = InstanceType<S2['Polygon']>;

let loaded: S2 | undefined;

/** The library is large, and most databases hold no places: it is loaded with the first area, or index of places. */
export function library(): S2 {
  loaded ??= (createRequire(import.meta.url)('s2js') as typeof S2js).s2;
  return loaded;
}

const RADIANS = Math.PI / 180;
/** Meters from the middle of the earth to its equator, as the server counts. */
export const EARTH_RADIUS = 6_378_100;

function vector([longitude, latitude]: Position): Vector {
  const phi = latitude * RADIANS;
  const theta = longitude * RADIANS;
  return [Math.cos(theta) * Math.cos(phi), Math.sin(theta) * Math.cos(phi), Math.sin(phi)];
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a: Vector): number => Math.sqrt(dot(a, a));
const unit = (a: Vector): Vector => [a[0] / length(a), a[1] / length(a), a[2] / length(a)];
const between = (a: Vector, b: Vector): number => Math.atan2(length(cross(a, b)), dot(a, b));

/** @returns the angle between two places, in radians */
export function angle(a: Position, b: Position): number {
  return between(vector(a), vector(b));
}

/** The angle from a place to the nearest place of an edge. */
function angleToEdge(point: Vector, [from, to]: Edge): number {
  const normal = cross(from, to);
  const size = length(normal);
  const inside = size > 0 && dot(cross(normal, from), point) > 0 && dot(cross(to, normal), point) > 0;
  if (!inside) return Math.min(between(point, from), between(point, to));
  const [x, y, z] = unit(normal);
  const above = dot(point, [x, y, z]);
  return between(point, [point[0] - above * x, point[1] - above * y, point[2] - above * z]);
}

/** The shortest way from one place to another. */
export type Edge = readonly [Vector, Vector];

/** Nearer to the plane of an edge than this, a place counts as in it. */
const IN_PLANE = 1e-15;

/** Whether two edges cross; those that touch at an end do not. Whole circles also cross on the other side of the earth, with the sides the other way round. */
function crosses([a, b]: Edge, [c, d]: Edge): boolean {
  const [ab, cd] = [cross(a, b), cross(c, d)];
  const sides = [dot(ab, c), dot(ab, d), dot(cd, a), dot(cd, b)];
  const [s1, s2, s3, s4] = sides.map((side) => (Math.abs(side) < IN_PLANE ? 0 : Math.sign(side))) as [number, number, number, number];
  return s1 * s2 < 0 && s3 * s4 < 0 && s2 === s3;
}

/** @returns whether two edges cross or touch */
function edgesMeet(one: Edge, other: Edge): boolean {
  if (crosses(one, other)) return true;
  const touches = (point: Vector, edge: Edge): boolean => angleToEdge(point, edge) < 1e-14;
  return one.some((point) => touches(point, other)) || other.some((point) => touches(point, one));
}

/** A geometry on the sphere, prepared for questions. */
export interface SphereShape {
  readonly points: readonly Vector[];
  readonly lines: readonly (readonly Edge[])[];
  readonly areas: readonly { readonly polygon: Area; readonly edges: readonly Edge[]; readonly corners: readonly Vector[] }[];
}

function edgesOf(places: readonly Vector[], closed: boolean): Edge[] {
  const last = closed ? places.length : places.length - 1;
  return Array.from(
    { length: Math.max(0, last) },
    (_unused, index) => [places[index], places[(index + 1) % places.length]] as unknown as Edge,
  );
}

function polygonOf(rings: readonly (readonly Vector[])[], strict: boolean): Area {
  const { Loop, Point, Polygon } = library();
  const loops = rings.map((ring) => {
    const loop = new Loop(ring.map(([x, y, z]) => new Point(x, y, z)));
    // A ring is the smaller of the two areas that it parts the earth into, whichever way it runs.
    if (!strict) loop.normalize();
    return loop;
  });
  const [shell, ...holes] = loops;
  if (holes.some((hole) => shell?.contains(hole) === false)) throw badValue('a hole of a Polygon lies outside of it');
  return new Polygon(loops);
}

function checkRing(edges: readonly Edge[]): void {
  for (let first = 0; first < edges.length; first++)
    for (let second = first + 2; second < edges.length; second++) {
      if (first === 0 && second === edges.length - 1) continue;
      if (edgesMeet(edges[first] as Edge, edges[second] as Edge)) throw badValue('Polygon edges cross each other');
    }
}

/** Rings with more edges are taken as they are: looking at all pairs would take too long. */
const CHECKED_EDGES = 500;

/**
 * Prepares a geometry.
 *
 * @throws DocDbError (2) for areas whose edges cross, or whose holes lie outside
 */
export function onSphere({ points, lines, areas, strict = false }: Geometry): SphereShape {
  return {
    points: points.map(vector),
    lines: lines.map((line) => edgesOf(line.map(vector), false)),
    areas: areas.map((rings) => {
      // All meridians meet at a pole.
      const corners = rings.map((ring) =>
        ring.map(vector).filter((corner, at, all) => between(corner, all[(at + 1) % all.length] as Vector) > SAME),
      );
      const edges = corners.map((ring) => edgesOf(ring, true));
      for (const ring of edges) if (ring.length <= CHECKED_EDGES) checkRing(ring);
      return { polygon: polygonOf(corners, strict), edges: edges.flat(), corners: corners.flat() };
    }),
  };
}

function inArea({ polygon }: SphereShape['areas'][number], [x, y, z]: Vector): boolean {
  return polygon.containsPoint(new (library().Point)(x, y, z));
}

/** A place counts as the smallest cell around it, less than a centimeter wide: what lies on an edge or a corner belongs to the area. */
function covers(area: SphereShape['areas'][number], place: Vector): boolean {
  const [x, y, z] = place;
  const { Cell, Point } = library();
  return inArea(area, place) || area.polygon.intersectsCell(Cell.fromPoint(new Point(x, y, z)));
}

function meets(edges: readonly Edge[], others: readonly Edge[]): boolean {
  return edges.some((edge) => someNear(others, edge, (other) => edgesMeet(edge, other)));
}

/** An edge lies in an area with its ends and what is between them, which may touch the area's own edges. */
function coversEdge(area: SphereShape['areas'][number], edge: Edge): boolean {
  const [from, to] = edge;
  const middle = unit([from[0] + to[0], from[1] + to[1], from[2] + to[2]]);
  return [from, middle, to].every((place) => covers(area, place)) && !someNear(area.edges, edge, (other) => crosses(edge, other));
}

/** @returns whether every part of a shape lies in one of the areas */
export function within(shape: SphereShape, { areas }: SphereShape): boolean {
  return (
    shape.points.every((point) => areas.some((area) => covers(area, point))) &&
    shape.lines.every((line) => areas.some((area) => line.every((edge) => coversEdge(area, edge)))) &&
    shape.areas.every(({ polygon }) => areas.some((area) => area.polygon.contains(polygon)))
  );
}

/** Places nearer than this are one: a millionth of a millimeter. */
const SAME = 1e-15;

/** @returns whether two shapes have a place in common; areas that only touch have none */
export function intersects(a: SphereShape, b: SphereShape): boolean {
  return (
    partsMeet(a, b) ||
    partsMeet(b, a) ||
    meets(a.lines.flat(), b.lines.flat()) ||
    a.areas.some((one) => b.areas.some((two) => one.polygon.intersects(two.polygon)))
  );
}

/** Whether places and lines of one meet places, lines or areas of the other. */
function partsMeet(a: SphereShape, b: SphereShape): boolean {
  return (
    a.points.some(
      (point) =>
        b.points.some((other) => between(point, other) < SAME) ||
        b.lines.some((line) => line.some((edge) => angleToEdge(point, edge) < SAME)) ||
        b.areas.some((area) => covers(area, point)),
    ) ||
    a.lines.some((line) =>
      b.areas.some((area) => line.some(([from, to]) => inArea(area, from) || inArea(area, to)) || meets(line, area.edges)),
    )
  );
}

/** @returns whether every place of a shape is at most so far away; an area is when its corners are */
export function withinCap(shape: SphereShape, center: Position, radius: number): boolean {
  const middle = vector(center);
  const near = (point: Vector): boolean => between(middle, point) <= radius;
  return (
    shape.points.every(near) &&
    shape.lines.every((line) => line.every(([from, to]) => near(from) && near(to))) &&
    shape.areas.every(({ corners }) => corners.every(near))
  );
}

/** @returns the angle between a place and the nearest place of a shape, in radians */
export function distance(shape: SphereShape, from: Position): number {
  const place = vector(from);
  // Not as arguments of a call: there can not be as many.
  const nearest = (edges: readonly Edge[], known: number): number =>
    edges.reduce((least, edge) => Math.min(least, angleToEdge(place, edge)), known);
  const toPoints = shape.points.reduce((least, point) => Math.min(least, between(place, point)), Infinity);
  const toLines = shape.lines.reduce((least, line) => nearest(line, least), toPoints);
  return shape.areas.reduce((least, area) => (inArea(area, place) ? 0 : nearest(area.edges, least)), toLines);
}
