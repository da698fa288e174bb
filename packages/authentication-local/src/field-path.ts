/** @returns whether a value has properties */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** @returns the value at a dotted path of own properties */
export function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** @returns a copy of a record with the value at a dotted path replaced; objects on the way are copied or made */
export function withValue(record: Readonly<Record<string, unknown>>, path: string, value: unknown): Record<string, unknown> {
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...record, [head]: value };
  const inner = record[head];
  return { ...record, [head]: withValue(isRecord(inner) ? inner : {}, rest.join('.'), value) };
}
