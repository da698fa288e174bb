import { equal } from './compare.ts';
import { isDocument, typeName, type Value } from './values.ts';

/** @returns whether two values have the same bytes: the same types at every depth, fields in the same order */
export function identical(a: Value, b: Value): boolean {
  if (a === b) return true;
  const type = typeName(a);
  if (type !== typeName(b)) return false;
  if (Array.isArray(a)) {
    const other = b as Value[];
    return a.length === other.length && (a as Value[]).every((entry, index) => identical(entry, other[index]));
  }
  if (!isDocument(a)) return type === 'decimal' ? String(a) === String(b) : equal(a, b);
  const other = b as Record<string, Value>;
  const names = Object.keys(a);
  const otherNames = Object.keys(other);
  return names.length === otherNames.length && names.every((name, index) => name === otherNames[index] && identical(a[name], other[name]));
}
