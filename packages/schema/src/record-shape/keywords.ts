import type { JSONSchema } from '../json-schema.ts';

/** A schema as it may stand below a keyword. */
export type Subschema = JSONSchema | boolean;

/** Keywords whose schemas describe the same value as the schema that they stand in. */
export const IN_PLACE: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

/** Keywords that lead to schemas by their name. */
export const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Keywords that hold schemas of properties by name or pattern. */
export const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords whose values are data and never schemas. */
export const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);

/** @returns whether a value is a schema that is written as an object */
export function isSchema(value: unknown): value is JSONSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the schemas of a keyword's value: one, a list, or a map of them */
export function subschemas(keyword: string, value: unknown): JSONSchema[] {
  if (Array.isArray(value)) return value.filter(isSchema);
  if (!isSchema(value)) return [];
  return NAMED.has(keyword) ? Object.values(value).filter(isSchema) : [value];
}

/**
 * Visits a schema and all schemas in it, also those of keywords that are not known.
 *
 * @param visit gets each schema with its place, in the form of a JSON pointer
 */
export function walkSchemas(
  schema: unknown,
  visit: (schema: JSONSchema, place: string) => void,
  place = '#',
  seen: Set<object> = new Set(),
): void {
  if (Array.isArray(schema)) {
    schema.forEach((part, index) => walkSchemas(part, visit, `${place}/${String(index)}`, seen));
    return;
  }
  if (!isSchema(schema) || seen.has(schema)) return;
  seen.add(schema);
  visit(schema, place);
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) continue;
    if (NAMED.has(keyword) && isSchema(value))
      for (const [name, part] of Object.entries(value)) walkSchemas(part, visit, `${place}/${keyword}/${name}`, seen);
    else walkSchemas(value, visit, `${place}/${keyword}`, seen);
  }
}
