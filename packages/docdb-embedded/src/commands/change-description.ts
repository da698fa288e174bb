import { identical } from '../bson/identical.ts';
import { type Doc, setOwn, type Value } from '../bson/values.ts';
import { readPath } from '../query/path-values.ts';
import type { Difference, Path } from './document-diff.ts';

/** @returns what an update changed, as change streams describe it */
export function updateDescription(differences: readonly Difference[], expanded: boolean): Doc {
  const updatedFields: Doc = {};
  const removedFields: string[] = [];
  const truncatedArrays: Doc[] = [];
  const disambiguatedPaths: Doc = {};
  for (const difference of differences) {
    const field = described(difference.path, disambiguatedPaths);
    if ('removed' in difference) removedFields.push(field);
    else if ('newSize' in difference) truncatedArrays.push({ field, newSize: difference.newSize });
    else setOwn(updatedFields, field, difference.value);
  }
  return { updatedFields, removedFields, truncatedArrays, ...(expanded ? { disambiguatedPaths } : {}) };
}

/**
 * A path as a text.
 *
 * @param disambiguated gets the parts of a path that can be read in another way
 */
function described(path: Path, disambiguated: Doc): string {
  const text = path.join('.');
  const isAmbiguous = path.some((part) => typeof part === 'string' && (part.includes('.') || /^\d+$/.test(part)));
  if (isAmbiguous) setOwn(disambiguated, text, path);
  return text;
}

/**
 * What is different at the paths that the operators of an update name.
 *
 * @param paths those that end with a dot mean the new elements of a list
 * @returns the whole value at each, or where the way to it begins that was not there before
 */
export function differencesAt(paths: readonly string[], before: Doc, after: Doc): Difference[] {
  const differences = paths.flatMap((path) => {
    const names = path.split('.');
    if (!path.endsWith('.')) return differenceAt(names, before, after);
    const list = names.slice(0, -1);
    const from = (readPath(before, list) as Value[]).length;
    const added = (readPath(after, list) as Value[]).slice(from);
    return added.flatMap((_value, index) => differenceAt([...list, String(from + index)], before, after));
  });
  return outerFirst(differences, 1);
}

/** Of each document its own fields come first, and behind them what is different inside of them. */
function outerFirst(differences: readonly Difference[], depth: number): Difference[] {
  const inside = new Map<string | number | undefined, Difference[]>();
  for (const difference of differences) {
    if (difference.path.length === depth) continue;
    const name = difference.path[depth - 1];
    inside.set(name, [...(inside.get(name) ?? []), difference]);
  }
  const own = differences.filter(({ path }) => path.length === depth);
  return [...own, ...[...inside.values()].flatMap((others) => outerFirst(others, depth + 1))];
}

function differenceAt(names: readonly string[], before: Doc, after: Doc): Difference[] {
  const path: (string | number)[] = [];
  let [old, value]: Value[] = [before, after];
  for (const name of names) {
    path.push(Array.isArray(value) ? Number(name) : name);
    [old, value] = [readPath(old, [name]), readPath(value, [name])];
    if (old === undefined || value === undefined) break;
  }
  if (value === undefined) return old === undefined ? [] : [{ path, removed: true }];
  return old !== undefined && identical(old, value) ? [] : [{ path, value }];
}
