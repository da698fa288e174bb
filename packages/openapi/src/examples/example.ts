import type { DescribedSchema } from '@framework/core';
import { fits } from './fits.ts';
import { textLike } from './pattern-text.ts';

/** Deepest nesting of an example. */
const MAX_DEPTH = 8;

/** Most values in an example: schemas that lead to several others, and these too, multiply. */
const MAX_VALUES = 1000;

/** Stands for a schema of which no value is known. */
export const UNKNOWN: unique symbol = Symbol('framework.unknownExample');

type Schema = Readonly<Record<string, unknown>>;

/**
 * Makes a value that a schema takes: what its author gives as an example, or else a plain one.
 *
 * @param schemas schemas that references lead to, by name
 * @returns {@link UNKNOWN} for a schema of which no value is known
 */
export function exampleOf(schema: DescribedSchema, schemas: Readonly<Record<string, DescribedSchema>>): unknown {
  // With all its properties, or with those alone that are needed: alternatives may exclude others.
  for (const isWhole of [true, false]) {
    const made = new Examples(schemas, isWhole).of(schema, 0);
    if (made !== UNKNOWN && isTaken(made, schema, schemas)) return made;
  }
  return UNKNOWN;
}

function isTaken(value: unknown, schema: DescribedSchema, schemas: Readonly<Record<string, DescribedSchema>>): boolean {
  try {
    return fits(value, schema, schemas);
  } catch {
    // A pattern that can not be read here says nothing of the others.
    return false;
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'someone@example.com',
  'date-time': '2025-01-31T12:00:00.000Z',
  date: '2025-01-31',
  time: '12:00:00Z',
  uuid: '3e4666bf-d5e5-4aa7-b8ce-cefe41c7568a',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  password: 'correct horse battery staple',
  duration: 'P1D',
  'json-pointer': '/name',
  byte: 'dGV4dA==',
};

class Examples {
  readonly #schemas: Readonly<Record<string, DescribedSchema>>;
  readonly #isWhole: boolean;
  /** References of schemas that the value lies in. */
  readonly #around = new Set<string>();
  #count = 0;

  /** @param isWhole whether properties that need not be there are */
  constructor(schemas: Readonly<Record<string, DescribedSchema>>, isWhole: boolean) {
    this.#schemas = schemas;
    this.#isWhole = isWhole;
  }

  of(schema: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || schema === false || ++this.#count > MAX_VALUES) return UNKNOWN;
    if (schema === true) return 'text';
    const references = new Set<string>();
    const whole = this.#whole(schema, depth, references);
    if (whole === undefined) return UNKNOWN;
    const given = givenIn(whole);
    return given === UNKNOWN ? this.#inside(references, () => this.#made(whole, depth)) : given;
  }

  /** A schema that contains itself is shown once: each time again it would be as many. */
  #inside(references: ReadonlySet<string>, make: () => unknown): unknown {
    const own = [...references];
    if (own.some((reference) => this.#around.has(reference))) return UNKNOWN;
    for (const reference of own) this.#around.add(reference);
    const made = make();
    for (const reference of own) this.#around.delete(reference);
    return made;
  }

  #made(whole: Schema, depth: number): unknown {
    // Whether a plain value fits these is not known.
    if (['not', 'if', 'dependentSchemas', 'dependentRequired', 'propertyNames'].some((keyword) => keyword in whole)) return UNKNOWN;
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = whole[keyword];
      if (Array.isArray(branches)) return this.#ofBranches(whole, keyword, branches, depth);
    }
    return this.#typed(whole, depth);
  }

  /**
   * The schema with what it refers to and its `allOf`, as one; `undefined` where that is not known.
   *
   * @param references takes what leads to it
   */
  #whole(schema: unknown, depth: number, references: Set<string>): Schema | undefined {
    if (!isSchema(schema) || depth > MAX_DEPTH) return undefined;
    const { $ref, allOf, ...own } = schema;
    if (typeof $ref === 'string') references.add($ref);
    const target = typeof $ref === 'string' ? this.#schemas[$ref.replace(/^.*\//, '')] : {};
    const parts = [target, ...(Array.isArray(allOf) ? (allOf as readonly unknown[]) : [])];
    if ($ref === undefined && allOf === undefined) return schema;
    let merged: Schema = own;
    for (const part of parts) {
      const whole = this.#whole(part, depth + 1, references);
      if (!whole) return undefined;
      merged = mergedSchemas(whole, merged);
    }
    return merged;
  }

  #ofBranches(whole: Schema, keyword: string, branches: readonly unknown[], depth: number): unknown {
    const { [keyword]: _branches, ...rest } = whole;
    for (const branch of branches) {
      const references = new Set<string>();
      const part = this.#whole(branch, depth + 1, references);
      const value = part ? this.#inside(references, () => this.of(mergedSchemas(rest, part), depth + 1)) : UNKNOWN;
      if (value !== UNKNOWN) return value;
    }
    return UNKNOWN;
  }

  #typed(schema: Schema, depth: number): unknown {
    const { type, properties } = schema;
    const [only = properties === undefined ? undefined : 'object'] = [type].flat();
    switch (only) {
      case 'string':
        return textOf(schema);
      case 'integer':
      case 'number':
        return numberOf(schema, only === 'integer');
      case 'boolean':
        return true;
      case 'null':
        return null;
      case 'array':
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return isAnything(schema) ? 'text' : UNKNOWN;
    }
  }

  #object({ properties, required, minProperties }: Schema, depth: number): unknown {
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const made: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
      if (!this.#isWhole && !needed.includes(name)) continue;
      const value = this.of(property, depth + 1);
      if (value !== UNKNOWN) made[name] = value;
    }
    if (needed.some((name) => !Object.hasOwn(made, String(name)))) return UNKNOWN;
    return typeof minProperties === 'number' && Object.keys(made).length < minProperties ? UNKNOWN : made;
  }

  #list({ items, prefixItems, minItems, contains, uniqueItems }: Schema, depth: number): unknown {
    const prefix = (Array.isArray(prefixItems) ? (prefixItems as readonly unknown[]) : []).map((part) => this.of(part, depth + 1));
    const least = Math.max(typeof minItems === 'number' ? minItems : 0, 1);
    const rest = items === false ? [] : [this.of(contains ?? items ?? true, depth + 1)];
    const more = Array.from({ length: Math.max(0, least - prefix.length) }, () => rest).flat();
    const made = [...prefix, ...more];
    if (made.length < least && typeof minItems === 'number') return UNKNOWN;
    if (uniqueItems === true && new Set(made.map((value) => JSON.stringify(value))).size < made.length) return UNKNOWN;
    if (!made.includes(UNKNOWN)) return made;
    return typeof minItems === 'number' && minItems > 0 ? UNKNOWN : [];
  }
}

