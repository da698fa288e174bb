import { closeSync, openSync } from 'node:fs';
import { DocDbError } from '../errors.ts';
import { freePages } from './free-pages.ts';

/**
 * The part of the largest size that has to be free before anything is written into a file that has it, and by which such
 * writes may make it larger: large documents need pages in a row.
 */
const RESERVE = 1 / 16;
/** Pages that have to be free at least: each write needs some for the upper ones of all that it changes. */
const LEAST = 256;

/** What LMDB tells of its file. */
interface FileState {
  readonly lastPageNumber: number;
  readonly pageSize: number;
  /** The number of the newest state. */
  readonly lastTxnId: number;
}

/** What has the file open. */
interface Root {
  getStats(): object;
}

/** The largest size of a data file. What is removed makes no smaller file, but room in it that is filled again. */
export class SizeLimit {
  readonly #descriptor: number;
  readonly #bytes: number;
  readonly #root: Root;
  /** Free pages, and the states that they were counted in. */
  #counted: { readonly newest: number; readonly oldest: number; readonly free: number } | undefined;
  /** The last page before what is written into free pages. */
  #before: number | undefined;
  /** Pages by which that has made the file larger. */
  #grown = 0;

  constructor(file: string, bytes: number, root: Root) {
    this.#descriptor = openSync(file, 'r');
    this.#bytes = bytes;
    this.#root = root;
  }

  get #state(): FileState {
    return this.#root.getStats() as FileState;
  }

  /** @throws DocDbError (14031) when nothing may be written that gives no room back */
  check(): void {
    const { lastPageNumber, pageSize, lastTxnId } = this.#state;
    const most = this.#bytes / pageSize;
    if (lastPageNumber + 1 < most) return;
    const reserve = most * RESERVE;
    const isFull = (): boolean => this.#free(lastTxnId, Math.min(lastTxnId, oldestRead(this.#root))) < Math.max(LEAST, reserve);
    if (this.#grown > reserve || isFull())
      throw new DocDbError(
        14031,
        `The database has its largest size of ${String(this.#bytes)} bytes. Raise --max-size, or remove documents: most of their room is filled again a minute later`,
      );
    this.#before ??= lastPageNumber;
  }

  /** Notes that something was written. */
  written(): void {
    if (this.#before === undefined) return;
    this.#grown += Math.max(0, this.#state.lastPageNumber - this.#before);
    this.#before = undefined;
  }

  #free(newest: number, oldest: number): number {
    if (this.#counted?.newest !== newest || this.#counted.oldest !== oldest)
      this.#counted = { newest, oldest, free: freePages(this.#descriptor, oldest) };
    return this.#counted.free;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** @returns the number of the oldest state that somebody reads: each reader has a line, with the number at its end */
function oldestRead(root: Root & { readonly readerList?: () => string }): number {
  const lines = root.readerList?.().split('\n') ?? ['0'];
  return Math.min(...lines.flatMap((line) => /(\d+)\s*$/.exec(line)?.slice(1).map(Number) ?? []));
}
