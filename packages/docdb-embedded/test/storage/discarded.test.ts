import { expect, it } from '@jest/globals';
import { Discarded } from '../../src/storage/discarded.ts';
import { Engine, numberKey } from '../../src/storage/engine.ts';
import { Store } from '../../src/storage/store.ts';

it('removes what is dropped while it looks for the last time', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  const discarded = new Discarded(engine);
  const keys = [1, 2, 3].map((at) => Buffer.concat([numberKey(7), numberKey(at)]));
  await engine.write(() => {
    for (const key of keys) void engine.documents.put(key, key);
  });
  // Both are in one commit: it finds nothing, and behind it something is there.
  discarded.sweep();
  await engine.write(() => {
    discarded.add('documents', 7);
  });
  while (keys.some((key) => engine.documents.get(key))) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(keys.map((key) => engine.documents.get(key))).toEqual([undefined, undefined, undefined]);
  await discarded.stop();
  await engine.close();
});

it('takes many entries of few documents away in several writes: LMDB bounds what one may change', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  const store = new Store(engine);
  await store.recover();
  const index = store.newIndex({ v: 2, key: { values: 1 }, name: 'values_1' });
  const entries = (): number => [...engine.pairs.getKeys({ start: numberKey(index.number), end: numberKey(index.number + 1) })].length;
  const made = await store.write((writer) => {
    const created = writer.collections.create('t.items', {}, undefined);
    const collection = writer.collections.modify(created, { indexes: [...created.indexes.values(), index] });
    for (const _id of [0, 1, 2]) {
      const values = Array.from({ length: 2000 }, (_none, at) => 2000 * _id + at);
      writer.insert(collection, { _id, values }, undefined);
    }
    return collection;
  });
  expect(entries()).toBe(6000);
  let removed = 0;
  await store.write((writer) => {
    const before = entries();
    writer.collections.drop(made);
    removed = before - entries();
  });
  expect(removed).toBeLessThan(1000);
  while (entries() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await store.close();
});

it('removes little in one write, so that others write beside it', async () => {
  const engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  const discarded = new Discarded(engine);
  const left = (): number => [...engine.documents.getKeys({ start: numberKey(7), end: numberKey(8) })].length;
  await engine.write(() => {
    for (let at = 0; at < 4000; at += 1) void engine.documents.put(Buffer.concat([numberKey(7), numberKey(at)]), numberKey(at));
  });
  await engine.write(() => {
    discarded.add('documents', 7);
  });
  const removed: number[] = [];
  for (let before = left(); before > 0;) {
    const after = await engine.write(left);
    if (after < before) removed.push(before - after);
    before = after;
  }
  expect(Math.max(...removed)).toBeLessThanOrEqual(400);
  await discarded.stop();
  await engine.close();
});
