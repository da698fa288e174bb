import { randomUUID } from 'node:crypto';
import type { Ajv, KeywordCxt } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { mapSchemas, subschemas } from '../record-shape/keywords.ts';
import type { References } from '../record-shape/references.ts';
import { keywordCode } from './keyword-code.ts';

/** Alternatives that one check tries: more than a value of a megabyte needs. */
const MAX_STEPS = 250_000;

/** Keyword, written into alternatives, that counts how often they are tried. Another copy of this package counts by one of its own. */
const STEP = `stepLimit-${randomUUID()}`;

/** Thrown by a check that has tried too many alternatives. */
export const TOO_MANY_STEPS: unique symbol = Symbol('framework.steps') as never;

let steps = 0;

function step(): void {
  steps += 1;
  if (steps > MAX_STEPS) throw TOO_MANY_STEPS as unknown;
}

/** @returns whether too many alternatives were tried since a check began */
export function isOverLimit(): boolean {
  return steps > MAX_STEPS;
}

/** A check begins. */
export function restartSteps(): void {
  steps = 0;
}

/**
 * Where a schema contains itself in a union, several of whose alternatives look into the same part, each level of a value multiplies the work: callers
 * would nest values as deeply as it takes.
 *
 * @param schema a document that a validator compiles
 * @returns the schema with the keyword that ends such a check
 */
export function withStepLimit(schema: JSONSchema): JSONSchema {
  return counted(schema);
}

/** @returns whether a schema leads to itself */
export function containsItself(root: JSONSchema, references: References): boolean {
  const done = new Set<JSONSchema>();
  const above = new Set<JSONSchema>();
  const finds = (schema: JSONSchema): boolean => {
    if (above.has(schema)) return true;
    if (done.has(schema)) return false;
    done.add(schema);
    above.add(schema);
    const parts = Object.entries(schema).flatMap(([keyword, value]) => subschemas(keyword, value));
    const found = [...references.of(schema), ...parts].some(finds);
    above.delete(schema);
    return found;
  };
  return finds(root);
}

/** Makes the keyword known. */
export function addStepLimit(ajv: Ajv): void {
  // Before all others: what refers to the whole is where the work is.
  if (ajv.getKeyword(STEP) === false) ajv.addKeyword({ keyword: STEP, schemaType: 'boolean', before: '$ref', code: countStep });
}

function countStep(context: KeywordCxt): void {
  const { gen } = context;
  gen.code(keywordCode(context).code(gen.scopeValue('func', { ref: step }), '()'));
}

function counted(schema: JSONSchema, alternative = false): JSONSchema {
  const copy = mapSchemas(schema, (part, keyword) => counted(part, keyword === 'anyOf' || keyword === 'oneOf'));
  return alternative ? { ...copy, [STEP]: true } : copy;
}
