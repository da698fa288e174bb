import {
  authenticating,
  checking,
  checkOptionNames,
  checkOptionValues,
  copyParams,
  guard,
  LOGIN_STRATEGY,
  loginMarks,
  loginResult,
  noAuthentication,
  stripSlashes,
  type CheckedMethod,
  type HookContext,
  type LoginMarks,
  type NextFunction,
  type OptionKind,
  type Params,
} from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type { AuthenticationBase } from '../authentication-base.ts';
import type { AuthenticationApplication, AuthenticationResult } from '../authentication-types.ts';
import { missingStrategies, registered } from '../configuration/check-strategies.ts';
import { findAuthentication } from '../find-authentication.ts';
import { innerParams } from '../inner-params.ts';
import { CALL, refuseOutOfScope, SCOPES_CLAIM } from '../machine/scopes.ts';
import { property } from '../values.ts';

/** Options of {@link authenticate}. */
export interface AuthenticateHookSettings {
  /** Path of the authentication service. Default: the default one. */
  service?: string;
  /** Names of the allowed strategies; at least one. */
  strategies: readonly string[];
}

const KINDS: Readonly<Record<keyof AuthenticateHookSettings, OptionKind>> = { service: 'name', strategies: 'names' };
const SETTINGS: ReadonlySet<string> = new Set(Object.keys(KINDS));

/**
 * Hook that authenticates a call with `params.authentication` and merges the result, for example `user`, into `params`.
 * Calls from outside without authentication are refused, calls on the server pass. Works as a before and an around hook; as a
 * before hook it is a guard, which runs before what came in is checked.
 *
 * @param first a strategy name, or options
 * @param more further strategy names
 * @throws Error when no strategy is given; TypeError for an unknown option, for one that is of another kind, and when it runs as a hook itself, since it was not called
 * @throws Error when the application is set up, for strategies of which none is registered, and for a service that there is not
 * @throws NotAuthenticated (401) when the hook runs; TypeError when it runs as middleware, for which `@framework/transport-express` has another
 * @see interface 5.2, 5.3
 */
export function authenticate(
  first: string | AuthenticateHookSettings,
  ...more: string[]
): (context: HookContext, next?: NextFunction) => Promise<void> {
  // Listed as it is, and not called, it gets the context, or a request.
  if (typeof first === 'object' && first !== null && ('params' in first || 'httpVersion' in first))
    throw new TypeError("The authenticate hook was listed without being called: list it called, as authenticate('jwt')");
  // Callers without types may leave them out, and give anything.
  const settings: Partial<AuthenticateHookSettings> =
    typeof first === 'object' ? first : { strategies: first === undefined ? [] : [first, ...more] };
  checkOptionNames('The authenticate hook', settings, SETTINGS);
  checkOptionValues('the authenticate hook', settings, KINDS);
  const { strategies = [] } = settings;
  if (strategies.length === 0) throw new Error('The authenticate hook needs at least one allowed strategy');

  const run = async (context: HookContext, next?: NextFunction): Promise<void> => {
    await verify(context, settings.service, strategies);
    if (context.type === 'around' || (context.type as string | undefined) === undefined) await next?.();
  };
  const hook = guard((context: HookContext, next?: NextFunction): Promise<void> => {
    // Thrown and not rejected: Express 4 would see nothing of that.
    if ('httpVersion' in context)
      throw new TypeError(
        'This authenticate() is a hook, of @framework/authentication: middleware is that of @framework/transport-express',
      );
    return run(context, next);
  });
  // So that tools which list hooks can tell what the method asks for.
  authenticating(hook, { strategies, service: settings.service });
  checking(hook, (called) => checkAtStart(called, settings.service, strategies));
  return Object.defineProperty(hook, 'name', { value: `authenticate(${strategies.join(', ')})` });
}

