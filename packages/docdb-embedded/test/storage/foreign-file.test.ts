import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { open } from 'lmdb';
import { DocDbServer } from '../../src/index.ts';
import { DATA_FILE } from '../../src/storage/engine.ts';

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docdb-foreign-'));
});
afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('a data file of something else', () => {
  it.each([
    ['with values of its own', 'value', 4096],
    ['with tables of its own', 'table', 2048],
  ] as const)('%s is refused, and stays as it is', async (_what, kind, pageSize) => {
    const other = open({ path: join(path, DATA_FILE), noSubdir: true, pageSize });
    if (kind === 'value') await other.put('key', 'value');
    else await other.openDB({ name: 'documents' }).put('key', 'value');
    await other.close();
    const before = readFileSync(join(path, DATA_FILE));
    await expect(DocDbServer.start({ path })).rejects.toThrow(
      `${join(path, DATA_FILE)} belongs to another program: it has no table of this database. Choose another folder`,
    );
    expect(readFileSync(join(path, DATA_FILE)).equals(before)).toBe(true);
  });

  it('without anything in it is taken', async () => {
    const other = open({ path: join(path, DATA_FILE), noSubdir: true });
    await other.close();
    const server = await DocDbServer.start({ path });
    await server.stop();
    const size = readFileSync(join(path, DATA_FILE)).length;
    await (await DocDbServer.start({ path })).stop();
    expect(size).toBeGreaterThan(0);
  });
});
