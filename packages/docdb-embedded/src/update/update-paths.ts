import { inOrder, isInOrder, isMoved } from '../bson/field-order.ts';
import { shownInBrief } from '../bson/shown-value.ts';
import { type Doc, isDocument, setOwn, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { arrayIndex, readPath } from '../query/path-values.ts';

/** Longest array that setting an element may make. */
const MAX_PADDING = 1_500_000;

/** How the positional parts of a path are decided. */
export interface Positions {
  /** Place of the element that the query matched in a document; -1 for none. */
  readonly matched: (doc: Doc) => number;
  /** Tests of the named array filters. */
  readonly filters: ReadonlyMap<string, (element: Value) => boolean>;
}

/** @returns whether a part of a path stands for elements of a list */
export function isDynamicPart(part: string): boolean {
  return part === '$' || (part.startsWith('$[') && part.endsWith(']'));
}

/**
 * Replaces `$`, `$[]` and `$[name]` in a path by the indexes that they stand for.
 *
 * @returns the concrete paths; none when no element fits
 * @throws DocDbError (2) when there is no array or no match
 */
export function concretePaths(doc: Doc, path: readonly string[], positions: Positions): string[][] {
  const at = path.findIndex(isDynamicPart);
  if (at < 0) return [[...path]];
  const before = path.slice(0, at);
  const part = path[at] as string;
  const list = readPath(doc, before);
  if (!Array.isArray(list)) {
    if (part === '$') throw badValue('The positional operator did not find the match needed from the query.');
    throw badValue(
      list === undefined
        ? `The path '${before.join('.')}' must exist in the document in order to apply array updates.`
        : `Cannot apply array updates to non-array element ${String(before.at(-1))}: ${shownInBrief(list)}`,
    );
  }
  return indexesOf(part, doc, list as Value[], positions).flatMap((index) =>
    concretePaths(doc, [...before, String(index), ...path.slice(at + 1)], positions),
  );
}

function indexesOf(part: string, doc: Doc, list: readonly Value[], positions: Positions): number[] {
  if (part === '$') {
    const index = positions.matched(doc);
    if (index < 0) throw badValue('The positional operator did not find the match needed from the query.');
    return [index];
  }
  if (part === '$[]') return list.map((_entry, index) => index);
  const name = part.slice(2, -1);
  const test = positions.filters.get(name);
  return list.flatMap((entry, index) => (test?.(entry) === true ? [index] : []));
}

/**
 * Sets the value at a concrete path of a document that may be changed; missing documents on the way are made.
 *
 * @throws DocDbError (2) for an element too far behind the end of an array; (28) when something other than a document, or than an
 *   element of an array, is on the way
 */
export function writePath(root: Doc, path: readonly string[], value: Value): void {
  let node: Value = root;
  path.forEach((name, depth) => {
    const last = depth === path.length - 1;
    const found = last ? value : (child(node, name) ?? (hasChild(node, name) ? null : {}));
    const next = last ? found : openFor(path[depth + 1] as string, found);
    if (!last && (Array.isArray(next) ? arrayIndex(path[depth + 1] ?? '') === undefined : !isDocument(next)))
      throw new DocDbError(28, `Cannot create field '${String(path[depth + 1])}' in element {${name}: ${shownInBrief(next)}}`);
    if (Array.isArray(node)) setElement(node as Value[], Number(name), next);
    else setOwn(node as Doc, name, next);
    node = next;
  });
}

/** @returns a document that takes a field behind its others, whatever its name; other values are as they are */
function openFor(name: string, value: Value): Value {
  return isMoved(name) && isDocument(value) && !isInOrder(value) ? inOrder(value, Object.keys(value)) : value;
}

function child(node: Value, name: string): Value {
  return readPath(node, [name]);
}

function hasChild(node: Value, name: string): boolean {
  if (Array.isArray(node)) return Number(name) < node.length;
  return Object.hasOwn(node as Doc, name);
}

function setElement(list: Value[], index: number, value: Value): void {
  if (index - list.length > MAX_PADDING) throw badValue(`cannot pad an array by more than ${String(MAX_PADDING)} elements`);
  while (list.length < index) list.push(null);
  list[index] = value;
}

/** Takes the field at a concrete path away; an array element becomes null. */
export function removePath(root: Doc, path: readonly string[]): void {
  const parent = readPath(root, path.slice(0, -1));
  const name = path.at(-1) as string;
  if (Array.isArray(parent)) {
    const index = arrayIndex(name);
    if (index !== undefined && index < parent.length) parent[index] = null;
  } else if (isDocument(parent)) Reflect.deleteProperty(parent, name);
}
