import type { EntryTable, Table } from './engine.ts';

/** Bytes above which a value lies on pages of its own. */
const LARGE_VALUE = 990;
const NOTHING = Buffer.alloc(1);
/** Bytes of a file in which writes need care; half of what LMDB keeps parts of in mind, because a write makes it larger. */
const LARGE_FILE: number = 64 * 1024 * 1024;
/** Bytes above which a page has two keys of an index, so that there are as many pages of their order as of themselves. */
const LONG_KEY = 600;
/** Large values that a removed key of such a length counts for: some six pages of the order are kept in mind for one. */
const OF_LONG_KEY = 8;
/** Bytes of shorter keys that are a page: it is a quarter full at least. */
const OF_PAGE = 512;
/** Removals that need no care, far from the bound. */
const CAREFREE = 1000;
/** Large values that a commit gives up before further works wait for the next one. */
const SPENT = 500;
/** Large values that one work gives up at most. */
export const MOST_LARGE = 1500;
/** Large values behind which a commit takes nothing more from the log. */
const FULL = 2500;

/*
 * LMDB keeps pages in mind until the commit, and has room for 4,095 parts of a file: a commit that needs more fails, with all that is written beside it.
 * Kept in mind is the page behind a key that was the last of its page and is removed. A page that the write has changed already is not: so what is behind a
 * key is written again before the key is removed. Kept in mind is also each large value that is removed or gets another one in its place, as nothing
 * can be written into its pages before: these are counted, and divided among commits. So are long keys of indexes, for which the order of pages is mended,
 * and the pages of an index that is given up key by key.
 */

/** What the present commit has LMDB keep in mind. */
export class WriteMemory {
  readonly #commitOf: () => number;
  #isLargeFile = false;
  #commit = 0;
  #removals = 0;
  #large = 0;
  /** Bytes of removed keys that are no whole page yet. */
  #keyBytes = 0;

  /** @param commitOf tells the number of the commit that is being made; in a write only */
  constructor(commitOf: () => number) {
    this.#commitOf = commitOf;
  }

  /** @param size bytes of the file after a commit; 0 where its pages are large, so that there are few parts */
  committed(size: number): void {
    this.#isLargeFile = size > LARGE_FILE;
  }

  /** Whether the file is so large that what LMDB keeps in mind is counted. */
  get isCounting(): boolean {
    return this.#isLargeFile;
  }

  /** Whether works that have not begun wait for the next commit; in a write only. */
  get isSpent(): boolean {
    return this.#isLargeFile && this.#largeNow() >= SPENT;
  }

  /** Whether what can wait is left to later commits; in a write only. */
  get isFull(): boolean {
    return this.#isLargeFile && this.#largeNow() >= FULL;
  }

  /** Notes a key of an index that is removed without care, with those behind it: each page that they were on is kept in mind. In a write only. */
  gaveUpKey(key: Buffer): void {
    if (isLongKey(key)) {
      this.gaveUp(Infinity, OF_LONG_KEY);
      return;
    }
    this.#keyBytes += key.length;
    if (this.#keyBytes < OF_PAGE) return;
    this.#keyBytes = 0;
    this.gaveUp(Infinity);
  }

  /** @returns whether one work may not give up so many large values */
  isTooMuch(large: number): boolean {
    return this.#isLargeFile && large > MOST_LARGE;
  }

  /** Notes a value that is removed, or gets another one in its place; in a write only. */
  gaveUp(bytes: number, count = 1): void {
    if (!this.#isLargeFile || !isLarge(bytes)) return;
    this.#look();
    this.#large += count;
  }

  /** @returns how many large values the removal of keys of an index counts for; 0 in a file that is not large */
  keepsKeys(keys: () => readonly Buffer[]): number {
    return this.#isLargeFile ? keys().filter(isLongKey).length * OF_LONG_KEY : 0;
  }

  /** @returns whether the removal of a document has LMDB keep something in mind, for what it is or what is behind it */
  keepsRemoved(documents: Table, key: Buffer, bytes: number): boolean {
    return isLarge(bytes) || (this.#isLargeFile && isLarge(nextOf(documents, key)?.value.length ?? 0));
  }

  /** Removes a document; in a write only. @param bytes of what was kept */
  removeDocument(documents: Table, key: Buffer, bytes: number): void {
    if (this.#needsCare()) {
      const next = nextOf(documents, key);
      if (next && !isLarge(next.value.length)) void documents.put(next.key, next.value);
      else if (next && !isLarge(bytes)) this.gaveUp(next.value.length);
    }
    this.gaveUp(bytes);
    void documents.remove(key);
  }

  /** Removes an entry of an index, of which many are on one page; in a write only. */
  removeEntry(pairs: Table, entries: EntryTable, key: Buffer, record: number): void {
    if (this.#needsCare()) {
      const next = nextOf(pairs, key);
      if (next) void pairs.put(next.key, next.value);
    }
    void entries.remove(key, record);
    if (isLongKey(key)) this.gaveUp(Infinity, OF_LONG_KEY);
  }

  #needsCare(): boolean {
    if (!this.#isLargeFile) return false;
    this.#look();
    this.#removals += 1;
    return this.#removals > CAREFREE;
  }

  #largeNow(): number {
    this.#look();
    return this.#large;
  }

  #look(): void {
    const commit = this.#commitOf();
    if (commit === this.#commit) return;
    this.#commit = commit;
    this.#removals = 0;
    this.#large = 0;
  }
}

function isLongKey(key: Buffer): boolean {
  return key.length > LONG_KEY;
}

export function isLarge(bytes: number): boolean {
  return bytes > LARGE_VALUE;
}

/** @returns what is behind a key; a range from the key itself would lead through all of its values. It is read to its end before anything is written, or it keeps a page in mind itself */
function nextOf(table: Table, key: Buffer): { readonly key: Buffer; readonly value: Buffer } | undefined {
  const [next] = [...table.getRange({ start: Buffer.concat([key, NOTHING]), limit: 1 })];
  return next;
}
