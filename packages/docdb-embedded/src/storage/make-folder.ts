import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those that it would be in, where they are not there yet. The way of Node.js to do so tries for ever where a file system
 * says of a folder that it makes none of that it is not there, as `/proc` does.
 *
 * @param mode of all that are made
 * @throws Error of the file system
 */
export function makeFolder(path: string, mode: number): void {
  const refused = make(path, mode);
  if (refused === undefined) return;
  const parent = dirname(path);
  if (codeOf(refused) !== 'ENOENT' || parent === path) throw refused;
  makeFolder(parent, mode);
  const again = make(path, mode);
  if (again === undefined) return;
  throw codeOf(again) === 'ENOENT' ? new Error('no folder can be made there', { cause: again }) : again;
}

/** @returns why it is not there now */
function make(path: string, mode: number): unknown {
  try {
    mkdirSync(path, mode);
    return undefined;
  } catch (error) {
    return isFolder(path) ? undefined : error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
