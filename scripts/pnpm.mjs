// Runs the package manager at the version that the repository pins, whether it is installed or not.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const shell = process.platform === 'win32';

let command;
/**
 * What starts the package manager: its name where PATH has the pinned version, as in all that it has started itself, and else npm, which reads
 * all that is installed here before.
 *
 * @returns {string[]} a command and its first arguments
 */
export function pnpmCommand() {
  command ??= hasPinned() ? ['pnpm'] : ['npm', 'exec', '--yes', `--package=${packageManager}`, '--', 'pnpm'];
  return command;
}

function hasPinned() {
  const { stdout } = spawnSync('pnpm', ['--version'], { cwd: root, encoding: 'utf8', shell });
  return `pnpm@${stdout?.trim()}` === packageManager;
}

/**
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined> }} [options]
 * @returns {string} what it printed
 */
export function pnpm(args, { cwd = root, env = process.env } = {}) {
  const [program, ...first] = pnpmCommand();
  return run(program, [...first, ...args], { cwd, env });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, input?: string }} [options]
 * @returns {string} what it printed
 * @throws Error with all that it said when it fails
 */
export function run(command, args, { cwd = root, env = process.env, input } = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, input, encoding: 'utf8', shell, maxBuffer: 2 ** 26 });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status} in ${cwd}:\n${stdout}${stderr}`);
  return stdout;
}
