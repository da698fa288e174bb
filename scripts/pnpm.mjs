// Runs the package manager at the version that the repository pins, whether it is installed or not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined> }} [options]
 * @returns {string} what it printed
 */
export function pnpm(args, { cwd = root, env = process.env } = {}) {
  return run('npm', ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', ...args], { cwd, env });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, input?: string }} [options]
 * @returns {string} what it printed
 * @throws Error with all that it said when it fails
 */
export function run(command, args, { cwd = root, env = process.env, input } = {}) {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, input, encoding: 'utf8', shell, maxBuffer: 2 ** 26 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status} in ${cwd}:\n${stdout}${stderr}`);
  return stdout;
}
