/** Keywords whose values are data and never schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example', 'required', 'dependentRequired']);

/** Keywords that hold schemas by a name that anybody may choose: such a name is no keyword. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** A schema that is written as an object. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** @returns whether a value is a schema that is written as an object, or a map of schemas */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Writes the schemas in the value of a keyword anew, and nothing else: what is data stays as it is, and names of properties and definitions mean nothing. Whoever
 * walks through schemas calls it for each keyword of each of them.
 *
 * @param of gives what stands for a schema
 */
export function mapSchemas(keyword: string, value: unknown, of: (schema: SchemaObject) => unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (!NAMED.has(keyword) || !isObject(value)) return inParts(value, of);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inParts(part, of)]));
}

function inParts(value: unknown, of: (schema: SchemaObject) => unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => inParts(part, of));
  return isObject(value) ? of(value) : value;
}
