import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hindranceOf } from './hindrance.ts';
import { reserveReaders } from './reader-table.ts';

/**
 * Makes a folder for data that last for as long as the process.
 *
 * @returns its path
 * @throws Error where there is no place for one
 */
export function temporaryFolder(): string {
  let path: string | undefined;
  try {
    path = mkdtempSync(join(tmpdir(), 'docdb-'));
    reserveReaders(path);
    return path;
  } catch (cause) {
    if (path !== undefined) rmSync(path, { recursive: true, force: true });
    throw new Error(
      `The folder ${tmpdir()}, which has the data where no folder is given, can not be used: ${hindranceOf(cause)}. Name another place by TMPDIR or \`path\``,
      { cause },
    );
  }
}
