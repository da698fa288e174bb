import type { JSONSchema } from '../json-schema.ts';
import { isSchema, walkSchemas } from '../record-shape/keywords.ts';
import { isMarked } from '../record-shape/marks.ts';
import type { AnySchema } from './data-validator.ts';
import { refuseMadeDefaults } from './defaults.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';

/** What a library that can give its JSON Schema has beside its validator (Standard JSON Schema 1). */
interface GivesJSONSchema {
  readonly input: (options: object) => unknown;
  readonly output: (options: object) => unknown;
}

/** What zod says of a schema, or of a check in one. */
interface ZodDefinition {
  readonly _zod?: { readonly def?: Readonly<Record<string, unknown>> };
}

/** What zod lets be said of a part that JSON Schema has no word for. */
interface ZodPart {
  readonly zodSchema?: ZodDefinition;
  readonly jsonSchema: JSONSchema;
}

/** What arktype lets be said of a part that JSON Schema has no word for. */
interface ArkPart {
  readonly base: JSONSchema;
  /** Bounds of a date. */
  readonly after?: unknown;
  readonly before?: unknown;
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
  const parts = new LibraryParts(checks);
  const given = converted(schema, 'output', parts);
  if (!isSchema(given))
    throw new Error(
      `A schema of ${schema['~standard'].vendor} gives no JSON Schema by itself, so that its record can not be seen through: ` +
        'convert it first (valibot: toStandardJsonSchema of @valibot/to-json-schema), or describe the record with Type.Object and keep this schema as data',
    );
  if (checks) refuseMadeDefaults(given, () => converted(schema, 'output', parts));
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
    const given = converted(schema, 'input', new LibraryParts(false));
    return isSchema(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

function converted(schema: StandardSchema, side: 'input' | 'output', parts: LibraryParts): unknown {
  const { jsonSchema, vendor } = schema['~standard'] as StandardSchema['~standard'] & { readonly jsonSchema?: GivesJSONSchema };
  if (jsonSchema) {
    const libraryOptions = parts.optionsOf(vendor, side);
    return jsonSchema[side]({ target: 'draft-2020-12', ...(libraryOptions ? { libraryOptions } : {}) });
  }
  // Before the common interface arktype had a method of its own.
  const { toJsonSchema } = schema as { readonly toJsonSchema?: () => unknown };
  return typeof toJsonSchema === 'function' ? toJsonSchema.call(schema) : undefined;
}

/** @returns what is said of something in a record that would hold for nothing */
function lost(what: string): Error {
  return new Error(
    `${what} can not be seen through, and would hold for nothing: leave it out of the record, and put it into a hook, a resolver, or the schemas of the option 'data'`,
  );
}

const BOUNDED_DATE = 'A bound of a date (min, max)';
const BY_FUNCTION = 'A check by a function';

/** Checks of zod that its JSON Schema passes over, by the kind of check. */
const PASSED_OVER: ReadonlyMap<unknown, string> = new Map([
  ['custom', `${BY_FUNCTION} (refine, superRefine, check)`],
  ['overwrite', 'A change of a text (trim, toLowerCase, normalize, overwrite)'],
  ['property', 'A check of a property of a value'],
]);

/** Parts that zod leaves out of the JSON Schema of what has them, by its type. */
const LEFT_OUT: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['pipe', ['in']],
  ['map', ['keyType', 'valueType']],
  ['set', ['valueType']],
]);

/** What the JSON Schema of a library lacks. */
class LibraryParts {
  readonly #checks: boolean;
  readonly #known = new Set<unknown>();

  /** @param checks whether nothing but the JSON Schema checks values */
  constructor(checks: boolean) {
    this.#checks = checks;
  }

  /** @returns what makes a library tell more; `undefined` where it has nothing to tell */
  optionsOf(vendor: string, side: 'input' | 'output'): object | undefined {
    if (vendor === 'zod') return { unrepresentable: 'any', override: this.#complete };
    return vendor === 'arktype' && side === 'output' ? { fallback: { date: this.#date, predicate: this.#predicate } } : undefined;
  }

  /** Dates are values here, and have no word in JSON Schema. */
  readonly #date = ({ base, after, before }: ArkPart): JSONSchema => {
    if (this.#checks && (after ?? before) !== undefined) throw lost(BOUNDED_DATE);
    return { ...base, date: true };
  };

  readonly #predicate = ({ base }: ArkPart): JSONSchema => {
    if (this.#checks) throw lost(`${BY_FUNCTION} (narrow)`);
    return base;
  };

  /** What zod gives has no functions, so that a rule would keep nothing from anybody. */
  readonly #complete = ({ zodSchema, jsonSchema }: ZodPart): void => {
    const { type, checks, ...parts } = zodSchema?._zod?.def ?? {};
    if (type === 'date') jsonSchema.date = true;
    if (this.#checks) refusePassedOver(type, Array.isArray(checks) ? checks : [], parts);
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

/** Nobody but zod knows of these. */
function refusePassedOver(
  type: unknown,
  checks: readonly ZodDefinition[],
  { format, protocol, hostname }: Readonly<Record<string, unknown>>,
): void {
  const kinds = checks.map(({ _zod }) => _zod?.def?.check);
  for (const kind of kinds) {
    const passed = PASSED_OVER.get(kind);
    if (passed !== undefined) throw lost(passed);
  }
  if (type === 'date' && kinds.length > 0) throw lost(BOUNDED_DATE);
  if (format === 'url' && (protocol ?? hostname) !== undefined) throw lost('A protocol or hostname of an address');
}

/** The first step of `z.preprocess`, which has nothing to mark. */
function isTransform(part: object): boolean {
  return (part as NonNullable<ZodPart['zodSchema']>)._zod?.def?.type === 'transform';
}
