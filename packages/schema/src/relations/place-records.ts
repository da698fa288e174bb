import { kindOf, originOf, rememberOrigin } from '@framework/core';
import { BadRequest } from '@framework/errors';
import type { RecordsByKey } from './record-key.ts';
import type { Relation } from './relation.ts';

/** Most records that are put into the answer of one call from outside: one that is in it twice counts twice. */
export const MAX_PLACED = 10_000;

/** Most letters of JSON that these records may have together: one large record that is named thousands of times would be gigabytes. */
const MAX_LETTERS = 16_000_000;
/** As many records may be of any length: nobody has to measure those of a usual page. */
const FEW = 100;

/** How many records a populated record is, itself included. */
const sizes = new WeakMap<object, number>();

/** Counts what is put into one answer. */
export class PlacedRecords {
  readonly #most: number;
  readonly #lengths = new WeakMap<object, number>();
  #count = 0;
  #letters = 0;

  /** @param most largest number of records. Default: any, of any length */
  constructor(most: number = Infinity) {
    this.#most = most;
  }

  /** @throws BadRequest (400) when it is too much */
  add(record: object): void {
    const size = sizes.get(record) ?? 1;
    this.check(size);
    this.#count += size;
    if (this.#most !== Infinity && this.#count > FEW) this.#measure(record);
  }

  /** Begins with the next part of an answer that is sent part by part: letters count for each. */
  begin(): void {
    this.#letters = 0;
  }

  /**
   * @param more number of records that are to come
   * @throws BadRequest (400) when that is too much
   */
  check(more: number): void {
    if (this.#count + more > this.#most)
      throw new BadRequest(
        `$populate would give more than ${String(this.#most)} records, those counted twice that are in the answer twice: ask for smaller pages, or for fewer relations`,
        { parameter: '$populate' },
      );
  }

  get count(): number {
    return this.#count;
  }

  /** @throws BadRequest (400) */
  #measure(record: object): void {
    const length = this.#lengths.get(record) ?? lengthOf(record);
    this.#lengths.set(record, length);
    this.#letters += length;
    if (this.#letters <= MAX_LETTERS) return;
    throw new BadRequest(
      `$populate would give more than ${String(MAX_LETTERS / 1_000_000)} MB of records, those counted twice that are in the answer twice: ask for smaller pages, for fewer relations, or select less of what is behind them`,
      { parameter: '$populate' },
    );
  }
}

/** @returns letters of the JSON of a record; none for what has no JSON, which the answer fails with */
function lengthOf(record: object): number {
  try {
    // A `toJSON` may give nothing.
    return (JSON.stringify(record) as string | undefined)?.length ?? 0;
  } catch {
    return 0;
  }
}

/** A relation with the records that were found behind it. */
export interface Found {
  readonly relation: Relation;
  readonly records: RecordsByKey;
}

/** @returns the ids that a record has for a relation */
export function idsIn(record: unknown, { container, key }: Relation): unknown[] {
  const ids: unknown[] = [];
  visit(record, container, (holder) => {
    const value = Object.hasOwn(holder, key) ? holder[key] : undefined;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    // A list may have more ids than a call takes arguments.
    for (const id of list.flat(MAX_NESTING)) if (id !== undefined && id !== null) ids.push(id);
  });
  return ids;
}

/** Lists of lists of ids are looked into as deeply. */
const MAX_NESTING = 5;

/**
 * Puts the records that were found beside their ids. A record that is not there, or that the caller does not see, is `null`, and left
 * out of a list.
 *
 * @param record it is not changed
 * @param without paths that were read for their ids alone, and are taken out again
 * @returns a copy of the parts that change
 */
export function placeRecords(record: unknown, found: readonly Found[], placed: PlacedRecords, without: readonly string[]): unknown {
  const before = placed.count;
  let made = record;
  for (const { relation, records } of found)
    made = changed(made, relation.container, (holder) => {
      if (!Object.hasOwn(holder, relation.key)) return holder;
      return { ...holder, [relation.as]: recordsOf(holder[relation.key], records, placed) };
    });
  for (const path of without) made = withoutPath(made, path.split('.'));
  if (isObject(made) && isObject(record) && made !== record) {
    sizes.set(made, 1 + placed.count - before);
    carryOrigin(record, made, (dispatch) => placeRecords(dispatch, found, new PlacedRecords(), without));
  }
  return made;
}

function recordsOf(ids: unknown, records: RecordsByKey, placed: PlacedRecords): unknown {
  if (Array.isArray(ids)) return ids.map((id: unknown) => recordsOf(id, records, placed)).filter((record) => record !== null);
  const record = records.get(ids);
  if (record === undefined) return null;
  placed.add(record);
  return record;
}

/** A copy is still a record of its service, and what others see of it is still what a resolver made of it. */
function carryOrigin(from: object, to: object, changeDispatch: (dispatch: unknown) => unknown): void {
  const origin = originOf(from);
  if (origin === undefined) return;
  rememberOrigin(to, origin.dispatch === undefined ? origin : { ...origin, dispatch: changeDispatch(origin.dispatch) });
}

function withoutPath(record: unknown, path: readonly string[]): unknown {
  const key = path.at(-1) ?? '';
  return changed(record, path.slice(0, -1), (holder) =>
    Object.hasOwn(holder, key) ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== key)) : holder,
  );
}

type Holder = Readonly<Record<string, unknown>>;

function visit(value: unknown, path: readonly string[], found: (holder: Holder) => void): void {
  changed(value, path, (holder) => {
    found(holder);
    return holder;
  });
}

/** Changes the objects at a path, through lists; what is above them is copied. */
function changed(value: unknown, path: readonly string[], change: (holder: Holder) => Holder): unknown {
  if (Array.isArray(value)) {
    const made = value.map((entry: unknown) => changed(entry, path, change));
    return made.every((entry, index) => entry === value[index]) ? value : made;
  }
  const holder = plain(value);
  const [name, ...rest] = path;
  if (holder === undefined || name === undefined) return holder === undefined ? value : kept(value, holder, change(holder));
  if (!Object.hasOwn(holder, name)) return value;
  const inner = changed(holder[name], rest, change);
  return inner === holder[name] ? value : kept(value, holder, { ...holder, [name]: inner });
}

/** What did not change stays the very same object; a copy of a part of a record is still that part. */
function kept(value: unknown, holder: Holder, made: Holder): unknown {
  if (made === holder) return value;
  const origin = originOf(value as object);
  if (origin !== undefined) rememberOrigin(made, origin);
  return made;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The properties of an object; documents of a database library give them as their JSON. */
function plain(value: unknown): Holder | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const kind = kindOf(value);
  if (kind === 'object') return value as Holder;
  return kind === 'json' ? plain((value as { toJSON(): unknown }).toJSON()) : undefined;
}
