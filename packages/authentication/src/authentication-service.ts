import { describesItself, tellListeners, type ServiceDescription } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import { decodeJwt } from 'jose';
import { AuthenticationBase } from './authentication-base.ts';
import type {
  AuthenticationApplication,
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  AuthenticationStrategy,
  Connection,
  HttpRequest,
} from './authentication-types.ts';
import { parseLogout } from './browser/parse-logout.ts';
import type { AuthenticationConfiguration } from './configuration/configuration-types.ts';
import { derivedFrom } from './configuration/derived-from.ts';
import { derivedKey } from './configuration/derived-key.ts';
import { mergeOptions } from './configuration/merge.ts';
import { describeAuthentication } from './describe-authentication.ts';
import { protectEntities } from './entity/protect-entities.ts';
import { entityIdName } from './entity/entity-state.ts';
import { watchDenied } from './events/denied.ts';
import { LoginLimiter } from './limiter/login-limiter.ts';
import { MemoryLimiterStore } from './limiter/memory-limiter-store.ts';
import type { LoginIdentity } from './login/identity.ts';
import { countsCalls } from './login/identify.ts';
import { withAddress } from './login/address.ts';
import { knownDevice } from './login/known-device.ts';
import { verifyLimited } from './login/limited.ts';
import { login } from './login/login.ts';
import { logout } from './login/logout.ts';
import { PURPOSE, type Purpose } from './login/purpose.ts';
import {
  createApiKey,
  createMachineToken,
  type IssuedApiKey,
  type MachineOptions,
  type MachineToken,
} from './machine/machine-credentials.ts';
import { CALL, refuseOutOfScope, SCOPES_CLAIM, type CalledMethod } from './machine/scopes.ts';
import { checkLogin } from './sessions/live-login.ts';
import { ServiceSessions } from './sessions/service-sessions.ts';
import { sessionSettings } from './sessions/session-settings.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { RevokedTokens } from './sessions/revoked-tokens.ts';
import { setUpService } from './set-up-service.ts';
import { RefreshStrategy } from './strategies/refresh-strategy.ts';
import { refuseSharedTokens } from './tokens/shared-tokens.ts';
import type { TokenOptions } from './tokens/token-options.ts';
import { verifyToken } from './tokens/verify-token.ts';
import { property } from './values.ts';
import { entityServiceAt } from './entity/entity-service.ts';

/**
 * The authentication service: `create` logs in, `remove` logs out (interface 4.2, 5).
 */
export class AuthenticationService extends AuthenticationBase {
  static {
    // Declarations know no name of another file.
    Object.defineProperty(this.prototype, describesItself, {
      value(this: AuthenticationService): ServiceDescription {
        return describeAuthentication(this);
      },
      configurable: true,
    });
  }

  /**
   * Events that the framework leaves to the service: it sends none of them, since results hold tokens (interface 6).
   */
  readonly events: readonly string[] = ['created', 'updated', 'patched', 'removed'];
  /** Transports give calls `params.address`. */
  readonly clientAddress = true;
  readonly #counts = new MemoryLimiterStore();
  readonly #sessions: ServiceSessions;
  #location: string | undefined;
  /** Of a setup that has failed: where the service comes to a running application, that goes on without it, and hooks would go on asking it. */
  #fault: Error | undefined;

  /** @see AuthenticationBase */
  constructor(app: AuthenticationApplication, configKey = 'authentication', options: AuthenticationConfiguration = {}) {
    super(app, configKey, options);
    this.#sessions = new ServiceSessions(app, configKey, () => this.configuration);
    app.on('disconnect', (closed: Connection) => {
      this.handleConnection('disconnect', closed).catch((error: unknown) => {
        process.emitWarning(String(error));
      });
    });
    watchDenied(app);
    if (sessionSettings(this.configuration.sessions)) this.register('refresh', new RefreshStrategy());
  }

  /** Logins that can be ended; `undefined` where the option `sessions` is off. */
  override get sessions(): Sessions | undefined {
    return this.#sessions.sessions;
  }

