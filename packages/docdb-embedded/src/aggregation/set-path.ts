import { copyOf, put, without } from '../bson/fields.ts';
import { type Doc, isDocument, own, type Value } from '../bson/values.ts';
import { made } from '../interrupt.ts';

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
