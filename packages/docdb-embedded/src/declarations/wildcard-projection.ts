import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { isOn } from './field.ts';

/** What the projection of an index of all fields names, by path, and whether it includes it: `{ a: { b: 1 } }` is `{ 'a.b': 1 }`. */
export function projectedPaths(projection: Doc, prefix = '', paths: Map<string, boolean> = new Map()): Map<string, boolean> {
  for (const [name, value] of Object.entries(projection)) {
    if (isDocument(value)) projectedPaths(value, `${prefix}${name}.`, paths);
    else paths.set(`${prefix}${name}`, isOn(value));
  }
  return paths;
}

/** @returns whether two projections, or none, leave the same in an index, however they are written */
export function sameProjections(one: Value, other: Value): boolean {
  if (!isDocument(one) || !isDocument(other)) return isDocument(one) === isDocument(other);
  const [left, right] = [projectedPaths(one), projectedPaths(other)];
  // An index has no `_id` where nobody names it.
  for (const paths of [left, right]) if (!paths.has('_id')) paths.set('_id', false);
  return left.size === right.size && [...left].every(([path, on]) => right.get(path) === on);
}