  /** Tokens without a session that were logged out. */
  override get revokedTokens(): RevokedTokens {
    return this.#sessions.revokedTokens;
  }

  /** Holds back logins that fail; `undefined` where the option `limiter` is `false`. */
  get limiter(): LoginLimiter | undefined {
    return derivedFrom(this.configuration, this.#limiterOf);
  }

  readonly #limiterOf = (configuration: AuthenticationConfiguration): LoginLimiter | undefined => {
    const { limiter } = configuration;
    if (limiter === false) return undefined;
    return new LoginLimiter(limiter ?? {}, this.#counts, derivedKey(configuration, 'account'), (lockout) => {
      tellListeners(this.app, 'lockout', [lockout]);
    });
  };

  /** @see AuthenticationBase.protect */
  protected override protect(strategy: AuthenticationStrategy): void {
    if (this.#location !== undefined) protectEntities(this, strategy);
  }

  /**
   * Authenticates with a strategy; logins are limited, over every transport together (security S22), and tokens and keys of
   * machines do what they are for.
   *
   * @throws TooManyRequests (429) with `data.retryAfter`; Forbidden (403) for a token or key that is not for this call; Error where the setup of the service has failed
   * @see AuthenticationBase.authenticate
   */
  override async authenticate(
    authentication: AuthenticationRequest,
    params: AuthenticationParams,
    ...allowed: string[]
  ): Promise<AuthenticationResult> {
    if (this.#fault !== undefined) throw this.#fault;
    // Callers without types may leave it out.
    const name = (authentication as AuthenticationRequest | undefined)?.strategy ?? '';
    const strategy = allowed.includes(name) ? this.getStrategy(name) : undefined;
    const { [PURPOSE]: purpose, [CALL]: call } = params as { readonly [CALL]?: CalledMethod; readonly [PURPOSE]?: Purpose };
    const verify = (inner: AuthenticationParams): Promise<AuthenticationResult> => super.authenticate(authentication, inner, ...allowed);
    const isLimited = strategy !== undefined && (countsCalls(strategy) || purpose === 'login');
    const result = isLimited ? await verifyLimited(this, { name, strategy, data: authentication, params }, verify) : await verify(params);
    const scopes = result.authentication?.payload?.[SCOPES_CLAIM];
    // Whoever holds a token may end it.
    if (purpose !== 'logout') refuseOutOfScope(scopes, purpose === 'login' ? { path: this.#location ?? '', method: 'create' } : call);
    return result;
  }

  /** @see LimitHost */
  async knownDevice(identity: LoginIdentity, data: AuthenticationRequest, params: AuthenticationParams): Promise<string | undefined> {
    return knownDevice(identity, data, params, this.configuration, this.sessions);
  }

  /**
   * Verifies an access token, and that its session lives or that it was not logged out.
   *
   * @throws NotAuthenticated (401), Unavailable (503) when the session can not be checked
   * @see AuthenticationBase.verifyAccessToken
   */
  override async verifyAccessToken(accessToken: string, options?: TokenOptions, secret?: unknown): Promise<Record<string, unknown>> {
    const payload = await super.verifyAccessToken(accessToken, options, secret);
    await checkLogin(this, payload);
    return payload;
  }

  /**
   * Reads a token that may have ended by itself, and is right apart from that.
   *
   * @returns the payload
   * @throws NotAuthenticated (401)
   */
  async readEndedToken(accessToken: string): Promise<Record<string, unknown>> {
    const { jwtOptions, secret, keys } = this.configuration;
    const { maxAge: _maxAge, ...options } = jwtOptions ?? {};
    const { exp } = decodeJwt(accessToken);
    return verifyToken(accessToken, { ...options, clockTimestamp: Number(exp) - 1 }, { secret, keys });
  }

  /** Content of the token that `create` makes: `params.payload`, or nothing (interface 2.2). */
  async getPayload(_authResult: AuthenticationResult, params: AuthenticationParams): Promise<Record<string, unknown>> {
    return Promise.resolve(params.payload ?? {});
  }

  /**
   * Options of the token that `create` makes; the subject is the id of the entity (interface 2.2).
   *
   * @throws NotAuthenticated (401) for an entity without an id
   */
  async getTokenOptions(authResult: AuthenticationResult, params: AuthenticationParams): Promise<TokenOptions> {
    const options: TokenOptions = mergeOptions(params.jwtOptions, params.jwt);
    const { service, entity } = this.configuration;
    const record = typeof entity === 'string' ? authResult[entity] : undefined;
    if (service === undefined || record === undefined || options.subject !== undefined) return options;
    const idName = entityIdName(this.configuration, entityServiceAt(this.app, service));
    const subject = property(record, idName);
    if (subject === undefined || subject === null) throw new NotAuthenticated(`Can not set subject from ${String(entity)}.${idName}`);
    return Promise.resolve({ ...options, subject: String(subject) });
  }

  /**
   * Logs in: authenticates with `data.strategy` and creates an access token (interface 4.2, 5.1).
   *
   * @throws NotAuthenticated (401), BadRequest (400) for data that is no object, Forbidden (403) for another origin's form or
   *   cookie, TooManyRequests (429), Unavailable (503)
   */
  async create(data: AuthenticationRequest, params: AuthenticationParams = {}): Promise<AuthenticationResult> {
    return login(this, data, params);
  }

  /**
   * Logs out (interface 4.2): by an access token, also one that has ended, or by a refresh token.
   *
   * @param id `null`, or the access token
   * @throws NotAuthenticated (401) without valid authentication, or for another token
   */
  async remove(id: string | null, params: AuthenticationParams = {}): Promise<AuthenticationResult> {
    const result = await logout(this, id, params);
    const { accessToken } = params.authentication ?? {};
    if (typeof accessToken === 'string') this.forgetAccessToken(accessToken);
    return result;
  }

  /**
   * Makes an access token for a machine, which acts for an entity within its scopes.
   *
   * @throws BadRequest (400), NotAuthenticated (401) for a disabled entity, NotFound (404)
   */
  async createToken(options: MachineOptions): Promise<MachineToken> {
    return createMachineToken(this, options);
  }

  /**
   * Makes an API key for the strategy `api-key`. The key is given once: only its digest is stored.
   *
   * @throws BadRequest (400), NotAuthenticated (401) for a disabled entity, NotFound (404)
   */
  async createApiKey(options: MachineOptions): Promise<IssuedApiKey> {
    return createApiKey(this, options);
  }

  /**
   * Reads authentication data from a request; for a logout also a refresh token, which counts for nothing else. Credentials that the limiter counts with any call
   * carry the address that they came from: services other than this one do not get it.
   */
  override async parse(req: HttpRequest, res: unknown, ...names: string[]): Promise<AuthenticationRequest | null> {
    const read = await super.parse(req, res, ...names);
    if (!read) return parseLogout(req, this.app);
    const strategy = this.getStrategy(String(read.strategy));
    return strategy && countsCalls(strategy) ? withAddress(read, req.ip) : read;
  }

  /**
   * Checks the configuration and registers the hooks for events and real-time connections (interface 4.2, 5.4).
   *
   * @param path path of the service
   * @param app the application; an application calls with the two the other way round, which is accepted too
   * @throws Error for a configuration that can not work
   */
  override async setup(path?: unknown, app?: unknown): Promise<void> {
    const location = [path, app].find((value) => typeof value === 'string');
    try {
      await super.setup(path, app);
      setUpService(this, location);
      if (location !== undefined) await refuseSharedTokens(this, location);
    } catch (error) {
      this.#fault = new Error('The authentication service lets nobody in: its setup has failed', { cause: error });
      throw error;
    }
    this.#fault = undefined;
    this.#location = location ?? this.#location;
  }

  /** Ends what is asked of the store; called by the application. */
  teardown(): void {
    this.#sessions.stop();
  }
}
