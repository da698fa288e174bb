import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
  type ClientAuth,
  type CustomFetch,
} from 'openid-client';
import type { OAuthProfile } from '../providers/preset.ts';
import type { ProviderSettings } from '../settings/provider-settings.ts';
import { isLoopback, isRecord, property, textOf } from '../values.ts';
import { boundedFetch, BOUNDS, ProviderFault, type Fetch } from './bounded-fetch.ts';
import { checkAddresses } from './metadata-addresses.ts';
import { openIdProfile } from './openid-profile.ts';
import { SignedTokens, type SignedTokenRules } from './signed-tokens.ts';
import { clientSecretToken } from './secret-token.ts';
import { withoutIdToken } from './without-id-token.ts';

/** How long metadata are used, and after what time an attempt that failed is made again, in milliseconds. */
const KEPT = 24 * 3_600_000;
const RETRY = 60_000;
/** Clocks may differ by this many seconds. */
const TOLERANCE = 60;
const CLIENT = { [clockTolerance]: TOLERANCE };

/** What a flow began with. */
export interface FlowChecks {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a provider said of a login; `profile` is what it answers for. */
export interface ProviderAnswer {
  readonly profile: OAuthProfile;
  readonly access_token: string;
  readonly refresh_token: string | undefined;
  readonly id_token: string | undefined;
  /** The answer of the token address. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The session at the provider, where it names one. */
  readonly session: string | undefined;
}

/** One provider: its metadata are read when they are needed first, and kept (requirements of OAuth: O13). */
export class Provider {
  readonly settings: ProviderSettings;
  readonly #fetch: Fetch;
  readonly #clientFetch: CustomFetch;
  #known: { readonly configuration: Configuration; readonly readAt: number } | undefined;
  #reading: Promise<Configuration> | undefined;
  #tokens: SignedTokens | undefined;
  /** The newest client secret that was signed. */
  #signedSecret = '';

  /** @param send sends requests. Default: `fetch` */
  constructor(settings: ProviderSettings, send?: Fetch) {
    this.settings = settings;
    this.#fetch = boundedFetch(send);
    this.#clientFetch = (url, { body, signal, ...rest }) =>
      this.#fetch(url, { ...rest, ...(body === undefined || body === null ? {} : { body }), ...(signal ? { signal } : {}) });
  }

  /** Where a login is decided: the issuer, or the authorization address. */
  get server(): string {
    return this.settings.issuer ?? this.settings.endpoints?.authorization ?? '';
  }

  /** Whether the answer of the provider is posted. */
  get posts(): boolean {
    return this.settings.preset.formPost === true;
  }

  /**
   * The address at which somebody logs in: always with state, PKCE and, with OpenID Connect, a nonce.
   *
   * @param more further parameters
   * @throws ProviderFault when the metadata can not be read
   */
  async authorization(flow: FlowChecks, more: Readonly<Record<string, string>>): Promise<URL> {
    const { scope, parameters } = this.settings;
    const configuration = await this.#configuration();
    return buildAuthorizationUrl(configuration, {
      ...parameters,
      ...more,
      redirect_uri: flow.redirectUri,
      response_type: 'code',
      ...(scope === '' ? {} : { scope }),
      state: flow.state,
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(this.#hasNonce ? { nonce: flow.nonce } : {}),
      ...(this.posts ? { response_mode: 'form_post' } : {}),
    });
  }

  /**
   * Exchanges the code of an answer and reads the profile: nothing of it comes from the browser.
   *
   * @param answer the parameters of the answer
   * @throws ProviderFault, and errors of openid-client for an answer that is not right
   */
  async redeem(answer: Readonly<Record<string, string>>, flow: FlowChecks): Promise<ProviderAnswer> {
    const configuration = await this.#configuration();
    const { issuer, secretKey, clientId, maxAge } = this.settings;
    const isOpenId = issuer !== undefined;
    const url = new URL(flow.redirectUri);
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    // Whose answer it is says the address that it comes to, and the state; a name that is not known can not be compared.
    if (!isOpenId) url.searchParams.delete('iss');
    if (secretKey) this.#signedSecret = await clientSecretToken(secretKey, clientId, this.server);
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      ...(this.#hasNonce ? { expectedNonce: flow.nonce } : {}),
      // The address that asks for it goes through the browser, and the provider need not do it.
      ...(maxAge === undefined ? {} : { maxAge }),
      idTokenExpected: isOpenId,
    });
    if (isOpenId) await this.#checkSignature(configuration, tokens.id_token ?? '');
    const claims = isOpenId ? tokens.claims() : undefined;
    return {
      profile: claims
        ? await this.#openIdProfile(configuration, tokens.access_token, claims)
        : await this.#plainProfile(tokens.access_token),
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      id_token: tokens.id_token,
      raw: { ...tokens },
      session: textOf(claims?.sid),
    };
  }

  /**
   * Verifies a token that the provider has signed: an ID token that a client brings, or a logout token.
   *
   * @throws ProviderFault when the keys can not be read, JOSEError for a token that is not right
   */
  async verify(token: string, rules: SignedTokenRules): Promise<OAuthProfile> {
    const { issuer, jwks_uri: keys } = (await this.#configuration()).serverMetadata();
    if (keys === undefined) throw new ProviderFault('The provider names no keys');
    return this.#signedBy(keys).verify(token, issuer, rules);
  }

  /** What comes from the provider's own address needs no signature where it names no keys. */
  async #checkSignature(configuration: Configuration, token: string): Promise<void> {
    const { jwks_uri: keys } = configuration.serverMetadata();
    if (keys !== undefined) await this.#signedBy(keys).checkSignature(token);
  }

  #signedBy(keys: string): SignedTokens {
    if (this.#tokens?.address !== keys) this.#tokens = new SignedTokens(keys, this.#fetch);
    return this.#tokens;
  }

