import { put } from '../../bson/fields.ts';
import { type Doc, isDocument, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import { made } from '../../interrupt.ts';
import type { Operator } from '../operators.ts';
import { between, fixed, isNullish, named } from './define.ts';

function zip([inputs, longest, defaults]: readonly Value[]): Value {
  if (isNullish(inputs)) return null;
  if (!Array.isArray(inputs)) throw new DocDbError(34461, `inputs must be an array of expressions, found ${typeName(inputs)}`);
  const lists = inputs as Value[];
  if (longest !== undefined && typeof longest !== 'boolean')
    throw new DocDbError(34463, `useLongestLength must be a bool, found ${typeName(longest)}`);
  if (defaults !== undefined && !Array.isArray(defaults))
    throw new DocDbError(34462, `defaults must be an array of expressions, found ${typeName(defaults)}`);
  if (lists.length === 0) throw new DocDbError(34465, '$zip requires at least one input array');
  const fill = (defaults as Value[] | undefined) ?? [];
  if (fill.length > 0 && longest !== true) throw new DocDbError(34466, 'cannot specify defaults unless useLongestLength is true');
  if (fill.length > 0 && fill.length !== lists.length) throw new DocDbError(34467, 'defaults and inputs must have the same length');
  const columns: Value[][] = [];
  for (const list of lists) {
    if (isNullish(list)) return null;
    if (!Array.isArray(list)) throw new DocDbError(34468, `$zip found a non-array expression in input: ${typeName(list)}`);
    columns.push(list as Value[]);
  }
  const either = longest === true ? Math.max : Math.min;
  const length = columns.map((column) => column.length).reduce((a, b) => either(a, b));
  return Array.from({ length }, (_unused, row) => {
    made(columns.length);
    return columns.map((column, index) => (row < column.length ? column[row] : (fill[index] ?? null)));
  });
}

function fromPair(entry: readonly Value[], result: Doc): Doc {
  if (entry.length !== 2) throw new DocDbError(40397, '$arrayToObject requires an array of size 2 arrays');
  const [key, value] = entry;
  if (typeof key !== 'string') throw new DocDbError(40395, `$arrayToObject requires keys of type string, found: ${typeName(key)}`);
  if (key.includes('\0')) throw new DocDbError(4940400, 'Key field cannot contain an embedded null byte');
  return put(result, key, value);
}

function fromDocument(entry: Doc, result: Doc): Doc {
  if (Object.keys(entry).length !== 2) throw new DocDbError(40392, "$arrayToObject requires an object with keys 'k' and 'v'");
  if (!('k' in entry) || !('v' in entry)) throw new DocDbError(40393, "$arrayToObject requires an object with keys 'k' and 'v'");
  const { k: key, v: value } = entry;
  if (typeof key !== 'string') throw new DocDbError(40394, `$arrayToObject requires 'k' to be of type string, found: ${typeName(key)}`);
  if (key.includes('\0')) throw new DocDbError(4940401, 'Key field cannot contain an embedded null byte');
  return put(result, key, value);
}

function arrayToObject([list]: readonly Value[]): Value {
  if (isNullish(list)) return null;
  if (!Array.isArray(list)) throw new DocDbError(40386, `$arrayToObject requires an array input, found: ${typeName(list)}`);
  made(list.length);
  let result: Doc = {};
  const pairs = Array.isArray(list[0]);
  for (const entry of list as Value[]) {
    if (Array.isArray(entry)) {
      if (!pairs) throw new DocDbError(40391, '$arrayToObject requires a consistent input format: expected an object');
      result = fromPair(entry as Value[], result);
    } else if (isDocument(entry)) {
      if (pairs) throw new DocDbError(40396, '$arrayToObject requires a consistent input format: expected an array');
      result = fromDocument(entry, result);
    } else throw new DocDbError(pairs ? 40396 : 40398, `Unrecognised input type format for $arrayToObject: ${typeName(entry)}`);
  }
  return result;
}

function objectToArray([doc]: readonly Value[]): Value {
  if (isNullish(doc)) return null;
  if (!isDocument(doc)) throw new DocDbError(40390, `$objectToArray requires a document input, found: ${typeName(doc)}`);
  return Object.keys(doc).map((name) => {
    made();
    return { k: name, v: doc[name] };
  });
}

function mergeObjects(args: readonly Value[]): Value {
  const parts = args.length === 1 && Array.isArray(args[0]) ? (args[0] as Value[]) : args;
  let result: Doc = {};
  for (const part of parts) {
    if (isNullish(part)) continue;
    if (!isDocument(part)) throw new DocDbError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(part)}`);
    const names = Object.keys(part);
    made(names.length);
    for (const name of names) result = put(result, name, part[name]);
  }
  return result;
}

/** Operators that make arrays of documents, and documents of arrays. */
export const arrayConversionOperators: Readonly<Record<string, Operator>> = {
  $zip: named(['inputs', 'useLongestLength', 'defaults'], zip, { shape: 34460, unknown: 34464, missing: { inputs: 34465 } }),
  $arrayToObject: fixed(1, arrayToObject),
  $objectToArray: fixed(1, objectToArray),
  $mergeObjects: between(0, Infinity, mergeObjects),
};
