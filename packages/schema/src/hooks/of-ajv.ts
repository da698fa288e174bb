import { BadRequest } from '@framework/errors';
import type { ErrorObject } from 'ajv';
import { problemsOf } from '../validation/problems.ts';
import type { Validator } from '../validation/validator.ts';

/**
 * Checks a value by a validator, whoever has made it.
 *
 * @param validator one of `getValidator`, or an asynchronous one of Ajv, of whatever copy
 * @returns the checked value
 * @throws BadRequest (400) with the problems in `errors`; what a validator of one's own throws
 */
export async function checkedBy(validator: Validator, value: unknown): Promise<unknown> {
  try {
    return await validator(value);
  } catch (error) {
    if (!isOfAjv(error)) throw error;
    throw new BadRequest('validation failed', { errors: problemsOf(error.errors) });
  }
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
