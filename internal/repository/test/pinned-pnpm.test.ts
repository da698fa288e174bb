import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
const pinned = String(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinned-'));
  symlinkSync(process.execPath, join(folder, 'node'));
  writeProgram('npm', 'echo "npm $*"');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeProgram(name: string, text: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** Which programs `pnpm pack` starts, with the folder as PATH. */
function started(): string {
  const program = "import { pnpm } from './scripts/pnpm.mjs'; process.stdout.write(pnpm(['pack']) + pnpm(['pack']));";
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: folder },
  });
  return stdout;
}

it('starts the pnpm of PATH when it is the pinned version, and asks npm for none', () => {
  writeProgram('pnpm', `if [ "$1" = --version ]; then echo ${pinned.slice(5)}; else echo "pnpm $*"; fi`);
  expect(started()).toBe('pnpm pack\npnpm pack\n');
});

it.each(['9.0.0', undefined])('has npm find the pinned version where PATH has %s', (version) => {
  if (version) writeProgram('pnpm', `if [ "$1" = --version ]; then echo ${version}; else echo "pnpm $*"; fi`);
  const asked = `npm exec --yes --package=${pinned} -- pnpm pack\n`;
  expect(started()).toBe(asked + asked);
});
