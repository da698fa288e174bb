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
