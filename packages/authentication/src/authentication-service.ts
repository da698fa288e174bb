import type { HookContext, NextFunction } from '@framework/core';
import { BadRequest, MethodNotAllowed, NotAuthenticated } from '@framework/errors';
import { decodeJwt } from 'jose';
import { AuthenticationBase } from './authentication-base.ts';
import type {
  AuthenticationApplication,
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  Connection,
} from './authentication-types.ts';
import { checkConfiguration } from './configuration/check-configuration.ts';
import type { AuthenticationConfiguration } from './configuration/configuration-types.ts';
import { disabledField } from './configuration/disabled-field.ts';
import { mergeOptions } from './configuration/merge.ts';
import { authenticate } from './hooks/authenticate.ts';
import { connection } from './hooks/connection.ts';
import { event } from './hooks/event.ts';
import { accountDigest, LoginLimiter, type Lockout } from './limiter/login-limiter.ts';
import { MemoryLimiterStore } from './limiter/memory-limiter-store.ts';
import { endSessionsOfEntity } from './sessions/end-sessions-of-entity.ts';
import { OwnSessions } from './sessions/own-sessions.ts';
import { sendRefreshToken } from './sessions/send-refresh-token.ts';
import { SESSION } from './sessions/session-host.ts';
import { sessionSettings, type SessionSettings } from './sessions/session-settings.ts';
import type { SessionStoreService } from './sessions/session-types.ts';
import { Sessions, type IssuedSession, type SessionClient } from './sessions/sessions.ts';
import { RefreshStrategy } from './strategies/refresh-strategy.ts';
import type { TokenOptions } from './tokens/token-options.ts';

interface RegisteredService {
  hooks?(map: object): unknown;
  publish?(publisher: () => null): unknown;
}

interface ApplicationWithUse {
  readonly services: object;
  use(path: string, service: object): unknown;
}

/**
 * The authentication service: `create` logs in, `remove` logs out (interface 4.2, 5).
 */
export class AuthenticationService extends AuthenticationBase {
  /**
   * Events that the framework leaves to the service: it sends none of them, since results hold tokens (interface 6).
   */
  readonly events: readonly string[] = ['created', 'updated', 'patched', 'removed'];
  /** Transports give calls `params.address`. */
  readonly clientAddress = true;
  readonly #counts = new MemoryLimiterStore();
  #limits: { readonly of: AuthenticationConfiguration; readonly limiter: LoginLimiter | undefined } | undefined;
  #hooked = false;
  #sessions:
    { readonly of: AuthenticationConfiguration; readonly option: string | undefined; readonly sessions: Sessions | undefined } | undefined;

  /** @see AuthenticationBase */
  constructor(app: AuthenticationApplication, configKey = 'authentication', options: AuthenticationConfiguration = {}) {
    super(app, configKey, options);
    app.on('disconnect', (closed: Connection) => {
      this.handleConnection('disconnect', closed).catch((error: unknown) => {
        process.emitWarning(String(error));
      });
    });
    if (sessionSettings(this.configuration.sessions)) this.register('refresh', new RefreshStrategy());
  }

