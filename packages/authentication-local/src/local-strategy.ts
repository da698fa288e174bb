import {
  AuthenticationBaseStrategy,
  IDENTITY,
  isDisabled,
  type AuthenticationConfiguration,
  type AuthenticationParams,
  type AuthenticationRequest,
  type AuthenticationResult,
  type LoginIdentity,
  type StrategyDescription,
} from '@framework/authentication';
import { checkSpelling, copyParams, ToldSeldom } from '@framework/core';
import { BadRequest, isFrameworkError, NotAuthenticated } from '@framework/errors';
import { isRecord, valueAt } from './field-path.ts';
import { checkLocalOptions, localOptions, OPTION_NAMES, type LocalOptions } from './local-configuration.ts';
import { nested } from './nested-schema.ts';
import { findBindings } from './password/bindings.ts';
import { isHash } from './password/hash-kind.ts';
import { HashRenewals, type Entity } from './password/hash-renewals.ts';
import { EqualWork } from './password/equal-work.ts';
import { checkCost, DEFAULT_COST, hashPassword, type HashCost } from './password/password-hash.ts';

/** Longest username, in characters (security S5). */
const USERNAME_LENGTH = 1024;
/** Longest password that is looked at, in characters: hashing must not become work that others can order (security S25). */
const PASSWORD_LENGTH = 65_536;

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Logs in with a username and a password (interface 5.1). */
export class LocalStrategy extends AuthenticationBaseStrategy {
  /** @throws Error for a missing or misspelt option, and for a cost with which no password could be hashed; for a program that is a bundle, without what computes hashes beside it */
  verifyConfiguration(): void {
    for (const option of ['usernameField', 'passwordField']) {
      if (typeof super.configuration[option] !== 'string')
        throw new Error(`'${String(this.name)}' authentication strategy requires a '${option}' setting`);
    }
    const setting = `authentication.${String(this.name)}`;
    // A class of one's own may take others.
    checkSpelling(`'${setting}'`, super.configuration, OPTION_NAMES);
    checkLocalOptions(super.configuration, setting);
    checkCost(super.configuration.hashCost, `${setting}.hashCost`);
    this.fromSettings(this.#equalWork);
    // A class of one's own may compare passwords by itself.
    if (this.comparePassword === LocalStrategy.prototype.comparePassword) findBindings();
  }

  /** The strategy's options with their defaults. */
  override get configuration(): LocalOptions {
    return this.fromSettings(this.#options);
  }

  readonly #options = (settings: AuthenticationConfiguration): LocalOptions => localOptions(super.configuration, settings);

  readonly #equalWork = (): EqualWork => new EqualWork(this.#cost, this.configuration.formerHashes);

  get #cost(): HashCost {
    return { ...DEFAULT_COST, ...this.configuration.hashCost };
  }

  /** A username and a password; names with dots are nested. */
  describe(): StrategyDescription {
    const { usernameField, passwordField } = this.configuration;
    return {
      login: nested([
        [usernameField.split('.'), { type: 'string', maxLength: USERNAME_LENGTH }],
        [passwordField.split('.'), { type: 'string', format: 'password' }],
      ]),
    };
  }

  /** The hash never leaves the server. */
  get protectedFields(): readonly string[] {
    return [this.configuration.entityPasswordField];
  }

  /**
   * Finds whom a login is for: logins are counted by the entity's id, however its name is written, and for unknown ones by the
   * text in one spelling.
   *
   * @throws BadRequest (400) for a password that is too long to be looked at
   */
  async identify(data: AuthenticationRequest, params: AuthenticationParams): Promise<LoginIdentity> {
    const given = this.#credentials(data);
    if (!given) return { account: '', known: false };
    const { provider: _provider, authentication: _authentication, ...internal } = params;
    const account = given.username.normalize('NFKC').trim().toLowerCase();
    // Collations of databases may look neither at case nor at accents.
    const text = account.normalize('NFKD').replace(/\p{M}/gu, '');
    const unknown = { account, known: false, text };
    try {
      const entity: unknown = await this.findEntity(given.username, internal);
      // A class of one's own may find nothing without a word: the status would tell unknown users from others.
      if (!isRecord(entity)) return unknown;
      const id = this.#idOf(entity);
      return id === undefined || id === null ? { ...unknown, entity } : { account: String(id), known: true, text, entity };
    } catch (error) {
      // Hooks of the users' service may have another copy of the errors.
      if (isFrameworkError(error) && error.code === 401) return unknown;
      throw error;
    }
  }

  /**
   * Logs in. Every login that fails has the same answer and takes the same work (security S5, S23).
   *
   * @throws NotAuthenticated (401), BadRequest (400) for a password that is too long to be looked at, TooManyRequests (429)
   */
  async authenticate(data: AuthenticationRequest, params: AuthenticationParams): Promise<AuthenticationResult> {
    const given = this.#credentials(data);
    if (!given) throw this.#invalid();
    const known = (params as { readonly [IDENTITY]?: LoginIdentity })[IDENTITY];
    const identity = known ?? (await this.identify(data, params));
    const found = identity.entity;
    const compared: unknown = await this.comparePassword(found ?? {}, given.password);
    // Functions that compare say so by `false`, and a class of one's own may hand that on. One that gives nothing has thrown nothing.
    const isOther = compared !== undefined && !compared;
    if (!found || isOther || isDisabled(found, this.settings.disabledField === undefined ? 'disabled' : this.settings.disabledField))
      throw this.#invalid();
    if (this.#outdated.delete(found)) identity.entity = await this.#upgrade(found, given.password);
    const { entity } = this.configuration;
    const authentication = { strategy: String(this.name) };
    return typeof entity === 'string' ? { authentication, [entity]: await this.getEntity(found, params) } : { authentication };
  }

  /** @throws BadRequest (400) */
  #credentials(data: AuthenticationRequest): Credentials | undefined {
    const { usernameField, passwordField } = this.configuration;
    const [username, password] = [valueAt(data, usernameField), valueAt(data, passwordField)];
    if (!isText(username, USERNAME_LENGTH) || !isText(password, Infinity)) return undefined;
    if (password.length > PASSWORD_LENGTH) throw new BadRequest('The password is too long');
    return { username, password };
  }

  /** The query that the entity is looked for with. */
  async getEntityQuery(query: Record<string, unknown>, _params: AuthenticationParams): Promise<Record<string, unknown>> {
    return Promise.resolve({ $limit: 1, ...query });
  }

  /**
   * Finds the entity of a username. A class of one's own may give nothing where there is none.
   *
   * @throws NotAuthenticated (401) when there is none
   */
  async findEntity(username: string, params: AuthenticationParams): Promise<Record<string, unknown>> {
    const { entityUsernameField } = this.configuration;
    const { entityService } = this;
    if (!isText(username, USERNAME_LENGTH) || !entityService) throw this.#invalid();
    const query = await this.getEntityQuery({ [entityUsernameField]: username }, params);
    const result = await entityService.find(copyParams(this.entityParams(params), { query }));
    const list: unknown = Array.isArray(result) ? result : valueAt(result, 'data');
    const found: unknown = Array.isArray(list) ? list[0] : undefined;
    if (!isRecord(found)) throw this.#invalid();
    return found;
  }

  /**
   * The entity as the caller may see it.
   *
   * @throws NotAuthenticated (401) for an entity without an id
   */
  async getEntity(result: Readonly<Record<string, unknown>>, params: AuthenticationParams): Promise<unknown> {
    const { entity } = this.configuration;
    const id = this.#idOf(result);
    if (id === undefined || id === null) throw new NotAuthenticated('Could not get local entity');
    if (params.provider === undefined || typeof entity !== 'string') return result;
    const { authentication: _authentication, query: _query, ...rest } = this.entityParams(params);
    return this.entityService?.get(id, { ...rest, query: {}, [entity]: this.concealed(result) });
  }

  #idOf(record: Readonly<Record<string, unknown>>): unknown {
    return record[this.configuration.entityId ?? this.entityService?.id ?? 'id'];
  }

