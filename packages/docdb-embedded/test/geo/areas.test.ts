import { expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { geoIntersects, geoWithin } from '../../src/geo/geo-tests.ts';
import { measurer, splitNear } from '../../src/geo/near.ts';

type Place = readonly [number, number];

const point = (...coordinates: Place): Document => ({ type: 'Point', coordinates: [...coordinates] });
const box = (left: number, low: number, right: number, high: number): Document => ({
  type: 'Polygon',
  coordinates: [
    [
      [left, low],
      [right, low],
      [right, high],
      [left, high],
      [left, low],
    ],
  ],
});

it('holds what lies on its edges and its corners', () => {
  const inside = geoWithin({ $geometry: box(0, 0, 10, 10) });
  const meets = geoIntersects({ $geometry: box(0, 0, 10, 10) });
  const on: readonly Place[] = [
    [0, 0],
    [5, 0],
    [10, 0],
    [10, 5],
    [10, 10],
    [0, 10],
    [0, 5],
  ];
  for (const place of on) expect([place, inside(point(...place)), meets(point(...place))]).toEqual([place, true, true]);
  const beside: readonly Place[] = [
    [5, -0.00001],
    [10.00001, 5],
  ];
  for (const place of beside) expect([inside(point(...place)), meets(point(...place))]).toEqual([false, false]);
});

it('holds what lies on a meridian that ends at a pole', () => {
  expect(geoWithin({ $geometry: box(40, 80, 41, 90) })(point(41, 85))).toBe(true);
  expect(geoWithin({ $geometry: box(40, 80, 41, 90) })(point(42, 85))).toBe(false);
});

it.each<[string, Document, boolean]>([
  ['a corner', box(10, 10, 20, 20), false],
  ['an edge', box(10, 0, 20, 10), false],
  ['a part', box(5, 5, 15, 15), true],
  ['all of it', box(0, 0, 10, 10), true],
  ['what is inside', box(2, 2, 3, 3), true],
  ['what is around', box(-5, -5, 15, 15), true],
  ['nothing', box(30, 30, 40, 40), false],
])('shares a place with an area by %s', (_what, other, wanted) => {
  expect(geoIntersects({ $geometry: box(0, 0, 10, 10) })(other)).toBe(wanted);
  expect(geoIntersects({ $geometry: other })(box(0, 0, 10, 10))).toBe(wanted);
});

it('is as far from a line as from the nearest place of the line', () => {
  const measure = measurer({ path: 'at', center: [1, 1], spherical: true, meters: true, least: 0, most: Infinity });
  const far = (at: Document): number | undefined => measure({ at } as never)?.distance;
  const path = {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [2, 0],
    ],
  };
  expect(far(path)).toBe(far(point(1, 0)));
});

const concave = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 2],
      [0, 10],
      [0, 0],
    ],
  ],
};

it.each<[string, Document, readonly Place[], boolean]>([
  [
    'from corner to corner through its middle',
    box(0, 0, 10, 10),
    [
      [0, 0],
      [10, 10],
    ],
    true,
  ],
  [
    'along an edge',
    box(0, 0, 10, 10),
    [
      [0, 1],
      [0, 9],
    ],
    true,
  ],
  [
    'from corner to corner past it',
    concave,
    [
      [0, 10],
      [10, 10],
    ],
    false,
  ],
  [
    'out of it',
    box(0, 0, 10, 10),
    [
      [0, 0],
      [11, 11],
    ],
    false,
  ],
])('holds a line %s or not', (_what, area, coordinates, wanted) => {
  expect(geoWithin({ $geometry: area })({ type: 'LineString', coordinates: coordinates.map((place) => [...place]) })).toBe(wanted);
});

it.each(['$minDistance', '$maxDistance'])('takes no %s beside a center in $geometry, where it would count for nothing', (name) => {
  expect(() => splitNear({ at: { $near: { $geometry: point(0, 0) }, [name]: 1 } })).toThrow(`${name} belongs into the operand of $near`);
  expect(splitNear({ at: { $nearSphere: point(0, 0), [name]: 1 } }).near).toMatchObject({ meters: true });
});

it('is asked for by the winding of its ring, and is no area that may be stored so', () => {
  const crs = { type: 'name', properties: { name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326' } };
  const strict = { ...box(0, 0, 10, 10), crs };
  expect(geoIntersects({ $geometry: strict })(point(5, 5))).toBe(true);
  expect(geoIntersects({ $geometry: box(0, 0, 10, 10) })(strict)).toBe(false);
  expect(geoWithin({ $geometry: box(-20, -20, 20, 20) })(strict)).toBe(false);
});

it.each([Infinity, Number.NaN, -1])('is no number of meters away that is %s', (distance) => {
  for (const name of ['$minDistance', '$maxDistance'])
    expect(() => splitNear({ at: { $near: { $geometry: point(0, 0), [name]: distance } } })).toThrow(`${name} must be a finite number`);
});

const line = (...coordinates: Place[]): Document => ({ type: 'LineString', coordinates: coordinates.map((place) => [...place]) });

it('has no place in common with a line on the other side of the earth', () => {
  expect(geoIntersects({ $geometry: box(-7, -6, 1, 2) })(line([180, -90], [180, 10]))).toBe(false);
});

it('tells that long lines cross, however far apart their ends are', () => {
  expect(geoIntersects({ $geometry: line([127, -47], [81, 55]) })(line([85, 53], [-64, -66]))).toBe(true);
});

it('may reach around half of the earth', () => {
  const ring: readonly Place[] = [
    [0, 0],
    [-60, -10],
    [-90, 70],
    [120, -10],
    [0, 0],
  ];
  expect(() => geoIntersects({ $geometry: { type: 'Polygon', coordinates: [ring.map((place) => [...place])] } })).not.toThrow();
});
