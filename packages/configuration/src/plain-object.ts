/** An object without a class. */
export type PlainObject = Record<string, unknown>;

/** @returns whether a value is an object without a class */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** @returns the path of the first property whose name would reach a prototype when objects are joined, or `undefined` */
export function reservedName(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlainObject(value))) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = name === '__proto__' ? [...path, name].join('.') : reservedName(inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @returns the value at a path of own properties, or `undefined` */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/** @returns an object that has a value at a path and nothing else */
export function nested(path: readonly string[], value: unknown): PlainObject {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

/** Copies plain objects and arrays at every depth; everything else, for example keys, is shared. */
export function copied(value: unknown, change: (copy: object, path: readonly string[]) => void, path: readonly string[] = []): unknown {
  const copy = Array.isArray(value)
    ? value.map((item: unknown, index) => copied(item, change, [...path, String(index)]))
    : isPlainObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copied(inner, change, [...path, name])]))
      : undefined;
  if (copy === undefined) return value;
  change(copy, path);
  return copy;
}
