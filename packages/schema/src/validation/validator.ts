import { BadRequest } from '@framework/errors';
import type { Ajv } from 'ajv';
import type { Static, TSchema } from '@sinclair/typebox';
import type { JSONSchema } from '../json-schema.ts';
import { withoutDefaults, withoutIds } from '../query/definitions.ts';
import { PROPERTIES_ONLY } from '../query/properties-only.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { References, refuseUnreadable } from '../record-shape/references.ts';
import { compilerOf } from './ajv.ts';
import { compileCoercion } from './coerce.ts';
import { compileCheck, TOO_MUCH } from './compile.ts';
import { copyPlain, copyShallow, mayWrite } from './copy-plain.ts';
import { checkDefaults, checkDefaultsFit } from './defaults.ts';
import { checkKnown, dialectOf } from './dialect.ts';
import { isFilledByValidators } from './fill-defaults.ts';
import { closedTogether } from './intersect.ts';
import { judgeOf } from './judge.ts';
import { containsItself, isOverLimit, restartSteps, withStepLimit } from './step-limit.ts';
import { nameSchema, withNamed } from './named-schemas.ts';
import type { Rewrite } from './rewrites.ts';
import { refuseNoSchema } from './refuse-no-schema.ts';
import { isStandardSchema, standardValidator, type StandardSchema } from './standard-schema.ts';

/** Checks and converts a value. */
export interface Validator<T = unknown> {
  (value: unknown): Promise<T>;
  /** Dotted paths that a query schema declares. */
  readonly declaredPaths?: readonly string[] | undefined;
  /** Update operators that a data schema declares. */
  readonly updateOperators?: readonly string[] | undefined;
  /** The schema that it was made of, where that is a JSON schema. */
  readonly schema?: JSONSchema;
}

/**
 * Makes a validator of a schema: in TypeBox, plain JSON Schema, or of a library with the Standard Schema interface (zod, valibot and
 * others). It is compiled once.
 *
 * @param schema the schema
 * @param ajv a validator instance with keywords of your own. Schemas that were compiled with it before can be referred to by their `$id`. Default: one for
 *   the version of JSON Schema that the schema is written in
 * @returns resolves to the converted copy of a value; rejects with BadRequest (400) that lists the problems in `errors`, at most 20
 */
export function getValidator<S extends TSchema>(schema: S, ajv?: Ajv): Validator<Static<S>>;
export function getValidator<Output>(schema: StandardSchema<unknown, Output>): Validator<Output>;
export function getValidator<T = unknown>(schema: JSONSchema, ajv?: Ajv): Validator<T>;
export function getValidator(schema: JSONSchema | StandardSchema, ajv?: Ajv): Validator {
  if (isStandardSchema(schema)) return standardValidator(schema);
  const validator = compileValidator(schema, ajv);
  if (ajv) nameSchema(closedTogether(schema), schema, ajv);
  return validator;
}

/** The validator of a JSON schema, which nobody can refer to by its `$id`. */
export function compileValidator(schema: JSONSchema, ajv: Ajv | undefined): Validator {
  if (isSchema(schema) && PROPERTIES_ONLY in schema)
    throw new Error(
      "querySyntax(properties) gives the properties of a query and no schema: use { type: 'object', additionalProperties: false, properties: { ...querySyntax(properties) } }",
    );
  refuseNoSchema('A validator', schema, ajv);
  const { $async: _async, ...closed } = withNamed(closedTogether(schema), ajv);
  const compiler = compilerOf(dialectOf(closed), ajv);
  checkKnown(closed, compiler.ajv);
  checkDefaults(closed, compiler.ajv);
  refuseUnreadable(closed);
  const resolve = (reference: string): unknown => compiler.ajv.getSchema(reference)?.schema;
  const references = new References(closed, resolve);
  // What does not resolve is told here: the validator has words of its own for it.
  const judge = judgeOf(references, compiler);
  const convert = compileCoercion(closed, references, judge);
  const whole = withoutIds(closed, references);
  const isPlain = isFilledByValidators(whole, new References(whole, resolve));
  // Where it is not, a validator would fill in behind references wherever these stand, also in alternatives that are not meant.
  const document = isPlain ? whole : withoutDefaults(whole);
  const fill = isPlain ? undefined : fillWith(judge.fill(closed));
  checkDefaultsFit(closed, judge, compiler.ajv);
  const check = compileCheck(containsItself(closed, references) ? withStepLimit(document) : document, compiler);
  const writes = mayWrite(document, new References(document, resolve));
  const validate = async (value: unknown): Promise<unknown> => {
    const converted = fill ? fill(convert(value)) : convert(value);
    // Defaults and keywords that convert write into what they check: never into the caller's value.
    const copy = writes ? copyPlain(converted) : converted === value ? copyShallow(value) : converted;
    const problems = check(copy);
    if (problems !== undefined) throw new BadRequest('validation failed', { errors: problems });
    return copy;
  };
  const parts = partsOf(closed, references);
  const names = [...new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})))];
  const declaredPaths = [...new Set([...names, ...parts.flatMap(selectable)])].filter((name) => name.includes('.'));
  const updateOperators = names.filter((name) => name.startsWith('$'));
  // Not enumerable, as what it was made of.
  Object.defineProperty(validate, 'schema', { value: closed });
  return Object.assign(validate, {
    ...(declaredPaths.length === 0 ? {} : { declaredPaths: Object.freeze(declaredPaths) }),
    ...(updateOperators.length === 0 ? {} : { updateOperators: Object.freeze(updateOperators) }),
  });
}

/** What was tried in vain would be filled in by nothing, and might be right without. */
function fillWith(fill: Rewrite): Rewrite {
  return (value) => {
    restartSteps();
    const filled = fill(value);
    if (isOverLimit()) throw new BadRequest('validation failed', { errors: [TOO_MUCH] });
    return filled;
  };
}

/** What checks a value whatever it is: a schema, the parts of an intersection, and what they refer to. An alternative may let pass what another one checks. */
function partsOf(schema: JSONSchema, references: References): readonly JSONSchema[] {
  const parts = new Set([schema]);
  // A set that grows while it is walked is walked to its end.
  for (const part of parts) {
    const isDynamic = part.$dynamicRef !== undefined || part.$recursiveRef !== undefined;
    for (const more of [...(part.allOf ?? []), ...(isDynamic ? [] : references.of(part))]) if (isSchema(more)) parts.add(more);
  }
  return [...parts];
}

/** What `$select` of a query may name: nested values, too, that are hidden in part, so that nothing is asked of them. */
function selectable({ properties }: JSONSchema): readonly string[] {
  const items: unknown = properties?.$select?.items;
  const names: unknown = isSchema(items) ? items.enum : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}
