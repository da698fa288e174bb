import { spawnSync } from 'node:child_process';
import { MigrationError } from '../plan-migration.ts';

/** Longest list of changes: of a tree with many. */
const MOST = 64 * 1024 * 1024;

/**
 * Whether a folder has changes that git does not have yet.
 *
 * @returns `clean`, `dirty`, or `none` where there is no repository, or no git
 * @throws MigrationError when git does not say it: of a repository of somebody else, or a broken one
 */
export function treeState(root: string): 'clean' | 'dirty' | 'none' {
  const { error, status, stdout, stderr } = spawnSync('git', ['status', '--porcelain', '--', '.'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    maxBuffer: MOST,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (status === 0) return stdout.trim() === '' ? 'clean' : 'dirty';
  if ((error && 'code' in error && error.code === 'ENOENT') || stderr.includes('not a git repository (or any')) return 'none';
  const [why] = stderr.split('\n');
  throw new MigrationError(`git does not tell what is committed: ${why || String(error)}. Mend that, or use --force`);
}
