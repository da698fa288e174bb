import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationStrategy } from '../authentication-types.ts';

/** Whoever wrote one of these was told. */
const told = new WeakSet<AuthenticationStrategy>();

/**
 * Looks at what a strategy gave: strategies without types may say with `false`, or with an error that they give back, that nobody is let in.
 *
 * @param name of the strategy, for the warning
 * @throws NotAuthenticated (401) for what is no object; the error that was given
 */
export function refuseNoResult(name: string, strategy: AuthenticationStrategy, given: unknown): void {
  if (given instanceof Error) throw given;
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  if (!told.has(strategy)) {
    told.add(strategy);
    process.emitWarning(
      `authenticate() of the strategy '${name}' gave ${textOf(given)}, which lets nobody in. It gives an object, such as { authentication: { strategy: '${name}' } }, or throws NotAuthenticated`,
      { code: 'NO_LOGIN_RESULT' },
    );
  }
  throw new NotAuthenticated('Invalid authentication information');
}

/** What was given may be as good as a secret. */
function textOf(given: unknown): string {
  if (Array.isArray(given)) return 'a list';
  return given === null || given === undefined || typeof given === 'boolean' ? String(given) : `a ${typeof given}`;
}
