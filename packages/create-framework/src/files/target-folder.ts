import { lstatSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '../command-error.ts';

/** Where a project goes. */
export interface TargetFolder {
  /** Absolute. */
  readonly path: string;
  /** Whether it is there already, and empty. */
  readonly exists: boolean;
}

/** What may be in a folder that counts as empty: a repository that was just made. */
const IGNORED = new Set(['.git', '.DS_Store', 'Thumbs.db']);

/**
 * @param folder path of the folder, from the working directory or absolute
 * @throws CommandError for a file, and for a folder with something in it
 */
export function targetFolder(folder: string): TargetFolder {
  const path = resolve(folder);
  // A link to nothing is there, and a folder can not be.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path, exists: false };
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw new CommandError(`${path} is there, and is no folder`);
  const found = readdirSync(path).filter((name) => !IGNORED.has(name));
  if (found.length > 0) {
    const shown = found.slice(0, 5).join(', ');
    throw new CommandError(`${path} is not empty (${shown}${found.length > 5 ? ', …' : ''}): name another folder, or empty it`);
  }
  return { path, exists: true };
}
