import type { DescribedSchema } from '@framework/core';

/** Most schemas inside each other that are looked at. */
const MAX_DEPTH = 50;

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, DescribedSchema>>;

/**
 * @param value of JSON
 * @param schemas schemas that references lead to, by name
 * @returns `false` for a value that a schema does not take, as far as its keywords are known
 */
export function fits(value: unknown, schema: unknown, schemas: Schemas, depth = 0): boolean {
  if (typeof schema === 'boolean' || !isObject(schema) || depth > MAX_DEPTH) return schema !== false;
  const inside = (part: unknown, inner: unknown = value): boolean => fits(inner, part, schemas, depth + 1);
  const { $ref, const: literal, enum: literals } = schema;
  if (typeof $ref === 'string' && !inside(schemas[$ref.replace(/^.*\//, '')])) return false;
  if ('const' in schema && !isSame(value, literal)) return false;
  if (Array.isArray(literals) && !literals.some((one) => isSame(value, one))) return false;
  return isOfType(value, schema) && isBounded(value, schema) && hasParts(value, schema, inside) && isJoined(schema, inside);
}

type Inside = (part: unknown, inner?: unknown) => boolean;

function isOfType(value: unknown, { type }: Schema): boolean {
  if (type === undefined) return true;
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return listOf(type).some((name) => name === own || (name === 'integer' && Number.isInteger(value)));
}

function isBounded(value: unknown, schema: Schema): boolean {
  const within = (size: number, least: string, most: string): boolean =>
    !(Number(schema[least] ?? -Infinity) > size) && !(Number(schema[most] ?? Infinity) < size);
  if (typeof value === 'string') {
    const { pattern } = schema;
    return within([...value].length, 'minLength', 'maxLength') && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value));
  }
  if (typeof value === 'number') {
    const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf } = schema;
    const isMultiple = typeof multipleOf !== 'number' || Number.isInteger(Number((value / multipleOf).toPrecision(15)));
    return within(value, 'minimum', 'maximum') && value > Number(exclusiveMinimum) && value < Number(exclusiveMaximum) && isMultiple;
  }
  if (Array.isArray(value)) return within(value.length, 'minItems', 'maxItems');
  return !isObject(value) || within(Object.keys(value).length, 'minProperties', 'maxProperties');
}

function hasParts(value: unknown, schema: Schema, inside: Inside): boolean {
  if (Array.isArray(value)) {
    const { items = true, contains, uniqueItems } = schema;
    const prefix = listOf(schema.prefixItems ?? []);
    const isUnique = uniqueItems !== true || new Set(value.map((entry) => JSON.stringify(entry))).size === value.length;
    const holds = contains === undefined || value.some((entry) => inside(contains, entry));
    return isUnique && holds && value.every((entry, at) => inside(at < prefix.length ? prefix[at] : items, entry));
  }
  if (!isObject(value)) return true;
  const { additionalProperties = true, propertyNames = true } = schema;
  const [properties, patterns, dependent] = [schema.properties, schema.patternProperties, schema.dependentRequired].map(mapOf);
  if (!listOf(schema.required ?? []).every((name) => Object.hasOwn(value, String(name)))) return false;
  return Object.entries(value).every(([name, entry]) => {
    const named = properties !== undefined && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const matching = Object.entries(patterns ?? {}).flatMap(([pattern, part]) => (new RegExp(pattern, 'u').test(name) ? [part] : []));
    const parts = [...named, ...matching];
    const needed = dependent !== undefined && Object.hasOwn(dependent, name) ? listOf(dependent[name]) : [];
    const hasNeeded = needed.every((other) => Object.hasOwn(value, String(other)));
    return (
      hasNeeded && inside(propertyNames, name) && (parts.length > 0 ? parts : [additionalProperties]).every((part) => inside(part, entry))
    );
  });
}

function isJoined({ allOf = [], anyOf, oneOf, not, if: condition, then = true, else: otherwise = true }: Schema, inside: Inside): boolean {
  if (!listOf(allOf).every((part) => inside(part))) return false;
  if (anyOf !== undefined && !listOf(anyOf).some((part) => inside(part))) return false;
  if (oneOf !== undefined && listOf(oneOf).filter((part) => inside(part)).length !== 1) return false;
  if (not !== undefined && inside(not)) return false;
  return condition === undefined || inside(inside(condition) ? then : otherwise);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function mapOf(value: unknown): Schema | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
