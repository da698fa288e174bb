import { Binary, BSONRegExp, type Doc, Double, isDocument, millisecondsOf, ObjectId, Timestamp, typeName, type Value } from './values.ts';

/**
 * @param ofText shows a text; as it is, unless something is left out of it
 * @returns a value as MongoDB shows it in messages and explanations
 */
export function shownValue(value: Value, ofText: (text: string) => string = quoted): string {
  if (typeof value === 'string') return ofText(value);
  if (typeof value === 'number') return value === Infinity ? 'inf' : value === -Infinity ? '-inf' : String(value);
  if (value instanceof Double) return Object.is(value.value, -0) ? '-0.0' : value.value.toFixed(1);
  if (value instanceof Date) return `new Date(${String(millisecondsOf(value))})`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Timestamp) return `Timestamp(${String(value.t)}, ${String(value.i)})`;
  if (value instanceof Binary) return `BinData(${String(value.sub_type)}, ${value.toString('hex').toUpperCase()})`;
  if (value instanceof BSONRegExp) return `/${value.pattern}/${value.options}`;
  if (Array.isArray(value))
    return bracketed(
      '[',
      (value as Value[]).map((item) => shownValue(item, ofText)),
      ']',
    );
  if (isDocument(value)) return shownDoc(value, ofText);
  return NAMES[typeName(value)] ?? String(value);
}

/** Characters that a value has in a sentence about something else. */
const MOST_SHOWN = 200;

/** @returns a value as MongoDB shows it, cut off where it is long */
export function shownInBrief(value: Value): string {
  const text = shownValue(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}...`;
}

const NAMES: Readonly<Record<string, string>> = { minKey: 'MinKey', maxKey: 'MaxKey', missing: 'undefined', null: 'null' };

function shownDoc(doc: Doc, ofText: (text: string) => string): string {
  const parts = Object.keys(doc).map((name) => `${name}: ${shownValue(doc[name], ofText)}`);
  return parts.length === 0 ? '{}' : bracketed('{', parts, '}');
}

function bracketed(open: string, parts: readonly string[], close: string): string {
  return `${open} ${parts.join(', ')} ${close}`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
