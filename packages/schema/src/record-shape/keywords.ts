import type { JSONSchema } from '../json-schema.ts';

/** A schema as it may stand below a keyword. */
export type Subschema = JSONSchema | boolean;

/** Keywords whose schemas describe the same value as the schema that they stand in. */
export const IN_PLACE: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'];

/** Keywords that lead to schemas by their name. */
export const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Keywords that hold schemas by a name that anybody may choose: of properties, by pattern, or of definitions. Such a name is no keyword. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Keywords whose values are data and never schemas. */
export const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired']);

/** Keywords that tell of a value, and say nothing of which values there are. */
export const ANNOTATIONS: readonly string[] = ['title', 'description', 'default', 'examples', 'deprecated'];

/** @returns whether a value is a schema that is written as an object */
export function isSchema(value: unknown): value is JSONSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the schemas of a keyword's value: one, a list, or a map of them. What stands below a keyword that is not known is taken as schemas */
export function subschemas(keyword: string, value: unknown): JSONSchema[] {
  if (DATA.has(keyword)) return [];
  const parts: unknown = NAMED.has(keyword) && isSchema(value) ? Object.values(value) : value;
  return Array.isArray(parts) ? parts.flat(Infinity).filter(isSchema) : isSchema(parts) ? [parts] : [];
}

/**
 * Writes the schemas of all keywords of a schema anew, and nothing else of it: what is data stays as it is, and names of properties and definitions
 * mean nothing. Whoever changes schemas at any depth calls it for each of them.
 *
 * @param of gives what stands for a schema
 * @returns the schema itself when each of its schemas stays the same
 */
export function mapSchemas(schema: JSONSchema, of: (part: JSONSchema, keyword: string) => JSONSchema): JSONSchema {
  let copy: JSONSchema | undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) continue;
    const placed = (part: JSONSchema): JSONSchema => of(part, keyword);
    const mapped = NAMED.has(keyword) && isSchema(value) ? mapNamed(value, placed) : mapParts(value, placed);
    if (mapped === value) continue;
    copy ??= { ...schema };
    copy[keyword] = mapped;
  }
  return copy ?? schema;
}

function mapNamed(schemas: JSONSchema, of: (part: JSONSchema) => JSONSchema): JSONSchema {
  const entries = Object.entries(schemas).map(([name, part]) => [name, mapParts(part, of)] as const);
  return entries.every(([name, part]) => schemas[name] === part) ? schemas : Object.fromEntries(entries);
}

function mapParts(value: unknown, of: (part: JSONSchema) => JSONSchema): unknown {
  if (!Array.isArray(value)) return isSchema(value) ? of(value) : value;
  const parts = value.map((part) => mapParts(part, of));
  return parts.every((part, index) => part === value[index]) ? value : parts;
}

/**
 * Visits a schema and all schemas in it.
 *
 * @param visit gets each schema once
 * @param below whether schemas of a keyword are visited. Default: those of all keywords, also of such that are not known
 */
export function walkSchemas(
  schema: unknown,
  visit: (schema: JSONSchema) => void,
  below: (keyword: string) => boolean = () => true,
  seen: Set<object> = new Set(),
): void {
  if (!isSchema(schema) || seen.has(schema)) return;
  seen.add(schema);
  visit(schema);
  for (const [keyword, value] of Object.entries(schema))
    if (below(keyword)) for (const part of subschemas(keyword, value)) walkSchemas(part, visit, below, seen);
}
