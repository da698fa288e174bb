import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { hasOperators } from '../query/value-tests.ts';
import type { Collection } from './collection.ts';

/** Conditions that an index decides nothing of. */
const UNORDERED: readonly string[] = ['$size', '$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear'];

/** @returns whether the documents of a filter can be found by an index, as a server has them */
export function isSearchable(collection: Collection | undefined, filter: Doc): boolean {
  const leading = new Set<string>();
  for (const { ready, spec, fields, geo } of collection?.indexes.values() ?? []) {
    const first = fields[0] ?? geo[0];
    if (ready && spec.hidden !== true && first) leading.add(first.name);
  }
  const search = (part: Doc): boolean =>
    Object.keys(part).some((name) => {
      const condition = part[name];
      if (name === '$and') return parts(condition).some(search);
      if (name === '$or') return parts(condition).every(search);
      // A field that has to be there is found by an index.
      if (name === '$jsonSchema' && isDocument(condition) && Array.isArray(condition.required))
        return condition.required.some((field: Value) => typeof field === 'string' && leading.has(field));
      return leading.has(name) && !(isDocument(condition) && hasOperators(condition) && UNORDERED.some((one) => one in condition));
    });
  return search(filter);
}

function parts(list: Value): Doc[] {
  return Array.isArray(list) ? list.filter(isDocument) : [];
}
