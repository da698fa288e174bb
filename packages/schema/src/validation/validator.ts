import { BadRequest } from '@framework/errors';
import { isPlainObject } from '@framework/query';
import type { Ajv, ErrorObject } from 'ajv';
import type { Static, TSchema } from '@sinclair/typebox';
import type { JSONSchema } from '../json-schema.ts';
import { createAjv } from './ajv.ts';
import { compileCoercion } from './coerce.ts';
import { isStandardSchema, standardValidator, type StandardSchema } from './standard-schema.ts';

/** Checks and converts a value. */
export interface Validator<T = unknown> {
  (value: unknown): Promise<T>;
  /** Dotted paths that a query schema declares. */
  readonly declaredPaths?: readonly string[] | undefined;
  /** Update operators that a data schema declares. */
  readonly updateOperators?: readonly string[] | undefined;
}

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
 * Makes a validator of a schema: in TypeBox, plain JSON Schema, or of a library with the Standard Schema interface (zod, valibot and
 * others). It is compiled once.
 *
 * @param schema the schema
 * @param ajv a validator instance with keywords of your own. Default: a shared one
 * @returns resolves to the converted copy of a value; rejects with BadRequest (400) that lists every problem in `errors`
 */
export function getValidator<S extends TSchema>(schema: S, ajv?: Ajv): Validator<Static<S>>;
export function getValidator<Output>(schema: StandardSchema<unknown, Output>): Validator<Output>;
export function getValidator<T = unknown>(schema: JSONSchema, ajv?: Ajv): Validator<T>;
export function getValidator(schema: JSONSchema | StandardSchema, ajv: Ajv = (shared ??= createAjv())): Validator {
  if (isStandardSchema(schema)) return standardValidator(schema);
  const check = ajv.compile(withoutAsync(schema));
  const convert = compileCoercion(schema);
  const writes = mayWrite(schema);
  const validate = (value: unknown): Promise<unknown> => {
    const converted = convert(value);
    // Defaults and keywords that convert write into what they check: never into the caller's value.
    const copy = writes ? copyPlain(converted) : converted === value ? shallowCopy(value) : converted;
    if (check(copy)) return Promise.resolve(copy);
    return Promise.reject(new BadRequest('validation failed', { errors: problemsOf(check.errors ?? []) }));
  };
  const names = Object.keys(schema.properties ?? {});
  const declaredPaths = names.filter((name) => name.includes('.'));
  const updateOperators = names.filter((name) => name.startsWith('$'));
  return Object.assign(validate, {
    ...(declaredPaths.length === 0 ? {} : { declaredPaths: Object.freeze(declaredPaths) }),
    ...(updateOperators.length === 0 ? {} : { updateOperators: Object.freeze(updateOperators) }),
  });
}

/** Keywords of JSON Schema that only look at a value. */
const READING: ReadonlySet<string> = new Set(
  (
    'type properties additionalProperties patternProperties required items additionalItems prefixItems contains minItems maxItems uniqueItems ' +
    'enum const anyOf oneOf allOf not if then else format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minProperties maxProperties propertyNames dependentRequired title description examples hidden date $id'
  ).split(' '),
);

/** Whether a validator may change what it checks: for a default, or a keyword that is not of JSON Schema. */
function mayWrite(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if (Array.isArray(schema)) return schema.some((part) => mayWrite(part, seen));
  return Object.entries(schema).some(([keyword, value]) => {
    if (!READING.has(keyword)) return true;
    if (keyword === 'enum' || keyword === 'const' || keyword === 'examples' || keyword === 'required') return false;
    const named = keyword === 'properties' || keyword === 'patternProperties';
    return named ? Object.values(value as object).some((part) => mayWrite(part, seen)) : mayWrite(value, seen);
  });
}

function shallowCopy(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value) ? { ...value } : value;
}

function withoutAsync(schema: JSONSchema): JSONSchema {
  const { $async: _async, ...rest } = schema;
  return rest;
}

function problemsOf(errors: readonly ErrorObject[]): ValidationProblem[] {
  return errors
    .filter((error) => isTelling(error, errors))
    .map((error) => {
      const params = error.params as Record<string, unknown>;
      const missing = params.missingProperty ?? params.additionalProperty;
      const base = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
      const path = typeof missing === 'string' ? [base, missing].filter((part) => part !== '').join('.') : base;
      return { path, keyword: error.keyword, message: `${path === '' ? 'the value' : path} ${error.message ?? 'is not valid'}`, params };
    });
}

/** Keywords that only say that one of their parts failed. */
const CHOICES: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf']);

/** Leaves out what says nothing beside the other problems of the same value. */
function isTelling(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (!CHOICES.has(error.keyword)) return true;
  return !errors.some((other) => !CHOICES.has(other.keyword) && other.instancePath.startsWith(error.instancePath));
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

/** A schema of this package's kinds, or of another library. */
export type AnySchema = JSONSchema | StandardSchema;

/** Schemas by method. */
export interface DataSchemas {
  readonly create: AnySchema;
  readonly update?: AnySchema | undefined;
  readonly patch?: AnySchema | undefined;
}

/**
 * Makes the validators of a record's data: `update` takes what `create` takes, `patch` any part of it, unless they have
 * schemas of their own.
 *
 * @param definition one schema, or one for each method
 * @throws Error for a schema of another library without one for `patch`: its parts are not known
 */
export function getDataValidator(definition: AnySchema | DataSchemas, ajv?: Ajv): DataValidators {
  const { create, update, patch }: DataSchemas = isByMethod(definition) ? definition : { create: definition };
  return {
    create: validatorOf(create, ajv),
    update: validatorOf(update ?? renamed(create, 'Update'), ajv),
    patch: validatorOf(patch ?? partial(create), ajv),
  };
}

function validatorOf(schema: AnySchema, ajv: Ajv | undefined): Validator {
  return isStandardSchema(schema) ? getValidator(schema) : getValidator(schema, ajv);
}

function partial(schema: AnySchema): JSONSchema {
  if (isStandardSchema(schema))
    throw new Error("A schema of another library needs one for 'patch' beside it: { create: schema, patch: schema.partial() }");
  return { ...renamed(schema, 'Patch'), required: [], properties: withoutDefaults(schema.properties) };
}

/** A patch changes what it names, and nothing else. */
function withoutDefaults(properties: JSONSchema['properties']): JSONSchema['properties'] {
  if (!properties) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, { default: _default, ...property }]) => [name, property]));
}

/** A record schema has a `type`; a map of schemas by method has none. */
function isByMethod(definition: AnySchema | DataSchemas): definition is DataSchemas {
  if (isStandardSchema(definition)) return false;
  const { create, type } = definition as { readonly create?: unknown; readonly type?: unknown };
  return type === undefined && (isStandardSchema(create) || (typeof create === 'object' && create !== null));
}

function renamed<S extends AnySchema>(schema: S, suffix: string): S {
  if (isStandardSchema(schema)) return schema;
  const { $id } = schema;
  return typeof $id === 'string' ? { ...schema, $id: `${$id}${suffix}` } : schema;
}
