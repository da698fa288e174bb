import { execFileSync } from 'node:child_process';

/**
 * Whether a folder has changes that git does not have yet.
 *
 * @returns `clean`, `dirty`, or `none` where there is no repository, or no git
 */
export function treeState(root: string): 'clean' | 'dirty' | 'none' {
  try {
    const told = execFileSync('git', ['status', '--porcelain', '--', '.'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return told.trim() === '' ? 'clean' : 'dirty';
  } catch {
    return 'none';
  }
}
