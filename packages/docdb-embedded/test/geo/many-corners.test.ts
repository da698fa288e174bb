import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from '../harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

it('measures the distance of a line with more corners than a call has arguments', async () => {
  const places = harness.db.collection<Document>('places');
  const coordinates = Array.from({ length: 150_000 }, (_unused, at) => [at / 1000, 10]);
  await places.insertOne({ _id: 1, at: { type: 'LineString', coordinates } });
  await places.createIndex({ at: '2dsphere' });
  const near = { $nearSphere: { $geometry: { type: 'Point', coordinates: [0, 0] } } };
  expect(await places.find({ at: near }, { projection: { _id: 1 } }).toArray()).toEqual([{ _id: 1 }]);
});