  get #limiter(): LoginLimiter | undefined {
    const { configuration } = this;
    if (this.#limits?.of !== configuration) {
      const { limiter: option } = configuration;
      const locked = (lockout: Lockout): void => {
        this.app.emit('lockout', lockout);
      };
      this.#limits = { of: configuration, limiter: option === false ? undefined : new LoginLimiter(option ?? {}, this.#counts, locked) };
    }
    return this.#limits.limiter;
  }

  /** Logins that can be ended; `undefined` where the option `sessions` is off. */
  get sessions(): Sessions | undefined {
    const { configuration } = this;
    if (this.#sessions?.of !== configuration) {
      // Another part of the configuration has changed: what is known of sessions stays.
      const option = JSON.stringify(configuration.sessions);
      if (this.#sessions?.option === option) {
        this.#sessions = { ...this.#sessions, of: configuration };
        return this.#sessions.sessions;
      }
      this.#sessions?.sessions?.stop();
      const settings = sessionSettings(configuration.sessions);
      const store = (): SessionStoreService => this.app.service(settings?.service ?? '') as SessionStoreService;
      const sessions = settings && new Sessions(settings, store, (reuse) => this.app.emit('refresh-reuse', reuse));
      this.#sessions = { of: configuration, option, sessions };
    }
    return this.#sessions.sessions;
  }

  /**
   * Authenticates with a strategy; logins of accounts are limited, over every transport together (security S22).
   *
   * @throws TooManyRequests (429) with `data.retryAfter`
   * @see AuthenticationBase.authenticate
   */
  override async authenticate(
    authentication: AuthenticationRequest,
    params: AuthenticationParams,
    ...allowed: string[]
  ): Promise<AuthenticationResult> {
    // Callers without types may leave it out.
    const name = (authentication as AuthenticationRequest | undefined)?.strategy ?? '';
    const strategy = allowed.includes(name) ? this.getStrategy(name) : undefined;
    if (strategy?.accountOf === undefined) return super.authenticate(authentication, params, ...allowed);
    const { address } = params;
    const account = strategy.accountOf(authentication) ?? '';
    const attempt = await this.#limiter?.begin({ strategy: name, account, address });
    try {
      const result = await super.authenticate(authentication, params, ...allowed);
      await attempt?.succeed();
      return result;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === 401) {
        this.app.emit('login-failed', { strategy: name, account: accountDigest(account), address });
      } else await attempt?.undo();
      throw error;
    }
  }

  /**
   * Verifies an access token, and that its session lives.
   *
   * @throws NotAuthenticated (401), Unavailable (503) when the session can not be checked
   * @see AuthenticationBase.verifyAccessToken
   */
  override async verifyAccessToken(accessToken: string, options?: TokenOptions, secret?: unknown): Promise<Record<string, unknown>> {
    const payload = await super.verifyAccessToken(accessToken, options, secret);
    if (payload.sid !== undefined) await this.sessions?.check(payload.sid, payload.sub);
    return payload;
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
    const { service, entity, entityId } = this.configuration;
    const record = typeof entity === 'string' ? (authResult[entity] as Record<string, unknown> | undefined) : undefined;
    if (service === undefined || record === undefined || options.subject !== undefined) return options;
    const idName = entityId ?? (this.app.service(service) as { readonly id?: string }).id ?? 'id';
    const subject = record[idName];
    if (subject === undefined || subject === null) throw new NotAuthenticated(`Can not set subject from ${String(entity)}.${idName}`);
    return Promise.resolve({ ...options, subject: String(subject) });
  }

  /**
   * Logs in: authenticates with `data.strategy` and creates an access token (interface 4.2, 5.1).
   *
   * @throws NotAuthenticated (401), BadRequest (400) for data that is no object
   */
  async create(data: AuthenticationRequest, params: AuthenticationParams = {}): Promise<AuthenticationResult> {
    if (typeof data !== 'object' || Array.isArray(data)) throw new BadRequest('The authentication data must be one object');
    const started = Date.now();
    const { sessions } = this;
    const configured = params.authStrategies ?? this.configuration.authStrategies ?? [];
    if (configured.length === 0) throw new NotAuthenticated('No authentication strategies allowed for creating a JWT (`authStrategies`)');
    const allowed = sessions?.settings.refresh ? [...configured, 'refresh'] : configured;
    const { [SESSION]: refreshed, ...authenticated } = (await this.authenticate(data, params, ...allowed)) as AuthenticationResult & {
      [SESSION]?: IssuedSession & { readonly replaced: string };
    };
    const found = this.#shown(authenticated, params);
    if (found.accessToken !== undefined) return found;

    const payload = await this.getPayload(found, params);
    const given = await this.getTokenOptions(found, params);
    const options = refreshed && refreshed.user !== '' ? { subject: refreshed.user, ...given } : given;
    const session = refreshed ?? (await sessions?.begin(options.subject ?? '', started, clientOf(params)));
    const accessToken = await this.createAccessToken(session ? { ...payload, sid: session.id } : payload, options, params.secret);
    if (refreshed) sessions?.answered(refreshed.replaced);
    // Read and not verified: it was signed just now, and may be one that counts only later (`notBefore`).
    const content = decodeJwt(accessToken);
    return {
      accessToken,
      ...(session?.refreshToken === undefined ? {} : { refreshToken: session.refreshToken }),
      ...found,
      authentication: { ...found.authentication, strategy: found.authentication?.strategy ?? String(data.strategy), payload: content },
    };
  }

  /**
   * Logs out (interface 4.2).
   *
   * @param id `null`, or the access token
   * @throws NotAuthenticated (401) without valid authentication, or for another token
   */
  async remove(id: string | null, params: AuthenticationParams = {}): Promise<AuthenticationResult> {
    const { authentication } = params;
    if (!authentication) throw new NotAuthenticated('Not authenticated');
    if (id !== null && id !== authentication.accessToken) throw new NotAuthenticated('Invalid access token');
    const allowed = this.configuration.authStrategies ?? [];
    const result = await this.authenticate(authentication, params, ...allowed);
    if (typeof authentication.accessToken === 'string') this.forgetAccessToken(authentication.accessToken);
    const session = result.authentication?.payload?.sid;
    if (typeof session === 'string') await this.sessions?.end(session);
    return this.#shown(result, params);
  }

  /**
   * Checks the configuration and registers the hooks for events and real-time connections (interface 4.2, 5.4).
   *
   * @param path path of the service
   * @param app the application; an application calls with the two the other way round, which is accepted too
   * @throws Error for a configuration that can not work
   */
  override async setup(path?: unknown, app?: unknown): Promise<void> {
    await super.setup(path, app);
    checkConfiguration(this.configuration, this.app, this.configKey);
    const location = typeof path === 'string' ? path : app;
    if (this.#hooked || typeof location !== 'string') return;
    this.#hooked = true;
    const registered = this.app.service(location) as RegisteredService;
    const hooks = (name: 'login' | 'logout'): ((context: HookContext, next: NextFunction) => Promise<void>)[] => [
      event(this.app, name),
      connection(this, name),
      sendRefreshToken(() => this.sessions),
    ];
    registered.hooks?.({ around: { create: hooks('login'), remove: hooks('logout') } });
    // Results hold tokens: they are never published to real-time clients.
    registered.publish?.(() => null);
    if (this.sessions) this.#setupSessions(location, this.sessions.settings);
  }

  /** Ends what is asked of the store; called by the application. */
  teardown(): void {
    this.sessions?.stop();
  }

  /** The store is for the server alone; users reach their own sessions below the authentication service. */
  #setupSessions(location: string, { service }: SessionSettings): void {
    const app = this.app as unknown as ApplicationWithUse;
    if (!(service in app.services)) {
      throw new Error(
        `Sessions are on and no service '${service}' stores them. Register one: app.use('${service}', new DocDbService({ Model: sessions })), ` +
          "or name another with 'authentication.sessions.service'",
      );
    }
    const refuse = (context: HookContext): void => {
      if (context.params.provider !== undefined) throw new MethodNotAllowed('Sessions are for the server alone');
    };
    (this.app.service(service) as RegisteredService).hooks?.({ before: { all: [refuse] } });
    const { service: entities, parseStrategies, authStrategies } = this.configuration;
    if (entities !== undefined) {
      const around = endSessionsOfEntity(() => this.sessions, {
        idName: () => this.configuration.entityId ?? (this.app.service(entities) as { readonly id?: string }).id ?? 'id',
        secrets: () => this.protectedFields,
        disabledField: () => disabledField(this.configuration),
      });
      (this.app.service(entities) as RegisteredService).hooks?.({ around: { all: [around] } });
    }
    const path = `${location}/sessions`;
    if (path in app.services) return;
    app.use(path, new OwnSessions(() => this.sessions as Sessions));
    const strategies = parseStrategies ?? authStrategies ?? [];
    (this.app.service(path) as RegisteredService).hooks?.({ before: { all: [authenticate({ service: location, strategies })] } });
  }

  /** Protected properties leave out of what goes to callers from outside, and so out of the events. */
  #shown(result: AuthenticationResult, params: AuthenticationParams): AuthenticationResult {
    const { entity } = this.configuration;
    const record = typeof entity === 'string' ? result[entity] : undefined;
    if (params.provider === undefined || typeof entity !== 'string' || typeof record !== 'object' || record === null) return result;
    const hidden = new Set(this.protectedFields);
    return { ...result, [entity]: Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))) };
  }
}

function clientOf({ address, headers }: AuthenticationParams): SessionClient {
  const agent = headers?.['user-agent'];
  return { address, agent: typeof agent === 'string' ? agent : undefined };
}
