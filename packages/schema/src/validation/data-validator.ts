import { checkOptionNames } from '@framework/core';
import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { dataSchemaOf } from '../record-shape/data-schema.ts';
import { refuseNoObject } from '../refuse-nothing.ts';
import { closedTogether } from './intersect.ts';
import { withNamed } from './named-schemas.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';
import { compileValidator, getValidator, type Validator } from './validator.ts';

/** Validators of the methods that take data. */
export interface DataValidators {
  readonly create: Validator;
  readonly update: Validator;
  readonly patch: Validator;
}

/** A schema of this package's kinds, or of another library. */
export type AnySchema = JSONSchema | StandardSchema;

/** A schema that stands by itself: it is not told apart by methods. */
type OneSchema = StandardSchema | (JSONSchema & { readonly create?: undefined });

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
 * @throws Error for a schema of another library without one for `patch`: its parts are not known; TypeError for schemas of other methods
 */
export function getDataValidator(definition: OneSchema | DataSchemas, ajv?: Ajv): DataValidators {
  if (!isStandardSchema(definition)) refuseNoObject('getDataValidator() takes a schema, or schemas by method', definition);
  const { create, update, patch } = dataSchemas(definition, ajv);
  const creating = validatorOf(create, ajv);
  return { create: creating, update: update === create ? creating : validatorOf(update, ajv), patch: validatorOf(patch, ajv) };
}

/**
 * The schemas of the methods that take data.
 *
 * @param ajv the validator with which the schemas were compiled that these refer to by their `$id`
 * @throws Error for a schema of another library without one for `patch`
 */
export function dataSchemas(definition: AnySchema | DataSchemas, ajv?: Ajv): Required<{ [K in keyof DataSchemas]: AnySchema }> {
  const schemas: DataSchemas = isByMethod(definition) ? definition : { create: definition };
  checkOptionNames('getDataValidator()', schemas, METHODS);
  const { create, update, patch } = schemas;
  if (!isStandardSchema(create)) refuseNoObject("getDataValidator() takes for 'create' a schema", create);
  return { create, update: update ?? create, patch: patch ?? partial(create, ajv) };
}

const METHODS: ReadonlySet<string> = new Set<keyof DataSchemas>(['create', 'update', 'patch']);

function validatorOf(schema: AnySchema, ajv: Ajv | undefined): Validator {
  return isStandardSchema(schema) ? getValidator(schema) : compileValidator(schema, ajv);
}

function partial(schema: AnySchema, ajv: Ajv | undefined): JSONSchema {
  if (isStandardSchema(schema))
    throw new Error(
      "A schema of another library needs one for 'patch' beside it: the option patch: schema.partial() of serviceSchema(), or getDataValidator({ create: schema, patch: schema.partial() })",
    );
  return dataSchemaOf(withNamed(closedTogether(schema), ajv), { partial: true });
}

/** A record schema says what it is; a map of schemas by method does not. */
function isByMethod(definition: AnySchema | DataSchemas): definition is DataSchemas {
  if (isStandardSchema(definition)) return false;
  const { create, type, properties, $ref, allOf } = definition as JSONSchema & { readonly create?: unknown };
  const isSchema = [type, properties, $ref, allOf].some((keyword) => keyword !== undefined);
  const isMissing = create === undefined && Object.hasOwn(definition, 'create');
  return !isSchema && (isMissing || isStandardSchema(create) || (typeof create === 'object' && create !== null));
}
