import { copyParams, type HookContext } from '@framework/core';
import { declaring } from '@framework/query';
import type { DataValidators } from '../validation/data-validator.ts';
import type { SchemaWrapper } from '../validation/schema-wrapper.ts';
import type { Validator } from '../validation/validator.ts';
import { isCompiledByAjv, refusalOf } from './of-ajv.ts';
import { validatedEach } from './each-entry.ts';
import { beforeHook, type BeforeHook } from './hook-form.ts';
import { withOperatorHint } from './operator-hint.ts';

/**
 * What checks values: made by `getValidator`, or by `schema`. A function of one's own gives the checked value, or rejects; asynchronous validators of Ajv, as
 * `getValidator` of FeathersJS makes them, do so.
 */
export type Checking = Validator | ((value: unknown) => Promise<unknown>) | Pick<SchemaWrapper, 'validator'>;

/**
 * Hook that checks and converts `params.query`. The service's own checks stay in force beneath it (security S4).
 *
 * @param checking made by `getValidator(querySyntax(…))`
 * @throws TypeError at once for what is no validator; BadRequest (400) when the hook runs, with the problems in `errors`, at most 20
 */
export function validateQuery(checking: Checking): BeforeHook {
  const validator = validatorIn(checking, 'validateQuery');
  return beforeHook((context) => convertQuery(context, validator));
}

/**
 * Checks and converts the query of a call, and tells the service which dotted paths the schema declares.
 *
 * @param besides further properties of the parameters of a call whose query was checked. Default: none
 */
export async function convertQuery(context: HookContext, validator: Validator, besides?: object): Promise<void> {
  const { params } = context;
  let query: Record<string, unknown>;
  try {
    query = (await validator(params.query ?? {})) as Record<string, unknown>;
  } catch (error) {
    throw withOperatorHint(refusalOf(error));
  }
  const { declaredPaths: paths } = validator;
  context.params = copyParams(params, { query, ...(paths ? declaring(params, context.service, { paths }) : {}), ...besides });
}

/**
 * Hook that checks and converts other parameters, for example the values of the placeholders in a service's path, which come
 * as texts: `validateParams({ route: getValidator(Type.Object({ userId: Type.Integer() })) })`.
 *
 * @param validators a validator for each property of `params` that is to be checked
 * @throws TypeError at once for what is no validator; BadRequest (400) when the hook runs, with the problems in `errors`, at most 20
 */
export function validateParams(validators: Readonly<Record<string, Checking>>): BeforeHook {
  const byName = validatorsIn(validators, 'validateParams');
  return beforeHook(async (context) => {
    const { params } = context;
    const changes: Record<string, unknown> = {};
    try {
      for (const [name, validator] of byName) changes[name] = await validator(Reflect.get(params, name));
    } catch (error) {
      throw refusalOf(error);
    }
    context.params = copyParams(params, changes);
  });
}

/**
 * Hook that checks and converts the data of a call, each record of a list.
 *
 * @param checking one validator, or one for each method
 * @throws TypeError at once for what is no validator; BadRequest (400) when the hook runs, with the problems in `errors`, at most 20
 */
export function validateData(checking: Checking | Partial<Record<keyof DataValidators, Checking>>): BeforeHook {
  const one = isChecking(checking) ? validatorIn(checking, 'validateData') : undefined;
  const byMethod = one === undefined ? validatorsIn(checking as Partial<Record<string, Checking>>, 'validateData') : undefined;
  return beforeHook(async (context) => {
    const validator = one ?? byMethod?.get(context.method);
    if (validator && context.data !== undefined) context.data = await validatedEach(context.data, validator);
  });
}

function isChecking(given: unknown): given is Checking {
  return typeof given === 'function' || (typeof given === 'object' && given !== null && 'validator' in given);
}

function validatorIn(given: Checking, hook: string): Validator {
  const validator: unknown = isChecking(given) && typeof given !== 'function' ? given.validator : given;
  if (typeof validator !== 'function') throw noValidator(validator, hook);
  if (isCompiledByAjv(validator))
    throw new TypeError(
      `${hook} got what ajv.compile() makes, which says whether a value is right and gives none: take getValidator(schema, ajv)`,
    );
  return validator as Validator;
}

function validatorsIn(given: Readonly<Record<string, Checking | undefined>>, hook: string): ReadonlyMap<string, Validator> {
  if (typeof given !== 'object' || given === null) throw noValidator(given, hook);
  const named = Object.entries(given).filter((entry): entry is [string, Checking] => entry[1] !== undefined);
  if (named.length === 0) throw noValidator(given, hook);
  return new Map(named.map(([name, checking]) => [name, validatorIn(checking, hook)]));
}

/** It would check nothing, or fail with each call. */
function noValidator(given: unknown, hook: string): TypeError {
  return new TypeError(`${hook} takes validators, as getValidator(schema) makes them, and not ${given === null ? 'null' : typeof given}`);
}
