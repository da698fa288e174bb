import { MAX_PROBLEMS, type HookContext, type Problem } from '@framework/core';
import { BadRequest, isFrameworkError } from '@framework/errors';
import { bounded } from '../validation/problems.ts';
import { refusalOf } from './of-ajv.ts';

/** @returns the results for each entry of a list, or for the one value */
export async function eachEntry(data: HookContext['data'], of: (entry: unknown) => Promise<unknown>): Promise<unknown> {
  return Array.isArray(data) ? Promise.all(data.map(of)) : of(data);
}

/**
 * Checks each entry of a list, or the one value, and stops where there is no more to tell.
 *
 * @throws BadRequest (400) with the problems in `errors`; paths in a list begin with the position of the entry
 */
export async function validatedEach(data: HookContext['data'], check: (entry: unknown) => Promise<unknown>): Promise<unknown> {
  if (!Array.isArray(data)) {
    try {
      return await check(data);
    } catch (error) {
      throw refusalOf(error);
    }
  }
  const checked: unknown[] = [];
  const problems: Problem[] = [];
  const list: readonly unknown[] = data;
  for (const [index, entry] of list.entries()) {
    try {
      checked.push(await check(entry));
    } catch (error) {
      const refusal = refusalOf(error);
      const found = problemsIn(refusal);
      if (!found) throw refusal;
      problems.push(...found.map((problem) => at(problem, String(index))));
    }
    if (problems.length >= MAX_PROBLEMS) break;
  }
  if (problems.length > 0) throw new BadRequest('validation failed', { errors: bounded(problems) });
  return checked;
}

function problemsIn(error: unknown): readonly Problem[] | undefined {
  if (!isFrameworkError(error) || error.code !== 400) return undefined;
  const errors: unknown = error.errors;
  return Array.isArray(errors) && errors.every(isProblem) ? errors : undefined;
}

/** A check of one's own may tell its errors in a form of its own. */
function isProblem(error: unknown): error is Problem {
  const { path, message, params } = (error ?? {}) as Partial<Problem>;
  return typeof path === 'string' && typeof message === 'string' && typeof params === 'object';
}

function at(problem: Problem, position: string): Problem {
  const { path, message } = problem;
  const inner = path === '' ? position : `${position}.${path}`;
  return { ...problem, path: inner, message: message.replace(path === '' ? 'the value' : path, () => inner) };
}
