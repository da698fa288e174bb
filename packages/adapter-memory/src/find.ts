import type { Paginated } from '@framework/core';
import { BadRequest } from '@framework/errors';
import {
  compareSortPositions,
  compareSortValues,
  cursorKeys,
  everyRecord,
  firstSortValueOf,
  hasList,
  isAfter,
  isPaged,
  selectFields,
  sortPositionOf,
  type ParsedQuery,
  type Predicate,
  type SortKey,
  type StoredRecord,
} from '@framework/query';
import { copyOfRecord, copyOfStored } from './copy.ts';
import { decodeValue } from './cursor-value.ts';
import { digestOfPosition, readCursor, writeCursor, type Place } from './cursor.ts';
import type { ResolvedMemoryOptions } from './memory-types.ts';
import { placeIn } from './place-in.ts';
import type { Row } from './record-store.ts';

/** A row with the values that it is sorted by. */
interface Placed {
  readonly row: Row;
  readonly position: readonly unknown[];
}

/** So many first records are chosen, each put into its place; of more, which each would have to make room for it, all are sorted. */
const FEW = 99;

/**
 * Sorts rows; those of the same place keep their order, and one alone needs none.
 *
 * @param rows are not changed
 */
export function sorted(rows: readonly Row[], sort: ParsedQuery['sort']): readonly Row[] {
  return rows.length > 1 ? firstOf(rows, everyRecord, sort, Infinity) : rows;
}

/** The first rows that match, in their order: no more of them are looked at than have to be. */
function firstOf(rows: readonly Row[], matches: Predicate, sort: ParsedQuery['sort'], count: number): readonly Row[] {
  if (sort) return placed(rows, matches, Object.entries(sort), count).map(({ row }) => row);
  const first: Row[] = [];
  for (const row of rows) {
    if (first.length >= count) break;
    if (matches(row.record)) first.push(row);
  }
  return first;
}

/** The first rows that match, with their positions. */
function placed(rows: readonly Row[], matches: Predicate, keys: readonly SortKey[], count: number): Placed[] {
  const positionOf = sortPositionOf(keys);
  const place = (row: Row): Placed => ({ row, position: positionOf(row.record) });
  const compare = (a: Placed, b: Placed): number => compareSortPositions(a.position, b.position, keys);
  // What a row holds that is not meant may have no order.
  const meant = rows.filter(({ record }) => matches(record));
  if (count > FEW) return meant.map(place).sort(compare).slice(0, count);
  // Of most rows the first key tells that others are before them.
  const [[, direction] = ['', 1] as const] = keys;
  const read = firstSortValueOf(keys);
  const first: Placed[] = [];
  let isLate: (value: unknown) => boolean = () => false;
  for (const row of count === 0 ? [] : meant) {
    if (isLate(read(row.record))) continue;
    const one = place(row);
    const at = placeIn(first, (other) => compare(other, one) <= 0);
    if (at >= count) continue;
    first.splice(at, 0, one);
    if (first.length > count) first.pop();
    const last = first[count - 1];
    if (last !== undefined) isLate = isAfter(last.position[0], direction);
  }
  return first;
}

/** What a caller gets of a record: a copy, of the selected properties, the id and the version. */
export function shown({ record, objects }: Row, { select }: ParsedQuery, { id, version = id }: ResolvedMemoryOptions): StoredRecord {
  return select ? copyOfRecord(selectFields(record, [...new Set([id, ...select, version])])) : copyOfStored(record, objects);
}

/**
 * The records of a `find`, or a page of them.
 *
 * @param candidates gives the rows that may match
 */
