import { isError, NotAuthenticated } from '@framework/errors';

/** Whoever wrote one of these was told. */
const told = new WeakSet<object>();

/**
 * Takes what `authenticate()` of a strategy or of an authentication service gave: those without types may say with `false`, or with an error that they give back,
 * that nobody is let in. Whoever lets a caller in by a result asks this first.
 *
 * @param giver the strategy or the service: of each is told once
 * @param given what it gave
 * @param strategy name of the strategy; none where it is a service
 * @returns what it gave
 * @throws NotAuthenticated (401) for what is no object; the error that was given
 */
export function loginResult<Result>(giver: object, given: Result, strategy?: string): Result & object {
  const value: unknown = given;
  if (isError(value)) throw value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Result & object;
  if (!told.has(giver)) {
    told.add(giver);
    const name = strategy === undefined ? 'the authentication service' : `the strategy '${strategy}'`;
    process.emitWarning(
      `authenticate() of ${name} gave ${textOf(value)}, which lets nobody in. It gives an object, such as { authentication: { strategy: 'jwt' } }, or throws NotAuthenticated`,
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
