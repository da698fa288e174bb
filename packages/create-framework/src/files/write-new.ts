import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files } from '../project/project-files.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Writes files that are not there yet: all of them, or none.
 *
 * @throws Error of the file system, also when a file has come to be there meanwhile
 */
export function writeNew(folder: string, files: Files): void {
  const written: string[] = [];
  try {
    for (const [file, text] of files) {
      const path = join(folder, file);
      makeFolder(dirname(path));
      const opened = openSync(path, 'wx');
      written.push(path);
      try {
        writeFileSync(opened, text);
      } finally {
        closeSync(opened);
      }
    }
  } catch (error) {
    for (const path of written) rmSync(path, { force: true });
    throw error;
  }
}
