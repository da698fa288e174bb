import { copyOf, put, without } from '../bson/fields.ts';
import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { made, tick } from '../interrupt.ts';

/**
 * Sets a dotted path in a copy of a document, as `$addFields` does: each document of an array on the way is changed,
 * anything else on the way is replaced by a document.
 *
 * @param value the value to set; `undefined` removes the field
 */
export function withPath(doc: Doc, path: readonly string[], value: Value): Doc {
  const [head = '', ...rest] = path;
  const next = rest.length === 0 ? value : below(own(doc, head), rest, value);
  return next === undefined ? without(doc, head) : put(copyOf(doc), head, next);
}

/** Dotted paths that are set together, by their names: where one ends is the place of its value. */
export type PathTree = ReadonlyMap<string, number | PathTree>;

/**
 * @param conflict makes the error for a path that is another one, or leads through it
 * @returns the tree of paths that are set together
 */
export function pathTree(paths: readonly (readonly string[])[], conflict: (path: string, other: string) => Error): PathTree {
  const known = new Set(paths.map((path) => path.join('.')));
  const tree: Branch = new Map();
  for (const [at, path] of paths.entries()) {
    let branch = tree;
    for (const [depth, name] of path.slice(0, -1).entries()) {
      const begin = path.slice(0, depth + 1).join('.');
      if (known.has(begin)) throw conflict(begin, path.join('.'));
      const found = branch.get(name);
      const next: Branch = typeof found === 'object' ? found : new Map();
      branch.set(name, next);
      branch = next;
    }
    branch.set(path.at(-1) ?? '', at);
  }
  return tree;
}

type Branch = Map<string, number | Branch>;

/**
 * Sets several paths as {@link withPath} sets one after the other; each document on the way is copied once.
 *
 * @param values one for each path; `undefined` removes the field
 * @param start what paths begin in where the document does not have their first name
 */
export function withPaths(doc: Doc, tree: PathTree, values: readonly Value[], start?: (name: string) => Value): Doc {
  tick(tree.size);
  let copy = copyOf(doc);
  for (const [name, branch] of tree) {
    const next =
      typeof branch === 'number' ? values[branch] : within(Object.hasOwn(copy, name) ? copy[name] : start?.(name), branch, values);
    if (next === undefined) Reflect.deleteProperty(copy, name);
    else copy = put(copy, name, next);
  }
  return copy;
}

function within(inner: Value, tree: PathTree, values: readonly Value[]): Value {
  if (Array.isArray(inner)) {
    made(inner.length);
    return (inner as Value[]).map((entry) => within(entry, tree, values));
  }
  made();
  return withPaths(isDocument(inner) ? inner : {}, tree, values);
}

/** Sets a dotted path in a copy of a document; whatever is on the way and is no document is replaced by one, lists too. */
export function withNested(doc: Doc, [head = '', ...rest]: readonly string[], value: Value): Doc {
  const inner = own(doc, head);
  return put(copyOf(doc), head, rest.length === 0 ? value : withNested(isDocument(inner) ? inner : {}, rest, value));
}

function below(inner: Value, path: readonly string[], value: Value): Value {
  if (Array.isArray(inner)) {
    made(inner.length);
    return (inner as Value[]).map((entry) => below(entry, path, value));
  }
  made();
  return withPath(isDocument(inner) ? inner : {}, path, value);
}

/**
 * Writes nested documents of plain names as dotted paths: `{ a: { b: 1 } }` becomes `{ 'a.b': 1 }`.
 *
 * @param again makes the error for a path that is there twice
 */
export function flattenPaths(doc: Doc, again: (path: string) => Error, prefix = '', known: Doc = {}): Doc {
  let flat = known;
  for (const name of Object.keys(doc)) {
    const value = doc[name];
    const path = `${prefix}${name}`;
    const nested = isDocument(value) && Object.keys(value).length > 0 && !(Object.keys(value)[0] as string).startsWith('$');
    if (nested) flat = flattenPaths(value, again, `${path}.`, flat);
    else if (Object.hasOwn(flat, path)) throw again(path);
    else flat = put(flat, path, value);
  }
  return flat;
}
