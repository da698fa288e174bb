import { inOrder, isInOrder, isMoved } from './field-order.ts';
import { type Doc, setOwn, type Value } from './values.ts';

/**
 * Sets a field of a document that is being made; a new one comes behind the others, whatever its name.
 *
 * @returns the document: another object where a plain one would move the field to its front
 */
export function put(doc: Doc, name: string, value: Value): Doc {
  const isNew = isMoved(name) && !isInOrder(doc) && !Object.hasOwn(doc, name) && Object.keys(doc).length > 0;
  const target = isNew ? inOrder(doc, Reflect.ownKeys(doc)) : doc;
  setOwn(target, name, value);
  return target;
}

/** @returns a copy of a document with its fields in their order, and what is known of it */
export function copyOf(doc: Doc): Doc {
  return isInOrder(doc) ? inOrder({ ...doc }, Reflect.ownKeys(doc)) : { ...doc };
}

/** @returns a copy of a document that does not have a field */
export function without(doc: Doc, name: string): Doc {
  const copy = copyOf(doc);
  Reflect.deleteProperty(copy, name);
  return copy;
}
