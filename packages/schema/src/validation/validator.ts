import { BadRequest } from '@framework/errors';
import type { Ajv, ErrorObject } from 'ajv';
import type { Static, TSchema } from '@sinclair/typebox';
import type { JSONSchema } from '../json-schema.ts';
import { createAjv } from './ajv.ts';
import { coerce } from './coerce.ts';

/** Checks and converts a value. */
export type Validator<T = unknown> = (value: unknown) => Promise<T>;

/** One problem of a value. */
export interface ValidationProblem {
  /** Where it is, for example `address.city` or `$sort.name`. */
  readonly path: string;
  /** Keyword of the schema that is not satisfied. */
  readonly keyword: string;
  /** What was expected. */
  readonly message: string;
  /** The keyword's own facts. */
  readonly params: Readonly<Record<string, unknown>>;
}

let shared: Ajv | undefined;

/**
 * Makes a validator of a schema, in TypeBox or plain JSON Schema. It is compiled once.
 *
 * @param schema the schema
 * @param ajv a validator instance with keywords of your own. Default: a shared one
 * @returns resolves to the converted copy of a value; rejects with BadRequest (400) that lists every problem in `errors`
 */
export function getValidator<S extends TSchema>(schema: S, ajv?: Ajv): Validator<Static<S>>;
export function getValidator<T = unknown>(schema: JSONSchema, ajv?: Ajv): Validator<T>;
export function getValidator(schema: JSONSchema, ajv: Ajv = (shared ??= createAjv())): Validator {
  const check = ajv.compile(withoutAsync(schema));
  return (value) => {
    const converted = coerce(schema, value);
    // Defaults and keywords that convert write into what they check: never into the caller's value.
    const copy = { value: copyPlain(converted) };
    if (check(copy.value)) return Promise.resolve(copy.value);
    return Promise.reject(new BadRequest('validation failed', { errors: problemsOf(check.errors ?? []) }));
  };
}

function withoutAsync(schema: JSONSchema): JSONSchema {
  const { $async: _async, ...rest } = schema;
  return rest;
}

function problemsOf(errors: readonly ErrorObject[]): ValidationProblem[] {
  return errors.map((error) => {
    const params = error.params as Record<string, unknown>;
    const missing = params.missingProperty ?? params.additionalProperty;
    const base = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
    const path = typeof missing === 'string' ? [base, missing].filter((part) => part !== '').join('.') : base;
    return { path, keyword: error.keyword, message: `${path === '' ? 'the value' : path} ${error.message ?? 'is not valid'}`, params };
  });
}

function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, copyPlain(entry)]));
}

/** Validators of the methods that take data. */
export interface DataValidators {
  readonly create: Validator;
  readonly update: Validator;
  readonly patch: Validator;
}

/**
 * Makes the validators of a record's data: `update` takes what `create` takes, `patch` any part of it, unless they have
 * schemas of their own.
 *
 * @param definition one schema, or one for each method
 */
export function getDataValidator(
  definition: JSONSchema | { create: JSONSchema; update?: JSONSchema; patch?: JSONSchema },
  ajv?: Ajv,
): DataValidators {
  const { create, update, patch } = isByMethod(definition) ? definition : { create: definition, update: undefined, patch: undefined };
  return {
    create: getValidator(create, ajv),
    update: getValidator(update ?? renamed(create, 'Update'), ajv),
    patch: getValidator(patch ?? { ...renamed(create, 'Patch'), required: [] }, ajv),
  };
}

/** A record schema has a `type`; a map of schemas by method has none. */
function isByMethod(
  definition: JSONSchema | { create: JSONSchema },
): definition is { create: JSONSchema; update?: JSONSchema; patch?: JSONSchema } {
  return typeof definition.create === 'object' && (definition as JSONSchema).type === undefined;
}

function renamed(schema: JSONSchema, suffix: string): JSONSchema {
  return typeof schema.$id === 'string' ? { ...schema, $id: `${schema.$id}${suffix}` } : schema;
}
