import {
  AuthenticationBaseStrategy,
  isDisabled,
  ORIGIN,
  type AuthenticationParams,
  type AuthenticationRequest,
  type AuthenticationResult,
  type EntityService,
  type StrategyDescription,
} from '@framework/authentication';
import { copyParams, getRules } from '@framework/core';
import { NotAuthenticated } from '@framework/errors';
import { errorCode, providerError } from '../errors.ts';
import { NONCE, SIGNED_TOKEN } from '../lengths.ts';
import type { OAuthProfile } from '../providers/preset.ts';
import { redirectTarget, withAnswer } from '../redirect.ts';
import { oauthSettings, type OAuthSettings } from '../settings/oauth-settings.ts';
import type { ProviderSettings } from '../settings/provider-settings.ts';
import { SecondStepNeeded } from '../ticket/second-step.ts';
import { isRecord, isText, property, textOf } from '../values.ts';
import { FirstLogins, type FirstLoginHost } from './first-logins.ts';
import { idTokensOf } from './id-tokens.ts';
import { redirectBase } from './redirect-base.ts';
import { alreadyLinked, isCallable, onlyOne, recordOf } from './refusals.ts';
import { isSameSubject, subjectOf } from './subject.ts';
import { unverifyNewAddresses } from './verified-address.ts';
import { BASE, LINK, LOGGED_IN, providerLogin, type LoggedIn } from './verified.ts';

/** What a provider gave, as the methods of a strategy get it. */
export interface OAuthData extends AuthenticationRequest {
  profile: OAuthProfile;
  access_token?: string | undefined;
  refresh_token?: string | undefined;
  id_token?: string | undefined;
  /** The answer of the token address. */
  raw?: Readonly<Record<string, unknown>>;
}

/** Parameters that the methods of a strategy get. */
export interface OAuthParams extends AuthenticationParams {
  /** What the login asked for to go back to. */
  redirect?: string | undefined;
}

type Entity = Record<string, unknown>;

/** Logs in with a provider: finds the entity of an identity, makes one, or links it. Its methods may be overridden. */
export class OAuthStrategy extends AuthenticationBaseStrategy {
  /** Credentials that are wrong count for the address that they came from. */
  readonly countsFailures = true;

  /** Settings of the provider, and where the entities are. */
  override get configuration(): Record<string, unknown> {
    const { entity, service, entityId } = this.settings;
    return { ...super.configuration, ...this.#provider, entity, service, entityId };
  }

  get #oauth(): OAuthSettings | undefined {
    return oauthSettings(this.app, this.settings);
  }

