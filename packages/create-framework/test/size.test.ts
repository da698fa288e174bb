import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'packed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the package is below 150 kB unpacked, has its templates, and depends on nothing', () => {
  // Without what is installed, all of which npm reads before it packs.
  const filter = (path: string): boolean => basename(path) !== 'node_modules';
  cpSync(join(import.meta.dirname, '..'), folder, { recursive: true, filter });
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [packed] = JSON.parse(stdout) as [{ unpackedSize: number; files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);
  expect(packed.unpackedSize).toBeLessThan(150_000);
  expect(paths).toEqual(
    expect.arrayContaining(['bin/create-framework.js', 'dist/cli.js', 'templates/gitignore.tpl', 'templates/github/ci.yml.tpl']),
  );
  expect(paths.filter((path) => /\.tsbuildinfo$|^test\//.test(path))).toEqual([]);
});
