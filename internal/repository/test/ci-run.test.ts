import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');
let folder: string;
const path = (name: string): string => join(folder, name);

/** A machine that has Node.js and npm, and no pnpm: npm is one that finds a pnpm of the test's, as the real one finds what it has downloaded. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-run-'));
  for (const name of ['checkout/.ci', 'bin', 'kept']) mkdirSync(path(name), { recursive: true });
  for (const name of ['.ci/run', 'package.json']) copyFileSync(join(root, name), path(join('checkout', name)));
  symlinkSync(process.execPath, path('bin/node'));
  // Both of these are never installed by the test, whatever the machine has.
  for (const name of ['chromium', 'redis-server']) writeScript(join('bin', name), 'exit 0');
  for (const name of TOOLS) symlinkSync(whereIs(name), path(join('bin', name)));
  writeScript('bin/npm', `shift; echo "npm exec $1 $2" >&2; shift 3; PATH="${path('kept')}:$PATH" exec "$@"`);
  // What Turborepo does: it looks for the package manager in PATH by itself.
  writeScript('kept/pnpm', 'echo "pnpm $*"; if [ "$1" = exec ]; then command -v pnpm; exit 1; fi');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOOLS = ['bash', 'sh', 'dirname', 'mktemp', 'rm'];
function whereIs(tool: string): string {
  const found = process.env.PATH!.split(':').find((place) => listed(place).includes(tool));
  if (!found) throw new Error(`there is no ${tool} in PATH`);
  return join(found, tool);
}
function listed(place: string): string[] {
  try {
    return readdirSync(place);
  } catch {
    // PATH may name what is not there.
    return [];
  }
}
function writeScript(name: string, text: string): void {
  writeFileSync(path(name), `#!/bin/sh\n${text}\n`);
  chmodSync(path(name), 0o755);
}

const run = (env: Readonly<Record<string, string>>) =>
  spawnSync(path('bin/sh'), ['-c', '"$0" "$1"; echo "ended with $?" >&2', path('bin/bash'), path('checkout/.ci/run')], {
    encoding: 'utf8',
    env: { CI: 'true', ...env },
  });

it('runs where no pnpm is installed: the pinned one is found by npm, and by what is started with it', () => {
  const { stdout, stderr } = run({ PATH: path('bin') });
  expect(stderr).toMatch(/^npm exec --yes --package=pnpm@\d+\.\d+\.\d+/);
  expect(stdout).toBe(`pnpm install --frozen-lockfile\npnpm exec turbo run build --output-logs=errors-only\n${path('kept/pnpm')}\n`);
  expect(stderr).toContain('ended with 1\n');
});

it('installs a browser and Redis beside what does not need them, and waits for that also when it fails before', () => {
  cpSync(path('bin'), path('bare'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['chromium', 'redis-server']) rmSync(path(join('bare', name)));
  writeScript('bare/id', 'echo 0');
  // It gets on when packages are installed, and can not install the browser.
  const untilInstalled = 'n=0; while [ ! -e "$INSTALLED" ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done';
  writeScript('bare/apt-get', `${untilInstalled}; [ $n -lt 200 ] || echo alone >&2; echo "apt-get $*" >&2; [ "$5" != chromium ]`);
  symlinkSync(whereIs('sleep'), path('bare/sleep'));
  writeScript('kept/pnpm', '[ "$1" = install ] && : > "$INSTALLED"');
  const { stdout, stderr } = run({ PATH: path('bare'), INSTALLED: path('installed') });
  const install = 'apt-get install -y -qq --no-install-recommends';
  expect(stderr.split('\n').slice(1)).toEqual(['apt-get update -qq', `${install} chromium`, `${install} redis-server`, 'ended with 1', '']);
  expect(stdout).toBe('chromium could not be installed\n');
});
