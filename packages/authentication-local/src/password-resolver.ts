import { isSameSecret } from '@framework/authentication';
import { checkOptionNames, checkOptionValues, partsOf, type OptionKind } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { isRecord } from './field-path.ts';
import { findPasswordHasher } from './find-local-strategy.ts';
import { oneByOne } from './password/one-by-one.ts';

/** What the resolver reads of a hook context. */
interface ResolverContext {
  readonly app: unknown;
  readonly params?: object;
}

const KINDS: Readonly<Record<string, OptionKind>> = { strategy: 'name', service: 'name' };
const OPTIONS: ReadonlySet<string> = new Set(Object.keys(KINDS));

/** Operators whose values are resolved, or that store nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['$set', '$setOnInsert', '$unset']);

/**
 * Property resolver that hashes a password, also below `$set`.
 *
 * @param options name of the strategy, and path of the authentication service when it is not the default one
 * @returns resolves to the hash, or to `undefined` when there is no password
 * @throws TypeError for an unknown option, or one that is of another kind or missing
 * @throws BadRequest (400) when the resolver runs and the password is no text, is set by an operator that would store it as it is, or is one of too many
 */
export function passwordHash(options: {
  strategy: string;
  service?: string;
}): (
  value: unknown,
  record: unknown,
  context: ResolverContext,
  status?: { readonly path: readonly string[] },
) => Promise<string | undefined> {
  checkOptionNames('passwordHash()', options, OPTIONS);
  checkOptionValues('passwordHash()', options, KINDS);
  // Callers without types may leave it out.
  if (!('strategy' in options)) throw new TypeError("passwordHash() needs the name of the strategy: passwordHash({ strategy: 'local' })");
  return async (value, record, context, status) => {
    if (isSameSecret(value, context.params)) return value;
    refuseOperators(record, status?.path.at(-1));
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new BadRequest('The password must be text');
    const hasher = findPasswordHasher(context.app, options.strategy, options.service);
    return oneByOne(context, async () => hasher.hashPassword(value, context.params));
  };
}

function refuseOperators(data: unknown, field: string | undefined): void {
  if (!isRecord(data) || field === undefined) return;
  for (const [operator, operands] of Object.entries(data)) {
    if (!operator.startsWith('$') || !isRecord(operands)) continue;
    const paths = Object.entries(operands).flatMap(([path, to]) =>
      operator === '$rename' && typeof to === 'string' ? [path, to] : [path],
    );
    const concerned = paths.filter((path) => partsOf(path)[0] === field && !(HARMLESS.has(operator) && path === field));
    if (concerned.length > 0) throw new BadRequest(`'${field}' can not be changed by ${operator}: set it`);
  }
}
