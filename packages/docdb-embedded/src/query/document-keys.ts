import { hashKey } from '../bson/hash-key.ts';
import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { arrayIndex, EMPTY_ARRAY_KEY, indexValues, refuseAmbiguous } from './path-values.ts';

/** The keys of a document in an index. */
export interface DocumentKeys {
  readonly keys: readonly (readonly Value[])[];
  /** Whether an array gave them. */
  readonly multikey: boolean;
}

/**
 * The keys that a document has under some paths: an array gives one for each element, and paths through the same array
 * stay together within each element.
 *
 * @throws DocDbError (171) where two paths lead through different arrays; (16746) where a number in a path is both an element and a field
 */
export function documentKeys(doc: Doc, paths: readonly (readonly string[])[]): DocumentKeys {
  const [first = []] = paths;
  if (paths.length === 1) {
    const value = first.length === 1 ? own(doc, first[0] as string) : undefined;
    if (first.length === 1 && !Array.isArray(value)) return { keys: [[value]], multikey: false };
    const values = indexValues(doc, first);
    return { keys: distinct(values.map((entry) => [entry])), multikey: values.length > 1 || values[0] === EMPTY_ARRAY_KEY };
  }
  const state = { keys: [] as Value[][], multikey: false };
  expand(
    paths.map((path) => ({ value: doc, path, way: '' })),
    state,
  );
  return { keys: distinct(state.keys), multikey: state.multikey };
}

/** How far a path was followed. */
interface Place {
  readonly value: Value;
  readonly path: readonly string[];
  /** Where the last array on it stands. What a pipeline makes may have one array in two fields. */
  readonly way: string;
}

function expand(places: readonly Place[], state: { keys: Value[][]; multikey: boolean }): void {
  const reached = places.map(follow);
  const entered = reached.filter(({ value }) => Array.isArray(value));
  const [first] = entered;
  if (!first) {
    state.keys.push(reached.map(({ value }) => value));
    return;
  }
  if (entered.some(({ way }) => way !== first.way)) {
    const names = places.filter((_place, at) => Array.isArray(reached[at]?.value)).map(({ path }) => path[0]);
    throw new DocDbError(171, `cannot index parallel arrays [${names.join('] [')}]`);
  }
  state.multikey = true;
  const list = first.value as Value[];
  for (const element of list.length === 0 ? [EMPTY_ARRAY_KEY] : list) {
    expand(
      reached.map((place) => (Array.isArray(place.value) ? within(element, place) : place)),
      state,
    );
  }
}

/** Follows a path to its end or to the first array, which an index of the path may enter. */
function follow({ value, path, way }: Place): Place {
  let node = value;
  let at = 0;
  let isElement = false;
  for (; at < path.length; at++) {
    const name = path[at] as string;
    const position = Array.isArray(node) ? arrayIndex(name) : undefined;
    if (Array.isArray(node) && (position === undefined || position >= node.length)) break;
    isElement = position !== undefined;
    if (position !== undefined) {
      refuseAmbiguous(node as Value[], name);
      node = (node as Value[])[position];
    } else if (isDocument(node)) node = own(node, name);
    else return { value: undefined, path: [], way };
  }
  const isWhole = isElement && at === path.length && Array.isArray(node);
  if (isWhole) return { value: new Opaque(node as Value[]), path: [], way };
  return { value: node, path: path.slice(at), way: Array.isArray(node) ? [way, ...path.slice(0, at)].join('\0') : way };
}

/** An element stands where its array stood; an array in an array is a value, and nothing else has fields. */
function within(element: Value, { path, way }: Place): Place {
  if (path.length > 0 && !isDocument(element)) return { value: undefined, path: [], way };
  return Array.isArray(element) ? { value: new Opaque(element as Value[]), path: [], way } : { value: element, path, way };
}

/** An array that is not entered again. */
class Opaque {
  readonly list: readonly Value[];

  constructor(list: readonly Value[]) {
    this.list = list;
  }
}

function distinct(keys: readonly (readonly Value[])[]): (readonly Value[])[] {
  const open = keys.map((key) => key.map((value) => (value instanceof Opaque ? value.list : value)));
  if (open.length < 2) return open;
  const seen = new Set<string>();
  return open.filter((key) => {
    const text = hashKey(key.map((value) => (value === EMPTY_ARRAY_KEY ? ['\0empty'] : value)));
    return !seen.has(text) && seen.add(text);
  });
}
