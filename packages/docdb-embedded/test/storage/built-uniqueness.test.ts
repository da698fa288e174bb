import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Collection } from '../../src/storage/collection.ts';
import { Engine } from '../../src/storage/engine.ts';
import type { IndexDefinition } from '../../src/storage/index-definition.ts';
import { Store } from '../../src/storage/store.ts';
import type { Transaction } from '../../src/transactions/transaction.ts';

let store: Store;
let items: Collection;
let index: IndexDefinition;
let transaction: Transaction;
beforeEach(async () => {
  store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  await store.write((writer) => {
    items = writer.collections.create('t.items', {}, undefined);
    writer.insert(items, { _id: 1, a: 1 }, undefined);
  });
  await store.write((writer) => {
    index = store.newIndex({ v: 2, key: { a: 1 }, name: 'a_1', unique: true }, false);
    items = writer.collections.modify(items, { indexes: [items.ids, index] });
  });
  transaction = store.begin(1n);
});
afterEach(() => store.close());

const insert = (id: number, a: number): Promise<void> =>
  store.write((writer) => {
    writer.insert(items, { _id: id, a }, transaction);
  });
const build = (): Promise<void> =>
  store.write((writer) => {
    const stored = writer.reader.at(items, 1);
    if (stored) writer.addToIndex(items, index, stored);
  });
const check = (): Promise<void> =>
  store.write((writer) => {
    writer.uniqueKeys.checkSuspects(items, index, store.suspects.take(index));
  });
const commit = async (): Promise<void> => {
  await store.write((writer) => {
    writer.commit(transaction, {});
  });
  store.end(transaction, 'committed');
};

describe('a unique index in building', () => {
  it('is not built over a key that a transaction commits which others have: they were entered meanwhile', async () => {
    await insert(2, 1);
    await build();
    await commit();
    await expect(check()).rejects.toMatchObject({ code: 11000 });
  });

  it('is not built over one that was looked at before the transaction committed', async () => {
    await build();
    await insert(2, 1);
    await check();
    await commit();
    await expect(check()).rejects.toMatchObject({ code: 11000 });
  });

  it('is built where the keys are different', async () => {
    await insert(2, 2);
    await build();
    await commit();
    await check();
    expect(store.suspects.take(index)).toEqual([]);
  });

  it('is refused for two documents, however many have the same key', async () => {
    store.end(transaction, 'aborted');
    await store.write((writer) => {
      for (let id = 2; id <= 500; id++) writer.insert(items, { _id: id, a: 1 }, undefined);
    });
    await build();
    const compared = jest.spyOn(index, 'sameKey');
    await expect(check()).rejects.toMatchObject({ code: 11000 });
    expect(compared.mock.calls.length).toBeLessThan(10);
  });
});
