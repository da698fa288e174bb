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
  if (type === 'decimal') return String(a) === String(b);
  // Zero and its negative are equal, and not the same.
  if (type === 'double') return Object.is(Number(a), Number(b));
  if (!isDocument(a)) return equal(a, b);
  const other = b as Record<string, Value>;
  const names = Object.keys(a);
  const otherNames = Object.keys(other);
  return names.length === otherNames.length && names.every((name, index) => name === otherNames[index] && identical(a[name], other[name]));
}
