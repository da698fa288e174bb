// Publishes what `pnpm version-packages` has versioned: only what is built from a clean checkout and passes everything.
import { spawnSync } from 'node:child_process';
import { root, run } from './pnpm.mjs';

const changes = run('git', ['status', '--porcelain']).trim();
if (changes !== '') throw new Error(`A release is made of a clean checkout; these files have changed:\n${changes}`);
step('bash', '.ci/run');
step('npx', 'changeset', 'publish');

function step(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
