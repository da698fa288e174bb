import { isDeepStrictEqual } from 'node:util';
import { isDate } from '@framework/query';
import type { Ajv } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { ANNOTATIONS, isSchema, walkSchemas } from '../record-shape/keywords.ts';
import { MARK_NAMES } from '../record-shape/marks.ts';
import { testAlone, type Judge } from './judge.ts';
import { restartSteps } from './step-limit.ts';
import { typesOf, typeTest } from './value-type.ts';

const INSTEAD = 'give the property its value by a resolver of data, or a hook';

/**
 * Refuses defaults that a validator does not fill in as they are: it fills in what JSON has.
 *
 * @throws Error that names what stands there
 */
export function checkDefaults(schema: JSONSchema, { opts }: Ajv): void {
  if (opts.useDefaults === undefined || opts.useDefaults === false) return;
  walkSchemas(schema, ({ default: value, date }) => {
    const isOfDate = date === true || isDate(value);
    if (value === undefined || (isJson(value) && !(isOfDate && value !== null))) return;
    const kind = typeof value === 'function' ? 'a function' : isOfDate ? 'a date' : 'a value that JSON does not have';
    throw new Error(`The schema has ${kind} as a default, and validators fill in what JSON has: ${INSTEAD}`);
  });
}

/** Keywords that say nothing of a value but its type. */
const OF_TYPE: ReadonlySet<string> = new Set(['type', ...ANNOTATIONS, ...MARK_NAMES]);

/**
 * Refuses defaults of properties that their own schemas do not take: records that lack such a property would be refused, and not by a fault of their caller.
 *
 * @param judge what the validator of the schema would say
 * @throws Error that names the property and shows the default
 */
export function checkDefaultsFit(schema: JSONSchema, judge: Judge, { opts }: Ajv): void {
  if (opts.useDefaults === undefined || opts.useDefaults === false) return;
  walkSchemas(schema, ({ properties = {} }) => {
    for (const [name, part] of Object.entries(properties)) {
      if (!isSchema(part) || part.default === undefined || takesOwnDefault(part, judge)) continue;
      throw new Error(
        `The default of '${name}' is ${JSON.stringify(part.default).slice(0, 100)}, which its own schema does not take: no record could have it`,
      );
    }
  });
}

function takesOwnDefault(part: JSONSchema, judge: Judge): boolean {
  // Most defaults are told by their type, for which nothing has to be compiled.
  const types = typesOf(part);
  if (types.length > 0 && Object.keys(part).every((keyword) => OF_TYPE.has(keyword)) && types.some((type) => typeTest(type)(part.default)))
    return true;
  restartSteps();
  try {
    return testAlone(judge, part)(part.default);
  } catch {
    // What is filled in has a default again, and so on.
    return false;
  }
}

function isJson(value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false;
  }
}

/**
 * Refuses defaults that a library makes by a function: the JSON Schema has what the function gave once, which all records would get.
 *
 * @param given the JSON Schema that a library gave
 * @param again gives it again
 * @throws Error that shows the default
 */
export function refuseMadeDefaults(given: unknown, again: () => unknown): void {
  const before = defaultsOf(given);
  if (before.length === 0) return;
  // Times tell them apart too.
  for (const until = Date.now() + 2; Date.now() < until;);
  const after = defaultsOf(again());
  const made = before.find((value, at) => value !== after[at]);
  if (made !== undefined)
    throw new Error(`A default that a function makes, such as ${made}, would be the same for all records: ${INSTEAD}`);
}

function defaultsOf(schema: unknown): readonly string[] {
  const found: string[] = [];
  walkSchemas(schema, (part) => {
    if (part.default !== undefined) found.push(JSON.stringify(part.default));
  });
  return found;
}
