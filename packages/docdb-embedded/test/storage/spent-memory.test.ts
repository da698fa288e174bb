import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Engine, numberKey } from '../../src/storage/engine.ts';
import { WriteMemory } from '../../src/storage/write-memory.ts';

const LONG = 700;
const SHORT = 500;
const LARGE_FILE = 65 * 1024 * 1024;

let engine: Engine;
let commit = 1;
beforeAll(() => {
  engine = new Engine({ path: undefined, sync: 'never', maxSize: undefined });
});
afterAll(() => engine.close());

/** What is kept in mind of a file, in the commit of that number. */
function memoryOf(fileBytes: number): WriteMemory {
  const memory = new WriteMemory(() => commit);
  memory.committed(fileBytes);
  return memory;
}

async function removed(memory: WriteMemory, count: number, length: number): Promise<boolean> {
  return engine.write(() => {
    for (let at = 0; at < count; at++) {
      const key = Buffer.alloc(length);
      key.set(numberKey(1));
      key.writeUInt32BE(at, 8);
      void engine.entries.put(key, at);
      memory.removeEntry(engine.pairs, engine.entries, key, at);
    }
    return memory.isSpent;
  });
}

it('long keys of an index that are removed have further works wait for the next commit', async () => {
  const memory = memoryOf(LARGE_FILE);
  expect(await removed(memory, 62, LONG)).toBe(false);
  expect(await removed(memory, 1, LONG)).toBe(true);
  commit += 1;
  expect(memory.isSpent).toBe(false);
  expect(engine.pairs.getCount()).toBe(0);
});

it('short keys, and keys of a file that is not large, are not counted', async () => {
  expect(await removed(memoryOf(LARGE_FILE), 500, SHORT)).toBe(false);
  expect(await removed(memoryOf(LARGE_FILE / 2), 500, LONG)).toBe(false);
});
