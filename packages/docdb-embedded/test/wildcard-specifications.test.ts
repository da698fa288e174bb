import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { start, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await start();
});
afterAll(() => harness.stop());

async function codeOf(key: Document, wildcardProjection?: Document): Promise<unknown> {
  await harness.db.dropCollection('things');
  const index = { key, name: 'one', ...(wildcardProjection && { wildcardProjection }) };
  return harness.db.command({ createIndexes: 'things', indexes: [index] }).then(
    () => 'made',
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

describe('an index of a wildcard beside other fields', () => {
  it.each<[Document, Document]>([
    [
      { '$**': 1, other: 1 },
      { _id: 0, a: 1 },
    ],
    [
      { '$**': 1, other: 1 },
      { _id: 0, 'constructor.a': 1 },
    ],
    [{ '$**': 1, d: 1 }, { a: { b: 1, c: 1 } }],
    [
      { _id: 1, 'a.b': 1, '$**': 1 },
      { _id: 0, a: 0 },
    ],
    [{ _id: 1, '$**': 1 }, { _id: 0 }],
  ])('is made as %j with the projection %j', async (key, projection) => {
    expect(await codeOf(key, projection)).toBe('made');
  });

  it.each<[Document, Document | undefined, number]>([
    [{ a: 1, 'a.$**': 1 }, undefined, 7246204],
    [{ 'a.b.c': 1, 'a.b.$**': 1 }, undefined, 7246204],
    [{ 'a.$**': 1, b: 'text' }, undefined, 67],
    [{ 'a.$**': 1, b: 'hashed' }, undefined, 67],
    [{ 'a.$**': 'text' }, undefined, 67],
    [{ '$**': 1, c: 1 }, { 'a.b': 1, 'a.b.c': 1 }, 7246200],
    [{ a: 1, '$**': 1 }, { a: 1, b: 1 }, 7246208],
    [{ _id: 1, '$**': 1 }, { _id: 1 }, 7246208],
    [{ a: 1, b: 1, '$**': 1 }, { b: 0 }, 7246209],
    [{ a: 1, _id: 1, '$**': 1 }, { a: 0 }, 7246209],
    [{ b: 1, '$**': 1 }, { _id: 0, a: 0 }, 7246210],
    [{ a: 1, '$**': 1 }, { _id: 0 }, 7246210],
    [{ '$**': 1, c: 1 }, { _id: 0, a: 0, b: 1 }, 7246211],
  ])('is refused as %j with the projection %j (%d)', async (key, projection, code) => {
    expect(await codeOf(key, projection)).toBe(code);
  });
});

describe('a projection within a field', () => {
  it('is the one with a dotted name: the index has what it names, and no second one is made of it', async () => {
    await harness.db.dropCollection('things');
    const things = harness.db.collection('things');
    await things.insertMany([{ a: { b: 1, c: 2 } }, { x: 1 }]);
    const stage = async (query: Document): Promise<unknown> => {
      const { queryPlanner } = (await things.find(query).explain()) as {
        queryPlanner: { winningPlan: { stage: string; inputStage?: { stage: string } } };
      };
      return queryPlanner.winningPlan.inputStage?.stage ?? queryPlanner.winningPlan.stage;
    };
    await things.createIndex({ '$**': 1 }, { name: 'one', wildcardProjection: { a: { b: 1 } } });
    expect([await stage({ 'a.b': 1 }), await stage({ 'a.c': 2 }), await stage({ x: 1 })]).toEqual(['IXSCAN', 'COLLSCAN', 'COLLSCAN']);
    for (const same of [{ 'a.b': 1 }, { a: { b: true } }, { _id: 0, a: { b: 2 } }]) {
      expect(await things.createIndex({ '$**': 1 }, { name: 'one', wildcardProjection: same as Document })).toBe('one');
      await expect(things.createIndex({ '$**': 1 }, { name: 'other', wildcardProjection: same as Document })).rejects.toMatchObject({
        code: 85,
      });
    }
    await things.createIndex({ '$**': 1 }, { name: 'other', wildcardProjection: { a: { c: 1 } } });
    await things.dropIndexes();
    await things.createIndex({ '$**': 1 }, { name: 'one', wildcardProjection: { a: { b: 0 } } });
    expect([await stage({ 'a.b': 1 }), await stage({ 'a.c': 2 }), await stage({ x: 1 })]).toEqual(['COLLSCAN', 'IXSCAN', 'IXSCAN']);
    expect(await things.find({ x: 1 }).hint('one').toArray()).toHaveLength(1);
  });

  it.each<[Document, number]>([
    [{ a: {} }, 51270],
    [{ a: { $slice: 1 } }, 51271],
    [{ a: { b: 'text' } }, 51271],
    [{ a: { b: 1 }, c: 0 }, 31254],
  ])('is refused as %j (%d)', async (projection, code) => {
    expect(await codeOf({ '$**': 1 }, projection)).toBe(code);
  });
});

describe('a stage whose operand is no description of it', () => {
  const graph = { from: 'things', startWith: 1, connectFromField: 'a', connectToField: 'b', as: 'c' };
  it.each<[Document, number]>([
    [{ $graphLookup: { ...graph, as: '$c' } }, 16410],
    [{ $graphLookup: { ...graph, connectFromField: '$a' } }, 16410],
    [{ $graphLookup: { ...graph, connectToField: '$b' } }, 16410],
    [{ $graphLookup: { ...graph, depthField: '$d' } }, 16410],
    [{ $graphLookup: { ...graph, from: '' } }, 73],
    [{ $graphLookup: { from: 'things', connectFromField: 'a', connectToField: 'b', as: 'c' } }, 40105],
    [{ $fill: 'all' }, 9],
    [{ $fill: { output: {} } }, 6050203],
    [{ $fill: { output: { a: 'all' } } }, 6050200],
    [{ $fill: { output: { a: { method: 'locf', second: 1 } } } }, 40415],
  ])('is refused: %j (%d)', async (stage, code) => {
    await expect(harness.db.collection('things').aggregate([stage]).toArray()).rejects.toMatchObject({ code });
  });
});
