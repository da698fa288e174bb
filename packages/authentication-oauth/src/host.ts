import {
  derivedFrom,
  derivedKey,
  MemoryLimiterStore,
  requestIdOf,
  type AuthenticationApplication,
  type AuthenticationConfiguration,
  type AuthenticationParams,
  type AuthenticationService,
  type LimiterStore,
  type SessionStoreService,
} from '@framework/authentication';
import { outermostApplications, tellListeners } from '@framework/core';
import { NotFound, Unavailable } from '@framework/errors';
import { hkdfSync, randomUUID } from 'node:crypto';
import { errorCode, reasonOf } from './errors.ts';
import type { FlowCookieOptions } from './flow/flow-cookies.ts';
import { Used } from './flow/used.ts';
import type { Fetch } from './provider/bounded-fetch.ts';
import { Provider } from './provider/provider.ts';
import { oauthSettings, type OAuthSettings } from './settings/oauth-settings.ts';
import { OAuthStrategy } from './strategy/oauth-strategy.ts';
import { Tickets } from './ticket/tickets.ts';

/** What the event `oauth-failed` tells; neither codes nor tokens, nor what the provider has written. */
export interface OAuthFailure {
  readonly provider: string;
  /** What the page was told. */
  readonly error: string;
  /** Id that the page was told, to find this event by. */
  readonly id: string;
  readonly reason: string;
  readonly requestId?: string;
}

/** What the parts of this package share for one authentication service. */
export class OAuthHost {
  readonly app: AuthenticationApplication;
  /** Path of the authentication service. */
  readonly path: string;
  readonly linkStrategy: string;
  readonly used: Used;
  readonly tickets: Tickets;
  readonly #fetch: Fetch | undefined;
  readonly #memory = new MemoryLimiterStore();

  /** @param fetch sends requests to providers. Default: the global one */
  constructor(app: AuthenticationApplication, path: string, linkStrategy: string, fetch?: Fetch) {
    this.app = app;
    this.path = path;
    this.linkStrategy = linkStrategy;
    this.#fetch = fetch;
    this.used = new Used(() => this.#limiterStore);
    this.tickets = new Tickets(
      () => this.authentication,
      (location) => storeAt(app, location),
    );
  }

  get authentication(): AuthenticationService {
    return authenticationAt(this.app, this.path);
  }

  /** Counts for the authentication services of this process that lie in one outermost application, whichever stores they have: one for each that this one lies in. */
  get usedBeside(): readonly Used[] {
    const outermost = outermostApplications(this.app);
    return (outermost.length === 0 ? [this.app] : outermost).map((app) => new Used(() => memoryOf(app)));
  }

  /** @throws Error where the section was taken away */
  get settings(): OAuthSettings {
    const settings = oauthSettings(this.app, this.authentication.configuration);
    if (!settings) throw new Error("'authentication.oauth' is not configured");
    return settings;
  }

  /**
   * @returns the provider of a path, and its strategy
   * @throws NotFound (404)
   */
  provider(name: unknown): { readonly provider: Provider; readonly strategy: OAuthStrategy } {
    const provider = typeof name === 'string' ? derivedFrom(this.authentication.configuration, this.#providers).get(name) : undefined;
    const strategy = provider && this.authentication.getStrategy(provider.settings.name);
    if (!provider || !(strategy instanceof OAuthStrategy)) throw new NotFound('There is no such provider');
    return { provider, strategy };
  }

  /** Where the provider sends browsers back to. */
  redirectUri({ settings: { name, redirectUri } }: Provider): string {
    return redirectUri ?? `${this.#origin}/${this.settings.prefix}/${name}/callback`;
  }

  /** What the flow cookies of a provider are made with. */
  cookieOptions({ posts }: Provider): FlowCookieOptions {
    const { configuration } = this.authentication;
    return { key: derivedFrom(configuration, this.#key), secure: this.#origin.startsWith('https:'), crossSite: posts };
  }

  /**
   * Tells of a login that failed.
   *
   * @returns an id by which the failure is found
   */
  tellFailed(provider: string, error: unknown, params: AuthenticationParams): string {
    const id = randomUUID();
    const failure: OAuthFailure = { provider, error: errorCode(error), id, reason: reasonOf(error), ...requestIdOf(params) };
    tellListeners(this.app, 'oauth-failed', [failure]);
    return id;
  }

  /** @throws Unavailable (503) where nobody has said where the server is */
  get #origin(): string {
    const { origin } = this.settings;
    if (origin !== undefined) return origin;
    const [host, port] = [this.app.get('host') ?? 'localhost', this.app.get('port')];
    if (process.env.NODE_ENV !== 'production' && typeof host === 'string' && (typeof port === 'number' || typeof port === 'string')) {
      const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
      return new URL(`http://${shown}:${port}`).origin;
    }
    throw new Unavailable("Logins at providers need 'authentication.oauth.origin', the address of this server");
  }

  get #limiterStore(): LimiterStore {
    const { limiter } = this.authentication.configuration;
    return (limiter === false ? undefined : limiter?.store) ?? this.#memory;
  }

  readonly #providers = (configuration: AuthenticationConfiguration): ReadonlyMap<string, Provider> => {
    const settings = oauthSettings(this.app, configuration);
    return new Map([...(settings?.providers ?? [])].map(([name, one]) => [name, new Provider(one, this.#fetch)]));
  };

  /** A key of 256 bits for flow cookies and for nothing else. */
  readonly #key = (configuration: AuthenticationConfiguration): Uint8Array => {
    const secret = oauthSettings(this.app, configuration)?.secret;
    if (secret === undefined) return new Uint8Array(derivedKey(configuration, 'oauth-flow'));
    return new Uint8Array(hkdfSync('sha256', secret, '', 'framework/oauth-flow', 32));
  };
}

const memories = new WeakMap<object, LimiterStore>();

function memoryOf(app: object): LimiterStore {
  const known = memories.get(app) ?? new MemoryLimiterStore();
  memories.set(app, known);
  return known;
}

function authenticationAt(app: AuthenticationApplication, path: string): AuthenticationService {
  return app.service(path) as AuthenticationService;
}

function storeAt(app: AuthenticationApplication, path: string): SessionStoreService {
  return app.service(path) as SessionStoreService;
}
