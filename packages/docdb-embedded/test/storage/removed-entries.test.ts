import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { documentKey } from '../../src/storage/reader.ts';
import { Engine, numberKey } from '../../src/storage/engine.ts';

/** Pages of an index, each in another part of the file: more than LMDB keeps in mind of one write. */
const PAGES = 4300;
/** Keys that fill a page. */
const KEYS = 3;
const PART = Buffer.alloc(30_000);
const INDEX = 1;

let engine: Engine;
beforeAll(async () => {
  engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
  for (let first = 0; first < PAGES; first += 430)
    await engine.write(() => {
      for (let page = first; page < first + 430; page++) {
        for (let at = 0; at < KEYS; at++) void engine.entries.put(keyOf(page, at), page);
        void engine.documents.put(documentKey(1, page), PART);
      }
    });
});
afterAll(() => engine.close());

function keyOf(page: number, at: number): Buffer {
  const key = Buffer.alloc(560);
  key.set(numberKey(INDEX));
  key.writeUInt32BE(page * KEYS + at, 4);
  return key;
}

it('entries all over a large file are removed by one commit', async () => {
  await engine.write(() => {
    for (let page = 0; page < PAGES; page++) engine.memory.removeEntry(engine.pairs, engine.entries, keyOf(page, KEYS - 1), page);
  });
  expect(engine.pairs.getCount()).toBe(PAGES * (KEYS - 1));
});

it('an index all over a large file is given up by more than one commit', async () => {
  const givesUp = (): Promise<boolean> =>
    engine.write(() => {
      for (let part = 0; part < 20; part++) if (!engine.removeSome('indexes', INDEX, 500)) return false;
      return true;
    });
  let commits = 1;
  while (await givesUp()) commits += 1;
  expect(engine.pairs.getCount()).toBe(0);
  expect(commits).toBeGreaterThan(1);
});
