import type { Paginated } from '@framework/core';
import { BadRequest } from '@framework/errors';
import {
  compareSortValues,
  cursorKeys,
  hasList,
  isPaged,
  selectFields,
  sortValueOf,
  type ParsedQuery,
  type SortDirection,
  type SortKey,
  type StoredRecord,
} from '@framework/query';
import { copyOfRecord } from './copy.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { ResolvedMemoryOptions } from './memory-types.ts';
import { placeIn } from './place-in.ts';

/** A record with the values that it is sorted by. */
interface Placed {
  readonly record: StoredRecord;
  readonly position: readonly unknown[];
}

/** From so many times more records than are needed on, the first are chosen and not all sorted. */
const MANY = 8;

/**
 * Sorts records; those of the same place keep their order.
 *
 * @param records are not changed
 * @param count how many of the first are needed. Default: all
 */
export function sorted(records: readonly StoredRecord[], sort: ParsedQuery['sort'], count: number = Infinity): readonly StoredRecord[] {
  return sort ? placed(records, Object.entries(sort), count).map(({ record }) => record) : records;
}

function placed(records: readonly StoredRecord[], keys: readonly SortKey[], count: number): Placed[] {
  const directions = keys.map(([, direction]) => direction);
  const readers = keys.map(([name, direction]) => sortValueOf(name, direction));
  const place = (record: StoredRecord): Placed => ({ record, position: readers.map((read) => read(record)) });
  const compare = (a: Placed, b: Placed): number => comparePositions(a.position, b.position, directions);
  if (count >= records.length / MANY) return records.map(place).sort(compare);
  // Of most records the first key tells that others are before them.
  const [read = () => undefined] = readers;
  const [direction = 1] = directions;
  const first: Placed[] = [];
  for (const record of count === 0 ? [] : records) {
    const last = first[count - 1];
    if (last !== undefined && compareSortValues(read(record), last.position[0]) * direction > 0) continue;
    const row = place(record);
    const isBefore = (other: Placed): boolean => compare(other, row) <= 0;
    if (last !== undefined && isBefore(last)) continue;
    first.splice(placeIn(first, isBefore), 0, row);
    if (first.length > count) first.pop();
  }
  return first;
}

function comparePositions(a: readonly unknown[], b: readonly unknown[], directions: readonly SortDirection[]): number {
  for (let index = 0; index < directions.length; index++) {
    const order = compareSortValues(a[index], b[index]);
    if (order !== 0) return order * (directions[index] ?? 1);
  }
  return 0;
}

/** What a caller gets of a record: a copy, of the selected properties and the id. */
export function shown(record: StoredRecord, { select }: ParsedQuery, { id }: ResolvedMemoryOptions): StoredRecord {
  return copyOfRecord(select ? selectFields(record, [...new Set([id, ...select])]) : record);
}

/** The records of a `find`, or a page of them. */
export function foundRecords(
  records: readonly StoredRecord[],
  query: ParsedQuery,
  options: ResolvedMemoryOptions,
): StoredRecord[] | Paginated<StoredRecord> {
  const { limit = Infinity, skip = 0, extra } = query;
  const paged = isPaged(options.paginate);
  const byCursor = '$after' in extra || '$before' in extra || (paged && options.cursors === true);
  const { data, ...cursors } = byCursor
    ? page(records, query, options)
    : { data: sorted(records, query.sort, skip + limit).slice(skip, skip + limit) };
  const copies = data.map((record) => shown(record, query, options));
  return paged ? { total: records.length, limit: query.limit ?? 0, skip, data: copies, ...cursors } : copies;
}

interface Page {
  readonly data: readonly StoredRecord[];
  readonly next?: string | null;
  readonly previous?: string | null;
}

/** @throws BadRequest (400) for a cursor that is not of this order, and where it leads to a record with a list in a sort key */
function page(
  records: readonly StoredRecord[],
  { sort, extra, limit = Infinity, skip = 0 }: ParsedQuery,
  { id }: ResolvedMemoryOptions,
): Page {
  const { $after: after, $before: before } = extra;
  if (after !== undefined && before !== undefined) throw new BadRequest('A query has $after or $before, not both');
  const keys = cursorKeys(sort, id);
  const purpose = JSON.stringify(keys);
  const backwards = before !== undefined;
  const given = after ?? before;
  let rows = placed(records, keys, Infinity);
  if (given !== undefined) {
    const position = readCursor(backwards ? '$before' : '$after', purpose, keys.length, given);
    const directions = keys.map(([, direction]) => direction);
    const at = placeIn(rows, (row) => comparePositions(row.position, position, directions) < (backwards ? 0 : 1));
    rows = backwards ? rows.slice(0, at) : rows.slice(at);
  }
  const rest = backwards ? rows.slice(0, Math.max(0, rows.length - skip)) : rows.slice(skip);
  const chosen = backwards ? rest.slice(Math.max(0, rest.length - limit)) : rest.slice(0, limit);
  const data = chosen.map(({ record }) => record);
  if (data.some((record) => keys.some(([name]) => hasList(record, name.split('.'))))) {
    if (given === undefined) return { data };
    throw new BadRequest('Records with a list in a sort key can not be paged by cursors: sort by a single value, or page with $skip');
  }
  const more = limit > 0 && rest.length > chosen.length;
  const [next, previous] = [
    backwards || more ? chosen.at(-1) : undefined,
    (backwards ? more : given !== undefined) ? chosen[0] : undefined,
  ].map((row) => (row === undefined ? null : writeCursor(purpose, row.position)));
  return { data, ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) };
}
