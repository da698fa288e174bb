import { BadRequest, isFrameworkError } from '@framework/errors';
import { FURTHER_OPERATORS } from '@framework/query';

/**
 * What is told of a query that names an operator which the schema does not: whoever has listed it in the options of the service, whose own checks ask for no
 * more, reads what is missing. It says what everybody may read of the syntax.
 *
 * @returns the error with a hint beside its problems; any other as it is
 */
export function withOperatorHint(error: unknown): unknown {
  if (!isFrameworkError(error) || error.code !== 400 || !Array.isArray(error.errors)) return error;
  const refused = (error.errors as readonly unknown[]).map(operatorOf).find((name) => name !== undefined);
  if (refused === undefined) return error;
  const hint = `Add ${refused} to 'extensions' of the service's schema, and to its option 'operators', to allow it`;
  return new BadRequest(error.message, { ...(error.data as object | undefined), hint, errors: error.errors as unknown[] });
}

/** Where conditions stand beside each other: operators stand below their properties. */
const AMONG_CONDITIONS = /(?:^|\.)\$(?:and|or)\.\d+$/;

/** @returns the operator below a property that a problem is about; `undefined` for all other problems, and for `$nor`, which stands below none */
function operatorOf(problem: unknown): string | undefined {
  const { path, keyword, params } = (problem ?? {}) as Partial<Readonly<Record<string, unknown>>>;
  if (keyword !== 'additionalProperties' || typeof path !== 'string') return undefined;
  const { additionalProperty: name } = (params ?? {}) as { readonly additionalProperty?: unknown };
  if (typeof name !== 'string' || name === '$nor' || !FURTHER_OPERATORS.includes(name) || !path.endsWith(`.${name}`)) return undefined;
  return AMONG_CONDITIONS.test(path.slice(0, -name.length - 1)) ? undefined : name;
}
