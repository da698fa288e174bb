import type { Collator } from '../bson/collation.ts';
import { hashKey } from '../bson/hash-key.ts';
import type { Doc, Value } from '../bson/values.ts';
import type { Predicate } from '../query/matcher.ts';
import { MEMORY } from '../spill/memory.ts';
import { roughSize } from '../spill/rough-size.ts';
import { indexKey } from '../storage/keys/index-key.ts';
import { checkKept } from './in-order.ts';
import type { InTurns } from './stages/in-turns.ts';

/** What a document looks for in another collection. */
export interface Wanted {
  /** What it finds has one of these values, by which it is looked up. */
  readonly values: readonly Value[];
  /** Decides about what was looked up. */
  readonly test: Predicate;
}

/** The collection that is joined. */
export interface JoinSource {
  /** Reads all documents that may be joined, a few at a time. */
  read(): Iterable<readonly Doc[]>;
  /** The values that a document can be looked up by. */
  valuesOf(doc: Doc): readonly Value[];
  readonly collator: Collator | undefined;
}

/** Bytes of the other collection that a join keeps. */
export const JOIN_MEMORY: number = 32 * 1024 * 1024;

/**
 * Joins by equal values: the other collection is read once and kept by its values. What has no room is read again for each
 * step of documents, which are kept in its place. Both give what asking for each document by itself gives, in the same order.
 */
export class HashJoin {
  readonly #source: JoinSource;
  readonly #memory: number;
  readonly #most: number;
  #table: ReadonlyMap<string, readonly Entry[]> | 'too large' | undefined;

  /**
   * @param memory bytes of the other collection that it keeps
   * @param most bytes that one document may find there
   */
  constructor(source: JoinSource, memory: number = JOIN_MEMORY, most: number = MEMORY) {
    this.#source = source;
    this.#memory = memory;
    this.#most = most;
  }

  /**
   * @returns what each of some documents finds, in the order in which it was read
   * @throws DocDbError (292) where one of them finds more than memory should hold, of a collection that has no room there
   */
  *find(wanted: readonly Wanted[]): InTurns<Doc[][]> {
    this.#table ??= yield* this.#read();
    const table = this.#table;
    if (table === 'too large') return yield* this.#pass(wanted);
    return wanted.map(({ values, test }) => {
      const entries = new Set(values.flatMap((value) => table.get(this.#keyOf(value)) ?? []));
      return [...entries].sort((a, b) => a.at - b.at).flatMap(({ doc }) => (test(doc) ? [doc] : []));
    });
  }

  /** Equal values have the same key; others may have it too. */
  #keyOf(value: Value): string {
    const { collator } = this.#source;
    return collator ? indexKey([value ?? null], { directions: [1], collator }).bytes.toString('latin1') : hashKey(value);
  }

  #keysOf(values: readonly Value[]): ReadonlySet<string> {
    return new Set(values.map((value) => this.#keyOf(value)));
  }

  *#read(): InTurns<ReadonlyMap<string, readonly Entry[]> | 'too large'> {
    const table = new Map<string, Entry[]>();
    let bytes = 0;
    let at = 0;
    for (const step of this.#source.read()) {
      for (const doc of step) {
        const entry = { at: at++, doc };
        const keys = this.#keysOf(this.#source.valuesOf(doc));
        for (const key of keys) add(table, key, entry);
        bytes += roughSize(doc) + ENTRY * keys.size;
      }
      if (bytes > this.#memory) return 'too large';
      yield;
    }
    return table;
  }

  /** Reads everything once for some documents. */
  *#pass(wanted: readonly Wanted[]): InTurns<Doc[][]> {
    const found = wanted.map((): Doc[] => []);
    const table = new Map<string, number[]>();
    wanted.forEach(({ values }, at) => {
      for (const key of this.#keysOf(values)) add(table, key, at);
    });
    let bytes = 0;
    for (const step of this.#source.read()) {
      for (const doc of step) {
        const hits = new Set([...this.#keysOf(this.#source.valuesOf(doc))].flatMap((key) => table.get(key) ?? []));
        let kept = false;
        for (const at of hits) {
          if (wanted[at]?.test(doc) !== true) continue;
          found[at]?.push(doc);
          kept = true;
        }
        if (kept) bytes += roughSize(doc);
      }
      // Half as many documents find less.
      if (bytes > this.#memory && wanted.length > 1) {
        const middle = wanted.length >> 1;
        return [...(yield* this.#pass(wanted.slice(0, middle))), ...(yield* this.#pass(wanted.slice(middle)))];
      }
      checkKept('A join', bytes, this.#most);
      yield;
    }
    return found;
  }
}

/** A document and its place among all. */
interface Entry {
  readonly at: number;
  readonly doc: Doc;
}

/** Bytes of a key and of its list. */
const ENTRY = 150;

function add<T>(table: Map<string, T[]>, key: string, value: T): void {
  const known = table.get(key);
  if (known) known.push(value);
  else table.set(key, [value]);
}
