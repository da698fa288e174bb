import { copyParams, LOGIN_STRATEGY, loginResult } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type {
  AuthenticationApplication,
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  AuthenticationStrategy,
  Connection,
  ConnectionEvent,
  HttpRequest,
} from './authentication-types.ts';
import { checkEntity } from './configuration/check-forms.ts';
import { ConfigurationSnapshot, frozenSettings } from './configuration/configuration-snapshot.ts';
import type { AuthenticationConfiguration } from './configuration/configuration-types.ts';
import { derivedFrom } from './configuration/derived-from.ts';
import { strategySection } from './configuration/strategy-section.ts';
import { admittedResult } from './entity/entity-rules.ts';
import { mergeOptions } from './configuration/merge.ts';
import type { RevokedTokens } from './sessions/revoked-tokens.ts';
import type { Sessions } from './sessions/sessions.ts';
import { AUTHENTICATION } from './package-copy.ts';
import { AuthenticationBaseStrategy } from './strategies/base-strategy.ts';
import { checkStrategy } from './strategies/check-strategy.ts';
import { checkTokenOptions } from './tokens/check-token-options.ts';
import { createToken } from './tokens/create-token.ts';
import { seconds } from './tokens/duration.ts';
import type { TokenOptions } from './tokens/token-options.ts';
import { VerifiedTokens } from './tokens/verified-tokens.ts';
import { verifyToken } from './tokens/verify-token.ts';

/**
 * Strategies, and access tokens. {@link AuthenticationService} adds the service methods.
 *
 * @see interface 4.2
 */
export class AuthenticationBase {
  static {
    AUTHENTICATION.mark(this.prototype);
  }

  readonly app: AuthenticationApplication;
  /** Name of the setting that holds the configuration. */
  readonly configKey: string;
  readonly #strategies = new Map<string, AuthenticationStrategy>();
  /** How often a strategy was registered: one may take the place of another. */
  #registrations = 0;
  readonly #configuration: ConfigurationSnapshot;
  #ready = false;

  /**
   * Writes the settings into the configuration, with the defaults and frozen, and makes this the default authentication service
   * when there is none.
   *
   * @param app the application
   * @param configKey name of the setting. Default: `authentication`
   * @param options settings that win over those that are there
   * @throws Error without an application
   */
  constructor(app: AuthenticationApplication, configKey = 'authentication', options: AuthenticationConfiguration = {}) {
    // Callers without types may leave it out.
    if (typeof (app as Partial<AuthenticationApplication> | undefined)?.service !== 'function') {
      throw new Error('An application instance has to be passed to the authentication service');
    }
    this.app = app;
    this.configKey = configKey;
    if (app.get('defaultAuthentication') === undefined) app.set('defaultAuthentication', configKey);
    app.set(configKey, frozenSettings(app.get(configKey) as object | undefined, options));
    this.#configuration = new ConfigurationSnapshot(() => app.get(configKey));
  }

  /** A deep copy of the configuration, frozen. Change it with `app.set(configKey, …)` (interface 4.2). */
  get configuration(): AuthenticationConfiguration {
    return this.#configuration.current;
  }

