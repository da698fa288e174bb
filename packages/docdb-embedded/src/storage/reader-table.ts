import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** States that can be held at once, by cursors and transactions; LMDB reads nothing where there is not one left. */
export const MAX_READERS = 10_000;
/** The file of a folder in which LMDB notes who reads which state. */
export const READERS_FILE = 'lock.mdb';
/** Bytes of a line in it, and at least those of its head. */
const LINE = 64;
const HEAD = 4096;

/**
 * Takes the room of the file that has the readers of a folder, before LMDB opens it. LMDB makes it without content and
 * writes to it as to memory: where the disk is full by then, the system ends the process.
 *
 * @throws the system's error, for example `ENOSPC`
 */
export function reserveReaders(folder: string): void {
  const file = join(folder, READERS_FILE);
  if (existsSync(file)) return;
  // It gets its name as a whole: who begins at the same time may be using the one that is there.
  const made = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(made, Buffer.alloc(MAX_READERS * LINE + HEAD), { mode: 0o600 });
    link(made, file);
  } finally {
    rmSync(made, { force: true });
  }
}

/** Some file systems have no links: there LMDB makes the file. */
function link(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
  }
}
