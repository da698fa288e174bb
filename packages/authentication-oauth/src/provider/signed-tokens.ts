import { compactVerify, createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { OAuthProfile } from '../providers/preset.ts';
import { BOUNDS, ProviderFault, type Fetch } from './bounded-fetch.ts';

/** Algorithms of signatures that are accepted; a secret that is shared never makes a token. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** So many unknown keys are asked for at once, and then one in each of these milliseconds: anybody may bring a token that names a key. */
const AT_ONCE = 5;
const EVERY = 12_000;
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
  /** How often the keys may be asked for at present, and since when that is counted. */
  #turns = AT_ONCE;
  #countedAt = performance.now();

  constructor(address: string, send: Fetch) {
    this.address = address;
    this.#keys = createRemoteJWKSet(new URL(address), {
      [customFetch]: async (url: string, options: RequestInit) => readable(await send(url, options)),
      // Which unknown keys are asked for is decided here.
      cooldownDuration: Infinity,
      timeoutDuration: BOUNDS.milliseconds,
    });
  }

  /**
   * Checks the signature alone, of what the provider itself has sent.
   *
   * @throws ProviderFault when the keys can not be read, JOSEError for a signature that is not right
   */
  async checkSignature(token: string): Promise<void> {
    await compactVerify(token, this.#keyOf, { algorithms: ALGORITHMS }).catch(faultOfKeys);
  }

  /**
   * Verifies a token.
   *
   * @param issuer issuer of the provider; `{tenantid}` stands for the claim `tid`
   * @throws ProviderFault when the keys can not be read, JOSEError for a token that is not right
   */
  async verify(token: string, issuer: string, { audiences, claims, age, types }: SignedTokenRules): Promise<OAuthProfile> {
    const { payload, protectedHeader } = await jwtVerify(token, this.#keyOf, {
      algorithms: ALGORITHMS,
      audience: [...audiences],
      requiredClaims: ['iss', 'iat', 'exp', ...claims],
      clockTolerance: TOLERANCE,
      maxTokenAge: age,
    }).catch(faultOfKeys);
    const expected = issuer.replace('{tenantid}', typeof payload.tid === 'string' && /^[\w-]+$/.test(payload.tid) ? payload.tid : '');
    if (payload.iss !== expected) throw new errors.JWTClaimValidationFailed('unexpected "iss" claim value', payload, 'iss');
    const type = (protectedHeader.typ ?? 'JWT').toLowerCase();
    if (!types.includes(type)) throw new errors.JWTClaimValidationFailed('unexpected "typ" header', payload, 'typ');
    return payload;
  }

  /** A provider may have changed its keys a moment ago: one that is not known is asked for, within bounds. */
  readonly #keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#takeTurn()) throw error;
      await this.#keys.reload();
      return this.#keys(header, token);
    }
  };

  #takeTurn(): boolean {
    const now = performance.now();
    const turns = Math.min(AT_ONCE, this.#turns + (now - this.#countedAt) / EVERY);
    this.#countedAt = now;
    this.#turns = turns < 1 ? turns : turns - 1;
    return turns >= 1;
  }
}

/** @throws ProviderFault for an answer that holds no keys */
async function readable(response: Response): Promise<Response> {
  const { status } = response;
  if (status !== 200) throw new ProviderFault(`The provider answered ${status} to the question for its keys`);
  const text = await response.text();
  try {
    JSON.parse(text);
  } catch {
    throw new ProviderFault('The keys of the provider are no JSON');
  }
  return new Response(text, { status });
}

function faultOfKeys(error: unknown): never {
  if (error instanceof errors.JWKSTimeout) throw new ProviderFault('The provider did not answer in time');
  throw error instanceof errors.JWKSInvalid ? new ProviderFault('What the provider gave for its keys are none') : error;
}