export function foundRecords(
  candidates: () => readonly Row[],
  matches: Predicate,
  query: ParsedQuery,
  options: ResolvedMemoryOptions,
): StoredRecord[] | Paginated<StoredRecord> | Promise<StoredRecord[] | Paginated<StoredRecord>> {
  const { limit = Infinity, skip = 0, extra } = query;
  const paged = isPaged(options.paginate);
  // Where all are meant, none is looked at to count them.
  const found = (): readonly Row[] => (matches === everyRecord ? candidates() : candidates().filter(({ record }) => matches(record)));
  const answer = ({ total, data, ...cursors }: Page): StoredRecord[] | Paginated<StoredRecord> => {
    const copies = data.map((row) => shown(row, query, options));
    return paged ? { total, limit: query.limit ?? 0, skip, data: copies, ...cursors } : copies;
  };
  if ('$after' in extra || '$before' in extra || (paged && options.cursors === true)) return page(found, query, options).then(answer);
  const counted = paged ? found() : undefined;
  const data = firstOf(counted ?? candidates(), counted ? everyRecord : matches, query.sort, skip + limit).slice(skip);
  return answer({ total: counted?.length ?? 0, data });
}

interface Page {
  readonly total: number;
  readonly data: readonly Row[];
  readonly next?: string | null;
  readonly previous?: string | null;
}

/**
 * @throws BadRequest (400) for a cursor that is not of this order, where it leads to a record with a list in a sort key, and where the records that it names
 * are not where they were
 */
async function page(
  found: () => readonly Row[],
  { sort, extra, limit = Infinity, skip = 0 }: ParsedQuery,
  { id }: ResolvedMemoryOptions,
): Promise<Page> {
  const { $after: after, $before: before } = extra;
  if (after !== undefined && before !== undefined) throw new BadRequest('A query has $after or $before, not both');
  const keys = cursorKeys(sort, id);
  const purpose = JSON.stringify(keys);
  const backwards = before !== undefined;
  const given = after ?? before;
  const place = given === undefined ? undefined : await readCursor(backwards ? '$before' : '$after', purpose, given);
  // What is found from here on is all of one moment.
  const rows = placed(found(), everyRecord, keys, Infinity);
  const total = rows.length;
  const start = place ? startOf(rows, place, keys, backwards) : 0;
  const near = backwards ? Math.max(0, start - skip) : Math.min(total, start + skip);
  const [from, to] = backwards ? [Math.max(0, near - limit), near] : [near, Math.min(total, near + limit)];
  const data = rows.slice(from, to).map(({ row }) => row);
  if (data.some(({ record }) => keys.some(([name]) => hasList(record, name.split('.'))))) {
    if (!place) return { total, data };
    throw new BadRequest('Records with a list in a sort key can not be paged by cursors: sort by a single value, or page with $skip');
  }
  const more = limit > 0 && (backwards ? from > 0 : to < total);
  // Where a record is too long to be told, those beside it stand in for it when it has gone: first the one that was given too.
  const cursorAt = (at: number, inwards: number): Promise<string | undefined> => {
    const landmarks = [at, at + inwards, at - inwards].flatMap((index) => {
      const row = rows[index];
      return row ? [{ position: row.position, side: Math.sign(index - at) }] : [];
    });
    return writeCursor(purpose, landmarks);
  };
  const next = (backwards || more) && data.length > 0 ? await cursorAt(to - 1, -1) : null;
  const previous = (backwards ? more : place) && data.length > 0 ? await cursorAt(from, 1) : null;
  return { total, data, ...(next === undefined ? {} : { next }), ...(previous === undefined ? {} : { previous }) };
}

/** How many rows come before the place that a cursor leads to. */
function startOf(rows: readonly Placed[], [, told, named]: Place, keys: readonly SortKey[], backwards: boolean): number {
  if (told) {
    const position = told.map(decodeValue);
    return placeIn(rows, (row) => compareSortPositions(row.position, position, keys) < (backwards ? 0 : 1));
  }
  for (const [told, digest, side] of named) {
    const id = decodeValue(told);
    const at = rows.findIndex(({ position }) => compareSortValues(position.at(-1), id) === 0);
    if (at >= 0 && digestOfPosition(rows[at]?.position ?? []) === digest) return side < 0 || (side === 0 && !backwards) ? at + 1 : at;
  }
  throw new BadRequest('The records of this cursor have gone or changed: start again with the first page, or sort by shorter values');
}
