// Jest's `globalSetup` for packages whose tests start processes of built code: alone, after a fresh install or an edit, they build
// first what they and their dependencies need. In a run of Turborepo its graph has done so.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export default function buildBeforeTests(_global, { rootDir }) {
  if (process.env.TURBO_HASH !== undefined) return;
  const { name } = JSON.parse(readFileSync(`${rootDir}/package.json`, 'utf8'));
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  // Turborepo needs the package manager on its path.
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', 'exec', 'turbo', 'run', 'build', `--filter=${name}...`],
    { cwd: root, encoding: 'utf8', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }, shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error(`The build that the tests of ${name} need failed:\n${stdout}${stderr}`);
}
