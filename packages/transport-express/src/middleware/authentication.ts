import {
  authenticating,
  checkOptionNames,
  checkOptionValues,
  loginMarks,
  loginResult,
  mountedAt,
  noAuthentication,
  type OptionKind,
} from '@framework/core';
import { BadRequest, NotAuthenticated } from '@framework/errors';
import type { RequestHandler } from 'express';
import {
  findAuthentication,
  type AuthenticationHost,
  type AuthenticationPort,
  type AuthenticationRequest,
} from '../authentication-port.ts';
import { keepPrivate } from '../answer/header-policy.ts';
import { pathInApplication } from '../application/nesting.ts';
import { passError } from '../pass-error.ts';
import type { Request, Response } from '../middleware-types.ts';

/** Which authentication service is used, and with which strategies. */
export interface AuthenticationSettings {
  /** Path of the authentication service. Default: the default one. */
  service?: string;
  /** Names of strategies. Default: those of the service's configuration. */
  strategies?: readonly string[];
}

const KINDS: Readonly<Record<keyof AuthenticationSettings, OptionKind>> = { service: 'name', strategies: 'names' };
const SETTINGS: ReadonlySet<string> = new Set(Object.keys(KINDS));

/**
 * Middleware that reads authentication data from each request into `req.framework.authentication`. It verifies nothing.
 * `rest()` registers it for the default authentication service; what says nothing to that is read by those of the mounted applications that the
 * request leads to.
 *
 * @param settings which service and strategies
 * @throws TypeError for unknown settings
 * @throws BadRequest (400) to the error handler when a request has two credentials (security S33)
 * @see interface 4.4, 5.2
 */
export function parseAuthentication(settings: AuthenticationSettings = {}): RequestHandler {
  checkSettings('parseAuthentication()', settings);
  return function parseAuthentication(req, res, next) {
    const finish = (parsed: AuthenticationRequest | null): void => {
      const given = req.authentication;
      if (parsed && given !== undefined) {
        next(twoCredentials());
        return;
      }
      const authentication = given ?? parsed;
      try {
        if (authentication) setAuthentication(req, authentication);
      } catch (error) {
        // What middleware has put on the request may be anything.
        passError(next)(error);
        return;
      }
      next();
    };
    const readInside = (): void => {
      const inside = settings.service === undefined ? authenticationInside(req) : [];
      if (inside.length === 0) finish(null);
      else parseFirst(inside, settings, req, res).then(finish, passError(next));
    };
    const service = findAuthentication(hostOf(req), settings.service);
    const strategies = service ? parseStrategies(service, settings) : [];
    if (!service || strategies.length === 0) {
      readInside();
      return;
    }
    service.parse(req, res, ...strategies).then((parsed) => {
      if (parsed) finish(parsed);
      else readInside();
    }, passError(next));
  };
}

/** The default authentication services of the mounted applications that a request leads to, whose guards ask them. */
function authenticationInside(req: Request): readonly AuthenticationPort[] {
  try {
    const mounted = mountedAt(hostOf(req), pathInApplication(req));
    return mounted.map((app) => findAuthentication(app as AuthenticationHost)).filter((service) => service !== undefined);
  } catch {
    // Whoever looks for the service of a path that is not right refuses it.
    return [];
  }
}

async function parseFirst(
  services: readonly AuthenticationPort[],
  settings: AuthenticationSettings,
  req: Request,
  res: Response,
): Promise<AuthenticationRequest | null> {
  for (const service of services) {
    const parsed = await service.parse(req, res, ...parseStrategies(service, settings));
    if (parsed) return parsed;
  }
  return null;
}

/** Callers without types may give anything. */
function checkSettings(of: string, settings: AuthenticationSettings): void {
  checkOptionNames(of, settings, SETTINGS);
  checkOptionValues(of, settings, KINDS);
}

function parseStrategies(service: AuthenticationPort, settings: AuthenticationSettings): readonly string[] {
  const { parseStrategies: parsing, authStrategies } = service.configuration;
  return settings.strategies ?? parsing ?? authStrategies ?? [];
}

function setAuthentication(req: Request, given: AuthenticationRequest): void {
  const authentication = isVerified(req, given) ? { ...req.framework?.authentication, ...given } : given;
  // Node.js 20 is slow at adding properties to a copy made by spreading.
  req.framework = Object.assign({}, req.framework, { authentication });
}

/** Whether credentials were verified in front: what is known then says more of them, such as the claims of the token. */
function isVerified(req: Request, given: AuthenticationRequest): boolean {
  const { authentication: known, authenticated } = req.framework ?? {};
  if (authenticated !== true || known === undefined || known.accessToken !== given.accessToken) return false;
  return given.accessToken !== undefined || known.strategy === given.strategy;
}

