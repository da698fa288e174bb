import { isRecord } from './matching/values.ts';

/** The part of service parameters that {@link select} reads. */
export interface SelectParams {
  query?: { $select?: unknown } | undefined;
}

/**
 * Makes a function that keeps the selected properties of a record, or of each record of an array.
 *
 * @param params service parameters; without `params.query.$select` everything is kept
 * @param always properties to keep in any case, for example the id
 * @see interface 4.6 ($select works for every method)
 */
export function select(params: SelectParams | undefined, ...always: string[]): <T>(result: T) => T {
  const given: unknown = params?.query?.$select;
  if (!Array.isArray(given)) return (result) => result;
  const names: readonly unknown[] = given;
  const kept = [...new Set([...names.filter((name) => typeof name === 'string'), ...always])];
  const pick = (record: unknown): unknown => (typeof record === 'object' && record !== null ? selectFields(record, kept) : record);
  return <T>(result: T): T => (Array.isArray(result) ? result.map(pick) : pick(result)) as T;
}

/**
 * Copies the named properties of a record; a dotted name keeps its part of the nested object, or of each object in a list.
 *
 * @param record the record; it is not changed
 * @param names property names or dotted paths
 */
export function selectFields(record: object, names: readonly string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const inside = new Map<string, string[]>();
  for (const name of names) {
    const [head = '', ...rest] = name.split('.');
    if (Object.hasOwn(record, name)) {
      const value: unknown = Reflect.get(record, name);
      if (value !== undefined) result[name] = value;
    } else if (rest.length > 0 && Object.hasOwn(record, head)) {
      const paths = inside.get(head) ?? [];
      // The same list: callers name as many parts as they like.
      paths.push(rest.join('.'));
      inside.set(head, paths);
    }
  }
  for (const [head, paths] of inside) {
    if (Object.hasOwn(result, head)) continue;
    const part = selectInside(Reflect.get(record, head), paths);
    if (part !== undefined) result[head] = part;
  }
  return result;
}

/** What is neither an object nor a list has no parts: then it is `undefined`. An object stays without any of them, as in the database. */
function selectInside(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => selectInside(entry, paths)).filter((part) => part !== undefined);
  return isRecord(value) ? selectFields(value, paths) : undefined;
}
