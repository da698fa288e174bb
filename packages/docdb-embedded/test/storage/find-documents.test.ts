import { expect, it } from '@jest/globals';
import { Engine } from '../../src/storage/engine.ts';
import { atOnce } from '../../src/aggregation/stages/in-turns.ts';
import { findInTurns, findSteps } from '../../src/storage/find-documents.ts';
import { Store } from '../../src/storage/store.ts';

it.each([
  ['as they are stored', []],
  ['in an order', [{ name: 'at', path: ['at'], direction: -1 as const, textScore: false }]],
])('others have their turn between large documents that are shown %s', async (_how, sort) => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  await store.write((writer) => {
    const collection = writer.collections.create('t.c', {}, undefined);
    for (let _id = 0; _id < 100; _id++) writer.insert(collection, { _id, at: _id, text: 'x'.repeat(20_000) }, undefined);
  });
  const { reader, release } = store.read();
  const collection = reader.collection('t.c');
  const all = { filter: {}, predicate: () => true, sort, skip: 0, limit: Infinity, collator: undefined };
  const slowly = ({ record }: { readonly record: number }): number => {
    const end = performance.now() + 1;
    while (performance.now() < end);
    return record;
  };
  const steps = collection ? [...findSteps(reader, collection, all, slowly)].filter(({ length }) => length > 0) : [];
  expect(steps.flat()).toHaveLength(100);
  expect(Math.max(...steps.map(({ length }) => length))).toBeLessThan(16);
  release();
  await store.close();
});

it('documents that are all wanted at once are refused with 292 when memory should not hold them', async () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  await store.write((writer) => {
    const collection = writer.collections.create('t.c', {}, undefined);
    for (let _id = 0; _id < 100; _id++) writer.insert(collection, { _id, text: 'x'.repeat(1000) }, undefined);
  });
  const { reader, release } = store.read();
  const collection = reader.collection('t.c');
  const all = { filter: {}, predicate: () => true, sort: [], skip: 0, limit: Infinity, collator: undefined };
  expect(collection && atOnce(findInTurns(reader, collection, all))).toHaveLength(100);
  expect(() => collection && atOnce(findInTurns(reader, collection, all, 20_000))).toThrow(expect.objectContaining({ code: 292 }));
  release();
  await store.close();
});
