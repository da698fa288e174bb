import { BadRequest, Forbidden } from '@framework/errors';

/** Claim that says what a machine token may do (RFC 7519 4.3: a name that nobody else uses). */
export const SCOPES_CLAIM = 'framework:scopes';

/** Which service method a call authenticates for; the authenticate hook puts it into the parameters. */
export const CALL: unique symbol = Symbol('framework.call');

/** A service method. */
export interface CalledMethod {
  readonly path: string;
  readonly method: string;
}

/** As the service's path is written: without slashes around it, of which the outermost one alone has one. It may hold colons and spaces. */
const PATH = /\/|(?![\s/])[^*\p{Cc}]*[^*\s/\p{Cc}]/u;
const METHOD = /\*|[^\s*:/\p{Cc}]+(?: [^\s*:/\p{Cc}]+)*/u;

/** `*` for everything, `orders:*` for a service, `orders:find` for a method. */
const SCOPE = new RegExp(`^(?:\\*|(?:${PATH.source}):(?:${METHOD.source}))$`, 'u');

/**
 * Checks scopes that somebody wants to give.
 *
 * @param scopes `service:method`, `service:*` or `*`; `undefined` for everything that the entity may do
 * @throws BadRequest (400) for any other form
 */
export function checkScopes(scopes: unknown): readonly string[] | null {
  if (scopes === undefined || scopes === null) return null;
  if (!Array.isArray(scopes) || scopes.length === 0 || scopes.length > 100) throw new BadRequest('scopes must be a list of 1 to 100 texts');
  const list: unknown[] = scopes;
  if (!list.every(isScope)) throw new BadRequest("A scope is 'service:method', 'service:*' or '*', with the path of the service");
  return [...list];
}

function isScope(scope: unknown): scope is string {
  return typeof scope === 'string' && scope.length <= 200 && SCOPE.test(scope);
}

/**
 * Refuses a call that the scopes of its token or key do not name.
 *
 * @param scopes claim of the token; anything that is no list names nothing
 * @param call the call; `undefined` where it is no service method, which only `*` allows
 * @throws Forbidden (403)
 */
export function refuseOutOfScope(scopes: unknown, call: CalledMethod | undefined): void {
  if (scopes === undefined) return;
  const list: unknown[] = Array.isArray(scopes) ? scopes : [];
  const allowed = list.some((scope) => scope === '*' || (call && (scope === `${call.path}:*` || scope === `${call.path}:${call.method}`)));
  if (!allowed) throw new Forbidden('The token or key is not for this', { name: 'insufficient_scope' });
}
