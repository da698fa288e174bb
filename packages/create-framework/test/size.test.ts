import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('the package is below 150 kB unpacked, has its templates, and depends on nothing', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(import.meta.dirname, '..'),
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
