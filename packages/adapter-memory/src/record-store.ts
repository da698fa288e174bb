import { recordExists } from '@framework/core/adapter';
import { isObjectId, isPlainObject, type StoredRecord } from '@framework/query';
import { objectsOf } from './copy.ts';
import { SortedIndex } from './sorted-index.ts';

/** A stored record, and when it came. */
export interface Row {
  readonly record: StoredRecord;
  /** Rises with each record that is added; one that is replaced keeps it. */
  readonly order: number;
  /** What {@link objectsOf} says of the record, so that no copy has to look. */
  readonly objects: readonly string[];
}

/** A row that is not looked through yet. */
type NewRow = Pick<Row, 'record' | 'order'>;

/** A choice of rows has to be so many times smaller than what there is, since it is put in order again. */
const WORTH = 4;

/** The records of a service by their ids, with sorted indexes. Nothing that it holds is known outside of the package. */
export class RecordStore {
  readonly #id: string;
  readonly #rows = new Map<Key, Row>();
  readonly #indexes: ReadonlyMap<string, SortedIndex>;
  #count = 0;
  /** All rows as a list, which is gone through faster, until one is written. */
  #all: readonly Row[] | undefined;

  /**
   * @param id name of the id property
   * @param indexes paths that have an index
   */
  constructor(id: string, indexes: readonly string[]) {
    this.#id = id;
    this.#indexes = new Map(indexes.map((path) => [path, new SortedIndex(path)]));
  }

  get size(): number {
    return this.#rows.size;
  }

  has(id: unknown): boolean {
    return this.#rows.has(keyOf(id));
  }

  get(id: unknown): Row | undefined {
    return this.#rows.get(keyOf(id));
  }

  /**
   * Adds records, all or none.
   *
   * @returns their rows
   * @throws Conflict (409) where an id is taken
   */
  add(records: readonly StoredRecord[]): Row[] {
    const keys = new Set<Key>();
    for (const record of records) {
      const key = keyOf(record[this.#id]);
      if (this.#rows.has(key) || keys.has(key)) throw recordExists([this.#id]);
      keys.add(key);
    }
    return this.#put(
      records.map((record) => ({ record, order: ++this.#count })),
      [],
    );
  }

  /**
   * @param rows those that are there
   * @param changed the same with other records, in any order
   * @returns the rows that take their places, in the order of the changed ones
   */
  replace(rows: readonly Row[], changed: readonly NewRow[]): Row[] {
    // A key that is there keeps its place.
    return this.#put(changed, rows);
  }

  remove(rows: readonly Row[]): void {
    this.#all = undefined;
    for (const { record } of rows) this.#rows.delete(keyOf(record[this.#id]));
    for (const index of this.#indexes.values()) index.remove(rows);
  }

  /** The rows that may satisfy conditions, in the order in which they came. */
  candidates(criteria: Readonly<Record<string, unknown>>): readonly Row[] {
    const chosen = this.#byId(criteria[this.#id]) ?? this.#byIndex(criteria);
    return chosen?.sort((a, b) => a.order - b.order) ?? (this.#all ??= [...this.#rows.values()]);
  }

  #byId(condition: unknown): Row[] | undefined {
    const ids: unknown = isPlainObject(condition) ? condition.$in : condition === undefined ? undefined : [condition];
    if (!Array.isArray(ids) || ids.some((id) => id instanceof RegExp || id === null)) return undefined;
    return [...new Set(ids.map(keyOf))].flatMap((key) => this.#rows.get(key) ?? []);
  }

  /** Those of the index that leaves the fewest. */
  #byIndex(criteria: Readonly<Record<string, unknown>>): Row[] | undefined {
    let fewest: Row[] | undefined;
    for (const [path, index] of this.#indexes) {
      if (!Object.hasOwn(criteria, path)) continue;
      fewest = index.rowsFor(criteria[path], (fewest?.length ?? this.#rows.size) / WORTH) ?? fewest;
    }
    return fewest;
  }

  /** @param before the rows whose places others take; none where they are new */
  #put(given: readonly NewRow[], before: readonly Row[]): Row[] {
    const rows = given.map(({ record, order }) => ({ record, order, objects: objectsOf(record) }));
    this.#all = undefined;
    for (const row of rows) this.#rows.set(keyOf(row.record[this.#id]), row);
    for (const index of this.#indexes.values()) {
      index.remove(before);
      index.add(rows);
    }
    return rows;
  }
}

/** What an id is found by: a number, and the text of one, are the same. */
type Key = number | string;

/** Ids in paths are texts, whatever they are in records. Numbers are found faster as numbers. */
function keyOf(id: unknown): Key {
  if (typeof id === 'number') return id;
  const text = isObjectId(id) ? id.toHexString() : String(id);
  const number = Number(text);
  return String(number) === text ? number : text;
}
