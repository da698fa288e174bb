import type { Collator } from '../bson/collation.ts';
import type { Value } from '../bson/values.ts';
import { compareAll, type SortKey } from '../query/sort.ts';
import { checkSpill, limitOf, type MemoryRules, OVERHEAD } from './memory.ts';
import { mergeRuns } from './merge-runs.ts';
import { SpillFile, type SpilledRange } from './spill-file.ts';

/** Rows that are sorted at once. */
const RUN = 4096;
/** Rows that are written to the disk before others get their turn. */
const STEP = 1000;
/** Bytes for reading all runs of a file. */
const READ_BYTES = 16 * 1024 * 1024;
const LEAST_BLOCK = 4096;
const MOST_BLOCK = 262_144;

/** What is sorted: the keys of an item, and how it is kept on the disk. */
export interface Sortable<T> {
  keysOf(item: T): readonly Value[];
  /** Bytes that the item takes. */
  sizeOf(item: T): number;
  write(item: T): Buffer;
  /** @param bytes good until the next item is read */
  read(bytes: Buffer): T;
}

/** The order of a sort and how many of its first items are wanted. */
export interface SortOrder {
  readonly keys: readonly Pick<SortKey, 'direction'>[];
  readonly collator: Collator | undefined;
  readonly most: number;
}

interface Row<T> {
  readonly item: T;
  readonly keys: readonly Value[];
  readonly size: number;
}

/**
 * Sorts more than fits into memory: short runs are sorted as items come, and merged in the end; when they have no room they
 * become one run on the disk. Equal items keep their order.
 */
export class Sorter<T> {
  readonly #form: Sortable<T>;
  readonly #order: SortOrder;
  readonly #rules: MemoryRules;
  readonly #limit: number;
  #rows: Row<T>[] = [];
  #runs: Row<T>[][] = [];
  #bytes = 0;
  #file: SpillFile | undefined;
  readonly #spilled: SpilledRange[] = [];

  constructor(form: Sortable<T>, order: SortOrder, rules: MemoryRules) {
    this.#form = form;
    this.#order = order;
    this.#rules = rules;
    this.#limit = limitOf(rules);
  }

  readonly #compare = (a: Row<T>, b: Row<T>): number => {
    return compareAll(a.keys, b.keys, this.#order.keys, this.#order.collator);
  };

  /** Takes items and keeps those that may be wanted; gives others their turn while it writes to the disk. */
  *add(items: readonly T[]): Generator<void, void> {
    for (const item of items) {
      const size = this.#form.sizeOf(item) + OVERHEAD;
      this.#bytes += size;
      this.#rows.push({ item, keys: this.#form.keysOf(item), size });
      if (this.#rows.length >= RUN) this.#endRun();
    }
    if (this.#bytes <= this.#limit) return;
    this.#keepWanted();
    // What is near the limit would be looked through again with the next few.
    const enough = this.#rules.allowDiskUse ? this.#limit / 2 : this.#limit;
    if (this.#bytes > enough) yield* this.#spill();
  }

  /** Of large items those go first that nobody wants. */
  #keepWanted(): void {
    this.#endRun();
    const { most } = this.#order;
    if (most < this.#runs.reduce((total, run) => total + run.length, 0)) this.#shorten(most);
  }

  #endRun(): void {
    if (this.#rows.length === 0) return;
    this.#runs.push(this.#rows.sort(this.#compare));
    this.#rows = [];
    const { most } = this.#order;
    // Of many runs with few wanted rows one stays.
    if (this.#runs.length * RUN > 2 * most + RUN) this.#shorten(most);
  }

  #shorten(most: number): void {
    const first: Row<T>[] = [];
    for (const row of mergeRuns(this.#runs, this.#compare)) {
      if (first.length >= most) break;
      first.push(row);
    }
    this.#runs = [first];
    this.#bytes = first.reduce((total, { size }) => total + size, 0);
  }

  *#spill(): Generator<void, void> {
    checkSpill('Sort', this.#rules);
    this.#endRun();
    const file = (this.#file ??= new SpillFile());
    const start = file.size;
    let count = 0;
    for (const { item } of mergeRuns(this.#runs, this.#compare)) {
      file.write(this.#form.write(item));
      if (++count % STEP === 0) yield;
    }
    this.#spilled.push({ start, end: file.size });
    this.#runs = [];
    this.#bytes = 0;
  }

  /** The items in their order, as many as are wanted. */
  *sorted(): Generator<T, void> {
    this.#endRun();
    const file = this.#file;
    file?.flush();
    const block = Math.max(LEAST_BLOCK, Math.min(MOST_BLOCK, Math.floor(READ_BYTES / Math.max(1, this.#spilled.length))));
    const onDisk = file ? this.#spilled.map((range) => this.#rowsOf(file, range, block)) : [];
    let left = this.#order.most;
    for (const { item } of mergeRuns([...onDisk, ...this.#runs], this.#compare)) {
      if (left <= 0) return;
      left -= 1;
      yield item;
    }
  }

  *#rowsOf(file: SpillFile, range: SpilledRange, block: number): Generator<Row<T>, void> {
    for (const bytes of file.read(range, block)) {
      const item = this.#form.read(bytes);
      yield { item, keys: this.#form.keysOf(item), size: 0 };
    }
  }

  /** Forgets everything. */
  close(): void {
    this.#rows = [];
    this.#runs = [];
    this.#file?.close();
    this.#file = undefined;
  }
}
