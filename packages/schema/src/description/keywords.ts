import type { JSONSchema } from '../json-schema.ts';

/** Keywords that are taken as they are. What is not listed is left out: it may be anything, a rule by role for example. */
export const KEPT: readonly string[] = [
  ...['title', 'description', 'deprecated', 'format', 'pattern', 'contentMediaType', 'contentEncoding'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minContains', 'maxContains', 'multipleOf'],
];

/** Keywords that count properties, also those that are kept from callers. */
export const COUNTS: readonly string[] = ['minProperties', 'maxProperties'];

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** The types of a schema, as JSON Schema 2020-12 has them. */
export interface PlainTypes {
  readonly type?: string | readonly string[];
  /** Types that JSON does not have. */
  readonly unknown: readonly string[];
}

/** @returns the types of a schema; `nullable` becomes one of them */
export function typesOf({ type, nullable }: JSONSchema): PlainTypes {
  if (type === undefined) return { unknown: [] };
  const given = typeof type === 'string' ? [type] : type;
  const known = given.filter((name) => TYPES.has(name));
  const all = nullable === true && !known.includes('null') ? [...known, 'null'] : known;
  const unknown = given.filter((name) => !TYPES.has(name));
  const [only] = all;
  if (unknown.length > 0 || only === undefined) return { unknown };
  return { type: all.length === 1 ? only : all, unknown };
}

/** @returns the bounds of numbers; those of draft 4 are written anew */
export function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JSONSchema): Record<string, unknown> {
  const bounds: Record<string, unknown> = {};
  if (exclusiveMinimum === true) bounds.exclusiveMinimum = minimum;
  else {
    if (typeof minimum === 'number') bounds.minimum = minimum;
    if (typeof exclusiveMinimum === 'number') bounds.exclusiveMinimum = exclusiveMinimum;
  }
  if (exclusiveMaximum === true) bounds.exclusiveMaximum = maximum;
  else {
    if (typeof maximum === 'number') bounds.maximum = maximum;
    if (typeof exclusiveMaximum === 'number') bounds.exclusiveMaximum = exclusiveMaximum;
  }
  return bounds;
}

/** @returns the value as JSON has it; `undefined` for one that JSON does not have */
export function plainValue(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
