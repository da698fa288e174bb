import type { Collection } from './collection.ts';
import type { Reader } from './reader.ts';

/** The numbers that documents are given in their collections, each to one document only. */
export class RecordNumbers {
  /** The last ones, of collections that were written to. */
  readonly #last = new Map<number, number>();

  /** @returns the number of the next document of a collection, of which a write reads the newest state */
  next(newest: Reader, collection: Collection): number {
    const next = this.keep(newest, collection) + 1;
    this.#last.set(collection.number, next);
    return next;
  }

  /**
   * Notes the last number before a document is removed that may have it: states that are held show another document by it.
   *
   * @returns that number
   */
  keep(newest: Reader, collection: Collection): number {
    const last = this.#last.get(collection.number) ?? newest.lastRecord(collection);
    this.#last.set(collection.number, last);
    return last;
  }
}
