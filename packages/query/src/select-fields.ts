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
  const names: unknown = params?.query?.$select;
  if (!Array.isArray(names)) return (result) => result;
  const kept = [...new Set([...(names as string[]), ...always])];
  const pick = (record: unknown): unknown => (typeof record === 'object' && record !== null ? selectFields(record, kept) : record);
  return <T>(result: T): T => (Array.isArray(result) ? result.map(pick) : pick(result)) as T;
}

/**
 * Copies the named properties of a record; a dotted name keeps its part of the nested object.
 *
 * @param record the record; it is not changed
 * @param names property names or dotted paths
 */
export function selectFields(record: object, names: readonly string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of names) {
    if (Object.hasOwn(record, name)) {
      const value = (record as Record<string, unknown>)[name];
      if (value !== undefined) result[name] = value;
    } else if (name.includes('.')) copyPath(record as Record<string, unknown>, result, name.split('.'));
  }
  return result;
}

function copyPath(source: Record<string, unknown>, target: Record<string, unknown>, path: readonly string[]): void {
  const [head, ...rest] = path;
  if (head === undefined || !Object.hasOwn(source, head)) return;
  const value = source[head];
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const child: Record<string, unknown> = Object.hasOwn(target, head) ? { ...(target[head] as object) } : {};
  copyPath(value as Record<string, unknown>, child, rest);
  if (Object.keys(child).length > 0) target[head] = child;
}
