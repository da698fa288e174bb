import { isPlainObject } from '@framework/query';
import type { JSONSchema } from '../json-schema.ts';
import { subschemas } from '../record-shape/keywords.ts';

/** Keywords that only look at a value. */
const READING: ReadonlySet<string> = new Set(
  (
    'type properties additionalProperties patternProperties required items additionalItems prefixItems contains minItems maxItems uniqueItems ' +
    'enum const anyOf oneOf allOf not if then else format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minProperties maxProperties propertyNames dependentRequired dependentSchemas dependencies unevaluatedProperties unevaluatedItems ' +
    'minContains maxContains title description examples hidden date readOnly writeOnly readable writable deprecated ' +
    '$id $schema $ref $defs definitions $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $comment'
  ).split(' '),
);

/** Whether a validator may change what it checks: for a default, or a keyword that is not of JSON Schema. */
export function mayWrite(schema: JSONSchema, seen: Set<JSONSchema> = new Set()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return Object.entries(schema).some(
    ([keyword, value]) => !READING.has(keyword) || subschemas(keyword, value).some((part) => mayWrite(part, seen)),
  );
}

/** @returns a copy of lists and plain objects, at every depth; instances of classes are values */
export function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copyPlain(entry)]));
}

/** @returns a copy of a plain object, whose values are shared */
export function copyShallow(value: unknown): unknown {
  return isPlainObject(value) ? { ...value } : value;
}
