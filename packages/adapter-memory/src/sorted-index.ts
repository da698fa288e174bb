import { compareRecordValues as compareValues, isPlainObject, rankOf, valuesAt } from '@framework/query';
import { placeIn } from './place-in.ts';
import type { Row } from './record-store.ts';

interface Entry {
  readonly value: unknown;
  readonly row: Row;
}

/** Rows in the order of the values of one property, elements of lists each by itself. What is missing or null is not in it. */
export class SortedIndex {
  readonly #path: readonly string[];
  readonly #entries: Entry[] = [];
  /** Rows with several entries. */
  readonly #severalOf = new Set<number>();

  /** @param path dotted path of the property */
  constructor(path: string) {
    this.#path = path.split('.');
  }

  add(row: Row): void {
    const entries = this.#entriesOf(row);
    if (entries.length > 1) this.#severalOf.add(row.order);
    for (const entry of entries) this.#entries.splice(this.#position(entry), 0, entry);
  }

  remove(row: Row): void {
    this.#severalOf.delete(row.order);
    for (const entry of this.#entriesOf(row)) this.#entries.splice(this.#position(entry), 1);
  }

  /**
   * The rows that may satisfy a condition of the property.
   *
   * @param most so many at most
   * @returns `undefined` where it can not tell them, or where they are more
   */
  rowsFor(condition: unknown, most: number): Row[] | undefined {
    const bounds = boundsOf(condition);
    if (bounds === undefined) return undefined;
    const { rank, low, high, exact } = bounds;
    const from = placeIn(this.#entries, ({ value }) => rankOf(value) < rank || (low !== undefined && compareValues(value, low) < 0));
    // Of a list one element may satisfy one end and another the other.
    const end = exact === true || low === undefined || this.#severalOf.size === 0 ? high : undefined;
    const to = placeIn(this.#entries, ({ value }) => rankOf(value) <= rank && (end === undefined || compareValues(value, end) <= 0));
    return to - from > most ? undefined : [...new Set(this.#entries.slice(from, Math.max(from, to)).map(({ row }) => row))];
  }

  #entriesOf(row: Row): Entry[] {
    const values = valuesAt(row.record, this.#path).flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
    const entries: Entry[] = [];
    for (const value of values) {
      if (value !== null && value !== undefined && !entries.some((entry) => compareValues(entry.value, value) === 0))
        entries.push({ value, row });
    }
    return entries;
  }

  #position({ value, row }: Entry): number {
    return placeIn(this.#entries, (entry) => (compareValues(entry.value, value) || entry.row.order - row.order) < 0);
  }
}

/** What a condition accepts at most: values of one type, from `low` to `high` where they are set. */
interface Bounds {
  readonly rank: number;
  readonly low?: unknown;
  readonly high?: unknown;
  /** Whether one value has to satisfy both ends. */
  readonly exact?: boolean;
}

function boundsOf(condition: unknown): Bounds | undefined {
  if (isSimple(condition)) return { rank: rankOf(condition), low: condition, high: condition, exact: true };
  if (!isPlainObject(condition)) return undefined;
  const { $eq: equal, $gt, $gte: low = $gt, $lt, $lte: high = $lt } = condition;
  if (isSimple(equal)) return { rank: rankOf(equal), low: equal, high: equal, exact: true };
  const [from, to] = [low, high].map((end) => (isSimple(end) ? end : undefined));
  if (from === undefined && to === undefined) return undefined;
  const rank = rankOf(from ?? to);
  return from !== undefined && to !== undefined && rankOf(to) !== rank ? undefined : { rank, low: from, high: to };
}

function isSimple(value: unknown): boolean {
  return (['string', 'number', 'bigint', 'boolean'].includes(typeof value) && !Number.isNaN(value)) || value instanceof Date;
}