  /** @returns where somebody logs out at the provider; `undefined` where it has no such address */
  async endSession(redirectUri: string): Promise<string | undefined> {
    const { end_session_endpoint: address } = (await this.#configuration()).serverMetadata();
    if (address === undefined) return undefined;
    const url = new URL(address);
    url.searchParams.set('client_id', this.settings.clientId);
    if (redirectUri !== '') url.searchParams.set('post_logout_redirect_uri', redirectUri);
    return url.href;
  }

  get #hasNonce(): boolean {
    return this.settings.issuer !== undefined && this.settings.preset.withoutNonce !== true;
  }

  /** openid-client compares `sub` of both answers. */
  async #openIdProfile(configuration: Configuration, accessToken: string, claims: OAuthProfile): Promise<OAuthProfile> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return { ...claims };
    return openIdProfile(claims, await fetchUserInfo(configuration, accessToken, String(claims.sub)));
  }

  async #plainProfile(accessToken: string): Promise<OAuthProfile> {
    const { endpoints, preset } = this.settings;
    const address = endpoints?.profile ?? '';
    const answer = await jsonOf(await this.#ask(address, accessToken));
    const profile = preset.profileIn === undefined ? answer : property(answer, preset.profileIn);
    if (!isRecord(profile) || Array.isArray(profile)) throw new ProviderFault('The provider answered with no profile');
    if (preset.emails === undefined) return profile;
    const answered = await this.#ask(`${address}${preset.emails}`, accessToken);
    // The scope of the login, or the application itself, is not allowed to read them.
    if (answered.status === 403 || answered.status === 404) return { ...profile, email_verified: false };
    const emails = await jsonOf(answered);
    const primary: unknown = Array.isArray(emails) ? emails.find((one) => property(one, 'primary') === true) : undefined;
    return { ...profile, email: textOf(property(primary, 'email')), email_verified: property(primary, 'verified') === true };
  }

  #ask(address: string, accessToken: string): Promise<Response> {
    const headers = { authorization: `Bearer ${accessToken}`, accept: 'application/json', 'user-agent': 'framework-authentication-oauth' };
    return this.#fetch(address, { headers });
  }

  async #configuration(): Promise<Configuration> {
    const now = performance.now();
    if (this.#known && now - this.#known.readAt < KEPT) return this.#known.configuration;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    try {
      return await this.#reading;
    } catch (error) {
      if (!this.#known) throw error;
      // What was known goes on counting while the provider says nothing.
      this.#known = { ...this.#known, readAt: now - KEPT + RETRY };
      return this.#known.configuration;
    }
  }

  async #read(): Promise<Configuration> {
    const configuration = await this.#discovered().catch((error: unknown) => {
      throw new ProviderFault('The metadata of the provider can not be read, or are not those of the issuer that is set', { cause: error });
    });
    checkAddresses(configuration.serverMetadata());
    configuration.timeout = BOUNDS.milliseconds / 1000;
    this.#known = { configuration, readAt: performance.now() };
    return configuration;
  }

  async #discovered(): Promise<Configuration> {
    const { issuer, endpoints, clientId } = this.settings;
    const extensions = extensionsFor(this.server);
    if (issuer !== undefined) {
      const options = { [customFetch]: this.#clientFetch, execute: extensions, timeout: BOUNDS.milliseconds / 1000 };
      const configuration = await discovery(new URL(issuer), clientId, CLIENT, this.#clientAuth, options);
      configuration[customFetch] = async (...request) => this.#signed(configuration, await this.#clientFetch(...request));
      return configuration;
    }
    const { authorization = '', token = '' } = endpoints ?? {};
    const server = { issuer: this.server, authorization_endpoint: authorization, token_endpoint: token };
    const configuration = new Configuration(server, clientId, CLIENT, this.#clientAuth);
    // What is asked through it is the token address alone.
    configuration[customFetch] = async (...request) => withoutIdToken(await this.#clientFetch(...request));
    for (const allow of extensions) allow(configuration);
    return configuration;
  }

  /** @returns an answer; a profile may come as a signed token */
  async #signed(configuration: Configuration, response: Response): Promise<Response> {
    if (/^application\/jwt\b/i.test(response.headers.get('content-type') ?? ''))
      await this.#checkSignature(configuration, await response.clone().text());
    return response;
  }

  readonly #clientAuth: ClientAuth = (as, client, body, headers) => {
    const { authMethod, clientSecret, secretKey } = this.settings;
    const secret = secretKey ? this.#signedSecret : clientSecret;
    const { token_endpoint_auth_methods_supported: supported } = as;
    const usesBasic = supported?.includes('client_secret_basic') === true && !supported.includes('client_secret_post');
    const method = authMethod ?? (usesBasic ? 'client_secret_basic' : 'client_secret_post');
    const auth =
      secret === undefined || method === 'none'
        ? None()
        : method === 'client_secret_basic'
          ? ClientSecretBasic(secret)
          : ClientSecretPost(secret);
    auth(as, client, body, headers);
  };
}

/** @throws ProviderFault for another status, and for what is no JSON */
async function jsonOf(response: Response): Promise<unknown> {
  if (response.status !== 200) throw new ProviderFault(`The provider answered ${response.status} to the question for the profile`);
  try {
    return await response.json();
  } catch {
    throw new ProviderFault('The provider answered with no JSON');
  }
}

/** HTTP is for providers on this machine alone: for development and tests. */
function extensionsFor(server: string): ((configuration: Configuration) => void)[] {
  // The name is marked so that it stands out; it is reached by addresses of this machine alone.
  // oxlint-disable-next-line typescript/no-deprecated
  return isLoopback(new URL(server).hostname) ? [allowInsecureRequests] : [];
}
