import { tellDisconnect } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import type {
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  Connection,
  ConnectionEvent,
  HttpRequest,
  StrategyDescription,
} from '../authentication-types.ts';
import { atTime } from '../at-time.ts';
import { allowedOrigins } from '../browser/check-origin.ts';
import { cookieNames, readCookie } from '../browser/cookies.ts';
import { requestOrigin } from '../browser/request-origin.ts';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { checkStrategySection } from '../configuration/strategy-section.ts';
import { disabledField, entityIdName, isDisabled } from '../entity/entity-state.ts';
import { ownEntities } from '../entity/entity-rules.ts';
import { refuseOtherUsers } from '../entity/other-users.ts';
import { whenWritten } from '../entity/written-entities.ts';
import { innerParams } from '../inner-params.ts';
import { PURPOSE, type Purpose } from '../login/purpose.ts';
import { checkLogin, watchLogin } from '../sessions/live-login.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { seconds } from '../tokens/duration.ts';
import { tokenFromHeader } from './bearer-header.ts';
import { EntityStrategy } from './entity-strategy.ts';
import { checkJwtOptions } from './jwt-options.ts';
import { property } from '../values.ts';

/** Methods that change nothing: a page that another one links to is shown to whoever is logged in. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Whose login a connection has: it is one at a time, also where an application has several authentication services. */
const holders = new WeakMap<Connection, JWTStrategy>();

/**
 * Authenticates with an access token and loads the entity that it names (interface 2.2, 5.2).
 */
export class JWTStrategy extends EntityStrategy {
  readonly #expiry = new WeakMap<Connection, () => void>();
  readonly #watches = new WeakMap<Connection, () => void>();
  /** Connections whose own logout is under way, with the claims of the token that ends: nobody looks meanwhile whether it lasts. */
  readonly #leaving = new WeakMap<Connection, Record<string, unknown>>();
  /** Connections that are gone: nobody tells of their end once more. */
  readonly #ended = new WeakSet<Connection>();

