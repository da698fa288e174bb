import type { JSONSchema } from '../json-schema.ts';
import { IN_PLACE, isSchema, REFERENCES } from './keywords.ts';
import { CONTRIBUTED } from './marks.ts';

const ANYTHING: JSONSchema = Object.freeze({});

/** Where a type is stated, one of those that are has to allow objects. */
export function mayBeObject(schemas: readonly JSONSchema[]): boolean {
  const stated = schemas.map(typesOf).filter((types) => types.some((type) => type !== 'null'));
  return stated.length === 0 || stated.some((types) => types.includes('object'));
}

function typesOf({ type, date }: JSONSchema): readonly string[] {
  if (type === undefined) return date === true ? ['date'] : [];
  return typeof type === 'string' ? [type] : type;
}

/** @returns whether a schema says which properties a value has */
export function saysProperties(schema: JSONSchema): boolean {
  return ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => schema[keyword] !== undefined,
  );
}

/** Keywords by which a schema says what a value is, or leaves it to others. */
const SAYING: readonly string[] = [...IN_PLACE, ...REFERENCES, 'not', 'const', 'enum'];

/** @returns whether bytes may stand for a value: validators take them for an object, whatever that is to have */
export function mayBeBytes(schemas: readonly JSONSchema[]): boolean {
  const isOpen = (schema: JSONSchema): boolean =>
    !(CONTRIBUTED in schema) &&
    typesOf(schema).length === 0 &&
    !saysProperties(schema) &&
    SAYING.every((keyword) => schema[keyword] === undefined);
  return !schemas.some((schema) => !(CONTRIBUTED in schema) && saysProperties(schema)) || schemas.some(isOpen);
}

const patterns = new WeakMap<JSONSchema, readonly (readonly [RegExp, JSONSchema])[]>();

/** The patterns of a schema, compiled as the validator compiles them. */
function patternsOf(schema: JSONSchema): readonly (readonly [RegExp, JSONSchema])[] {
  const known = patterns.get(schema);
  if (known) return known;
  const entries = Object.entries((schema.patternProperties ?? {}) as Readonly<Record<string, unknown>>);
  const made = entries.flatMap(([source, part]) => asSchemas(part).map((found) => [new RegExp(source, 'u'), found] as const));
  patterns.set(schema, made);
  return made;
}

/** Schemas of properties that are not listed by name. */
export function restOf(schema: JSONSchema): JSONSchema[] {
  return [
    ...patternsOf(schema).map(([, part]) => part),
    ...asSchemas(schema.additionalProperties),
    ...asSchemas(schema.unevaluatedProperties),
  ];
}

/** @returns what stands where a schema may: a schema, or nothing for what takes no value */
export function asSchemas(value: unknown): JSONSchema[] {
  if (value === true) return [ANYTHING];
  return isSchema(value) ? [value] : [];
}

/** @returns the schemas that a schema has for a property, by its name, by patterns, or else for all others */
export function propertySchemas(schema: JSONSchema, name: string): JSONSchema[] {
  const { properties = {}, additionalProperties } = schema;
  const named = Object.hasOwn(properties, name) ? asSchemas(properties[name]) : [];
  const matching = patternsOf(schema).flatMap(([pattern, part]) => (pattern.test(name) ? [part] : []));
  const found = [...named, ...matching];
  return found.length > 0 ? found : asSchemas(additionalProperties);
}

/**
 * @param targetsOf what a schema refers to
 * @returns a schema with the parts and alternatives that describe the same value, and what these refer to
 */
export function alternativesOf(schema: JSONSchema, targetsOf: (schema: JSONSchema) => readonly JSONSchema[]): ReadonlySet<JSONSchema> {
  const found = new Set([schema]);
  // A set that grows while it is walked is walked to its end.
  for (const one of found)
    for (const part of [...(one.allOf ?? []), ...(one.anyOf ?? []), ...(one.oneOf ?? []), ...targetsOf(one)])
      if (isSchema(part)) found.add(part);
  return found;
}

/** @returns the schemas of elements by their position */
export function prefixOf({ items, prefixItems }: JSONSchema): readonly unknown[] {
  if (Array.isArray(prefixItems)) return prefixItems;
  return Array.isArray(items) ? items : [];
}

/**
 * The schemas that a schema has for elements.
 *
 * @param index position of the element; `undefined` for any
 */
export function elementsOf(schema: JSONSchema, index: number | undefined): JSONSchema[] {
  const { items, additionalItems, contains, unevaluatedItems } = schema;
  const prefix = prefixOf(schema);
  const at = index === undefined ? prefix : prefix.slice(index, index + 1);
  const rest = Array.isArray(items) ? additionalItems : items;
  const beyond = index === undefined || index >= prefix.length ? [...asSchemas(rest), ...asSchemas(unevaluatedItems)] : [];
  return [...at.flatMap(asSchemas), ...beyond, ...asSchemas(contains)];
}
