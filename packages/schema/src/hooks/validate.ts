import { copyParams, type HookContext } from '@framework/core';
import { declaring } from '@framework/query';
import type { DataValidators } from '../validation/data-validator.ts';
import type { Validator } from '../validation/validator.ts';
import { validatedEach } from './each-entry.ts';
import { beforeHook, type BeforeHook } from './hook-form.ts';

/**
 * Hook that checks and converts `params.query`. The service's own checks stay in force beneath it (security S4).
 *
 * @param validator made by `getValidator(querySyntax(…))`
 * @throws BadRequest (400) when the hook runs, with the problems in `errors`, at most 20
 */
export function validateQuery(validator: Validator): BeforeHook {
  return beforeHook((context) => convertQuery(context, validator));
}

/** Checks and converts the query of a call, and tells the service which dotted paths the schema declares. */
export async function convertQuery(context: HookContext, validator: Validator): Promise<void> {
  const { params } = context;
  const query = (await validator(params.query ?? {})) as Record<string, unknown>;
  const { declaredPaths: paths } = validator;
  context.params = copyParams(params, paths ? { query, ...declaring(params, context.service, { paths }) } : { query });
}

/**
 * Hook that checks and converts other parameters, for example the values of the placeholders in a service's path, which come
 * as texts: `validateParams({ route: getValidator(Type.Object({ userId: Type.Integer() })) })`.
 *
 * @param validators a validator for each property of `params` that is to be checked
 * @throws BadRequest (400) when the hook runs, with the problems in `errors`, at most 20
 */
export function validateParams(validators: Readonly<Record<string, Validator>>): BeforeHook {
  return beforeHook(async (context) => {
    const { params } = context;
    const changes: Record<string, unknown> = {};
    for (const [name, validator] of Object.entries(validators)) changes[name] = await validator(Reflect.get(params, name));
    context.params = copyParams(params, changes);
  });
}

/**
 * Hook that checks and converts the data of a call, each record of a list.
 *
 * @param validators one validator, or one for each method
 * @throws BadRequest (400) when the hook runs, with the problems in `errors`, at most 20
 */
export function validateData(validators: Validator | Partial<DataValidators>): BeforeHook {
  return beforeHook(async (context) => {
    const validator = typeof validators === 'function' ? validators : validators[context.method as keyof DataValidators];
    if (validator && context.data !== undefined) context.data = await validatedEach(context.data, validator);
  });
}
