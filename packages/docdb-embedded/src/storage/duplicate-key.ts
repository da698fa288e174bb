import { bytesOf, readText } from '../bson/text.ts';
import { shownValue } from '../bson/shown-value.ts';
import type { Doc } from '../bson/values.ts';
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
    .map(([name, value]) => `${name}: ${shownValue(value, shownText)}`)
    .join(', ');
  return new DocDbError(11000, `E11000 duplicate key error collection: ${ns} index: ${index.name} dup key: { ${text} }`, {
    keyPattern,
    keyValue,
  });
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
