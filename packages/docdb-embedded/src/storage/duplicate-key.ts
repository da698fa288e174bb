import { bytesOf, readText } from '../bson/text.ts';
import { shownValue } from '../bson/shown-value.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { DuplicateKey } from '../errors.ts';
import type { IndexDefinition } from './index-definition.ts';

/**
 * @param key the key that is there twice; a document with lists has several in an index
 * @param since when the document that has it was written. Default: 0, for one that others do not see
 * @returns the error of a duplicate key, in MongoDB's words
 */
export function duplicateKey(ns: string, index: IndexDefinition, key: readonly Value[], since: number = 0): DuplicateKey {
  const { key: keyPattern, collation } = index.spec as { readonly key: Doc; readonly collation?: Value };
  const keyValue = Object.fromEntries(
    Object.keys(keyPattern).map((name, at) => [name, typeof key[at] === 'symbol' ? null : (key[at] ?? null)]),
  );
  const text = Object.entries(keyValue)
    .map(([name, value]) => `${name}: ${shownValue(value, shownText)}`)
    .join(', ');
  const name = isDocument(collation) ? `${index.name} collation: ${shownValue(collation)}` : index.name;
  return new DuplicateKey(
    `E11000 duplicate key error collection: ${ns} index: ${name} dup key: { ${text} }`,
    { keyPattern, keyValue },
    since,
  );
}

/** Bytes of a text that is shown as a whole, and of a longer one. */
const SHOWN_WHOLE = 159;
const SHOWN_OF_LONGER = 150;

/** A long text is cut off, as MongoDB does: by bytes, within a character too. */
function shownText(text: string): string {
  if (text.length * 3 <= SHOWN_WHOLE) return `"${text}"`;
  const bytes = bytesOf(text);
  return bytes.length <= SHOWN_WHOLE ? `"${text}"` : `"${readText(bytes, 0, SHOWN_OF_LONGER)}..."`;
}
