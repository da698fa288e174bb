import type { Ajv, AnySchema, ErrorObject, KeywordCxt, Options, ValidateFunction } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import type { Problem } from '@framework/core';
import { mapSchemas, walkSchemas } from '../record-shape/keywords.ts';
import type { Compiler } from './ajv.ts';
import { withPlainNames } from './definition-names.ts';
import { keywordCode } from './keyword-code.ts';
import { problemsOf } from './problems.ts';
import { withSharedParts } from './shared-parts.ts';
import { addStepLimit, restartSteps, TOO_MANY_STEPS } from './step-limit.ts';

/** Checks a value, which it may complete. */
export type Check = (value: unknown) => readonly Problem[] | undefined;

/** Errors that a validator collects before it stops: more than are sent, since some say the same. */
const MAX_ERRORS = 100;

/** Keyword, written into schemas of elements and further properties, that ends a check which has found enough. */
const ENOUGH = 'problemLimit';

/**
 * Compiles a schema into a check that does a bounded amount of work for each part of the value: first it stops at the first problem,
 * which decides; only a value that failed is looked at again for its other problems, and no longer than there is something to tell.
 *
 * @throws Error for a schema that ajv refuses
 */
export function compileCheck(schema: JSONSchema, { check, make }: Compiler): Check {
  const document = withSharedParts(withPlainNames(schema));
  check(document);
  const ownProperties = namesInherited(document);
  const decide = compileWith(make(), document, { allErrors: false, ownProperties });
  let collect: ValidateFunction | undefined;
  return (value) => {
    restartSteps();
    try {
      if (decide(value)) return undefined;
    } catch (error) {
      if (error === TOO_MANY_STEPS) return [TOO_MUCH];
      throw error;
    }
    const first = decide.errors ?? [];
    collect ??= compileWith(make(), limited(document), { allErrors: true, ownProperties });
    return problemsOf(errorsOf(collect, value) ?? first);
  };
}

/**
 * Compiles a schema that is tried: what tells whether a value fits, and does not complete it.
 *
 * @throws Error for a schema that ajv refuses
 */
export function compileTest(schema: JSONSchema, { make }: Compiler): (value: unknown) => boolean {
  const document = withPlainNames(schema);
  const decide = compileWith(make(), document, { allErrors: false, ownProperties: namesInherited(document) });
  return (value) => {
    try {
      return decide(value);
    } catch (error) {
      if (error === TOO_MANY_STEPS) return false;
      throw error;
    }
  };
}

/** The problem of a value for which too many alternatives would have to be tried. */
export const TOO_MUCH: Problem = Object.freeze({
  path: '',
  keyword: 'anyOf',
  message: 'the value can not be checked: it lies in too many alternatives inside each other',
  params: Object.freeze({}),
});

function errorsOf(collect: ValidateFunction, value: unknown): readonly ErrorObject[] | undefined {
  restartSteps();
  try {
    // The errors of the last look would be kept.
    return collect(value) ? undefined : (collect.errors ?? undefined);
  } catch (error) {
    if (error === STOPPED || error === TOO_MANY_STEPS) return undefined;
    throw error;
  } finally {
    collect.errors = null;
  }
}

/** @returns whether a schema names properties that every object inherits, such as `constructor`: one that has none of its own is not to be checked for them */
function namesInherited(schema: JSONSchema): boolean {
  let found = false;
  walkSchemas(schema, ({ properties, required, dependentRequired, dependentSchemas, dependencies }) => {
    const named = [properties, dependentRequired, dependentSchemas, dependencies].flatMap((value) => Object.keys(value ?? {}));
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    found ||= [...named, ...needed].some((name) => String(name) in Object.prototype);
  });
  return found;
}

/** Options of a validator hold for all that it compiles; a check needs its own. The `$id` is not kept, so that a schema may be compiled again. */
function compileWith(ajv: Ajv, schema: JSONSchema, own: Pick<Options, 'allErrors' | 'ownProperties'>): ValidateFunction {
  const { opts } = ajv;
  const before = {
    allErrors: opts.allErrors,
    ownProperties: opts.ownProperties,
    addUsedSchema: opts.addUsedSchema,
    inlineRefs: opts.inlineRefs,
  };
  if (ajv.getKeyword(ENOUGH) === false) ajv.addKeyword({ keyword: ENOUGH, schemaType: 'boolean', code: stopWhenEnough });
  addStepLimit(ajv);
  try {
    // What stands in `$defs` since it is said often is not to be said often again.
    Object.assign(opts, { ...own, ownProperties: own.ownProperties || before.ownProperties, addUsedSchema: false, inlineRefs: 8 });
    return ajv.compile(schema as AnySchema);
  } catch (error) {
    // The code of an object has a block in a block for each property, which the engine reads up to a depth.
    throw error instanceof RangeError ? tooMuch(schema, error) : error;
  } finally {
    Object.assign(opts, before);
  }
}

function tooMuch(schema: JSONSchema, cause: RangeError): Error {
  let most = 0;
  walkSchemas(schema, ({ properties }) => (most = Math.max(most, Object.keys(properties ?? {}).length)));
  return new Error(
    `The schema has an object of ${String(most)} properties and can not be compiled: queries have one for each path of the record. ` +
      'Describe what refers to itself several times, or what nobody asks for, as Type.Unknown()',
    { cause },
  );
}

/** Thrown inside a union: what was found in one of its parts may mean nothing, so that only the first problem is told. */
const STOPPED: unique symbol = Symbol('framework.stopped') as never;

function stop(): never {
  throw STOPPED as unknown;
}

function stopWhenEnough(context: KeywordCxt): void {
  const { gen, it } = context;
  const { name, code } = keywordCode(context);
  gen.if(code(name('errors'), ` >= ${String(MAX_ERRORS)}`), () => {
    if (it.compositeRule === true) gen.code(code(gen.scopeValue('func', { ref: stop }), '()'));
    else {
      gen.assign(code(it.validateName, '.errors'), name('vErrors'));
      gen.return(false);
    }
  });
}

/** Keywords whose schemas hold for any number of parts. */
const REPEATED: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'unevaluatedItems', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'propertyNames'],
]);

/** @returns the schema with the keyword that ends a check */
function limited(schema: JSONSchema, repeated = false): JSONSchema {
  const copy = mapSchemas(schema, (part, keyword) => limited(part, REPEATED.has(keyword) && !Array.isArray(schema[keyword])));
  return repeated ? { ...copy, [ENOUGH]: true } : copy;
}
