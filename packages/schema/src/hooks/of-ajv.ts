import { BadRequest } from '@framework/errors';
import type { ErrorObject } from 'ajv';
import { problemsOf } from '../validation/problems.ts';

/**
 * What is told of what a check has thrown. It is asked where one fails, since a function around each check would cost as much as a small check.
 *
 * @returns BadRequest (400) with the problems in `errors` for what asynchronous validators of Ajv throw, of whatever copy; all else as it is
 */
export function refusalOf(error: unknown): unknown {
  return isOfAjv(error) ? new BadRequest('validation failed', { errors: problemsOf(error.errors) }) : error;
}

/** @returns whether a function is a synchronous one of Ajv, which gives `true` or `false` and not the value */
export function isCompiledByAjv(validator: object): boolean {
  return 'schemaEnv' in validator && !('$async' in validator && validator.$async === true);
}

function isOfAjv(error: unknown): error is { readonly errors: readonly ErrorObject[] } {
  const { ajv, errors } = (error ?? {}) as { readonly ajv?: unknown; readonly errors?: unknown };
  return ajv === true && Array.isArray(errors) && errors.every(isErrorObject);
}

function isErrorObject(error: unknown): error is ErrorObject {
  const { instancePath, keyword, params } = (error ?? {}) as Partial<ErrorObject>;
  return typeof instancePath === 'string' && typeof keyword === 'string' && typeof params === 'object';
}
