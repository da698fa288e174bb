import type { Table } from './engine.ts';

/** Bytes above which a value lies on pages of its own, which would be written again with it. */
const LARGE_VALUE = 990;
const NOTHING = Buffer.alloc(1);
/** Bytes of a file in which removals may need care; half of what LMDB keeps parts of in mind, because a write makes it larger. */
const LARGE_FILE: number = 64 * 1024 * 1024;
/** Removals that need no care, since a commit was known to have ended: the next one may have as many before that, and both are far from the bound. */
const CAREFREE = 1000;

/*
 * Where LMDB removes the last key of a page it goes on to the page behind, and keeps that in mind until the commit. For what
 * it keeps in mind it has room for 4,095 parts of a file, and a write that needs more fails, with all that is written beside it.
 * A page that the write has changed already is not kept in mind: so what is behind a key is written again before the key is removed.
 */

/** Knows which removals need that. */
export class RemovalCare {
  #isLarge = false;
  #removals = 0;

  /** @param size bytes of the file; 0 where its pages are large, so that few removals lead from one to the next */
  constructor(size: number) {
    this.committed(size);
  }

  /** A commit has ended. @param size bytes of the file now */
  committed(size: number): void {
    this.#isLarge = size > LARGE_FILE;
    this.#removals = 0;
  }

  /** @returns whether the removal that is about to be made needs care */
  isNeeded(): boolean {
    this.#removals += 1;
    return this.#isLarge && this.#removals > CAREFREE;
  }
}

/** Writes what is behind a key once more as it is; in a write only. */
export function rewriteNext(table: Table, key: Buffer): void {
  const next = nextOf(table, key);
  if (next && next.value.length <= LARGE_VALUE) void table.put(next.key, next.value);
}

/** The same for a table whose keys have several short values, of which many are on one page. */
export function rewriteNextPair(table: Table, key: Buffer): void {
  const next = nextOf(table, key);
  if (next) void table.put(next.key, next.value);
}

/** @returns what is behind a key; a range from the key itself would lead through all of its values. It is read to its end before anything is written, or it keeps a page in mind itself */
function nextOf(table: Table, key: Buffer): { readonly key: Buffer; readonly value: Buffer } | undefined {
  const [next] = [...table.getRange({ start: Buffer.concat([key, NOTHING]), limit: 1 })];
  return next;
}
