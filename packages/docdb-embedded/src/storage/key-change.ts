import { sameValue } from '../bson/same-value.ts';
import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { documentKeys } from '../query/document-keys.ts';
import { arrayIndex } from '../query/path-values.ts';
import { compareKeys } from '../query/sort.ts';
import type { IndexDefinition } from './index-definition.ts';
import { listDifference } from './list-difference.ts';
import { isWildcard } from './wildcard-fields.ts';

/** The values of one key. */
type Key = readonly Value[];

/** What a change of a document does to its keys in an index. What stays may be among both. */
export interface KeyChange {
  /** All keys that it has no more. */
  readonly gone: readonly Key[];
  /** All keys that it did not have. */
  readonly come: readonly Key[];
}

/** Elements of a list for which it is worth to look at what is different. */
const LONG = 32;
/** Keys that are gone, and are looked for in what stays of the list. */
const FEW = 16;
/** Stands for what is behind a list within a list. */
const FURTHER: unique symbol = Symbol('further');

/**
 * The keys that a change of a document touches: of a long list those of the elements that differ, of an index of all fields those of
 * the fields that do.
 *
 * @throws DocDbError as {@link IndexDefinition.valuesOf}
 */
export function keyChange(index: IndexDefinition, before: Doc, after: Doc): KeyChange {
  return changeOfPart(index, before, after) ?? { gone: index.keysOf(before), come: index.keysOf(after) };
}

function changeOfPart(index: IndexDefinition, before: Doc, after: Doc): KeyChange | undefined {
  // The same coarse key may be that of an element which stays.
  if (!index.ready || index.facts.coarse || index.sparse) return undefined;
  if (index.isDerived) return isWildcard(index.spec.key as Doc) && !index.partial ? changeOfFields(index, before, after) : undefined;
  // Whether lists gave keys is not seen of some elements.
  if (!index.isOfValues || !index.facts.multikey) return undefined;
  if (index.partial && !(index.partial(before) && index.partial(after))) return undefined;
  return changeOfList(index, before, after);
}

function changeOfList({ fields }: IndexDefinition, before: Doc, after: Doc): KeyChange | undefined {
  const paths = fields.map(({ path }) => path);
  const at = [...paths.keys()].filter((position) => {
    const [first = ''] = paths[position] ?? [];
    return !sameValue(own(before, first), own(after, first));
  });
  const lists = longLists(
    at.map((position) => paths[position] ?? []),
    before,
    after,
  );
  if (!lists) return undefined;
  const { place } = lists;
  const rests = at.map((position) => (paths[position] ?? []).slice(place.length));
  // A number behind the list is the place of one element.
  if (rests.some(([name]) => name !== undefined && arrayIndex(name) !== undefined)) return undefined;
  const difference = listDifference(lists.before, lists.after);
  const keysOf = (elements: readonly Value[]): readonly Key[] =>
    elements.length === 0 ? [] : documentKeys(withValue(after, place, [...elements]), paths).keys;
  const isEqual = (key: Key, element: Value): boolean => {
    const values = rests.map((rest) => valueIn(element, rest));
    const keys = values.includes(FURTHER) ? keysOf([element]).map((other) => at.map((position) => other[position])) : [values];
    return keys.some((other) => other.every((value, n) => compareKeys(value, key[at[n] as number]) === 0));
  };
  const [only, ...others] = paths;
  if (only && others.length === 0 && only.length > place.length) {
    // A path by itself has no key of an element without its field, unless no element has one.
    const has = (element: Value): boolean => {
      const value = isDocument(element) ? valueIn(element, rests[0] ?? []) : undefined;
      return value !== undefined && value !== null && value !== FURTHER;
    };
    if (![...difference.gone, ...difference.come].every(has) || !difference.kept.some(has)) return undefined;
  }
  return changeBy(keysOf(difference.gone), keysOf(difference.come), difference.kept, isEqual);
}

/** @returns both lists of a change within one long list, through which all paths lead that are changed */
function longLists(
  paths: readonly (readonly string[])[],
  before: Doc,
  after: Doc,
): { place: string[]; before: Value[]; after: Value[] } | undefined {
  const [first] = paths;
  let [a, b]: [Value, Value] = [before, after];
  for (let length = 0; first; length++) {
    if (Array.isArray(a) && Array.isArray(b)) {
      const isLong = Math.min(a.length, b.length) >= LONG;
      return isLong ? { place: first.slice(0, length), before: a as Value[], after: b as Value[] } : undefined;
    }
    const name = first[length];
    if (name === undefined || !isDocument(a) || !isDocument(b) || paths.some((path) => path[length] !== name)) return undefined;
    [a, b] = [own(a, name), own(b, name)];
  }
  return undefined;
}

function changeOfFields(index: IndexDefinition, before: Doc, after: Doc): KeyChange | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // A field with a point in its name may be called as one in another field.
  if (names.some((name) => name.includes('.'))) return undefined;
  const changed = names.filter((name) => !sameValue(own(before, name), own(after, name)));
  const of = (doc: Doc): readonly Key[] =>
    index.keysOf(Object.fromEntries(changed.filter((name) => Object.hasOwn(doc, name)).map((name) => [name, doc[name]])));
  const [name = '', ...others] = changed;
  const lists = others.length === 0 ? longLists([[name]], before, after) : undefined;
  if (!lists) return { gone: of(before), come: of(after) };
  const difference = listDifference(lists.before, lists.after);
  const keysOf = (elements: readonly Value[]): readonly Key[] => index.keysOf({ [name]: [...elements] });
  const isEqual = (key: Key, element: Value): boolean => {
    const keys = isDocument(element) ? keysOf([element]) : [[name, element]];
    return keys.some((other) => other.every((value, n) => compareKeys(value, key[n]) === 0));
  };
  return changeBy(keysOf(difference.gone), keysOf(difference.come), difference.kept, isEqual) ?? { gone: of(before), come: of(after) };
}

/** @returns the change without the keys that what stays has too, where they are few */
function changeBy(
  gone: readonly Key[],
  come: readonly Key[],
  kept: readonly Value[],
  isEqual: (key: Key, element: Value) => boolean,
): KeyChange | undefined {
  if (gone.length > FEW) return undefined;
  return { gone: gone.filter((key) => !kept.some((element) => isEqual(key, element))), come };
}

/** @returns what is in an element under a path */
function valueIn(element: Value, path: readonly string[]): Value {
  let value = element;
  for (const name of path) {
    if (!isDocument(value)) return undefined;
    value = own(value, name);
    if (Array.isArray(value)) return FURTHER;
  }
  return value;
}

/** @returns a document with another value at a place that leads through documents */
function withValue(doc: Doc, [name = '', ...rest]: readonly string[], value: Value): Doc {
  return { ...doc, [name]: rest.length === 0 ? value : withValue(doc[name] as Doc, rest, value) };
}
