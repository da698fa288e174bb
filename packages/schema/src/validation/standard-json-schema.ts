import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from '../record-shape/keywords.ts';
import type { AnySchema } from './data-validator.ts';
import { arktypeOptions, refuseTransforms, withoutFlagged } from './arktype-parts.ts';
import { refuseMadeDefaults } from './defaults.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';
import { refuseUndescribed, zodOptions } from './zod-parts.ts';

/** What a library that can give its JSON Schema has beside its validator (Standard JSON Schema 1). */
interface GivesJSONSchema {
  readonly input: (options: object) => unknown;
  readonly output: (options: object) => unknown;
}

/**
 * The JSON Schema of a record, whoever describes it.
 *
 * @param schema a JSON schema, TypeBox, or a schema of a library that gives its JSON Schema (zod 4, arktype, valibot with its converter)
 * @param checks whether data are checked by it, so that nothing may be lost that the library would do. Default: `true`
 * @throws Error for a schema of a library that gives none, or less than it says
 */
export function jsonSchemaOf(schema: unknown, checks = true): JSONSchema {
  if (!isStandardSchema(schema)) {
    if (isSchema(schema)) return schema;
    throw new Error('A record is described by a schema of an object: TypeBox, JSON Schema, or a library that gives its JSON Schema');
  }
  const given = converted(schema, 'output', checks);
  if (!isSchema(given))
    throw new Error(
      `A schema of ${schema['~standard'].vendor} gives no JSON Schema by itself, so that its record can not be seen through: ` +
        'convert it first (valibot: toStandardJsonSchema of @valibot/to-json-schema), or describe the record with Type.Object and keep this schema as data',
    );
  refuseUndescribed(given);
  const isArktype = schema['~standard'].vendor === 'arktype';
  if (checks && isArktype) refuseTransforms(schema);
  if (checks) refuseMadeDefaults(given, () => converted(schema, 'output', checks));
  return isArktype ? withoutFlagged(given, schema, checks) : given;
}

/**
 * The JSON Schema of what a schema takes, before it converts it.
 *
 * @returns `undefined` for a schema of a library that gives none
 */
export function inputSchemaOf(schema: AnySchema): JSONSchema | undefined {
  if (!isStandardSchema(schema)) return schema;
  try {
    const given = converted(schema, 'input', false);
    if (!isSchema(given)) return undefined;
    return schema['~standard'].vendor === 'arktype' ? withoutFlagged(given, schema, false) : given;
  } catch {
    return undefined;
  }
}

/**
 * @param checks whether nothing but the JSON Schema checks values
 * @param libraryOptions what makes the library tell what its JSON Schema lacks
 */
function converted(
  schema: StandardSchema,
  side: 'input' | 'output',
  checks: boolean,
  libraryOptions = optionsOf(schema['~standard'].vendor, side, checks),
): unknown {
  const { jsonSchema } = schema['~standard'] as StandardSchema['~standard'] & { readonly jsonSchema?: GivesJSONSchema };
  if (jsonSchema) return jsonSchema[side]({ target: 'draft-2020-12', ...(libraryOptions ? { libraryOptions } : {}) });
  // Before the common interface arktype had a method of its own.
  const { toJsonSchema } = schema as { readonly toJsonSchema?: () => unknown };
  return typeof toJsonSchema === 'function' ? toJsonSchema.call(schema) : undefined;
}

/** @returns `undefined` for a library that has nothing to tell */
function optionsOf(vendor: string, side: 'input' | 'output', checks: boolean): object | undefined {
  if (vendor === 'zod') return zodOptions(checks, (part, options) => converted(part, 'output', checks, options));
  return vendor === 'arktype' && side === 'output' ? arktypeOptions(checks) : undefined;
}
