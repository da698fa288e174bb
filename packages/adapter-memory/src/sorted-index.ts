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
  #entries: Entry[] = [];
  /** How many rows have several entries. */
  #several = 0;

  /** @param path dotted path of the property */
  constructor(path: string) {
    this.#path = path.split('.');
  }

  add(rows: readonly Row[]): void {
    const entries = this.#entriesOf(rows, 1);
    if (entries.length > MANY) this.#entries = this.#entries.concat(entries).sort(inOrder);
    else for (const entry of entries) this.#entries.splice(this.#position(entry), 0, entry);
  }

  remove(rows: readonly Row[]): void {
    const entries = this.#entriesOf(rows, -1);
    const gone = new Set(rows);
    if (entries.length > MANY) this.#entries = this.#entries.filter(({ row }) => !gone.has(row));
    else for (const entry of entries) this.#entries.splice(this.#position(entry), 1);
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
    const end = exact === true || low === undefined || this.#several === 0 ? high : undefined;
    const to = placeIn(this.#entries, ({ value }) => rankOf(value) <= rank && (end === undefined || compareValues(value, end) <= 0));
    return to - from > most ? undefined : [...new Set(this.#entries.slice(from, Math.max(from, to)).map(({ row }) => row))];
  }

  /** @param more what is added to the number of rows with several entries for each of them */
  #entriesOf(rows: readonly Row[], more: number): Entry[] {
    return rows.flatMap((row) => {
      // What is missing or null has the rank 0.
      const values = valuesAt(row.record, this.#path).flat().filter(rankOf).sort(compareValues);
      const different = values.filter((value, at) => at === 0 || compareValues(values[at - 1], value));
      if (different.length > 1) this.#several += more;
      return different.map((value) => ({ value, row }));
    });
  }

  #position(entry: Entry): number {
    return placeIn(this.#entries, (other) => inOrder(other, entry) < 0);
  }
}

/** Entries from which on they are put in, or taken out, together: each one alone moves all behind it. */
const MANY = 99;

function inOrder(one: Entry, other: Entry): number {
  return compareValues(one.value, other.value) || one.row.order - other.row.order;
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
  const { $eq: equal, $gt, $gte: low = $gt, $lt, $lte: high = $lt } = isPlainObject(condition) ? condition : { $eq: condition };
  if (isSimple(equal)) return { rank: rankOf(equal), low: equal, high: equal, exact: true };
  const [from, to] = [low, high].map((end) => (isSimple(end) ? end : undefined));
  if (from === undefined && to === undefined) return undefined;
  const rank = rankOf(from ?? to);
  return from !== undefined && to !== undefined && rankOf(to) !== rank ? undefined : { rank, low: from, high: to };
}

/** Whether a value has an order of its own type; not-a-number has none. */
function isSimple(value: unknown): boolean {
  return value instanceof Date || (typeof value !== 'object' && value !== undefined && !Number.isNaN(value));
}
