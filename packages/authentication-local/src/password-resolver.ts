import { BadRequest } from '@framework/errors';
import { findPasswordHasher } from './find-local-strategy.ts';
import { isHashed } from './password/is-hashed.ts';

/** What the resolver reads of a hook context. */
interface ResolverContext {
  readonly app: unknown;
  readonly params?: object;
}

/**
 * Property resolver that hashes a password.
 *
 * @param options name of the strategy, and path of the authentication service when it is not the default one
 * @returns resolves to the hash, or to `undefined` when there is no password
 * @throws BadRequest (400) when the resolver runs and the password is no text
 */
export function passwordHash(options: {
  strategy: string;
  service?: string;
}): (value: unknown, record: unknown, context: ResolverContext) => Promise<string | undefined> {
  return async (value, _record, context) => {
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new BadRequest('The password must be text');
    if (isHashed(context.params)) return value;
    return findPasswordHasher(context.app, options.strategy, options.service).hashPassword(value, context.params);
  };
}