  /** Names of the registered strategies. */
  get strategyNames(): string[] {
    return [...this.#strategies.keys()];
  }

  /** Properties of the entity that never leave the server, as the strategies name them. */
  get protectedFields(): readonly string[] {
    return derivedFrom(this.configuration, this.#fieldsOfStrategies)();
  }

  /** Strategies may come after the configuration was read. */
  readonly #fieldsOfStrategies = (): (() => readonly string[]) => {
    let known = -1;
    let fields: readonly string[] = [];
    return () => {
      if (known !== this.#registrations) {
        known = this.#registrations;
        fields = [...this.#strategies.values()].flatMap((strategy) => strategy.protectedFields ?? []);
      }
      return fields;
    };
  };

  /** Logins that can be ended; this base has none. */
  get sessions(): Sessions | undefined {
    return undefined;
  }

  /** Tokens without a session that were logged out; this base knows of none. */
  get revokedTokens(): RevokedTokens | undefined {
    return undefined;
  }

  /**
   * Registers a strategy (interface 4.2).
   *
   * @throws the error of the strategy's `verifyConfiguration`, or that of its own `entity`, `entityId` and `service`; Error when it keeps something secret that the entities, which were set up, show, and for one
   *   that is made of `LocalStrategy` or `OAuthStrategy` of FeathersJS; TypeError for what is no strategy
   */
  register(name: string, strategy: AuthenticationStrategy): void {
    checkStrategy(name, strategy);
    strategy.setName?.(name);
    strategy.setApplication?.(this.app);
    strategy.setAuthentication?.(this);
    strategy.verifyConfiguration?.();
    // Others may mean something else by these names.
    if (strategy instanceof AuthenticationBaseStrategy) checkEntity(strategySection(this.configuration, name), `${this.configKey}.${name}`);
    this.protect(strategy);
    this.#strategies.delete(name);
    this.#strategies.set(name, strategy);
    this.#registrations += 1;
    if (this.#ready) void strategy.setup?.(this, name);
  }

  /** Keeps what a strategy names secret out of what is sent of entities; this base has no part in that. */
  protected protect(_strategy: AuthenticationStrategy): void {
    // A service does so once it was set up.
  }

  /** @returns the strategy, or `undefined` */
  getStrategy(name: string): AuthenticationStrategy | undefined {
    return this.#strategies.get(name);
  }

  /** @returns the strategies in the order of the names; `undefined` for unknown ones (interface 4.2) */
  getStrategies(...names: string[]): (AuthenticationStrategy | undefined)[] {
    return names.map((name) => this.#strategies.get(name));
  }

  /**
   * Creates an access token (interface 4.2).
   *
   * @param payload further claims: those that an option decides, such as `exp` by `expiresIn`, belong into the options
   * @param options win over `jwtOptions`
   * @param secret signs in place of the configured one
   * @throws Error when the token can not be made, also for an option or a claim that would not be honoured
   */
  async createAccessToken(
    payload: Record<string, unknown>,
    options: TokenOptions = {},
    secret: unknown = this.configuration.secret,
  ): Promise<string> {
    checkTokenOptions(options, 'options');
    return createToken(payload, mergeOptions(this.configuration.jwtOptions, options), secret);
  }

  /**
   * Verifies an access token (interface 4.2).
   *
   * @param accessToken the token
   * @param options win over `jwtOptions`
   * @param secret verifies in place of the configured one
   * @returns the payload
   * @throws NotAuthenticated (401); TypeError for an option that would not be honoured
   */
  async verifyAccessToken(accessToken: string, options?: TokenOptions, secret?: unknown): Promise<Record<string, unknown>> {
    const { configuration } = this;
    if (options !== undefined || secret !== undefined) {
      checkTokenOptions(options ?? {}, 'options');
      const keys = secret === undefined ? configuration.keys : undefined;
      return verifyToken(accessToken, mergeOptions(configuration.jwtOptions, options), { secret: secret ?? configuration.secret, keys });
    }
    const tokens = derivedFrom(configuration, this.#verifiedTokens);
    const known = typeof accessToken === 'string' ? tokens.get(accessToken) : undefined;
    if (known) return known;
    const { jwtOptions = {}, secret: own, keys } = configuration;
    const payload = await verifyToken(accessToken, jwtOptions, { secret: own, keys });
    tokens.set(accessToken, payload, jwtOptions.maxAge === undefined ? undefined : seconds(jwtOptions.maxAge));
    return payload;
  }

  readonly #verifiedTokens = (): VerifiedTokens => new VerifiedTokens();

  /** Forgets that a token was verified; the next use verifies it again. */
  protected forgetAccessToken(accessToken: string): void {
    derivedFrom(this.configuration, this.#verifiedTokens).delete(accessToken);
  }

  /**
   * Authenticates with a strategy (interface 4.2).
   *
   * @param authentication data with the name of a strategy
   * @param params parameters for the strategy
   * @param allowed names of the allowed strategies
   * @throws NotAuthenticated (401) for a strategy that is missing or not allowed, and when the strategy says so, also by giving no object, or an entity that is not there
   */
  async authenticate(
    authentication: AuthenticationRequest,
    params: AuthenticationParams,
    ...allowed: string[]
  ): Promise<AuthenticationResult> {
    const { strategy: name } = (authentication as AuthenticationRequest | undefined) ?? {};
    if (typeof name !== 'string' || name === '') throw new NotAuthenticated('Invalid authentication information (no `strategy` set)');
    if (!allowed.includes(name)) throw new NotAuthenticated('Invalid authentication information (strategy not allowed in authStrategies)');
    const strategy = this.#strategies.get(name);
    if (!strategy?.authenticate) throw new NotAuthenticated('Invalid authentication information');
    // The calls of a strategy are its own, whoever was let in before by another one.
    const isOwn = params.authenticated === true && !(LOGIN_STRATEGY in params);
    const inner = isOwn ? params : copyParams(params, { authenticated: true }, [LOGIN_STRATEGY]);
    const result = loginResult(strategy, await strategy.authenticate(authentication, inner), name);
    return admittedResult(this, strategy, result);
  }

  /**
   * Tells all strategies what happens to a real-time connection.
   *
   * @param result result of the login or logout
   */
  async handleConnection(event: ConnectionEvent, connection: Connection, result?: AuthenticationResult): Promise<void> {
    for (const strategy of this.#strategies.values()) await strategy.handleConnection?.(event, connection, result);
  }

  /**
   * Reads authentication data from a request; verifies nothing (interface 4.2).
   *
   * @returns what the first strategy found, or `null`
   */
  async parse(req: HttpRequest, res: unknown, ...names: string[]): Promise<AuthenticationRequest | null> {
    for (const name of names) {
      const strategy = this.#strategies.get(name);
      const value = strategy?.parse ? await strategy.parse(req, res) : null;
      if (value) return value;
    }
    return null;
  }

  /** Sets the strategies up. */
  async setup(_path?: unknown, _app?: unknown): Promise<void> {
    this.#ready = true;
    for (const [name, strategy] of this.#strategies) await strategy.setup?.(this, name);
  }
}
