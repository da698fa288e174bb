// Mutation tests of one package, or of several: `pnpm mutate errors query`. What did not change since the last run is taken from
// `.stryker/<package>.json`; `--force` runs all of it. The report is `.stryker/<package>.html`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './pnpm.mjs';

const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const force = process.argv.includes('--force');
if (names.length === 0) {
  console.error('Usage: pnpm mutate <package> … [--force], for example: pnpm mutate errors query core');
  process.exit(2);
}
mkdirSync(join(root, '.stryker'), { recursive: true });
let status = 0;
for (const name of names) {
  const cwd = join(root, 'packages', name);
  if (!existsSync(join(cwd, 'jest.config.js'))) throw new Error(`packages/${name} has no tests`);
  const args = ['run', join(root, 'stryker.config.mjs'), '--concurrency', String(Math.max(1, availableParallelism() - 1))];
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), ...args, ...(force ? ['--force'] : [])],
    {
      cwd,
      stdio: 'inherit',
      env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --no-warnings=ExperimentalWarning', MUTATED: name },
    },
  );
  status ||= result.status ?? 1;
}
process.exit(status);
