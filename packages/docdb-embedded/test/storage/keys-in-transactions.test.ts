import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from '../../src/storage/collection.ts';
import { Outdated } from '../../src/errors.ts';
import { Engine } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';
import { Stored } from '../../src/storage/stored.ts';
import type { Writer } from '../../src/storage/writer.ts';
import type { Transaction } from '../../src/transactions/transaction.ts';

/** Longer than a key of an index is: what follows is no part of it. */
const LONG = 'x'.repeat(2000);

let store: Store;
let items: Collection;
let transaction: Transaction;
beforeEach(async () => {
  store = new Store(new Engine({ path: undefined, sync: 'never', maxSize: undefined }));
  await store.recover();
  await store.write((writer) => {
    items = writer.collections.create('t.items', {}, undefined);
    items = writer.collections.modify(items, {
      indexes: [items.ids, store.newIndex({ v: 2, key: { a: 1 }, name: 'a_1', unique: true })],
    });
    writer.insert(items, { _id: 1, a: 1 }, undefined);
  });
  transaction = store.begin(1n);
});
afterEach(() => store.close());

const stored = (id: unknown): Stored | undefined => {
  const record = transaction.reader.recordOf(items, id as never);
  return record === undefined ? undefined : transaction.reader.at(items, record);
};
const insert = (_id: unknown, a: unknown): Promise<void> =>
  store.write((writer) => {
    writer.insert(items, { _id, a } as never, transaction);
  });
const change = (id: unknown, a: unknown): Promise<void> =>
  store.write((writer) => {
    const before = stored(id);
    if (before) writer.replace(items, before, { _id: id, a } as never, { kind: 'replace' }, transaction);
  });
const remove = (id: unknown): Promise<void> =>
  store.write((writer) => {
    const before = stored(id);
    if (before) writer.remove(items, before, transaction);
  });
/** What everybody sees when the transaction is committed. */
async function committed(): Promise<unknown[]> {
  await store.write((writer) => {
    writer.commit(transaction, {});
  });
  store.end(transaction, 'committed');
  const { reader, release } = store.read();
  const docs: unknown[] = [];
  for (const { doc } of reader.scan(items, false)) docs.push(doc);
  release();
  return docs;
}

describe('in a transaction a unique key', () => {
  it.each([
    ['has changed', () => change(1, 2), [{ _id: 1, a: 2 }]],
    ['has removed', () => remove(1), []],
  ])('is free again that it %s of a document', async (_how, giveBack, others) => {
    await giveBack();
    await insert(2, 1);
    expect(await committed()).toEqual([...others, { _id: 2, a: 1 }]);
  });

  it.each([
    ['has changed', () => change(2, 3), [{ _id: 2, a: 3 }]],
    ['has removed', () => remove(2), []],
  ])('is free again that it %s of a document of its own, and is given once', async (_how, giveBack, others) => {
    await insert(2, 2);
    await giveBack();
    await insert(3, 2);
    await expect(insert(4, 2)).rejects.toMatchObject({ code: 11000 });
    expect(await committed()).toEqual([{ _id: 1, a: 1 }, ...others, { _id: 3, a: 2 }]);
  });

  it.each<[string, (writer: Writer, before: Stored) => void]>([
    ['changed', (writer, before) => writer.replace(items, before, { _id: 1, a: 2 }, { kind: 'replace' }, undefined)],
    ['removed', (writer, before) => writer.remove(items, before, undefined)],
  ])('is not free where others have %s the document since, which the transaction still sees', async (_how, giveBack) => {
    const before = stored(1);
    await store.write((writer) => {
      if (before) giveBack(writer, before);
    });
    await expect(insert(2, 1)).rejects.toThrow(Outdated);
    expect(stored(1)?.doc).toEqual({ _id: 1, a: 1 });
    await insert(2, 3);
    expect(await committed()).toContainEqual({ _id: 2, a: 3 });
  });

  it('is free again for the document itself', async () => {
    await change(1, 2);
    await change(1, 1);
    await expect(insert(2, 1)).rejects.toMatchObject({ code: 11000 });
    expect(await committed()).toEqual([{ _id: 1, a: 1 }]);
  });
});

describe('in a transaction documents', () => {
  it('are told apart by what no key has room for of their ids', async () => {
    const ids = ['a', 'b', 'c'].map((end) => LONG + end);
    for (const [a, id] of ids.entries()) await insert(id, a + 2);
    expect(ids.map((id) => stored(id)?.doc.a)).toEqual([2, 3, 4]);
    await remove(ids[1]);
    await change(ids[0], 9);
    expect(ids.map((id) => stored(id)?.doc.a)).toEqual([9, undefined, 4]);
    expect(stored(`${LONG}d`)).toBeUndefined();
  });

  it('are refused with 257 where all that it has changed would be too large', () => {
    const bytes = Buffer.allocUnsafeSlow(100 * 1024 * 1024);
    const set = (record: number): void => {
      transaction.set(items, record, new Stored(record, 0, bytes), String(record), { kind: 'insert', ns: items.ns, uuid: items.uuid });
    };
    set(10);
    set(11);
    expect(() => {
      set(12);
    }).toThrow(expect.objectContaining({ code: 257 }));
  });
});
