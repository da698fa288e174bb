import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Collection } from '../../src/storage/collection.ts';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { WaitFor } from '../../src/transactions/transaction.ts';

let store: Store;
let source: Collection;
let target: Collection;
beforeEach(async () => {
  store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  await store.write((writer) => {
    source = writer.collections.create('t.source', {}, undefined);
    target = writer.collections.create('t.target', {}, undefined);
    writer.insert(target, { _id: 1 }, undefined);
  });
});
afterEach(() => store.close());

it.each([
  ['that gets another name', () => source],
  ['whose name it gets', () => target],
])('a transaction that uses the collection %s lets both stay as they are until it ends', async (_which, used) => {
  const transaction = store.begin(1n);
  await store.write((writer) => {
    writer.insert(used(), { _id: 2 }, transaction);
  });
  const rename = (): Promise<void> =>
    store.write((writer) => {
      writer.collections.rename(source, target.ns, target);
    });
  await expect(rename()).rejects.toBeInstanceOf(WaitFor);
  expect(store.newest.collection('t.target')).toBe(target);
  expect(store.newest.countOf(target)).toBe(1);
  expect(store.newest.collection('t.source')).toBe(source);
  store.end(transaction, 'aborted');
  await rename();
  expect(store.newest.collection('t.target')?.uuid).toBe(source.uuid);
});
