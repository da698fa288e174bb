import { isPlainObject } from '@framework/query';
import type { JSONSchema } from '../json-schema.ts';
import { subschemas } from '../record-shape/keywords.ts';
import type { References } from '../record-shape/references.ts';
import { MAX_DEPTH, tooDeep } from './too-deep.ts';

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

/**
 * Whether a validator may change what it checks: for a default, or a keyword that is not of JSON Schema.
 *
 * @param references those of the schema, which may lead to other documents
 */
export function mayWrite(schema: JSONSchema, references: Pick<References, 'of'>, seen: Set<JSONSchema> = new Set()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const writes = (part: JSONSchema): boolean => mayWrite(part, references, seen);
  return (
    Object.entries(schema).some(([keyword, value]) => !READING.has(keyword) || subschemas(keyword, value).some(writes)) ||
    references.of(schema).some(writes)
  );
}

/**
 * @returns a copy of lists and plain objects, at every depth; instances of classes are values
 * @throws BadRequest (400) for a value that is nested deeper than 200 levels
 */
export function copyPlain(value: unknown): unknown {
  return copied(value, 0);
}

function copied(value: unknown, depth: number): unknown {
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return value;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (isList) return value.map((entry) => copied(entry, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copied(entry, depth + 1)]));
}

/** @returns a copy of a plain object, whose values are shared */
export function copyShallow(value: unknown): unknown {
  return isPlainObject(value) ? { ...value } : value;
}
