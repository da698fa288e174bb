import { type Doc, isDocument, ObjectId, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { IndexDefinition } from './index-definition.ts';

/** @returns the error of a duplicate key, in MongoDB's words */
export function duplicateKey(ns: string, index: IndexDefinition, doc: Doc): DocDbError {
  const keyPattern = index.spec.key as Doc;
  const [key = []] = index.valuesOf(doc);
  const keyValue = Object.fromEntries(
    Object.keys(keyPattern).map((name, at) => [name, typeof key[at] === 'symbol' ? null : (key[at] ?? null)]),
  );
  const text = Object.entries(keyValue)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ');
  return new DocDbError(11000, `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: { ${text} }`, {
    keyPattern,
    keyValue,
  });
}

function shown(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${String(value.getTime())})`;
  return isDocument(value) || Array.isArray(value) ? '{ … }' : String(value);
}
