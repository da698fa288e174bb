import { NotAuthenticated } from '@framework/errors';
import type {
  AuthenticationParams,
  AuthenticationRequest,
  AuthenticationResult,
  Connection,
  ConnectionEvent,
  HttpRequest,
} from '../authentication-types.ts';
import { disabledField } from '../configuration/disabled-field.ts';
import { refuseDisabled } from '../entity-state.ts';
import { innerParams } from '../inner-params.ts';
import type { SessionHost } from '../sessions/session-host.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { AuthenticationBaseStrategy } from './base-strategy.ts';
import { tokenFromHeader } from './bearer-header.ts';
import { hideFields } from './hide-fields.ts';

const OPTIONS: ReadonlySet<string> = new Set(['entity', 'entityId', 'service', 'header', 'schemes']);
/** Longest wait of a timer, in milliseconds. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Authenticates with an access token and loads the entity that it names (interface 2.2, 5.2).
 */
export class JWTStrategy extends AuthenticationBaseStrategy {
  readonly #expiry = new WeakMap<Connection, NodeJS.Timeout>();
  readonly #watches = new WeakMap<Connection, () => void>();

  /** The strategy's options with their defaults. */
  override get configuration(): Record<string, unknown> & {
    header: string;
    schemes: readonly string[];
    entity: string | null | undefined;
  } {
    return this.fromSettings(({ service, entity, entityId }) => ({
      service,
      entityId,
      header: 'Authorization',
      schemes: ['Bearer', 'JWT'],
      entity,
      ...super.configuration,
    }));
  }

  /** @throws Error for an option that the strategy does not have */
  verifyConfiguration(): void {
    for (const name of Object.keys(super.configuration)) {
      if (!OPTIONS.has(name)) {
        throw new Error(
          `Invalid JwtStrategy option 'authentication.${String(this.name)}.${name}'. Did you mean to set it in 'authentication.jwtOptions'?`,
        );
      }
    }
    if (typeof this.configuration.header !== 'string')
      throw new Error(`The 'header' option for the ${String(this.name)} strategy must be a string`);
  }

  /** Reads the token of a request. */
  parse(req: HttpRequest): Promise<AuthenticationRequest | null> {
    const { header, schemes } = this.configuration;
    const accessToken = tokenFromHeader(req, header, schemes);
    return Promise.resolve(accessToken === null ? null : { strategy: String(this.name), accessToken });
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
    const result: AuthenticationResult = { accessToken, authentication: { strategy: 'jwt', accessToken, payload } };
    const { entity } = this.configuration;
    if (entity === null || entity === undefined) return result;
    const id = await this.getEntityId(result, params);
    result[entity] = await this.getEntity(id, params);
    return result;
  }

  /** The query that the entity is loaded with. */
  getEntityQuery(_params: AuthenticationParams): Promise<Record<string, unknown>> {
    return Promise.resolve({});
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

  /**
   * Loads the entity: for calls from outside in the form that its service shows to them.
   *
   * @throws NotAuthenticated (401) when it is gone
   */
  async getEntity(id: string, params: AuthenticationParams): Promise<unknown> {
    const { entityService } = this;
    const { entity } = this.configuration;
    if (!entityService || entity === null || entity === undefined) throw new NotAuthenticated('Could not find entity service');
    const inner = innerParams(params);
    inner.query = await this.getEntityQuery(params);
    try {
      const found = hideFields(await entityService.get(id, { ...inner }), this.authentication?.protectedFields ?? []);
      refuseDisabled(found, disabledField(this.settings));
      if (params.provider === undefined) return found;
      return await entityService.get(id, Object.assign(inner, { provider: params.provider, [entity]: found }));
    } catch (error) {
      throw isNotFound(error) ? new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' }) : error;
    }
  }

  /** Keeps a real-time connection authenticated from its login until the token ends or is logged out. */
  async handleConnection(event: ConnectionEvent, connection: Connection, result?: AuthenticationResult): Promise<void> {
    const { entity } = this.configuration;
    if (event === 'login' && result?.accessToken !== undefined) {
      const { accessToken } = result;
      const payload = result.authentication?.payload ?? (await this.authentication?.verifyAccessToken(accessToken)) ?? {};
      this.#disconnectAt(Number(payload.exp), connection);
      this.#disconnectWithSession(payload, connection);
      connection.authentication = { strategy: this.name, accessToken };
      if (typeof entity === 'string' && result[entity] !== undefined) connection[entity] = result[entity];
      return;
    }
    const current = connection.authentication as { readonly accessToken?: unknown } | undefined;
    const concerned =
      event === 'disconnect' || (event === 'logout' && result?.accessToken !== undefined && result.accessToken === current?.accessToken);
    if (!concerned) return;
    clearTimeout(this.#expiry.get(connection));
    this.#watches.get(connection)?.();
    this.#watches.delete(connection);
    // Handlers of the same event still see who it was.
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        delete connection.authentication;
        if (typeof entity === 'string') Reflect.deleteProperty(connection, entity);
        resolve();
      });
    });
  }

  get #sessions(): Sessions | undefined {
    return (this.authentication as unknown as SessionHost | undefined)?.sessions;
  }

  /** A connection ends with its session, here or in another process (security S19). */
  #disconnectWithSession({ sid, sub }: Record<string, unknown>, connection: Connection): void {
    this.#watches.get(connection)?.();
    this.#watches.delete(connection);
    if (typeof sid !== 'string' || !this.#sessions) return;
    // Whoever is logged out everywhere began before now.
    const began = Date.now();
    const stop = this.#sessions.watch((ended) => {
      if (!ended(sid, String(sub), began)) return;
      stop();
      this.app?.emit('disconnect', connection);
    });
    this.#watches.set(connection, stop);
  }

  #disconnectAt(exp: number, connection: Connection): void {
    clearTimeout(this.#expiry.get(connection));
    if (!Number.isFinite(exp)) return;
    const left = exp * 1000 - Date.now();
    const timer = setTimeout(
      () => {
        if (left > MAX_TIMER) this.#disconnectAt(exp, connection);
        else this.app?.emit('disconnect', connection);
      },
      Math.min(Math.max(left, 0), MAX_TIMER),
    );
    timer.unref();
    this.#expiry.set(connection, timer);
  }
}

function isNotFound(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === 404 || code === 400 || code === 410;
}
