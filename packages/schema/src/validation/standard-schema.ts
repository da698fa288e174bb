import { BadRequest } from '@framework/errors';
import { MAX_PROBLEMS, type Problem } from '@framework/core';
import { bounded } from './problems.ts';
import type { Validator } from './validator.ts';

/** A validator of another library, for example zod or valibot, by the interface that they share (Standard Schema 1). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What such a validator gives. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One problem that such a validator found. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** @returns whether a value is such a validator; some libraries make functions of them */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return typeof (value as Partial<StandardSchema>)['~standard']?.validate === 'function';
}

/**
 * Makes a validator of a schema of another library.
 *
 * @returns resolves to what the schema gives; rejects with BadRequest (400) that lists the problems in `errors`, at most 20
 */
export function standardValidator<Output>(schema: StandardSchema<unknown, Output>): Validator<Output> {
  return async (value) => {
    const result = await schema['~standard'].validate(value);
    if (result.issues === undefined) return result.value;
    throw new BadRequest('validation failed', { errors: bounded(result.issues.slice(0, MAX_PROBLEMS).map(problemOf)) });
  };
}

function problemOf({ message, path = [] }: StandardIssue): Problem {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return {
    path: names.join('.'),
    keyword: 'standard',
    message: `${names.length === 0 ? 'the value' : names.join('.')}: ${message}`,
    params: {},
  };
}