  readonly #renewals = new HashRenewals(() => {
    const field = this.configuration.entityPasswordField;
    return {
      entities: this.entityService,
      field,
      hash: (password) => this.hashPassword(password, {}),
      matches: async (password, hash) => (await this.fromSettings(this.#equalWork).compare(password, hash)).matches,
      keepSessions: async (id, before, after) =>
        this.authentication?.sessions?.ofUser.keepThroughRenewal(id, { entity: before, fields: [field] }, after),
    };
  });

  /** Each login of a user with an older hash would tell of a service that stores no other. */
  readonly #renewalsTold = new ToldSeldom();

  /** Entities whose password matched a hash of an older kind. */
  readonly #outdated = new WeakSet<object>();

  /**
   * Compares the password. An entity without a hash takes the same work as one with it. A class of one's own may give `false` where it does not match.
   *
   * @throws NotAuthenticated (401) when it does not match
   */
  async comparePassword(entity: Readonly<Record<string, unknown>>, password: string): Promise<Readonly<Record<string, unknown>>> {
    const hash = valueAt(entity, this.configuration.entityPasswordField);
    const { matches, outdated } = await this.fromSettings(this.#equalWork).compare(password, hash);
    if (!matches) {
      if (isText(hash, Infinity) && !isHash(hash)) this.#warnOfClearText();
      throw this.#invalid();
    }
    if (outdated) this.#outdated.add(entity);
    return entity;
  }

  #isWarned = false;

  /** The caller is told nothing of it, so that whoever has left the hook out would look for the fault in the login. */
  #warnOfClearText(): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const { service, entityPasswordField: field } = this.configuration;
    process.emitWarning(
      `A login failed since '${field}' of a record of '${String(service)}' is no hash: it was stored as it came. Hash it by the hook ` +
        `hashPassword('${field}'), before create, update and patch of that service, and change what is stored already`,
      { code: 'PASSWORD_NOT_HASHED' },
    );
  }

  /**
   * Makes a hash of an older kind again. A login does not fail because the new one can not be stored.
   *
   * @returns the entity with the hash that is stored now; the given one where that is of another password
   */
  async #upgrade(entity: Entity, password: string): Promise<Entity> {
    try {
      return await this.#renewals.renew(this.#idOf(entity), entity, password);
    } catch (error) {
      this.#renewalsTold.warn(`The password hash of a user could not be renewed: ${String(error)}`);
      return entity;
    }
  }

  /**
   * Hashes a password.
   *
   * @throws BadRequest (400), TooManyRequests (429)
   */
  async hashPassword(password: string, _params: unknown): Promise<string> {
    return hashPassword(password, this.#cost);
  }

  #invalid(): NotAuthenticated {
    return new NotAuthenticated(this.configuration.errorMessage);
  }
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}