async function verify(context: HookContext, path: string | undefined, strategies: readonly string[]): Promise<void> {
  const type = context.type as string | undefined;
  if (type !== undefined && type !== 'before' && type !== 'around')
    throw new NotAuthenticated('The authenticate hook must be used as a before hook');
  const service = findAuthentication(context.app as AuthenticationApplication, path);
  if (!service) throw noAuthentication(context.app as AuthenticationApplication);
  if (isSame(service, context.service))
    throw new NotAuthenticated('The authenticate hook does not need to be used on the authentication service');

  const { params } = context;
  if (params.authenticated === true && isLetIn(params, service, strategies)) {
    refuseOtherMethods(context);
    return;
  }
  if (params.authentication || params.provider !== undefined) checkNames(service, strategies, context);
  if (params.authentication) {
    const inner = innerParams(params, { [CALL]: { path: context.path, method: context.method }, authenticated: true });
    const result = loginResult(service, await service.authenticate(params.authentication, inner, ...strategies));
    context.params = authenticatedParams(params, result, service);
    inScope.add(context);
  } else if (params.provider !== undefined) throw new NotAuthenticated('Not authenticated');
}

/**
 * Whether a call that was authenticated needs no more: it is one of the server, or nobody says by whom and what, or what this hook asks for has let the
 * caller in. What another hook asks for, such as that of a service which calls this one on behalf of its caller, may be less.
 */
function isLetIn(params: Params, service: AuthenticationBase, strategies: readonly string[]): boolean {
  const { provider, [LOGIN_STRATEGY]: by } = params as Params & Partial<LoginMarks>;
  if (provider === undefined || by === undefined) return true;
  return by.isOf(service) && by.name !== undefined && strategies.includes(by.name);
}

/** Calls that were authenticated with the scopes of their credentials, at whichever path the hook saw them. */
const inScope = new WeakSet<HookContext>();

/**
 * Looks at the scopes for a call that another one makes on behalf of its caller.
 *
 * @throws Forbidden (403)
 */
function refuseOtherMethods(context: HookContext): void {
  const { provider, authentication } = context.params;
  if (provider === undefined || inScope.has(context)) return;
  refuseOutOfScope(property(authentication?.payload, SCOPES_CLAIM), context);
}

/** Hooks of which one name was told to be wrong. */
const told = new WeakSet<readonly string[]>();

/** Of an application that has no authentication service yet nothing is said: one may come. */
function checkAtStart(called: CheckedMethod, path: string | undefined, strategies: readonly string[]): void {
  refuseTooLate(called, strategies);
  const app = called.app as AuthenticationApplication;
  const service = path === undefined ? findAuthentication(app) : named(app, path, called);
  if (service && !isSame(service, property(app.services, called.path))) checkNames(service, strategies, called);
}

/** The method has been called where this would run, and an error hook runs for no call that succeeds. */
function refuseTooLate({ type, path, method }: CheckedMethod, strategies: readonly string[]): void {
  if (type === 'before' || type === 'around') return;
  throw new Error(
    `authenticate(${quoted(strategies)}) at '${path}.${method}' is listed as an ${type} hook, where it guards nothing: list it as a before or around hook`,
  );
}

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

function named(app: AuthenticationApplication, asked: string, { path, method }: CheckedMethod): AuthenticationBase {
  const service = property(app.services, stripSlashes(asked) || '/');
  if (typeof property(service, 'authenticate') === 'function') return service as AuthenticationBase;
  throw new Error(
    `authenticate({ service: '${asked}' }) at '${path}.${method}': ${service === undefined ? 'there is no service of that path' : 'that service authenticates nobody'}. Name the path of an authentication service`,
  );
}

/** A strategy that nobody registered lets nobody in: whoever wrote the hook is told so, and not the caller. */
function checkNames(
  service: AuthenticationBase,
  strategies: readonly string[],
  { path, method }: Pick<CheckedMethod, 'path' | 'method'>,
): void {
  const missing = missingStrategies(service, strategies);
  if (missing.length === 0 || told.has(strategies)) return;
  const message = `authenticate(${quoted(strategies)}) at '${path}.${method}': no strategy ${quoted(missing)} is registered (${registered(service)})`;
  if (missing.length === strategies.length) throw new Error(message);
  told.add(strategies);
  process.emitWarning(message);
}

/** The token itself is no parameter. */
function authenticatedParams(params: Params, result: AuthenticationResult, service: AuthenticationBase): Params {
  const changes: Record<PropertyKey, unknown> = {};
  for (const name of Object.keys(result)) if (name !== 'accessToken') changes[name] = result[name];
  Object.assign(changes, loginMarks(service, params.authentication?.strategy), { authenticated: true });
  return copyParams(params, changes);
}

function isSame(service: AuthenticationBase, other: unknown): boolean {
  return service === other || (typeof other === 'object' && other !== null && Object.getPrototypeOf(other) === service);
}
