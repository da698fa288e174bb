import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { DATA_FILE, Engine } from '../../src/storage/engine.ts';

const VALUES = 300;
let path: string;
let tick: () => void;
let engine: Engine;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-'));
  const timer = jest.spyOn(globalThis, 'setInterval').mockImplementation(((ring: () => void) => {
    tick = ring;
    return { unref: () => undefined };
  }) as never);
  engine = open(path);
  timer.mockRestore();
});
afterEach(async () => {
  await engine.close();
  rmSync(path, { recursive: true, force: true });
});

const open = (folder: string): Engine => new Engine({ path: folder, sync: 'never', maxSize: undefined });
const keyOf = (at: number): Buffer => Buffer.from(`key ${String(at)}`);

/** Gives all values another content, so that no page of them stays. */
const write = (content: number): Promise<void> =>
  engine.write(() => {
    for (let at = 0; at < VALUES; at++) void engine.system.put(keyOf(at), Buffer.alloc(600, content));
  });

/** Writes as much as would take all pages that are free. */
async function writeOften(): Promise<void> {
  for (let content = 100; content < 110; content++) await write(content);
}

/** Copies the first pages of the folder's file, which say where all others are; then something happens before the others are copied. */
async function copyWhile(happens: () => Promise<void>): Promise<unknown> {
  const size = statSync(join(path, DATA_FILE)).size;
  const first = part(0, 8192);
  await happens();
  const copy = join(path, 'copy');
  mkdirSync(copy);
  writeFileSync(join(copy, DATA_FILE), Buffer.concat([first, part(first.length, size - first.length)]));
  const copied = open(copy);
  try {
    return Array.from({ length: VALUES }, (_none, at) => copied.system.get(keyOf(at))?.[599]);
  } finally {
    await copied.close();
  }
}

function part(place: number, bytes: number): Buffer {
  const descriptor = openSync(join(path, DATA_FILE), 'r');
  try {
    const read = Buffer.alloc(bytes);
    return read.subarray(0, readSync(descriptor, read, 0, bytes, place));
  } finally {
    closeSync(descriptor);
  }
}

it.each([
  ['has just been opened', 0],
  ['was opened before', 1],
])('a copy of a folder that %s, made within half a second, is that of its beginning', async (_when, ticks) => {
  await write(1);
  for (let ticked = 0; ticked < ticks; ticked++) tick();
  await write(2);
  const copied = await copyWhile(async () => {
    await writeOften();
    tick();
    await writeOften();
  });
  expect(copied).toEqual(Array.from({ length: VALUES }, () => 2));
});

it('pages of before are written again, so that the file stays as large as it is', async () => {
  const sizes: number[] = [];
  for (let round = 0; round < 8; round++) {
    await writeOften();
    tick();
    sizes.push(statSync(join(path, DATA_FILE)).size);
  }
  expect(sizes[7]).toBeLessThan((sizes[3] ?? 0) * 1.2);
});
