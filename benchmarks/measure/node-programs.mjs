import { execFileSync } from 'node:child_process';

/**
 * The program of a version of Node.js; the npm package `node` has those that are not running now.
 *
 * @param version for example `22`, or `22.1.0`
 * @returns its path and whole version; `undefined` where it can not be had
 */
export function nodeProgram(version) {
  if (process.versions.node === version || process.versions.node.split('.', 1)[0] === version) {
    return { path: process.execPath, version: process.versions.node };
  }
  const print = 'console.log(JSON.stringify({ path: process.execPath, version: process.versions.node }))';
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    const text = execFileSync('npm', ['exec', '--yes', `--package=node@${version}`, '--', 'node', '-e', print], options);
    return JSON.parse(text.trim().split('\n').at(-1));
  } catch {
    return undefined;
  }
}
