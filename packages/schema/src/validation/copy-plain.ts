import type { JSONSchema } from '../json-schema.ts';
import { isPlainObject } from '@framework/query';

/** Keywords that only look at a value. */
const READING: ReadonlySet<string> = new Set(
  (
    'type properties additionalProperties patternProperties required items additionalItems prefixItems contains minItems maxItems uniqueItems ' +
    'enum const anyOf oneOf allOf not if then else format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minProperties maxProperties propertyNames dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems ' +
    'minContains maxContains title description examples hidden date readOnly writeOnly readable writable deprecated ' +
    '$id $schema $ref $defs definitions $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $comment'
  ).split(' '),
);

const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'examples', 'required']);
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Whether a validator may change what it checks: for a default, or a keyword that is not of JSON Schema. */
export function mayWrite(schema: unknown, seen: Set<unknown> = new Set()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if (Array.isArray(schema)) return schema.some((part) => mayWrite(part, seen));
  return Object.entries(schema as JSONSchema).some(([keyword, value]) => {
    if (!READING.has(keyword)) return true;
    if (DATA.has(keyword)) return false;
    return NAMED.has(keyword) ? Object.values(value as object).some((part) => mayWrite(part, seen)) : mayWrite(value, seen);
  });
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
