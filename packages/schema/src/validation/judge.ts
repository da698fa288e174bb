import type { JSONSchema } from '../json-schema.ts';
import { Definitions } from '../query/definitions.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { References } from '../record-shape/references.ts';
import type { Compiler } from './ajv.ts';
import { compileTest } from './compile.ts';
import { copyPlain, mayWrite } from './copy-plain.ts';
import { Fillings } from './fill-defaults.ts';
import type { Rewrite } from './rewrites.ts';
import { containsItself, withStepLimit } from './step-limit.ts';
import type { Formats } from './text-test.ts';

/** Tells what a validator would say. */
export interface Judge {
  readonly formats: Formats;
  /** @returns what tells whether a value fits a part of the document as it is; compiled when it is first asked */
  readonly test: (part: JSONSchema) => (value: unknown) => boolean;
  /** @returns what fills in the defaults of a part of the document */
  readonly fill: (part: JSONSchema) => Rewrite;
}

/**
 * @param references those of the document
 * @param compiler compiles the document
 */
export function judgeOf(references: References, compiler: Compiler): Judge {
  const compile = (part: JSONSchema): ((value: unknown) => boolean) => {
    // A value is looked at as it is, also behind references: these have no defaults.
    const definitions = new Definitions(references, true);
    const document: JSONSchema = { anyOf: [definitions.taken(part)], $defs: definitions.parts };
    const fits = compileTest(containsItself(part, references) ? withStepLimit(document) : document, compiler);
    return mayWrite(document, new References(document)) ? (value) => fits(copyPlain(value)) : fits;
  };
  const test: Judge['test'] = (part) => {
    let fits: ((value: unknown) => boolean) | undefined;
    return (value) => (fits ??= compile(part))(value);
  };
  const { useDefaults, formats, validateFormats } = { ...compiler.ajv.opts, formats: compiler.ajv.formats };
  const fillings = new Fillings(references, (part) => alone(test(part)), useDefaults);
  return { formats: validateFormats ? formats : {}, test, fill: (part) => fillings.whole(part) };
}

/** @returns what tells whether a value fits a part with its defaults; one that the validator refuses to compile by itself takes nothing */
export function testAlone(judge: Judge, part: JSONSchema): (value: unknown) => boolean {
  const [fill, test] = [judge.fill(part), alone(judge.test(part))];
  return (value) => test(fill(value));
}

function alone(test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => {
    try {
      return test(value);
    } catch {
      return false;
    }
  };
}

/** Keywords of conditions that are told without a validator. */
const TOLD: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'const', 'enum', 'date', 'title', 'description', '$comment']);

/** Keywords of their properties. */
const TOLD_OF_PROPERTIES: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'date', 'title', 'description', '$comment']);

/** @returns whether types and names of properties, and the types and literals of these, tell exactly what fits a schema */
export function isTold(schema: JSONSchema): boolean {
  const parts: readonly unknown[] = Object.values(schema.properties ?? {});
  const isPlain = (part: unknown, keywords: ReadonlySet<string>): boolean =>
    !isSchema(part) ||
    (Object.keys(part).every((keyword) => keywords.has(keyword)) && [part.const, ...(part.enum ?? [])].every(isPrimitive));
  return isPlain(schema, TOLD) && parts.every((part) => isPlain(part, TOLD_OF_PROPERTIES));
}

function isPrimitive(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
