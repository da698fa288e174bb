import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expireDocuments } from '../../src/storage/expire-documents.ts';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';

const store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
beforeAll(() => store.recover());
afterAll(() => store.close());

it('documents that a transaction holds keep no others from expiring, however many they are', async () => {
  const held = 700;
  const collection = await store.write((writer) => {
    const made = writer.collections.create('t.items', {}, undefined);
    const index = store.newIndex({ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 10 });
    const indexed = writer.collections.modify(made, { indexes: [...made.indexes.values(), index] });
    for (let n = 0; n < 1500; n++) writer.insert(indexed, { _id: n, at: new Date(n) }, undefined);
    return indexed;
  });
  const transaction = store.begin(1n);
  await store.write((writer) => {
    for (const { record, doc } of transaction.reader.scan(collection, false)) {
      if (Number(doc._id) >= held) break;
      const before = writer.reader.at(collection, record);
      if (before) writer.replace(collection, before, { ...before.doc, n: 1 }, { kind: 'update' }, transaction);
    }
  });
  await expireDocuments(store);
  const count = (): number => store.newest.countOf(collection);
  expect(count()).toBe(held);
  store.end(transaction, 'aborted');
  await expireDocuments(store);
  expect(count()).toBe(0);
});
