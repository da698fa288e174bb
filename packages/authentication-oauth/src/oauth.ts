import { AuthenticationService, authenticate, findAuthentication, type AuthenticationApplication } from '@framework/authentication';
import { checkOptionNames, describesItself, keepUnpublished, stripSlashes } from '@framework/core';
import { OAuthHost } from './host.ts';
import type { Fetch } from './provider/bounded-fetch.ts';
import { answerFlow } from './services/answer.ts';
import { OAuthBackchannelService } from './services/backchannel-service.ts';
import { OAuthCallbackService } from './services/callback-service.ts';
import { describeBackchannel, describeBegin, describeCallback, describeLogout } from './services/describe-services.ts';
import { OAuthLogoutService } from './services/logout-service.ts';
import { OAuthService } from './services/oauth-service.ts';
import { oauthSettings } from './settings/oauth-settings.ts';
import { useIdTokens, verifyIdToken } from './strategy/id-tokens.ts';
import { OAuthStrategy } from './strategy/oauth-strategy.ts';
import { exchangeTickets, TICKET_STRATEGY } from './ticket/exchange.ts';
import { OAuthTicketStrategy } from './ticket/ticket-strategy.ts';

/** Options of {@link oauth}. */
export interface OAuthOptions {
  /** Path of the authentication service. Default: the default one. */
  authService?: string;
  /** Strategy that knows who links an identity. Default: `jwt`. */
  linkStrategy?: string;
  /** Sends requests to providers, for example through a proxy. What it gives is bounded all the same. Default: the global `fetch`. */
  fetch?: Fetch;
  /** Sessions of Express and Koa have no part in it; the options of FeathersJS are ignored with a warning. */
  expressSession?: unknown;
  koaSession?: unknown;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof OAuthOptions>(['authService', 'linkStrategy', 'fetch', 'expressSession', 'koaSession']);

interface Registered {
  hooks(map: object): unknown;
}

interface OAuthApplication extends AuthenticationApplication {
  use(path: string, service: object, options?: object): unknown;
}

/**
 * Login with other providers: `app.configure(oauth())`, behind the authentication service. Without `authentication.oauth` it does nothing.
 *
 * @throws Error without an authentication service, and for settings that can not be meant; TypeError for an unknown option, or a `fetch` that is no function
 */
export function oauth(options: OAuthOptions = {}): (app: object) => void {
  checkOptionNames('oauth()', options, OPTIONS);
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new TypeError("The option 'fetch' of oauth() is a function that makes requests as the global fetch does");
  for (const name of ['expressSession', 'koaSession'] as const) {
    if (options[name] !== undefined)
      process.emitWarning(`oauth({ ${name} }) is ignored: logins are kept in an encrypted cookie '__Host-oauth-…' of their own`);
  }
  return (app) => {
    if (!isApplication(app)) throw new Error('oauth() needs an application');
    configure(app, options);
  };
}

function configure(app: OAuthApplication, { authService, linkStrategy = 'jwt', fetch }: OAuthOptions): void {
  // Slashes around a path say nothing.
  const given = authService ?? pathOf(app);
  const path = given === undefined ? undefined : stripSlashes(given) || '/';
  const authentication = path === undefined || !Object.hasOwn(app.services, path) ? undefined : app.service(path);
  if (path === undefined || authentication === undefined)
    throw new Error('An authentication service must exist before registering @framework/authentication-oauth');
  if (!isAuthentication(authentication))
    throw new Error(`oauth() needs an AuthenticationService of @framework/authentication, and the service '${path}' is another`);
  const settings = oauthSettings(app, authentication.configuration);
  if (!settings) return;
  if (typeof authentication.configuration.entity !== 'string' && authentication.configuration.entity !== undefined)
    throw new Error("'authentication.oauth' needs entities: set 'authentication.entity' and 'authentication.service'");
  if (settings.origin === undefined && process.env.NODE_ENV === 'production')
    throw new Error("'authentication.oauth.origin' must be the address of this server, for example https://api.example.com");
  if (settings.response === 'fragment')
    process.emitWarning(
      "'authentication.oauth.response' is 'fragment': access tokens stand in addresses of pages. Use 'ticket' or 'cookie'",
    );
  const host = new OAuthHost(app, path, linkStrategy, fetch);
  for (const name of settings.providers.keys()) {
    const own = authentication.getStrategy(name);
    if (own === undefined) authentication.register(name, new OAuthStrategy());
    else if (!(own instanceof OAuthStrategy))
      throw new Error(
        `The strategy '${name}' is that of the provider of this name in 'authentication.oauth', and has to extend OAuthStrategy of @framework/authentication-oauth`,
      );
  }
  authentication.register(TICKET_STRATEGY, new OAuthTicketStrategy(host.tickets));
  useIdTokens(authentication, {
    verify: (name, idToken, nonce) => verifyIdToken(host.provider(name).provider, [host.used, ...host.usedBeside], idToken, nonce),
  });
  registered(app, path).hooks({ around: { create: [exchangeTickets] } });
  useServices(app, host);
}

function useServices(app: OAuthApplication, host: OAuthHost): void {
  const at = `${host.settings.prefix}/:provider`;
  const link = authenticate({ service: host.path, strategies: [host.linkStrategy] });
  const services = [
    {
      path: `${at}/callback`,
      service: new OAuthCallbackService(host),
      describe: describeCallback,
      methods: ['find', 'create'],
      before: {},
    },
    { path: `${at}/logout`, service: new OAuthLogoutService(host), describe: describeLogout, methods: ['find'], before: {} },
    {
      path: `${at}/backchannel-logout`,
      service: new OAuthBackchannelService(host),
      describe: describeBackchannel,
      methods: ['create'],
      before: {},
    },
    { path: at, service: new OAuthService(host), describe: describeBegin, methods: ['find', 'create'], before: { create: [link] } },
  ];
  for (const { path, service, describe, methods, before } of services) {
    Object.defineProperty(service, describesItself, { value: () => describe(host), configurable: true });
    app.use(path, Object.assign(service, { clientAddress: true }), { methods, events: [] });
    const known = registered(app, path);
    known.hooks({ around: { all: [answerFlow] }, before });
    keepUnpublished(known);
  }
}

function pathOf(app: OAuthApplication): string | undefined {
  const found = findAuthentication(app);
  return found && Object.keys(app.services).find((path) => Reflect.get(app.services, path) === found);
}

function isApplication(app: object): app is OAuthApplication {
  return 'service' in app && typeof app.service === 'function' && 'use' in app && 'services' in app;
}

function isAuthentication(service: unknown): service is AuthenticationService {
  return typeof service === 'object' && service !== null && 'getStrategy' in service && 'revokedTokens' in service;
}

function registered(app: OAuthApplication, path: string): Registered {
  return app.service(path) as Registered;
}
