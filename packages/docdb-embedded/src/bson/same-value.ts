import { compare } from './compare.ts';
import { isDocument, typeName, type Value } from './values.ts';

/** @returns whether two values are the same, with their types and the order of their fields; of NaN that is not said */
export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && (a as Value[]).every((element, at) => sameValue(element, b[at]));
  if (!isDocument(a) || !isDocument(b)) return typeName(a) === typeName(b) && compare(a, b) === 0;
  const names = Object.keys(a);
  const others = Object.keys(b);
  return names.length === others.length && names.every((name, at) => name === others[at] && sameValue(a[name], b[name]));
}
