import { type Doc, isDocument, type Value } from '../bson/values.ts';
import type { DocumentKeys } from '../query/document-keys.ts';

/**
 * The keys of a document in an index of all fields: the path and the value of each that is no document itself. Elements
 * of arrays have the path of their array.
 *
 * @param holds whether the index has the values of a path
 */
export function wildcardKeys(doc: Doc, holds: (path: string) => boolean): DocumentKeys {
  const keys: (readonly Value[])[] = [];
  let multikey = false;
  const visit = (value: Value, path: string): void => {
    if (Array.isArray(value)) {
      multikey = true;
      for (const element of value as Value[]) {
        if (isDocument(element)) enter(element, `${path}.`);
        else if (!Array.isArray(element) && holds(path)) keys.push([path, element]);
      }
    } else if (isDocument(value)) enter(value, `${path}.`);
    else if (value !== undefined && holds(path)) keys.push([path, value]);
  };
  const enter = (part: Doc, prefix: string): void => {
    for (const name of Object.keys(part)) visit(part[name], prefix + name);
  };
  enter(doc, '');
  return { keys, multikey };
}
