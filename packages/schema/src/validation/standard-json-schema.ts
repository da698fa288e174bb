import type { JSONSchema } from '../json-schema.ts';
import { isSchema, walkSchemas } from '../record-shape/keywords.ts';
import { isMarked } from '../record-shape/marks.ts';
import type { AnySchema } from './data-validator.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';

/** What a library that can give its JSON Schema has beside its validator (Standard JSON Schema 1). */
interface GivesJSONSchema {
  readonly input: (options: object) => unknown;
  readonly output: (options: object) => unknown;
}

/** What zod lets be said of a part that JSON Schema has no word for. */
interface ZodPart {
  readonly zodSchema?: { readonly _zod?: { readonly def?: Readonly<Record<string, unknown>> } };
  readonly jsonSchema: JSONSchema;
}

/**
 * The JSON Schema of a record, whoever describes it.
 *
 * @param schema a JSON schema, TypeBox, or a schema of a library that gives its JSON Schema (zod 4, arktype, valibot with its converter)
 * @throws Error for a schema of a library that gives none
 */
export function jsonSchemaOf(schema: unknown): JSONSchema {
  if (!isStandardSchema(schema)) {
    if (isSchema(schema)) return schema;
    throw new Error('A record is described by a schema of an object: TypeBox, JSON Schema, or a library that gives its JSON Schema');
  }
  const given = converted(schema, 'output');
  if (!isSchema(given))
    throw new Error(
      `A schema of ${schema['~standard'].vendor} gives no JSON Schema by itself, so that its record can not be seen through: ` +
        'convert it first (valibot: toStandardJsonSchema of @valibot/to-json-schema), or describe the record with Type.Object and keep this schema as data',
    );
  return given;
}

/**
 * The JSON Schema of what a schema takes, before it converts it.
 *
 * @returns `undefined` for a schema of a library that gives none
 */
export function inputSchemaOf(schema: AnySchema): JSONSchema | undefined {
  if (!isStandardSchema(schema)) return schema;
  try {
    const given = converted(schema, 'input');
    return isSchema(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

function converted(schema: StandardSchema, side: 'input' | 'output', zod = new ZodParts()): unknown {
  const { jsonSchema, vendor } = schema['~standard'] as StandardSchema['~standard'] & { readonly jsonSchema?: GivesJSONSchema };
  if (jsonSchema) {
    const libraryOptions = vendor === 'zod' ? { unrepresentable: 'any', override: zod.complete } : undefined;
    return jsonSchema[side]({ target: 'draft-2020-12', ...(libraryOptions ? { libraryOptions } : {}) });
  }
  // Before the common interface arktype had a method of its own.
  const { toJsonSchema } = schema as { readonly toJsonSchema?: () => unknown };
  return typeof toJsonSchema === 'function' ? toJsonSchema.call(schema) : undefined;
}

/** Parts that zod leaves out of the JSON Schema of what has them, by its type. */
const LEFT_OUT: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['pipe', ['in']],
  ['map', ['keyType', 'valueType']],
  ['set', ['valueType']],
]);

/** What the JSON Schema of a zod schema lacks. */
class ZodParts {
  readonly #known = new Set<unknown>();

  /** Dates are values here, and have no word in JSON Schema. What zod gives has no functions, so that a rule would keep nothing from anybody. */
  readonly complete = ({ zodSchema, jsonSchema }: ZodPart): void => {
    const { type, ...parts } = zodSchema?._zod?.def ?? {};
    if (type === 'date') jsonSchema.date = true;
    for (const rule of ['readable', 'writable'])
      if (typeof jsonSchema[rule] === 'function')
        throw new Error(
          `A rule '${rule}' is lost where zod gives its JSON Schema: mark the property as hidden or readOnly, or describe the record with Type.Object and Field`,
        );
    if (type === 'transform') throw new Error('A transform can not be seen through: leave it out of the record, and use a resolver');
    for (const name of LEFT_OUT.get(type) ?? []) this.#leftOut(parts[name], String(type), jsonSchema);
  };

  /** A mark in what is left out would mean nothing: it is put where it is refused. */
  #leftOut(part: unknown, type: string, around: JSONSchema): void {
    if (!isStandardSchema(part) || isTransform(part) || this.#known.has(part)) return;
    this.#known.add(part);
    const schema = converted(part, 'output', this);
    let marked = false;
    walkSchemas(schema, (found) => (marked ||= isMarked(found)));
    if (marked) around[type] = schema;
  }
}

/** The first step of `z.preprocess`, which has nothing to mark. */
function isTransform(part: object): boolean {
  return (part as NonNullable<ZodPart['zodSchema']>)._zod?.def?.type === 'transform';
}
