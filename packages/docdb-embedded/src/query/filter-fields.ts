import { FieldNames } from '../bson/decode-fields.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';

/**
 * The fields that a filter looks at, so that the others need not be decoded.
 *
 * @returns `undefined` when it may look at any of them
 */
export function filterFields(filter: Doc): FieldNames | undefined {
  const names = filterNames(filter);
  return names && FieldNames.of(names);
}

/** @returns the names of the first level that a filter looks at; `undefined` when it may look at any */
export function filterNames(filter: Doc): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  return collect(filter, names) ? names : undefined;
}

function collect(filter: Doc, names: Set<string>): boolean {
  return Object.keys(filter).every((name) => {
    if (name === '$comment') return true;
    if (name === '$and' || name === '$or' || name === '$nor')
      return (filter[name] as Value[]).every((branch) => isDocument(branch) && collect(branch, names));
    if (name.startsWith('$')) return false;
    names.add(firstOf(name));
    return true;
  });
}

/** @returns the field of the first level that a path begins with */
export function firstOf(path: string): string {
  const dot = path.indexOf('.');
  return dot < 0 ? path : path.slice(0, dot);
}
