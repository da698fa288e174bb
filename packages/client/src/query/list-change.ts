import { compareSortValues, hasList, sortValueOf } from '@framework/query';
import { hasParts } from './has-parts.ts';
import { tell } from './tell.ts';
import { replaces } from './untold.ts';

/** An event, as lists are changed by it. */
export interface RecordChange {
  readonly type: 'created' | 'updated' | 'patched' | 'removed';
  readonly record: object;
  /** Name of the id property. */
  readonly id: string;
  /** Whether the record has all that answers of the service have. */
  readonly isWhole: boolean;
}

/** What becomes of a list: nothing, another list, or what only the server can tell. */
export type ListChange = { readonly kind: 'same' } | { readonly kind: 'changed'; readonly found: unknown } | { readonly kind: 'refetch' };

const SAME: ListChange = { kind: 'same' };
const REFETCH: ListChange = { kind: 'refetch' };

interface Page {
  readonly total: number;
  readonly limit: number;
  readonly skip: number;
  readonly data: readonly object[];
}

/**
 * What an event makes of the result of a `find`.
 *
 * @param found list or page
 * @param query what was asked
 */
export function listChange(found: unknown, query: object, change: RecordChange): ListChange {
  const list = listOf(found, query);
  if (!list) return REFETCH;
  const { filters, conditions } = split(query);
  const { record, type, id, isWhole } = change;
  const at = list.records.findIndex((each) => Reflect.get(each, id) === Reflect.get(record, id));
  const matches = type === 'removed' ? false : tell(conditions, record);
  if (matches === undefined) return REFETCH;
  // A record that the list does not hold may lie behind its end.
  if (at < 0 && !matches) return list.isWhole || type === 'created' ? SAME : REFETCH;
  // What is shown of a record, or beside it, the event does not tell.
  if (!isPlain(filters) || !list.isWhole) return REFETCH;
  const others = list.records.filter((_, place) => place !== at);
  if (!matches) return changed(found, others, -1);
  const held = list.records[at];
  if (!isWhole || (held && !replaces(held, record))) return REFETCH;
  const sort = Reflect.get(filters, '$sort') as Readonly<Record<string, 1 | -1>> | undefined;
  if (held && !sort)
    return changed(
      found,
      list.records.map((each, place) => (place === at ? record : each)),
      0,
    );
  // Behind the others is what has come last; where else an unsorted list has it only the server knows.
  if (!sort && type !== 'created') return REFETCH;
  const place = sort ? placeOf(record, others, sort) : others.length;
  if (place === undefined) return REFETCH;
  if (at < 0 && others.length >= list.limit) return REFETCH;
  return changed(found, [...others.slice(0, place), record, ...others.slice(place)], at < 0 ? 1 : 0);
}

/** @returns the records of the result of a `find`, where nothing is shown of them or beside them that was asked for; else none */
export function plainRecords(found: unknown, query: object): readonly object[] {
  return isPlain(split(query).filters) ? (listOf(found, query)?.records ?? []) : [];
}

/** Whether filters take no part in what is shown of records. */
function isPlain(filters: object): boolean {
  return Object.keys(filters).every((name) => name === '$sort' || name === '$limit');
}

/** @param added how many records there are more than before */
function changed(found: unknown, records: readonly object[], added: number): ListChange {
  return { kind: 'changed', found: isPage(found) ? { ...found, total: found.total + added, data: records } : records };
}

/** The records of a result, and whether they are all that match. */
function listOf(
  found: unknown,
  query: object,
): { readonly records: readonly object[]; readonly isWhole: boolean; readonly limit: number } | undefined {
  const { $limit = Infinity, $skip = 0 }: { readonly $limit?: unknown; readonly $skip?: unknown } = query;
  const limit = Number($limit);
  if (Array.isArray(found)) return { records: found as readonly object[], isWhole: found.length < limit && !Number($skip), limit };
  if (!isPage(found)) return undefined;
  // Services that do not count, or not to the end, can not tell.
  const isCounted = found.total >= 0 && Reflect.get(found, 'capped') !== true;
  return { records: found.data, isWhole: isCounted && found.skip === 0 && found.total === found.data.length, limit: found.limit };
}

/** @returns where a record belongs; `undefined` where only the server knows: next to one of the same place, by objects, and where several keys lead into lists */
function placeOf(record: object, others: readonly object[], sort: Readonly<Record<string, 1 | -1>>): number | undefined {
  const paths = Object.keys(sort).map((name) => name.split('.'));
  if ([record, ...others].some((one) => paths.filter((path) => hasList({ ...one }, path)).length > 1)) return undefined;
  const orders = others.map((other) => order(other, record, sort));
  return orders.includes(0) ? undefined : orders.filter((one) => one < 0).length;
}

function order(a: object, b: object, sort: Readonly<Record<string, 1 | -1>>): number {
  for (const [name, direction] of Object.entries(sort)) {
    const value = sortValueOf(name, direction);
    const left = value({ ...a });
    const right = value({ ...b });
    // An object may be the JSON of a value that sorts otherwise, as a decimal is.
    if (hasParts(left) || hasParts(right)) return 0;
    const one = compareSortValues(left, right) * direction;
    if (one !== 0) return one;
  }
  return 0;
}

function split(query: object): { readonly filters: object; readonly conditions: object } {
  const isFilter = ([name]: [string, unknown]): boolean => name.startsWith('$') && name !== '$or' && name !== '$and';
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    filters: Object.fromEntries(entries.filter(isFilter)),
    conditions: Object.fromEntries(entries.filter((entry) => !isFilter(entry))),
  };
}

function isPage(found: unknown): found is Page {
  return hasParts(found) && Array.isArray(Reflect.get(found, 'data')) && typeof Reflect.get(found, 'total') === 'number';
}
