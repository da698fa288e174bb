import { SCOPES_CLAIM, type AuthenticationParams } from '@framework/authentication';
import { copyParams, loginResult, type Params } from '@framework/core';
import { BadRequest, Forbidden, NotAuthenticated } from '@framework/errors';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { providerError } from '../errors.ts';
import { flowCookies } from '../flow/flow-cookies.ts';
import { isAudience, type FlowRecord, type LinkingUser } from '../flow/flow-record.ts';
import type { OAuthHost } from '../host.ts';
import { LINK_TOKEN, LOGIN_PARAMETER } from '../lengths.ts';
import { redirectTarget } from '../redirect.ts';
import { isRecord, isText, property, textOf } from '../values.ts';
import { answering } from './answer.ts';
import { CHALLENGE, PASSED_ON } from './login-parameters.ts';

const PASSED: ReadonlySet<string> = new Set(PASSED_ON);
const OURS: ReadonlySet<string> = new Set(['redirect', 'code_challenge', 'code_challenge_method', 'feathers_token']);

/** Begins logins at a provider: `GET` sends the browser there, `POST` gives the address to whoever links an identity. */
export class OAuthService {
  readonly #host: OAuthHost;

  constructor(host: OAuthHost) {
    this.#host = host;
  }

  /**
   * Sends the browser to the provider.
   *
   * @throws NotFound (404), BadRequest (400) for a parameter that is not allowed, Unavailable (503) when the provider is down
   */
  async find(params: Params): Promise<null> {
    const asked = texts(params.query ?? {});
    const link = await this.#linkOfQuery(asked, params);
    answering(params)({ location: await this.#begin(asked, link, params), status: 303 });
    return null;
  }

  /**
   * Gives the address at which the caller links an identity to the own entity.
   *
   * @throws NotAuthenticated (401) without a valid token, and as {@link find}
   */
  async create(data: unknown, params: Params): Promise<{ readonly location: string }> {
    const link = linkingUser(property(params.authentication, 'payload'));
    if (!isRecord(data) || Array.isArray(data)) throw new BadRequest('The data must be an object');
    const asked = texts(data);
    if (asked.feathers_token !== undefined) throw new BadRequest("'feathers_token' is no parameter of this call");
    const location = await this.#begin(asked, link, params);
    answering(params)({ status: 200 });
    return { location };
  }

  async #begin(asked: Readonly<Record<string, string>>, link: LinkingUser | undefined, params: Params): Promise<string> {
    const host = this.#host;
    const { provider, strategy } = host.provider(property(params.route, 'provider'));
    const { redirect = '', code_challenge: challenge } = asked;
    const base = (await strategy.getAllowedOrigin(params)) ?? '';
    const ofPages = redirect !== '' ? 'redirect' : challenge === undefined ? undefined : 'code_challenge';
    if (base === '' && ofPages) throw new BadRequest(`'${ofPages}' needs 'authentication.oauth.redirect' or 'origins'`);
    if (base !== '') redirectTarget(base, redirect, host.settings);
    checkChallenge(challenge, asked.code_challenge_method);
    const flow: FlowRecord = {
      provider: provider.settings.name,
      server: provider.server,
      client: provider.settings.clientId,
      redirectUri: host.redirectUri(provider),
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      base,
      redirect,
      ...(challenge === undefined ? {} : { challenge }),
      ...(link === undefined ? {} : { link }),
    };
    const more = Object.fromEntries(Object.entries(asked).filter(([name]) => PASSED.has(name)));
    const location = await provider.authorization(flow, more).catch((error: unknown) => {
      host.tellFailed(provider.settings.name, error, params);
      throw providerError(error);
    });
    answering(params)({ cookies: await flowCookies(flow, params.headers ?? {}, host.cookieOptions(provider)) });
    return location.href;
  }

  /** A token in an address is in logs and histories: only where the application has asked for it. */
  async #linkOfQuery({ feathers_token: accessToken }: Readonly<Record<string, string>>, params: Params): Promise<LinkingUser | undefined> {
    if (accessToken === undefined) return undefined;
    const { settings, authentication, linkStrategy: strategy } = this.#host;
    if (settings.linkToken !== 'query')
      throw new BadRequest(
        "A token in the address is not allowed. Send 'POST' with the token in its header, or set 'authentication.oauth.linkToken'",
      );
    const inner: AuthenticationParams = copyParams(params, { query: {} }, ['provider', 'authentication']);
    const result = loginResult(authentication, await authentication.authenticate({ strategy, accessToken }, inner, strategy));
    return linkingUser(result.authentication?.payload);
  }
}

function texts(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!OURS.has(name) && !PASSED.has(name)) throw new BadRequest(`'${name.slice(0, 50)}' is no parameter of a login`);
    const longest = name === 'feathers_token' ? LINK_TOKEN : LOGIN_PARAMETER;
    if (typeof value !== 'string' || value.length > longest || /[\x00-\x1f\x7f]/.test(value))
      throw new BadRequest(`'${name}' must be a text`);
    found[name] = value;
  }
  return found;
}

function checkChallenge(challenge: string | undefined, method: string | undefined): void {
  if (challenge === undefined && method === undefined) return;
  if (challenge === undefined || !CHALLENGE.test(challenge) || (method ?? 'S256') !== 'S256')
    throw new BadRequest("'code_challenge' must be one of the method S256");
}

/** @throws NotAuthenticated (401) for a token that does not say whose it is */
function linkingUser(payload: unknown): LinkingUser {
  const [sub, exp] = [property(payload, 'sub'), property(payload, 'exp')];
  if (!isText(sub) || typeof exp !== 'number') throw new NotAuthenticated('Not authenticated');
  // A login is worth more than what a machine is allowed.
  if (property(payload, SCOPES_CLAIM) !== undefined) throw new Forbidden('A token with scopes links no identity');
  const [sid, jti, iss] = ['sid', 'jti', 'iss'].map((name) => textOf(property(payload, name)));
  const aud = property(payload, 'aud');
  if (!isAudience(aud)) throw new NotAuthenticated('Not authenticated');
  return { sub, exp, sid, jti, iss, aud };
}
