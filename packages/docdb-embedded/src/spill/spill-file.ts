import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocDbError } from '../errors.ts';

/** Bytes that are written at once. */
const BLOCK = 262_144;
/** Bytes before each record: its length. */
const LENGTH = 4;

/** Where records lie in a file, one behind the other. */
export interface SpilledRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A temporary file of records that memory has no room for. It has no name any more once it is open, so that nothing stays
 * behind, however the process ends.
 */
export class SpillFile {
  readonly #fd: number;
  readonly #folder: string | undefined;
  readonly #block: Buffer = Buffer.allocUnsafe(BLOCK);
  #filled = 0;
  #written = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'docdb-spill-'));
    const removed = process.platform !== 'win32';
    try {
      this.#fd = openSync(join(folder, 'records'), 'wx+', 0o600);
    } finally {
      if (removed) rmSync(folder, { recursive: true });
    }
    this.#folder = removed ? undefined : folder;
  }

  /** Bytes that were written so far. */
  get size(): number {
    return this.#written + this.#filled;
  }

  /** @throws DocDbError (14031) when the disk is full */
  write(record: Buffer): void {
    const needed = LENGTH + record.length;
    if (this.#filled + needed > BLOCK) this.flush();
    if (needed > BLOCK) {
      const length = Buffer.allocUnsafe(LENGTH);
      length.writeUInt32LE(record.length);
      this.#put(length);
      this.#put(record);
      return;
    }
    this.#block.writeUInt32LE(record.length, this.#filled);
    this.#block.set(record, this.#filled + LENGTH);
    this.#filled += needed;
  }

  /** Writes what waits, so that it can be read. */
  flush(): void {
    const waiting = this.#block.subarray(0, this.#filled);
    this.#filled = 0;
    this.#put(waiting);
  }

  #put(bytes: Buffer): void {
    try {
      for (let done = 0; done < bytes.length;) {
        const count = writeSync(this.#fd, bytes, done, bytes.length - done, this.#written);
        done += count;
        this.#written += count;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      throw new DocDbError(14031, `The disk of ${tmpdir()} has no room for what memory could not hold. Make room, or read less at once`);
    }
  }

  /**
   * The records of a range in their order, each good until the next one.
   *
   * @param block bytes that are read at once
   */
  *read({ start, end }: SpilledRange, block: number = BLOCK): Generator<Buffer, void> {
    let buffer = Buffer.allocUnsafe(block);
    let from = 0;
    let filled = 0;
    let at = start;
    const fill = (needed: number): void => {
      if (filled - from >= needed) return;
      const rest = buffer.subarray(from, filled);
      if (needed > buffer.length) buffer = Buffer.allocUnsafe(needed);
      buffer.set(rest, 0);
      filled = rest.length;
      from = 0;
      while (filled < needed) {
        const count = readSync(this.#fd, buffer, filled, Math.min(buffer.length - filled, end - at), at);
        if (count === 0) throw new DocDbError(8, 'A temporary file is shorter than what was written to it');
        filled += count;
        at += count;
      }
    };
    while (at < end || from < filled) {
      fill(LENGTH);
      const length = buffer.readUInt32LE(from);
      fill(LENGTH + length);
      yield buffer.subarray(from + LENGTH, from + LENGTH + length);
      from += LENGTH + length;
    }
  }

  /** Gives the room back. */
  close(): void {
    closeSync(this.#fd);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}
