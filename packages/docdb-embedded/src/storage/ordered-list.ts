/** Entries kept together; a chunk that grows past this is split. */
const CHUNK = 512;

/**
 * A sorted list of entries in chunks: finding, adding and removing cost a binary search and a move within one chunk.
 *
 * @typeParam T the entries; no two compare as equal
 */
export class OrderedList<T> {
  readonly #chunks: T[][] = [];
  readonly #compare: (a: T, b: T) => number;
  #size = 0;

  /** @param compare a total order of the entries */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** Number of entries. */
  get size(): number {
    return this.#size;
  }

  add(entry: T): void {
    this.#size += 1;
    if (this.#chunks.length === 0) {
      this.#chunks.push([entry]);
      return;
    }
    const at = Math.min(
      this.#chunkFor((other) => this.#compare(other, entry) < 0),
      this.#chunks.length - 1,
    );
    const chunk = this.#chunks[at] as T[];
    chunk.splice(
      firstIndex(chunk, (other) => this.#compare(other, entry) < 0),
      0,
      entry,
    );
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(chunk.length >> 1));
  }

  remove(entry: T): void {
    const at = this.#chunkFor((other) => this.#compare(other, entry) < 0);
    const chunk = this.#chunks[at];
    if (!chunk) return;
    const index = firstIndex(chunk, (other) => this.#compare(other, entry) < 0);
    if (index >= chunk.length || this.#compare(chunk[index] as T, entry) !== 0) return;
    chunk.splice(index, 1);
    this.#size -= 1;
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /**
   * Entries of a range, in order.
   *
   * @param before whether an entry lies before the range
   * @param after whether an entry lies behind the range
   */
  *range(before: (entry: T) => boolean, after: (entry: T) => boolean): Generator<T, void> {
    let at = this.#chunkFor(before);
    let index = firstIndex(this.#chunks[at] ?? [], before);
    for (; at < this.#chunks.length; at++, index = 0) {
      const chunk = this.#chunks[at] as T[];
      for (; index < chunk.length; index++) {
        const entry = chunk[index] as T;
        if (after(entry)) return;
        yield entry;
      }
    }
  }

  /** Entries of a range, last first. */
  *reversed(before: (entry: T) => boolean, after: (entry: T) => boolean): Generator<T, void> {
    let at = this.#chunkFor((entry) => !after(entry));
    let index = firstIndex(this.#chunks[at] ?? [], (entry) => !after(entry)) - 1;
    for (; at >= 0; at--, index = (this.#chunks[at]?.length ?? 0) - 1) {
      const chunk = this.#chunks[at] ?? [];
      for (; index >= 0; index--) {
        const entry = chunk[index] as T;
        if (before(entry)) return;
        yield entry;
      }
    }
  }

  /** @returns the first chunk whose last entry is not before the point */
  #chunkFor(before: (entry: T) => boolean): number {
    return firstIndex(this.#chunks, (chunk) => before(chunk[chunk.length - 1] as T));
  }
}

/** @returns the first index whose entry is not before the point */
function firstIndex<T>(list: readonly T[], before: (entry: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
