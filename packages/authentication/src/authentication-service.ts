import type { HookContext, NextFunction } from '@framework/core';
import { BadRequest, NotAuthenticated } from '@framework/errors';
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
import { mergeOptions } from './configuration/merge.ts';
import { connection } from './hooks/connection.ts';
import { event } from './hooks/event.ts';
import type { TokenOptions } from './tokens/token-options.ts';

interface RegisteredService {
  hooks?(map: object): unknown;
  publish?(publisher: () => null): unknown;
}

/**
 * The authentication service: `create` logs in, `remove` logs out (interface 4.2, 5).
 */
export class AuthenticationService extends AuthenticationBase {
  /**
   * Events that the framework leaves to the service: it sends none of them, since results hold tokens (interface 6).
   */
  readonly events: readonly string[] = ['created', 'updated', 'patched', 'removed'];
  #hooked = false;

  /** @see AuthenticationBase */
  constructor(app: AuthenticationApplication, configKey = 'authentication', options: AuthenticationConfiguration = {}) {
    super(app, configKey, options);
    app.on('disconnect', (closed: Connection) => {
      this.handleConnection('disconnect', closed).catch((error: unknown) => {
        process.emitWarning(String(error));
      });
    });
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
    const allowed = params.authStrategies ?? this.configuration.authStrategies ?? [];
    if (allowed.length === 0) throw new NotAuthenticated('No authentication strategies allowed for creating a JWT (`authStrategies`)');
    const found = this.#shown(await this.authenticate(data, params, ...allowed), params);
    if (found.accessToken !== undefined) return found;

    const [payload, options] = [await this.getPayload(found, params), await this.getTokenOptions(found, params)];
    const accessToken = await this.createAccessToken(payload, options, params.secret);
    // Read and not verified: it was signed just now, and may be one that counts only later (`notBefore`).
    const content = decodeJwt(accessToken);
    return {
      accessToken,
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
    return this.#shown(await this.authenticate(authentication, params, ...allowed), params);
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
    ];
    registered.hooks?.({ around: { create: hooks('login'), remove: hooks('logout') } });
    // Results hold tokens: they are never published to real-time clients.
    registered.publish?.(() => null);
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