/**
 * The credentials that middleware beside a service has set as `req.authentication`, behind where those of the request are read.
 *
 * @throws BadRequest (400) where the request has others too (security S33)
 */
export function givenCredentials(req: Request): AuthenticationRequest | undefined {
  const { authentication: given, framework } = req;
  const known = framework?.authentication;
  if (given !== undefined && known && known !== given && !isVerified(req, given)) throw twoCredentials();
  return given;
}

/**
 * Middleware that protects the handlers behind it: it verifies the request's authentication data and puts the result,
 * for example `user`, on `req.framework`.
 *
 * What such a handler answers is for its user's own client (`Cache-Control: private, no-cache`), unless it says otherwise.
 *
 * Without a name it is the default authentication service that verifies; where the application has none, that of the mounted one that the request leads to.
 *
 * @param first a strategy name, or an object with service and strategies
 * @param more further strategy names
 * @throws Error when no strategy is given
 * @throws TypeError for unknown settings; when it runs as a hook, for which `@framework/authentication` has another
 * @throws NotAuthenticated (401) to the error handler when the request does not authenticate
 * @throws BadRequest (400) to the error handler when a request has two credentials (security S33)
 * @see interface 4.4, 5.2
 */
export function authenticate(first: string | AuthenticationSettings, ...more: string[]): RequestHandler {
  // Listed among hooks as it is, and not called, it gets a context.
  if (typeof first === 'object' && first !== null && 'params' in first)
    throw new TypeError(
      "This authenticate() is middleware, of @framework/transport-express, and was listed without being called: hooks take authenticate('jwt') of @framework/authentication",
    );
  const settings: AuthenticationSettings = typeof first === 'string' ? { strategies: [first, ...more] } : (first ?? {});
  checkSettings('authenticate()', settings);
  const strategies = settings.strategies ?? [];
  if (strategies.length === 0)
    throw new Error("The authenticate middleware needs at least one allowed strategy, for example authenticate('jwt')");
  const handler: RequestHandler = function authenticate(req, res, next) {
    // A hook gets a context, and `next` as its second argument if at all.
    if (typeof next !== 'function')
      throw new TypeError(
        'This authenticate() is middleware, of @framework/transport-express: hooks take that of @framework/authentication',
      );
    verify(req, res, settings.service, strategies).then(() => {
      next();
    }, passError(next));
  };
  // Beside a service it is a part of what documents tell of that.
  return authenticating(handler, { strategies, service: settings.service });
}

async function verify(req: Request, res: Response, path: string | undefined, strategies: readonly string[]): Promise<void> {
  const service = findAuthentication(hostOf(req), path) ?? (path === undefined ? authenticationInside(req).at(-1) : undefined);
  if (!service) throw noAuthentication(hostOf(req), path);
  const data = await credentials(req, res, service, strategies);
  if (!data) throw new NotAuthenticated('Not authenticated');
  const { provider: _provider, authentication: _authentication, ...params } = req.framework ?? {};
  const headers = { headers: req.headers, query: {} };
  const given = await service.authenticate(data, { ...headers, ...params }, ...strategies);
  const { accessToken: _accessToken, ...result } = loginResult(service, given);
  req.framework = { ...req.framework, ...result, authenticated: true, ...loginMarks(service, data.strategy) };
  keepPrivate(res);
}

/** What a middleware has set, or what the request's headers say; both is one too many. */
async function credentials(
  req: Request,
  res: Response,
  service: AuthenticationPort,
  strategies: readonly string[],
): Promise<AuthenticationRequest | null> {
  const { authentication: given } = req;
  // The middleware of a non-default service stands for itself: nothing has parsed the request for it yet.
  const parsed = req.framework?.authentication ?? (await service.parse(req, res, ...strategies));
  if (given !== undefined && parsed && parsed !== given) throw twoCredentials();
  return given ?? parsed;
}

function twoCredentials(): BadRequest {
  return new BadRequest('The request has two credentials. Send one');
}

/** The application with services: the request's own, or one that it is mounted in (a plain Express application has none). */
function hostOf(req: Request): AuthenticationHost {
  type Mounted = Partial<AuthenticationHost> & { readonly parent?: Mounted };
  for (let app = req.app as unknown as Mounted | undefined; app; app = app.parent) {
    if (app.services !== undefined) return app as AuthenticationHost;
  }
  throw new Error('The application is not wrapped by express(app): it has no services');
}
