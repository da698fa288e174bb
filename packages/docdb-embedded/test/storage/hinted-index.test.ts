import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MinKey, type Doc } from '../../src/bson/values.ts';
import type { Collection } from '../../src/storage/collection.ts';
import { Engine } from '../../src/storage/engine.ts';
import { keyBounds } from '../../src/storage/key-bounds.ts';
import { choosePlan } from '../../src/storage/plan.ts';
import { Store } from '../../src/storage/store.ts';

describe('a hint', () => {
  const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  let collection: Collection;
  beforeAll(async () => {
    await store.recover(() => false);
    await store.write((writer) => {
      const made = writer.collections.create('t.c', {}, undefined);
      const indexes = [
        store.newIndex({ key: { a: 1 }, name: 'made' }),
        store.newIndex({ key: { b: 1 }, name: 'being made' }, false),
        store.newIndex({ key: { c: 1 }, name: 'hidden', hidden: true }),
      ];
      writer.collections.modify(made, { indexes: [...made.indexes.values(), ...indexes] });
    });
    collection = store.newest.collection('t.c') as Collection;
  });
  afterAll(() => store.close());

  const planFor = (hint: string): unknown => choosePlan(collection, {}, [], undefined, hint);
  const boundsFor = (hint: string, min: Doc): unknown => keyBounds(collection, { min, max: {}, hint }, undefined);

  it('names an index that is made', () => {
    expect(planFor('made')).toMatchObject({ kind: 'index', index: { name: 'made' } });
    expect(boundsFor('made', { a: new MinKey() })).toBeDefined();
  });

  it.each([
    ['being made', { b: 1 }],
    ['hidden', { c: 1 }],
    ['none', { d: 1 }],
  ])('of an index that is %s is refused, since it would not have all documents', (name, min) => {
    const refusal = expect.objectContaining({ code: 2 });
    expect(() => planFor(name)).toThrow(refusal);
    expect(() => boundsFor(name, min)).toThrow(refusal);
  });
});