  /** The strategy's options with their defaults. */
  override get configuration(): Record<string, unknown> & {
    header: string;
    schemes: readonly string[];
    entity: string | null | undefined;
  } {
    return this.fromSettings(this.#options);
  }

  readonly #options = ({ service, entity, entityId }: AuthenticationConfiguration): JWTStrategy['configuration'] => ({
    service,
    entityId,
    header: 'Authorization',
    schemes: ['Bearer', 'JWT'],
    entity,
    ...super.configuration,
  });

  /** @throws Error for an option that the strategy does not have, or that can not be meant */
  verifyConfiguration(): void {
    checkStrategySection(this.settings, this.name);
    checkJwtOptions(super.configuration, this.configuration, String(this.name));
  }

  /** Reads the token of a request: from the header, and where sessions have cookies, from the cookie of a page. */
  parse(req: HttpRequest): Promise<AuthenticationRequest | null> {
    const { header, schemes } = this.configuration;
    const accessToken = tokenFromHeader(req, header, schemes) ?? this.#tokenInCookie(req);
    return Promise.resolve(accessToken === null ? null : { strategy: String(this.name), accessToken });
  }

  /** A token in its header, in its cookie where sessions have one, or as data of a login. */
  describe(): StrategyDescription {
    const { header } = this.configuration;
    const isStandard = header.toLowerCase() === 'authorization';
    return {
      login: { properties: { accessToken: { type: 'string' } }, required: ['accessToken'] },
      credentials: [
        isStandard ? { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } : { type: 'apiKey', in: 'header', name: header },
        ...(this.#sessions?.settings.cookie === true
          ? [{ type: 'apiKey', in: 'cookie', name: cookieNames(this.#sessions.settings).access } as const]
          : []),
      ],
    };
  }

  /** A cookie comes with a request whoever made the browser send it: for changes only the server's own pages count. */
  #tokenInCookie({ method = 'GET', headers = {} }: HttpRequest): string | null {
    const settings = this.#sessions?.settings;
    if (settings?.cookie !== true) return null;
    const token = readCookie(headers, cookieNames(settings).access);
    if (token === undefined) return null;
    const isFrom = (secure: boolean): boolean => requestOrigin(headers, allowedOrigins(this.settings, settings), secure) === 'own';
    // A page of the server's own that came without encryption may be that of anybody on the way: it opens sockets, which no rules of CORS bound.
    const isTrusted = SAFE_METHODS.has(method) ? isFrom(true) || !isFrom(false) : isFrom(true);
    return isTrusted ? token : null;
  }

  /**
   * Verifies the token and loads its entity.
   *
   * @throws NotAuthenticated (401) for a token that is not valid, and for an entity that is gone
   */
  async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const { accessToken } = data;
    if (typeof accessToken !== 'string' || accessToken === '') throw new NotAuthenticated('No access token');
    if (!this.authentication) throw new NotAuthenticated('The strategy is not registered');
    const payload = await this.authentication.verifyAccessToken(accessToken, params.jwt, params.secret);
    if (payload.sid === undefined && this.#sessions) throw new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
    this.#logsOut(payload, accessToken, params);
    const result: AuthenticationResult = { accessToken, authentication: { strategy: 'jwt', accessToken, payload } };
    const { entity } = this.configuration;
    if (entity === null || entity === undefined) return result;
    const id = await this.getEntityId(result, params);
    const own = ownEntities(this.authentication, this);
    if (own !== undefined) await refuseOtherUsers(this.authentication, this, own, id, this.entityParams(params));
    result[entity] = await this.getEntity(id, params, this.stillHasSecrets(payload.sid));
    return result;
  }

  /**
   * The id of the token's entity: its subject.
   *
   * @throws NotAuthenticated (401) for a token without one
   */
  getEntityId(result: AuthenticationResult, _params: AuthenticationParams): Promise<string> {
    const subject = result.authentication?.payload?.sub;
    return typeof subject === 'string' && subject !== ''
      ? Promise.resolve(subject)
      : Promise.reject(new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' }));
  }

  /** Keeps a real-time connection authenticated from its login until the token ends or is logged out. */
  async handleConnection(event: ConnectionEvent, connection: Connection, result?: AuthenticationResult): Promise<void> {
    const { entity } = this.configuration;
    if (event === 'login' && result?.accessToken !== undefined) {
      const { accessToken } = result;
      const payload = result.authentication?.payload ?? (await this.authentication?.verifyAccessToken(accessToken)) ?? {};
      // A login may take longer than its connection lasts.
      if (this.#ended.has(connection)) return;
      const holder = holders.get(connection);
      if (holder && holder !== this) holder.#forget(connection);
      holders.set(connection, this);
      this.#leaving.delete(connection);
      this.#disconnectAt(this.#endOf(payload), connection);
      this.#disconnectWithLogin(payload, connection);
      connection.authentication = { strategy: this.name, accessToken };
      if (typeof entity === 'string') {
        // Whoever was logged in before is not this one.
        if (result[entity] === undefined) Reflect.deleteProperty(connection, entity);
        else connection[entity] = result[entity];
      }
      return;
    }
    const current = property(connection.authentication, 'accessToken');
    const concerned = event === 'disconnect' || (event === 'logout' && result?.accessToken !== undefined && result.accessToken === current);
    if (!concerned) {
      if (event === 'logout') this.#watchOn(connection);
      return;
    }
    this.#leaving.delete(connection);
    this.#expiry.get(connection)?.();
    this.#watches.get(connection)?.();
    // After a logout what has begun to be looked at still ends the connection.
    if (event === 'disconnect') {
      this.#watches.delete(connection);
      this.#ended.add(connection);
    }
    const left = connection.authentication;
    // Handlers of the same event still see who it was.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    // Another login may have come behind it meanwhile.
    if (connection.authentication !== left) return;
    delete connection.authentication;
    if (typeof entity === 'string') Reflect.deleteProperty(connection, entity);
  }

  get #sessions(): Sessions | undefined {
    return this.authentication?.sessions;
  }

  /** Whoever logs out over the connection that has the token goes on with the connection, as nobody: clients do not come back to one that the server ends. */
  #logsOut(payload: Record<string, unknown>, accessToken: string, params: AuthenticationParams): void {
    const { [PURPOSE]: purpose, connection } = params as { readonly [PURPOSE]?: Purpose; readonly connection?: Connection };
    if (purpose !== 'logout' || !connection) return;
    if (property(connection.authentication, 'accessToken') !== accessToken) return;
    this.#stopWatching(connection);
    this.#leaving.set(connection, payload);
  }

  /** Its logout has failed, or has not told whose it was: where the token has ended all the same, the connection ends. */
  #watchOn(connection: Connection): void {
    const payload = this.#leaving.get(connection);
    this.#leaving.delete(connection);
    if (payload && !this.#ended.has(connection)) this.#disconnectWithLogin(payload, connection);
  }

  /** Another authentication service has logged the connection in: nobody asks any more whether this login lasts, so nothing of it may stay. */
  #forget(connection: Connection): void {
    const { entity } = this.configuration;
    this.#expiry.get(connection)?.();
    this.#stopWatching(connection);
    if (typeof entity === 'string') Reflect.deleteProperty(connection, entity);
  }

  #stopWatching(connection: Connection): void {
    this.#watches.get(connection)?.();
    this.#watches.delete(connection);
  }

  /**
   * A connection ends with its session, or with its token where that has none, here or in another process (security S19). It ends with its
   * user too, where that is written in this process.
   */
  #disconnectWithLogin(payload: Record<string, unknown>, connection: Connection): void {
    this.#stopWatching(connection);
    const { authentication } = this;
    if (!authentication) return;
    const look = (check: () => Promise<unknown>) => (): void => {
      if (unwatch) void this.#disconnectIfEnded(check(), connection, unwatch);
    };
    const lookAtLogin = look(() => checkLogin(authentication, payload));
    const end = (): void => {
      if (unwatch) this.#endConnection(connection, unwatch);
    };
    const ends = [watchLogin(authentication, payload, lookAtLogin), this.#watchEntity(payload, connection, look, end)].filter(
      (stop) => stop !== undefined,
    );
    if (ends.length === 0) return;
    const unwatch = (): void => {
      for (const end of ends) end();
    };
    this.#watches.set(connection, unwatch);
    // It may have ended since it was verified.
    lookAtLogin();
  }

  /** Sessions end with their users by themselves, and know nothing of what a strategy of the application asks of them. */
  #watchEntity(
    { sub }: Record<string, unknown>,
    connection: Connection,
    look: (check: () => Promise<unknown>) => () => void,
    end: () => void,
  ): (() => void) | undefined {
    const { entityService, entityName, settings } = this;
    if (!entityService || entityName === null || typeof sub !== 'string') return undefined;
    const { entityId } = this.configuration;
    const idName = typeof entityId === 'string' ? entityId : entityIdName(settings, entityService);
    // A strategy may look at headers, and at what middleware has put on the connection, as it does with each call over it.
    const lookAtEntity = look(() => this.getEntity(sub, innerParams(connection, { query: {}, connection, authenticated: true })));
    // What is known is not asked for: events would go on until the database has answered.
    return whenWritten(entityService, idName, sub, (record, isRemoved) => {
      if (isRemoved || isDisabled(record, disabledField(settings))) end();
      else lookAtEntity();
    });
  }

  async #disconnectIfEnded(check: Promise<unknown>, connection: Connection, unwatch: () => void): Promise<void> {
    try {
      await check;
    } catch {
      // Also where it can not be told: a connection that may have ended gets nothing more (security S46).
      this.#endConnection(connection, unwatch);
    }
  }

  /** Ends a connection, unless it has ended already or another login has taken the place of the one that is watched. */
  #endConnection(connection: Connection, unwatch: () => void): void {
    if (this.#watches.get(connection) !== unwatch) return;
    unwatch();
    this.#watches.delete(connection);
    if (this.app) tellDisconnect(this.app, connection);
  }

  /** @returns seconds since 1970 at which a token counts no more; `Infinity` for never */
  #endOf({ exp, iat }: Readonly<Record<string, unknown>>): number {
    const { maxAge } = this.settings.jwtOptions ?? {};
    const tooOld = maxAge === undefined || typeof iat !== 'number' ? Infinity : iat + seconds(maxAge);
    return Math.min(typeof exp === 'number' ? exp : Infinity, tooOld);
  }

  /** @param end seconds since 1970 */
  #disconnectAt(end: number, connection: Connection): void {
    this.#expiry.get(connection)?.();
    const disconnect = (): void => {
      if (this.app) tellDisconnect(this.app, connection);
    };
    this.#expiry.set(connection, atTime(end * 1000, disconnect));
  }
}
