import { resolveAll, resolveData, resolveExternal, resolveQuery, resolveResult } from './resolve-hooks.ts';
import { validateData, validateParams, validateQuery } from './validate.ts';

/** The hooks of this package. */
export const hooks: Readonly<{
  resolveAll: typeof resolveAll;
  resolveData: typeof resolveData;
  resolveDispatch: typeof resolveExternal;
  resolveExternal: typeof resolveExternal;
  resolveQuery: typeof resolveQuery;
  resolveResult: typeof resolveResult;
  validateData: typeof validateData;
  validateParams: typeof validateParams;
  validateQuery: typeof validateQuery;
}> = Object.freeze({
  resolveAll,
  resolveData,
  resolveDispatch: resolveExternal,
  resolveExternal,
  resolveQuery,
  resolveResult,
  validateData,
  validateParams,
  validateQuery,
});
