import { runCommand } from '../package-manager/run-command.ts';

/**
 * Makes a git repository of a folder, unless it is inside one.
 *
 * @returns what was done, in a sentence
 */
export async function makeRepository(path: string): Promise<string> {
  const { ok: inside, output } = await runCommand('git rev-parse --is-inside-work-tree', path);
  if (inside && output.trim() === 'true') return 'The folder is in a git repository already';
  const made = await runCommand('git init --quiet --initial-branch=main', path);
  return made.ok ? 'It is a git repository; nothing is committed yet' : 'It is no git repository: git did not make one';
}
