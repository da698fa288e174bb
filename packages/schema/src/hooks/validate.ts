import type { HookContext } from '@framework/core';
import type { DataValidators, Validator } from '../validation/validator.ts';
import { beforeHook, type BeforeHook } from './hook-form.ts';

/**
 * Hook that checks and converts `params.query`. The service's own checks stay in force beneath it (security S4).
 *
 * @param validator made by `getValidator(querySyntax(…))`
 * @throws BadRequest (400) when the hook runs, with every problem in `errors`
 */
export function validateQuery(validator: Validator): BeforeHook {
  return beforeHook(async (context) => {
    const query = await validator(context.params.query ?? {});
    context.params = { ...context.params, query: query as Record<string, unknown> };
  });
}

/**
 * Hook that checks and converts the data of a call, each record of a list.
 *
 * @param validators one validator, or one for each method
 * @throws BadRequest (400) when the hook runs, with every problem in `errors`
 */
export function validateData(validators: Validator | Partial<DataValidators>): BeforeHook {
  return beforeHook(async (context) => {
    const validator = typeof validators === 'function' ? validators : validators[context.method as keyof DataValidators];
    if (validator && context.data !== undefined) context.data = await eachEntry(context.data, validator);
  });
}

/** @returns the results for each entry of a list, or for the one value */
export async function eachEntry(data: HookContext['data'], of: (entry: unknown) => Promise<unknown>): Promise<unknown> {
  return Array.isArray(data) ? Promise.all(data.map(of)) : of(data);
}
