import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those that it would be in, where they are not there yet. The way of Node.js to do so tries for ever where a file system
 * says of a folder that it makes none of that it is not there, as `/proc` does.
 *
 * @returns the outermost one that was made
 * @throws Error of the file system; nothing is left behind then
 */
export function makeFolder(path: string): string | undefined {
  const parent = dirname(path);
  try {
    mkdirSync(path);
    return path;
  } catch (error) {
    if (isFolder(path)) return undefined;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
  }
  const outermost = makeFolder(parent);
  try {
    mkdirSync(path);
    return outermost ?? path;
  } catch (error) {
    if (isFolder(path)) return outermost;
    if (outermost !== undefined) rmSync(outermost, { recursive: true, force: true });
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