  get #provider(): ProviderSettings | undefined {
    return this.#oauth?.providers.get(String(this.name));
  }

  /** Name of the id property of entities. */
  get entityId(): string {
    return textOf(this.configuration.entityId) ?? this.#entities.id ?? 'id';
  }

  /**
   * Identities and what says that an address was verified are written by the server alone: who could write them could be anybody. What was verified is
   * not the address that comes after it.
   */
  setup(): void {
    const { service } = this.configuration;
    const oauth = this.#oauth;
    if (typeof service !== 'string' || !oauth || !this.#provider || !this.app) return;
    const entities = this.app.service(service);
    const { emailField: address, emailVerifiedField: verified } = oauth;
    const isLinked = this.#provider.linkByEmail && address !== null;
    getRules(entities)?.add({ readOnly: [this.#idField, ...(isLinked ? [verified] : [])] });
    if (isLinked) unverifyNewAddresses(entities, { address, verified });
  }

  readonly #firstLogins = new FirstLogins();

  get #idField(): string {
    return `${String(this.name)}Id`;
  }

  /** An ID token that the page or the native client has got from the provider itself, with its nonce, where the settings take such tokens. */
  describe(): StrategyDescription {
    if (this.#provider?.audiences === undefined) return {};
    const idToken = { type: 'string', minLength: 1, maxLength: SIGNED_TOKEN };
    return { login: { properties: { idToken, nonce: { ...idToken, maxLength: NONCE } }, required: ['idToken', 'nonce'] } };
  }

  /** The query that finds the entity of an identity. */
  async getEntityQuery(profile: OAuthProfile, _params: OAuthParams): Promise<Record<string, unknown>> {
    return Promise.resolve({ [this.#idField]: subjectOf(profile, this.#provider?.preset) });
  }

  /**
   * What is written to the entity of an identity, at its creation and at each login.
   *
   * @param existing the entity; `null` for one that is to be created
   */
  async getEntityData(profile: OAuthProfile, _existing: Readonly<Entity> | null, _params: OAuthParams): Promise<Record<string, unknown>> {
    return Promise.resolve({ [this.#idField]: subjectOf(profile, this.#provider?.preset) });
  }

  /** The profile of what the provider gave. */
  async getProfile(data: OAuthData, _params: OAuthParams): Promise<OAuthProfile> {
    return Promise.resolve(data.profile);
  }

  /**
   * The entity that the identity is to be linked to.
   *
   * @returns `null` for a login
   * @throws NotAuthenticated (401) when it is gone or disabled
   */
  async getCurrentEntity(params: OAuthParams): Promise<Entity | null> {
    const id = property(params, LINK);
    if (typeof id !== 'string') return null;
    const found = await this.#entities.get(id, copyParams(params, { query: {} }));
    return this.#admitted(recordOf(found));
  }

  /**
   * The address that browsers go back to.
   *
   * @returns `undefined` where none is configured
   */
  async getAllowedOrigin(params: OAuthParams): Promise<string | undefined> {
    const base = property(params, BASE);
    const oauth = this.#oauth;
    return Promise.resolve(typeof base === 'string' ? base : oauth && redirectBase(oauth, params.headers ?? {}));
  }

  /**
   * Where a browser goes after its login, with what the page is to read behind it.
   *
   * @param result what `accessToken` is for the page, nothing where the cookies have it, or the error
   * @returns `null` where no redirect is configured
   * @throws BadRequest (400) for an address that is not allowed
   */
  async getRedirect(result: AuthenticationResult | Error, params: OAuthParams): Promise<string | null> {
    const base = await this.getAllowedOrigin(params);
    const oauth = this.#oauth;
    if (base === undefined || base === '' || !oauth) return null;
    const target = redirectTarget(base, params.redirect ?? '', oauth);
    if (result instanceof Error) {
      const id = property(property(result, 'data'), 'id');
      return withAnswer(target, { error: errorCode(result), ...(isText(id) ? { error_id: id } : {}) });
    }
    return result.accessToken === undefined ? target : withAnswer(target, { access_token: result.accessToken });
  }

  /**
   * Finds the entity of an identity.
   *
   * @returns `null` when there is none
   * @throws NotAuthenticated (401) when there are two: nobody knows whose it is
   */
  async findEntity(profile: OAuthProfile, params: OAuthParams): Promise<Entity | null> {
    const query = await this.getEntityQuery(profile, params);
    const found = await this.#found(query, params);
    const { [this.#idField]: asked } = query;
    return onlyOne(found.filter(({ [this.#idField]: stored }) => isSameSubject(stored, asked)));
  }

  /** @returns two at most: whether there are two has to be seen, also where pages have one */
  async #found(query: Record<string, unknown>, params: OAuthParams): Promise<Readonly<Entity>[]> {
    const found = await this.#entities.find(copyParams(params, { query: { ...query, $limit: 2 }, paginate: false }));
    const data = Array.isArray(found) ? found : property(found, 'data');
    return Array.isArray(data) ? data.filter(isRecord) : [];
  }

  /** Creates the entity of an identity that is new. */
  async createEntity(profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
    const data = await this.getEntityData(profile, null, params);
    return recordOf(await Reflect.apply(this.#creation, this.#entities, [data, copyParams(params, { query: {} })]));
  }

  /** Writes to the entity of an identity what is new; the query of the parameters has to hold when it is written. */
  async updateEntity(entity: Readonly<Entity>, profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
    const data = await this.getEntityData(profile, entity, params);
    if (Object.entries(data).every(([name, value]) => entity[name] === value)) return { ...entity };
    return recordOf(await this.#entities.patch(entity[this.entityId], data, copyParams(params, { query: params.query ?? {} })));
  }

  /** The entity as the caller may see it. */
  async getEntity(entity: Readonly<Entity>, params: OAuthParams): Promise<unknown> {
    const { entity: name } = this.configuration;
    const id = entity[this.entityId];
    if (id === undefined || id === null) throw new NotAuthenticated('Could not get the entity', { error: 'failed' });
    if (params.provider === undefined || typeof name !== 'string') return entity;
    const { authentication: _authentication, ...rest } = params;
    return this.#entities.get(id, { ...rest, query: {}, [name]: this.concealed(entity) });
  }

  /**
   * What an entity has to do before it gets a token, for example to type a code of its second factor; the page, or the client that brings an ID token,
   * gets it in place of the token.
   *
   * @returns `null` for nothing
   */
  async getSecondStep(_entity: unknown, _params: OAuthParams): Promise<Readonly<Record<string, unknown>> | null> {
    return Promise.resolve(null);
  }

  /** Gets the tokens of the provider, which are kept nowhere else. */
  async onTokens(_data: OAuthData, _entity: Readonly<Entity>, _params: OAuthParams): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Logs in: with the answer of a provider to a flow of ours, or with an ID token where the settings allow it. Nothing else in the data counts.
   *
   * @throws NotAuthenticated (401); Conflict (409) for an identity of somebody else, and for an address that an account has; Unavailable (503)
   */
  async authenticate(data: AuthenticationRequest, originalParams: OAuthParams): Promise<AuthenticationResult> {
    const params = copyParams(originalParams, { query: {} }, ['provider', 'authentication']);
    const login = providerLogin(data);
    const { session, ...answer } = login ? await login.redeem() : await this.#idTokenAnswer(data);
    const given: OAuthData = { strategy: String(this.name), ...answer };
    const profile = await this.getProfile(given, params);
    subjectOf(profile, this.#provider?.preset);
    const stored = await this.#entityOf(profile, login?.link === undefined ? params : copyParams(params, { [LINK]: login.link }));
    await this.onTokens(given, stored, params);
    // A login of a flow gets there with its ticket.
    const step = login ? null : await this.getSecondStep(stored, params);
    if (step !== null) throw new SecondStepNeeded(String(this.name), step);
    // Logouts name people as the provider does, whatever identity the entity has of them.
    const subject = textOf(answer.profile.sub) ?? subjectOf(answer.profile, this.#provider?.preset);
    const loggedIn: LoggedIn = { user: String(stored[this.entityId]), subject, session, entity: stored };
    const origin = { strategy: String(this.name), subject, session };
    const name = textOf(this.configuration.entity) ?? 'user';
    const entity = await this.getEntity(stored, originalParams);
    return { authentication: { strategy: String(this.name) }, [name]: entity, [LOGGED_IN]: loggedIn, [ORIGIN]: origin };
  }

  async #idTokenAnswer({ idToken, nonce }: AuthenticationRequest): Promise<{ profile: OAuthProfile; session: string | undefined }> {
    const tokens = this.authentication && idTokensOf(this.authentication);
    if (!tokens || idToken === undefined) throw new NotAuthenticated('Invalid authentication information', { error: 'failed' });
    const profile = await tokens.verify(String(this.name), idToken, nonce);
    return { profile, session: isText(profile.sid) ? profile.sid : undefined };
  }

  async #entityOf(profile: OAuthProfile, params: OAuthParams): Promise<Entity> {
    const current = await this.getCurrentEntity(params);
    const known = await this.findEntity(profile, params);
    const id = this.entityId;
    if (current && known && String(current[id]) !== String(known[id])) throw alreadyLinked();
    if (known) return this.updateEntity(this.#admitted(known), profile, params);
    const host = this.#firstLoginHost(profile);
    return current ? this.#firstLogins.link(host, current, id, profile, params) : this.#firstLogins.logIn(host, profile, params);
  }

  #admitted(entity: Entity): Entity {
    const { disabledField } = this.settings;
    if (isDisabled(entity, disabledField === undefined ? 'disabled' : disabledField))
      throw new NotAuthenticated('The login at the provider failed', { error: 'failed' });
    return entity;
  }

  #firstLoginHost(profile: OAuthProfile): FirstLoginHost {
    const [oauth, provider] = [this.#oauth, this.#provider];
    return {
      identity: this.#idField,
      subject: subjectOf(profile, provider?.preset),
      linking: oauth && provider && { oauth, provider },
      strategy: this,
      find: async (query, params) => onlyOne(await this.#found(query, params)),
      admitted: (entity) => this.#admitted(entity),
    };
  }

  get #entities(): EntityService {
    const { entityService } = this;
    if (!entityService) throw new NotAuthenticated('Could not find entity service');
    return entityService;
  }

  get #creation(): (...args: unknown[]) => unknown {
    const create = property(this.#entities, 'create');
    if (!isCallable(create)) throw providerError(new Error('The entity service has no method create'));
    return create;
  }
}
