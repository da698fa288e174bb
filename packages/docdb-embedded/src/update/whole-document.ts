import { inOrder, isInOrder } from '../bson/field-order.ts';
import { deepCopy, type Doc, isDocument, ObjectId, setOwn, Timestamp, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { readPath } from '../query/path-values.ts';
import { writePath } from './update-paths.ts';

/**
 * The document that an upsert starts from: the equalities of the filter.
 *
 * @throws DocDbError (54) when two equalities set the same path
 */
export function upsertBase(filter: Doc): Doc {
  const base: Doc = {};
  collectEqualities(filter, base);
  return base;
}

function collectEqualities(filter: Doc, base: Doc): void {
  for (const name of Object.keys(filter)) {
    const value = filter[name];
    if (name === '$and') for (const branch of value as Doc[]) collectEqualities(branch, base);
    else if (name === '$or' && (value as Doc[]).length === 1) collectEqualities((value as Doc[])[0] as Doc, base);
    else if (!name.startsWith('$')) {
      const wanted = equalityOf(value);
      if (wanted === undefined) continue;
      if (readPath(base, name.split('.')) !== undefined)
        throw new DocDbError(54, `cannot infer query fields to set, path '${name}' is matched twice`);
      writePath(base, name.split('.'), deepCopy(wanted));
    }
  }
}

function equalityOf(value: Value): Value {
  if (!isDocument(value)) return (value as { _bsontype?: string } | null)?._bsontype === 'BSONRegExp' ? undefined : value;
  const [first] = Object.keys(value);
  if (first?.startsWith('$') !== true) return value;
  if ('$eq' in value) return value.$eq;
  const list = value.$in ?? value.$all;
  return Array.isArray(list) && list.length === 1 ? list[0] : undefined;
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
