import type { ErrorObject } from 'ajv';
import { MAX_PROBLEMS, type Problem } from '@framework/core';
import { BadRequest } from '@framework/errors';

/** Largest text of all problems together, in bytes of JSON: an answer stays below 16 kB. */
export const MAX_PROBLEM_BYTES = 12_000;

/** Longest path and message, in characters. */
const MAX_TEXT = 300;

/** Keywords that only say that one of their parts failed. */
const CHOICES: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf']);

/**
 * The problems that a validator found, in the form in which they are sent.
 *
 * @param errors what the validator found
 * @returns at most 20; what says nothing beside the other problems of the same value is left out
 */
export function problemsOf(errors: readonly ErrorObject[]): Problem[] {
  const told = new Set(errors.filter(({ keyword }) => !CHOICES.has(keyword)).flatMap(({ instancePath }) => pathsAbove(instancePath)));
  const telling = errors.filter(({ keyword, instancePath }) => !CHOICES.has(keyword) || !told.has(instancePath));
  return bounded(telling.map(problemOf));
}

/**
 * Keeps problems within what is sent: 20 of them, short texts, 12 kB together.
 *
 * @param problems of any number and size
 */
export function bounded(problems: readonly Problem[]): Problem[] {
  const kept: Problem[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const { path, keyword, message, params } of problems) {
    if (kept.length >= MAX_PROBLEMS) break;
    const problem = { path: cut(path), keyword, message: cut(message), params: JSON.stringify(params).length > MAX_TEXT ? {} : params };
    const text = JSON.stringify(problem);
    if (seen.has(text)) continue;
    seen.add(text);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_PROBLEM_BYTES) break;
    kept.push(problem);
  }
  return kept;
}

/**
 * Reads the problems of a refusal.
 *
 * @throws what is no refusal
 */
export function problemsIn(error: unknown): readonly Problem[] {
  const { errors } = error as { readonly errors?: readonly Problem[] };
  if (errors === undefined) throw error;
  return errors;
}

/** @returns the refusal that tells of problems, within what is sent */
export function invalidData(problems: readonly Problem[]): BadRequest {
  return new BadRequest('validation failed', { errors: bounded(problems) });
}

function problemOf(error: ErrorObject): Problem {
  const params = error.params as Record<string, unknown>;
  const named = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const base = error.instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  const path = typeof named === 'string' ? [base, named].filter((part) => part !== '').join('.') : base;
  return { path, keyword: error.keyword, message: `${path === '' ? 'the value' : path} ${error.message ?? 'is not valid'}`, params };
}

/** A path and those above it. */
function pathsAbove(path: string): string[] {
  const paths = [path];
  for (let end = path.lastIndexOf('/'); end >= 0; end = path.lastIndexOf('/', end - 1)) {
    paths.push(path.slice(0, end));
    if (end === 0) break;
  }
  return paths;
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
