import { isPlainObject } from '@framework/query';
import type { Document } from 'mongodb';

/** Kept parts by name: a part that is kept whole, or parts inside it. */
type Kept = ReadonlyMap<string, Kept | undefined>;

/**
 * The value that replaces another one and leaves parts of it as they are, as an expression of the database: decided in the command that writes.
 *
 * @param value what replaces
 * @param path dotted path of the value; empty for the whole record
 * @param paths what is kept, as dotted paths of the record; what the value has itself wins. The command fails where a list is stored in place of an object
 *   around one of them
 */
export function keeping(value: unknown, path: string, paths: readonly string[]): Document {
  const inside = paths.filter((kept) => path === '' || kept.startsWith(`${path}.`));
  return expression(value, path, treeOf(inside.map((kept) => (path === '' ? kept : kept.slice(path.length + 1)).split('.'))));
}

function expression(value: unknown, path: string, kept: Kept): Document {
  if (!isPlainObject(value) || kept.size === 0) return { $literal: value };
  const parts: Document = {};
  for (const [name, below] of kept) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(value, name)) parts[name] = `$${inner}`;
    else if (below !== undefined) parts[name] = expression(value[name], inner, below);
  }
  const merged = { $mergeObjects: [{ $literal: value }, parts] };
  return path === '' ? merged : { $cond: [{ $isArray: `$${path}` }, refusal(path), merged] };
}

/** Of a list nothing can be kept in an object. Expressions have no error of their own: "array" is no number, which the database refuses by code 241. */
function refusal(path: string): Document {
  return { $toInt: { $type: `$${path}` } };
}

function treeOf(paths: readonly (readonly string[])[]): Kept {
  const tree = new Map<string, Kept | undefined>();
  for (const [name = ''] of paths) {
    const below = paths.filter((parts) => parts[0] === name).map((parts) => parts.slice(1));
    tree.set(name, below.some((parts) => parts.length === 0) ? undefined : treeOf(below));
  }
  return tree;
}
