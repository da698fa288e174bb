import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import type { OAuthProfile } from '../providers/preset.ts';
import { BOUNDS, ProviderFault, type Fetch } from './bounded-fetch.ts';

/** Algorithms of signatures that are accepted; a secret that is shared never makes a token. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** An unknown key is asked for at most once in this time, in milliseconds. */
const COOLDOWN = 60_000;
/** Clocks may differ by this many seconds. */
const TOLERANCE = 60;

/** What a token must be. */
export interface SignedTokenRules {
  readonly audiences: readonly string[];
  /** Claims that it must have. */
  readonly claims: readonly string[];
  /** Longest time since it was made, in seconds. */
  readonly age: number;
  /** Types that its header may name. */
  readonly types: readonly string[];
}

/** Tokens that a provider has signed. */
export class SignedTokens {
  /** Address of the keys. */
  readonly address: string;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;

  constructor(address: string, send: Fetch) {
    this.address = address;
    this.#keys = createRemoteJWKSet(new URL(address), {
      [customFetch]: (url: string, options: RequestInit) => send(url, options),
      cooldownDuration: COOLDOWN,
      timeoutDuration: BOUNDS.milliseconds,
    });
  }

  /**
   * Verifies a token.
   *
   * @param issuer issuer of the provider; `{tenantid}` stands for the claim `tid`
   * @throws ProviderFault when the keys can not be read, JOSEError for a token that is not right
   */
  async verify(token: string, issuer: string, { audiences, claims, age, types }: SignedTokenRules): Promise<OAuthProfile> {
    const { payload, protectedHeader } = await jwtVerify(token, this.#keys, {
      algorithms: ALGORITHMS,
      audience: [...audiences],
      requiredClaims: ['iss', 'iat', 'exp', ...claims],
      clockTolerance: TOLERANCE,
      maxTokenAge: age,
    }).catch((error: unknown) => {
      throw error instanceof errors.JWKSTimeout ? new ProviderFault('The provider did not answer in time') : error;
    });
    const expected = issuer.replace('{tenantid}', typeof payload.tid === 'string' && /^[\w-]+$/.test(payload.tid) ? payload.tid : '');
    if (payload.iss !== expected) throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', payload, 'iss');
    const type = (protectedHeader.typ ?? 'JWT').toLowerCase();
    if (!types.includes(type)) throw new errors.JWTClaimValidationFailed('unexpected "typ" header', payload, 'typ');
    return payload;
  }
}