function givenIn({ examples, const: literal, default: otherwise, enum: literals }: Schema): unknown {
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if (literal !== undefined) return literal;
  if (otherwise !== undefined) return otherwise;
  return Array.isArray(literals) && literals.length > 0 ? (literals[0] as unknown) : UNKNOWN;
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: Schema): unknown {
  const [least, most] = [Number(minLength), Number(maxLength)];
  const fits = (text: string | undefined): unknown => (text !== undefined && text.length >= least && text.length <= most ? text : UNKNOWN);
  if (typeof pattern === 'string') return fits(textLike(pattern, least));
  if (typeof format === 'string') return fits(FORMATS[format]);
  return least > 1000 ? UNKNOWN : fits('text'.repeat(Math.max(1, Math.ceil(least / 4))).slice(0, Math.max(least, Math.min(most, 4))));
}

function numberOf(schema: Schema, isInteger: boolean): unknown {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' ? multipleOf : 1;
  const fits = (value: number): boolean =>
    !(typeof minimum === 'number' && value < minimum) &&
    !(typeof maximum === 'number' && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
    (!isInteger || Number.isInteger(value)) &&
    (typeof multipleOf !== 'number' || Number.isInteger(value / multipleOf));
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((bound) => typeof bound === 'number');
  const near = bounds.flatMap((bound) =>
    [Math.ceil(bound / step) * step, Math.floor(bound / step) * step].flatMap((value) => [value, value + step, value - step]),
  );
  const between = bounds.length > 1 && !isInteger ? [(Math.min(...bounds) + Math.max(...bounds)) / 2] : [];
  return [step, 0, ...near, ...between].find(fits) ?? UNKNOWN;
}

/** Two schemas of one value, as far as examples need it. */
function mergedSchemas(one: Schema, other: Schema): Schema {
  const both = { ...one, ...other };
  return {
    ...both,
    ...(isSchema(one.properties) && isSchema(other.properties) ? { properties: mergedProperties(one.properties, other.properties) } : {}),
    ...(Array.isArray(one.required) && Array.isArray(other.required)
      ? { required: [...new Set([...(one.required as unknown[]), ...(other.required as unknown[])])] }
      : {}),
  };
}

function mergedProperties(one: Schema, other: Schema): Schema {
  const merged: Record<string, unknown> = { ...one };
  for (const [name, part] of Object.entries(other)) merged[name] = Object.hasOwn(one, name) ? { allOf: [one[name], part] } : part;
  return merged;
}

function isAnything(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => ['title', 'description', 'deprecated'].includes(keyword));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
