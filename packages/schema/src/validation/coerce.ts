import type { JSONSchema } from '../json-schema.ts';

/**
 * Converts texts, as query strings have them, to the types that a schema declares. What does not convert exactly stays as
 * it is, and the validator reports it: `"10abc"`, `""` and `"1e309"` are no numbers.
 *
 * @param schema the schema of the value
 * @param value any value; it is not changed
 * @returns the converted copy
 * @see interface 4.6
 */
export function coerce(schema: JSONSchema, value: unknown): unknown {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return coerceBranches(branches, value);
  const whole = (schema.allOf ?? []).reduce<unknown>((current, part) => coerce(part, current), value);
  return coerceTyped(schema, whole);
}

/** The first branch whose type the value has after conversion; a branch that takes the value as it is comes first. */
function coerceBranches(branches: readonly JSONSchema[], value: unknown): unknown {
  if (branches.some((branch) => fits(branch, value) && coerce(branch, value) === value)) return value;
  for (const branch of branches) {
    const converted = coerce(branch, value);
    if (fits(branch, converted)) return converted;
  }
  return value;
}

function typesOf(schema: JSONSchema): readonly string[] {
  if (schema.type === undefined) return schema.properties ? ['object'] : [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

function fits(schema: JSONSchema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (schema.date === true) return value instanceof Date;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches && !branches.some((branch) => fits(branch, value))) return false;
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => isType(type, value));
}

function isType(type: string, value: unknown): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function coerceTyped(schema: JSONSchema, value: unknown): unknown {
  if (schema.date === true) return toDate(value);
  const literals = schema.const === undefined ? schema.enum : [schema.const];
  if (literals) return coerceLiteral(literals, value);
  const types = typesOf(schema);
  if (types.includes('array')) return coerceArray(schema, types, value);
  if (typeof value === 'string') return coerceText(types, value);
  if (types.includes('object') && isPlain(value)) return coerceObject(schema, value);
  return value;
}

function coerceLiteral(literals: readonly unknown[], value: unknown): unknown {
  if (literals.includes(value) || typeof value !== 'string') return value;
  const found = literals.find((literal) => typeof literal !== 'string' && String(literal) === value);
  return found === undefined ? value : found;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function coerceText(types: readonly string[], value: string): unknown {
  if (types.includes('string') || types.length === 0) return value;
  // Clients send null as an empty text.
  if (types.includes('null') && (value === 'null' || value === '')) return null;
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(value)) {
    const number = Number(value);
    if (Number.isFinite(number)) return number;
  }
  return value;
}

/** One value stands for a list of one, and an object with index keys for the list that a query string parser made it from. */
function coerceArray(schema: JSONSchema, types: readonly string[], value: unknown): unknown {
  const { items } = schema;
  const list = Array.isArray(value) ? (value as unknown[]) : indexedList(value);
  if (list)
    return list.map((entry, index) => {
      const itemSchema = Array.isArray(items) ? (items as readonly JSONSchema[])[index] : (items as JSONSchema | undefined);
      return itemSchema ? coerce(itemSchema, entry) : entry;
    });
  if (types.length > 1 || typeof value === 'object' || value === undefined) return value;
  return coerceArray(schema, types, [value]);
}

function indexedList(value: unknown): unknown[] | undefined {
  if (!isPlain(value)) return undefined;
  const keys = Object.keys(value);
  if (keys.length === 0 || !keys.every((key) => /^\d+$/.test(key))) return undefined;
  return [...keys].sort((a, b) => Number(a) - Number(b)).map((key) => value[key]);
}

function coerceObject(schema: JSONSchema, value: Record<string, unknown>): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema;
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : rest;
      return [name, property ? coerce(property, entry) : entry];
    }),
  );
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function toDate(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_DATE.test(value)) return value;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : date;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
