import { compare } from '../bson/compare.ts';
import { inOrder, isInOrder } from '../bson/field-order.ts';
import { identical } from '../bson/identical.ts';
import { deepCopy, type Doc, isDocument, ObjectId, setOwn, Timestamp, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { hasOperators } from '../query/value-tests.ts';
import { writePath } from './update-paths.ts';

/** A field that a filter asks to be equal to a value. */
interface Equality {
  readonly name: string;
  readonly value: Value;
}

/**
 * The document that an upsert starts from: the equalities of the filter, in the order of their paths. A replacement takes only
 * the id.
 *
 * @throws DocDbError (54) when two equalities set the same path, or one a part of what the other sets; (111) for a part of the id
 *   where the whole is wanted
 */
export function upsertBase(filter: Doc, onlyId: boolean): Doc {
  const equalities = [...equalitiesOf(filter)].filter(({ name }) => !onlyId || name.split('.')[0] === '_id');
  const base: Doc = {};
  const set = new Set<string>();
  for (const { name, value } of equalities.sort((a, b) => compare(a.name, b.name))) {
    if (onlyId && name !== '_id') throw new DocDbError(111, `field at '_id' must be exactly specified, field at sub-path '${name}' found`);
    const path = name.split('.');
    const taken = path.map((_part, at) => path.slice(0, at + 1).join('.')).find((prefix) => set.has(prefix));
    if (taken !== undefined) {
      const which = taken === name ? `path '${name}' is matched twice` : `both paths '${name}' and '${taken}' are matched`;
      throw new DocDbError(54, `cannot infer query fields to set, ${which}`);
    }
    set.add(name);
    writePath(base, path, deepCopy(value));
  }
  return base;
}

function* equalitiesOf(filter: Doc): Generator<Equality, void> {
  for (const name of Object.keys(filter)) {
    const value = filter[name];
    if (name === '$and') for (const branch of value as Doc[]) yield* equalitiesOf(branch);
    else if (name === '$or') {
      const [first, ...others] = value as Doc[];
      if (first && others.every((other) => identical(other, first))) yield* equalitiesOf(first);
    } else if (!name.startsWith('$')) for (const wanted of valuesOf(value)) yield { name, value: wanted };
  }
}

/** The values that a condition asks a field to be equal to, each of them. */
function valuesOf(condition: Value): Value[] {
  if (!isDocument(condition) || !hasOperators(condition)) return isPattern(condition) ? [] : [condition];
  const { $eq, $in, $all } = condition;
  return [
    ...($eq === undefined ? [] : [$eq]),
    ...(Array.isArray($in) && $in.length === 1 ? ($in as Value[]) : []).filter((value) => !isPattern(value)),
    ...(Array.isArray($all) ? ($all as Value[]) : []).filter((value) => !isPattern(value) && !asksForElements(value)),
  ];
}

function isPattern(value: Value): boolean {
  return typeName(value) === 'regex';
}

function asksForElements(value: Value): boolean {
  return isDocument(value) && Object.keys(value)[0] === '$elemMatch';
}

/** @returns the document with its `_id` first; one is made when there is none */
export function withIdFirst(doc: Doc): Doc {
  if (Object.keys(doc)[0] === '_id') return doc;
  return withId('_id' in doc ? doc._id : new ObjectId(), doc);
}

/** @returns the document with an `_id`, which is its first field */
export function withId(id: Value, doc: Doc): Doc {
  const result: Doc = isInOrder(doc) ? inOrder({}) : {};
  result._id = id;
  for (const name of Object.keys(doc)) if (name !== '_id') setOwn(result, name, doc[name]);
  return result;
}

/** @returns the document with the time in the place of empty timestamps among its own fields */
export function withTimes(doc: Doc): Doc {
  const empty = Object.keys(doc).filter((name) => name !== '_id' && isEmptyTimestamp(doc[name]));
  if (empty.length === 0) return doc;
  const copy = isInOrder(doc) ? inOrder({ ...doc }, Object.keys(doc)) : { ...doc };
  const now = new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  for (const name of empty) setOwn(copy, name, now);
  return copy;
}

function isEmptyTimestamp(value: Value): boolean {
  return value instanceof Timestamp && value.t === 0 && value.i === 0;
}
