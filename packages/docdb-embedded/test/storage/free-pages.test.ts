import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DATA_FILE, Engine } from '../../src/storage/engine.ts';
import { freePages } from '../../src/storage/free-pages.ts';

const MANY = 3000;
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

function counted(file: string, oldest: number): number {
  const descriptor = openSync(file, 'r');
  try {
    return freePages(descriptor, oldest);
  } finally {
    closeSync(descriptor);
  }
}

it('counts the pages that were given back, up to a state that is read', async () => {
  const engine = new Engine({ path, sync: 'never', maxSize: undefined });
  const file = join(path, DATA_FILE);
  const keys = Array.from({ length: MANY }, (_none, at) => Buffer.from(`key ${String(at)}`));
  await engine.write(() => {
    for (const key of keys) void engine.system.put(key, Buffer.alloc(600));
  });
  const before = counted(file, Infinity);
  await engine.write(() => {
    for (const key of keys) void engine.system.remove(key);
  });
  // Three values are on a page of 2,048 bytes, and fewer on larger ones of other systems.
  expect(counted(file, Infinity) - before).toBeGreaterThan(MANY / 30);
  expect(counted(file, 0)).toBe(0);
  await engine.close();
});

it('counts none where there is no data', () => {
  const file = join(path, 'other');
  writeFileSync(file, 'x'.repeat(10_000));
  expect(counted(file, Infinity)).toBe(0);
  writeFileSync(file, '');
  expect(counted(file, Infinity)).toBe(0);
});
