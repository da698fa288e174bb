import type { JSONSchema } from '../json-schema.ts';
import type { Location } from './location.ts';
import { CONTRIBUTED } from './marks.ts';
import { restOf } from './parts.ts';

/** Keywords with which a record says more of its properties than their names. */
const OPENING: readonly string[] = ['allOf', 'anyOf', 'oneOf', '$ref', 'unevaluatedProperties', 'patternProperties'];

/** Closes a record: properties that nothing describes are not for code on the server either. Those that a condition describes are described. */
export function closedRecord(record: JSONSchema, { members }: Location): JSONSchema {
  const { properties } = record;
  const parts = members.filter((part) => part !== record && !(CONTRIBUTED in part));
  const isOpen = (part: JSONSchema): boolean => restOf(part).length > 0;
  if (properties === undefined || OPENING.some((keyword) => record[keyword] !== undefined) || parts.some(isOpen)) return record;
  const others = parts.flatMap((part) => Object.keys(part.properties ?? {})).filter((name) => !Object.hasOwn(properties, name));
  const more = others.length === 0 ? {} : { properties: { ...properties, ...Object.fromEntries(others.map((name) => [name, {}])) } };
  return { additionalProperties: false, ...record, ...more };
}
