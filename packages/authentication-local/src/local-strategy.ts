import {
  AuthenticationBaseStrategy,
  isDisabled,
  type AuthenticationParams,
  type AuthenticationRequest,
  type AuthenticationResult,
} from '@framework/authentication';
import { NotAuthenticated } from '@framework/errors';
import { valueAt, withValue } from './field-path.ts';
import { comparePassword, compareWithNothing, DEFAULT_COST, hashPassword, type HashCost } from './password/password-hash.ts';
import { HASHED } from './password/upgrade.ts';

/** Options of the strategy, in the configuration under its name. */
export interface LocalStrategyConfiguration {
  /** Property of the login data that holds the username; dotted paths are allowed. */
  usernameField: string;
  /** Property of the login data that holds the password. */
  passwordField: string;
  /** Property of the entity that holds the username. Default: `usernameField`. */
  entityUsernameField?: string;
  /** Property of the entity that holds the hash. Default: `passwordField`. */
  entityPasswordField?: string;
  /** Text of the error of a login that fails. Default: `Invalid login`. */
  errorMessage?: string;
  /** Cost of the hash. Default: 19 MiB, two passes. */
  hashCost?: Partial<HashCost>;
}

/** Longest username, in characters (security S5). */
const USERNAME_LENGTH = 1024;

/** Logs in with a username and a password (interface 5.1). */
export class LocalStrategy extends AuthenticationBaseStrategy {
  /** @throws Error for a missing option */
  verifyConfiguration(): void {
    for (const option of ['usernameField', 'passwordField']) {
      if (typeof super.configuration[option] !== 'string')
        throw new Error(`'${String(this.name)}' authentication strategy requires a '${option}' setting`);
    }
  }

  /** The strategy's options with their defaults. */
  override get configuration(): Record<string, unknown> &
    Required<LocalStrategyConfiguration> & { entity: string | null | undefined; entityId: string | undefined } {
    return this.fromSettings(({ service, entity, entityId }) => {
      const own = super.configuration as Partial<LocalStrategyConfiguration>;
      const usernameField = own.usernameField ?? '';
      const passwordField = own.passwordField ?? '';
      return {
        service,
        entityUsernameField: usernameField,
        entityPasswordField: passwordField,
        errorMessage: 'Invalid login',
        ...own,
        usernameField,
        passwordField,
        entity,
        entityId,
        hashCost: { ...DEFAULT_COST, ...own.hashCost },
      };
    });
  }

  /** The hash never leaves the server. */
  get protectedFields(): readonly string[] {
    return [this.configuration.entityPasswordField];
  }

  /** The username in one spelling: logins are counted by it, however it is written. */
  accountOf(data: AuthenticationRequest): string | undefined {
    const username = valueAt(data, this.configuration.usernameField);
    return isText(username, USERNAME_LENGTH) ? username.normalize('NFKC').trim().toLowerCase() : '';
  }

  /**
   * Logs in. Every login that fails has the same answer and takes the same work (security S5, S23).
   *
   * @throws NotAuthenticated (401), TooManyRequests (429)
   */
  async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const { usernameField, passwordField, entity } = this.configuration;
    const username = valueAt(data, usernameField);
    const password = valueAt(data, passwordField);
    if (!isText(username, USERNAME_LENGTH) || !isText(password, Infinity)) throw this.#invalid();

    const { provider: _provider, authentication: _authentication, ...internal } = params;
    const found = await this.#search(username, password, internal);
    await this.comparePassword(found, password);
    if (isDisabled(found, this.settings.disabledField === undefined ? 'disabled' : this.settings.disabledField)) throw this.#invalid();
    const authentication = { strategy: String(this.name) };
    return typeof entity === 'string' ? { authentication, [entity]: await this.getEntity(found, params) } : { authentication };
  }

  async #search(username: string, password: string, params: AuthenticationParams): Promise<Record<string, unknown>> {
    try {
      return await this.findEntity(username, params);
    } catch (error) {
      if (error instanceof NotAuthenticated) await compareWithNothing(password, this.configuration.hashCost as HashCost);
      throw error;
    }
  }

  /** The query that the entity is looked for with. */
  async getEntityQuery(query: Record<string, unknown>, _params: AuthenticationParams): Promise<Record<string, unknown>> {
    return Promise.resolve({ $limit: 1, ...query });
  }

  /**
   * Finds the entity of a username.
   *
   * @throws NotAuthenticated (401) when there is none
   */
  async findEntity(username: string, params: AuthenticationParams): Promise<Record<string, unknown>> {
    const { entityUsernameField } = this.configuration;
    const { entityService } = this;
    if (!isText(username, USERNAME_LENGTH) || !entityService) throw this.#invalid();
    const query = await this.getEntityQuery({ [entityUsernameField]: username }, params);
    const result = await entityService.find({ ...params, query });
    const list: unknown = Array.isArray(result) ? result : (result as { readonly data?: unknown }).data;
    const [found] = Array.isArray(list) ? (list as unknown[]) : [];
    if (typeof found !== 'object' || found === null) throw this.#invalid();
    return found as Record<string, unknown>;
  }

  /**
   * The entity as the caller may see it.
   *
   * @throws NotAuthenticated (401) for an entity without an id
   */
  async getEntity(result: Record<string, unknown>, params: AuthenticationParams): Promise<unknown> {
    const { entity } = this.configuration;
    const id = this.#idOf(result);
    if (id === undefined || id === null) throw new NotAuthenticated('Could not get local entity');
    if (params.provider === undefined || typeof entity !== 'string') return result;
    const { authentication: _authentication, query: _query, ...rest } = params;
    return this.entityService?.get(id, { ...rest, query: {}, [entity]: result });
  }

  #idOf(record: Record<string, unknown>): unknown {
    return record[this.configuration.entityId ?? this.entityService?.id ?? 'id'];
  }

  /**
   * Compares the password; a hash of an older kind is made again.
   *
   * @throws NotAuthenticated (401) when it does not match
   */
  async comparePassword(entity: Record<string, unknown>, password: string): Promise<Record<string, unknown>> {
    const { entityPasswordField, hashCost } = this.configuration;
    const hash = valueAt(entity, entityPasswordField);
    const { matches, outdated } = await comparePassword(password, hash, hashCost as HashCost);
    if (!matches) throw this.#invalid();
    if (outdated) await this.#upgrade(entity, password);
    return entity;
  }

  /** A login does not fail because the new hash can not be stored. */
  async #upgrade(entity: Record<string, unknown>, password: string): Promise<void> {
    const { entityPasswordField } = this.configuration;
    try {
      const hash = await this.hashPassword(password, {});
      await this.entityService?.patch(this.#idOf(entity), withValue({}, entityPasswordField, hash), { [HASHED]: true });
    } catch (error) {
      process.emitWarning(`The password hash of a user could not be renewed: ${String(error)}`);
    }
  }

  /**
   * Hashes a password.
   *
   * @throws BadRequest (400), TooManyRequests (429)
   */
  async hashPassword(password: string, _params: unknown): Promise<string> {
    return hashPassword(password, this.configuration.hashCost as HashCost);
  }

  #invalid(): NotAuthenticated {
    return new NotAuthenticated(this.configuration.errorMessage);
  }
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}
