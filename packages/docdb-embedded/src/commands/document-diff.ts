import { sizeOf } from '../bson/encode.ts';
import { identical } from '../bson/identical.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';

/** Names of properties as texts, positions in arrays as numbers. */
export type Path = readonly (string | number)[];

/** One difference: a value that is new or another, a field that is gone, or a shorter array. */
export type Difference =
  | { readonly path: Path; readonly value: Value }
  | { readonly path: Path; readonly removed: true }
  | { readonly path: Path; readonly newSize: number };

/** The differences of two values, with the bytes that MongoDB would write of them. */
interface Diff {
  readonly size: number;
  readonly differences: readonly Difference[];
}

/** Bytes that an entry of the oplog has around the differences. */
const AROUND = 15;
/** Bytes of an empty document, of the mark of an array in one, and of a document in another. */
const EMPTY = 5;
const EMPTY_ARRAY = 9;
const SECTION = 8;
/** Bytes of the new size of an array. */
const RESIZE = 7;

/**
 * What is different in a document. MongoDB writes no differences that need as many bytes as the document: those of a part are one,
 * its new value; those of the whole document are none, and it is replaced.
 *
 * @returns `undefined` for a document that is replaced
 */
export function documentDifferences(before: Doc, after: Doc): readonly Difference[] | undefined {
  const diff = documentDiff(before, after, []);
  return diff.size + AROUND < sizeOf(after) ? diff.differences : undefined;
}

function documentDiff(before: Doc, after: Doc, path: Path): Diff {
  const { common, removed, added } = compareNames(Object.keys(before), Object.keys(after));
  const [updates, parts]: [Diff[], Diff[]] = [[], []];
  for (const name of common) {
    const [old, value] = [before[name], after[name]];
    if (identical(old, value)) continue;
    const part = partDiff(old, value, [...path, name]);
    if (part) parts.push(entry(name, part, 1));
    else updates.push(entry(name, updated([...path, name], value)));
  }
  const removals = removed.map((name) => entry(name, { size: 1, differences: [{ path: [...path, name], removed: true }] }));
  const inserts = added.map((name) => entry(name, updated([...path, name], after[name])));
  const sections = [removals, updates, inserts].filter(({ length }) => length > 0).length;
  return together(EMPTY + SECTION * sections, [...removals, ...updates, ...inserts, ...parts]);
}

interface Names {
  readonly common: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Fields are looked for in their order: one that has moved to the end counts as new. */
function compareNames(before: readonly string[], after: readonly string[]): Names {
  const passed = new Set<string>();
  const common: string[] = [];
  let at = 0;
  for (; at < before.length && common.length < after.length; at++) {
    const name = before[at] as string;
    if (name === after[common.length]) common.push(name);
    else passed.add(name);
  }
  const added = after.slice(common.length);
  for (const name of added) passed.delete(name);
  return { common, added, removed: [...before.slice(at), ...[...passed].sort()] };
}

function arrayDiff(before: readonly Value[], after: readonly Value[], path: Path): Diff {
  const entries = after.flatMap((value, index) => {
    if (index < before.length && identical(before[index], value)) return [];
    const full = [...path, index];
    const diff = (index < before.length ? partDiff(before[index], value, full) : undefined) ?? updated(full, value);
    return [entry(`u${String(index)}`, diff)];
  });
  if (after.length >= before.length) return together(EMPTY_ARRAY, entries);
  return together(EMPTY_ARRAY, [...entries, { size: RESIZE, differences: [{ path, newSize: after.length }] }]);
}

/** @returns the differences of two documents or arrays; `undefined` where the new value is as short as they are */
function partDiff(before: Value, after: Value, path: Path): Diff | undefined {
  let diff: Diff | undefined;
  if (Array.isArray(before) && Array.isArray(after)) diff = arrayDiff(before as Value[], after as Value[], path);
  else if (isDocument(before) && isDocument(after)) diff = documentDiff(before, after, path);
  return diff && diff.size < valueSize(after) ? diff : undefined;
}

function updated(path: Path, value: Value): Diff {
  return { size: valueSize(value), differences: [{ path, value }] };
}

/** A difference with its type, its name and the end of that. */
function entry(name: string, { size, differences }: Diff, prefix = 0): Diff {
  return { size: size + Buffer.byteLength(name) + prefix + 2, differences };
}

function together(size: number, diffs: readonly Diff[]): Diff {
  return {
    size: diffs.reduce((sum, diff) => sum + diff.size, size),
    differences: diffs.flatMap(({ differences }) => differences),
  };
}

/** Bytes of a value without its type and name. */
function valueSize(value: Value): number {
  return sizeOf({ '': value }) - EMPTY - 2;
}
