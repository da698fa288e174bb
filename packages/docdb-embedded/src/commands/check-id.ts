import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** @throws DocDbError (52, 53) for an id that no document may have: a pattern, an array, or names that look like operators */
export function checkId(id: Value): void {
  if (Array.isArray(id) || typeName(id) === 'regex') throw new DocDbError(53, `The '_id' value cannot be of type ${typeName(id)}`);
  const bad = operatorIn(id);
  if (bad !== undefined) throw new DocDbError(52, `_id fields may not contain '$'-prefixed fields: ${bad} is not valid for storage.`);
}

/** @returns the first name in a value, at any depth, that looks like an operator and is no part of a reference */
function operatorIn(value: Value): string | undefined {
  if (Array.isArray(value)) return firstOf(value as Value[]);
  if (!isDocument(value)) return undefined;
  const names = Object.keys(value).slice(namesOfReference(value));
  return names.find((name) => name.startsWith('$')) ?? firstOf(names.map((name) => value[name]));
}

function firstOf(values: readonly Value[]): string | undefined {
  for (const value of values) {
    const bad = operatorIn(value);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** @returns how many names a document begins with that make it a reference: `$ref`, `$id`, and `$db` where it is given */
function namesOfReference(doc: Doc): number {
  const [first, second, third] = Object.keys(doc);
  if (first !== '$ref' || typeof doc.$ref !== 'string' || second !== '$id') return 0;
  return third === '$db' && typeof doc.$db === 'string' ? 3 : 2;
}
