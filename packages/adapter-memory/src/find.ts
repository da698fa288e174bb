import type { Paginated } from '@framework/core';
import { BadRequest } from '@framework/errors';
import {
  compareSortValues,
  hasList,
  selectFields,
  sortValue,
  type ParsedQuery,
  type SortDirection,
  type StoredRecord,
} from '@framework/query';
import { copyOf } from './copy.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { ResolvedMemoryOptions } from './memory-types.ts';

type Keys = readonly (readonly [name: string, direction: SortDirection])[];

/** A record with the values that it is sorted by. */
interface Placed {
  readonly record: StoredRecord;
  readonly position: readonly unknown[];
}

/**
 * Sorts records; those of the same place keep their order.
 *
 * @param records are not changed
 * @param count how many of the first are needed. Default: all
 */
export function sorted(records: readonly StoredRecord[], sort: ParsedQuery['sort'], count: number = Infinity): readonly StoredRecord[] {
  if (!sort) return records;
  const keys = Object.entries(sort);
  const rows = count < records.length / MANY ? firstOf(records, keys, count) : placed(records, keys);
  return rows.map(({ record }) => record);
}

/** From so many times more records than are needed on, the first are chosen and not all sorted. */
const MANY = 8;

/** Goes through the records once, and keeps the first of those that it has seen in their order. */
function firstOf(records: readonly StoredRecord[], keys: Keys, count: number): Placed[] {
  const paths = pathsOf(keys);
  const first: Placed[] = [];
  for (const record of records) {
    const row = placedBy(record, paths);
    const last = first[count - 1];
    if (count === 0 || (last !== undefined && comparePositions(last.position, row.position, keys) <= 0)) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = first[middle];
      if (other !== undefined && comparePositions(other.position, row.position, keys) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, row);
    if (first.length > count) first.pop();
  }
  return first;
}

type Paths = readonly { readonly path: readonly string[]; readonly direction: SortDirection }[];

function pathsOf(keys: Keys): Paths {
  return keys.map(([name, direction]) => ({ path: name.split('.'), direction }));
}

function placedBy(record: StoredRecord, paths: Paths): Placed {
  return { record, position: paths.map(({ path, direction }) => sortValue(record, path, direction)) };
}

function placed(records: readonly StoredRecord[], keys: Keys): Placed[] {
  const paths = pathsOf(keys);
  return records.map((record) => placedBy(record, paths)).sort((a, b) => comparePositions(a.position, b.position, keys));
}

function comparePositions(a: readonly unknown[], b: readonly unknown[], keys: Keys): number {
  for (let index = 0; index < keys.length; index++) {
    const order = compareSortValues(a[index], b[index]);
    if (order !== 0) return order * (keys[index]?.[1] ?? 1);
  }
  return 0;
}

/** What a caller gets of a record: a copy, of the selected properties and the id. */
export function shown(record: StoredRecord, { select }: ParsedQuery, { id }: ResolvedMemoryOptions): StoredRecord {
  return copyOf(select ? selectFields(record, [...new Set([id, ...select])]) : record);
}

/** The records of a `find`, or a page of them. */
export function foundRecords(
  records: readonly StoredRecord[],
  query: ParsedQuery,
  options: ResolvedMemoryOptions,
): StoredRecord[] | Paginated<StoredRecord> {
  const { limit, skip = 0, extra } = query;
  const { paginate } = options;
  const paged = paginate !== false && (paginate.default !== undefined || paginate.max !== undefined);
  const byCursor = '$after' in extra || '$before' in extra || (paged && options.cursors === true);
  const show = (record: StoredRecord): StoredRecord => shown(record, query, options);
  if (!byCursor) {
    const data = sorted(records, query.sort, limit === undefined ? undefined : skip + limit)
      .slice(skip, limit === undefined ? undefined : skip + limit)
      .map(show);
    return paged ? { total: records.length, limit: limit ?? 0, skip, data } : data;
  }
  const { data, ...cursors } = page(records, query, options);
  return paged ? { total: records.length, limit: limit ?? 0, skip, data: data.map(show), ...cursors } : data.map(show);
}

interface Page {
  readonly data: readonly StoredRecord[];
  readonly next?: string | null;
  readonly previous?: string | null;
}

/** @throws BadRequest (400) for a cursor that is not of this order, and where it leads to a record with a list in a sort key */
function page(
  records: readonly StoredRecord[],
  { sort = {}, extra, limit = Infinity, skip = 0 }: ParsedQuery,
  { id }: ResolvedMemoryOptions,
): Page {
  const { $after: after, $before: before } = extra;
  if (after !== undefined && before !== undefined) throw new BadRequest('A query has $after or $before, not both');
  const keys = withId(Object.entries(sort), id);
  const purpose = JSON.stringify(keys);
  const all = placed(records, keys);
  const given = after ?? before;
  const position = given === undefined ? undefined : readCursor(after === undefined ? '$before' : '$after', purpose, given);
  if (position !== undefined && position.length !== keys.length) throw new BadRequest('The cursor is of another $sort');
  const isBefore = (row: Placed): boolean => position !== undefined && comparePositions(row.position, position, keys) < 0;
  const isAt = (row: Placed): boolean => position !== undefined && comparePositions(row.position, position, keys) === 0;
  const backwards = before !== undefined;
  const candidates = position === undefined ? all : all.filter((row) => (backwards ? isBefore(row) : !isBefore(row) && !isAt(row)));
  const rest = backwards ? candidates.slice(0, Math.max(0, candidates.length - skip)) : candidates.slice(skip);
  const rows = backwards ? rest.slice(Math.max(0, rest.length - limit)) : rest.slice(0, limit);
  const data = rows.map(({ record }) => record);
  if (rows.some(({ record }) => keys.some(([name]) => hasList(record, name.split('.'))))) {
    if (given === undefined) return { data };
    throw new BadRequest('Records with a list in a sort key can not be paged by cursors: sort by a single value, or page with $skip');
  }
  const more = limit > 0 && rest.length > rows.length;
  const cursorOf = (row: Placed | undefined): string | null | undefined => (row === undefined ? null : writeCursor(purpose, row.position));
  const next = (backwards ? given !== undefined : more) ? cursorOf(rows.at(-1)) : null;
  const previous = (backwards ? more : given !== undefined) ? cursorOf(rows[0]) : null;
  return { data, ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) };
}

/** The id comes last, so that no two records have the same position. */
function withId(keys: Keys, id: string): Keys {
  const at = keys.findIndex(([name]) => name === id);
  return at < 0 ? [...keys, [id, keys.at(-1)?.[1] ?? 1]] : keys.slice(0, at + 1);
}
