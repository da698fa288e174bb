import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { intersects, onSphere, within, type SphereShape } from '../../src/geo/sphere.ts';
import type { Position } from '../../src/geo/geometry.ts';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('measures the distance of a line with more corners than a call has arguments', async () => {
  const places = harness.db.collection<Document & { _id: number }>('places');
  const coordinates = Array.from({ length: 150_000 }, (_unused, at) => [at / 1000, 10]);
  await places.insertOne({ _id: 1, at: { type: 'LineString', coordinates } });
  await places.createIndex({ at: '2dsphere' });
  const near = { $nearSphere: { $geometry: { type: 'Point', coordinates: [0, 0] } } };
  expect(await places.find({ at: near }, { projection: { _id: 1 } }).toArray()).toEqual([{ _id: 1 }]);
});

describe('shapes of thousands of corners', () => {
  const circle = (radius: number, x = 0, count = 40_000): Position[] =>
    Array.from({ length: count }, (_unused, at) => {
      const turn = (2 * Math.PI * at) / count;
      return [x + radius * Math.cos(turn), radius * Math.sin(turn)];
    });
  const line = (...places: Position[]): SphereShape => onSphere({ points: [], lines: [places], areas: [], spherical: true });
  const area = onSphere({ points: [], lines: [], areas: [[circle(10)]], spherical: true });

  it('are told to meet or not without a look at all pairs of edges', () => {
    expect(intersects(line(...circle(12)), area)).toBe(false);
    expect(intersects(line(...circle(9)), line(...circle(8)))).toBe(false);
    expect(intersects(line(...circle(9)), line(...circle(9, 1)))).toBe(true);
    expect(intersects(line([-20, 0.0001], [20, 0]), area)).toBe(true);
    expect(intersects(line([-100, 0], [-20, 0], [-20, 30]), area)).toBe(false);
    expect(intersects(line([-100, 40], [100, 40]), line(...circle(10)))).toBe(false);
    expect(intersects(line([-80, 0.0001], [80, 0]), line(...circle(10)))).toBe(true);
  });

  it('are told to lie within others', () => {
    expect(within(line(...circle(8)), area)).toBe(true);
    expect(within(line(...circle(8, 3)), area)).toBe(false);
    expect(within(line([-9, 0], [9, 0.1]), area)).toBe(true);
    expect(within(line([-11, 0], [9, 0.1]), area)).toBe(false);
  });
});
