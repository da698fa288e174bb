import type { Doc, Value } from '../bson/values.ts';
import { elementsOf } from './path-values.ts';

/** The fields of a reference to a document: names of fields that begin as operators do. */
export const referenceFields: ReadonlySet<string> = new Set(['$ref', '$id', '$db']);

/** What stands where a field does. */
const IN_PLACE_OF_FIELDS: ReadonlySet<string> = new Set([
  ...['$and', '$or', '$nor', '$expr', '$where', '$jsonSchema', '$comment', '$sampleRate', '$text', '$alwaysTrue', '$alwaysFalse'],
  ...referenceFields,
]);

/** @returns whether an element itself is asked for, as in `{ $gt: 1 }`; else what asks for its fields is a filter */
export function asksForElement(operand: Doc): boolean {
  const [first = ''] = Object.keys(operand);
  return first.startsWith('$') && !IN_PLACE_OF_FIELDS.has(first);
}

/** Tests what a path leads to. */
export interface ValuesTest {
  /** Tests all values at the end of the path. */
  readonly many: (values: readonly Value[]) => boolean;
  /** The same for exactly one value, where that is simpler. */
  readonly one?: ((value: Value) => boolean) | undefined;
  /** Tests one value as it is: the elements of an array are not looked at. */
  readonly itself: (value: Value) => boolean;
}

/** Any value, or any element of an array among the values, passes. */
export function anyElement(test: (value: Value) => boolean): ValuesTest {
  const one = (value: Value): boolean => test(value) || elementsOf(value).some(test);
  return { one, many: (values) => values.some(one), itself: test };
}
