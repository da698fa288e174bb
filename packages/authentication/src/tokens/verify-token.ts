import { NotAuthenticated } from '@framework/errors';
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { VerificationKey } from '../configuration/configuration-types.ts';
import { ALGORITHMS } from './create-token.ts';
import { seconds } from './duration.ts';
import { importKey } from './keys.ts';
import type { TokenOptions } from './token-options.ts';

/** Seconds that clocks may differ at most (security S18). */
const MAX_TOLERANCE = 60;
/** Last second of the year 9999: no honest token lasts longer. */
const MAX_TIME = 253_402_300_799;
/** Longest token, in characters. */
const MAX_LENGTH = 16_384;

/** Three parts in the URL-safe alphabet, without padding: one token has one spelling (RFC 7515 2). */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What a token is verified with. */
export interface VerificationSecrets {
  readonly secret: unknown;
  /** Further keys, chosen by the token's `kid`; never from the token itself (security S17). */
  readonly keys?: readonly VerificationKey[] | undefined;
}

/**
 * Verifies an access token.
 *
 * @param token the compact form
 * @param options token options: algorithm, audience, issuer, `header.typ`, subject and times are checked
 * @param secrets keys of the configuration
 * @returns the payload
 * @throws NotAuthenticated (401) for every token that is not valid now
 * @see interface 4.2 (verifyAccessToken), security S15, S17, S18
 */
export async function verifyToken(token: unknown, options: TokenOptions, secrets: VerificationSecrets): Promise<JWTPayload> {
  if (typeof token !== 'string' || token.length > MAX_LENGTH || !COMPACT.test(token))
    throw new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
  try {
    const { secret, algorithms } = keyFor(token, options, secrets);
    const { payload, protectedHeader } = await jwtVerify(token, (header) => importKey(secret, header.alg, 'verify'), {
      algorithms,
      clockTolerance: Math.min(options.clockTolerance ?? 0, MAX_TOLERANCE),
      ...(options.audience === undefined
        ? {}
        : { audience: typeof options.audience === 'string' ? options.audience : [...options.audience] }),
      ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
      ...(options.subject === undefined ? {} : { subject: options.subject }),
      ...(options.maxAge === undefined ? {} : { maxTokenAge: seconds(options.maxAge) }),
      requiredClaims: ['iat', 'jti', ...(options.expiresIn === undefined ? [] : ['exp'])],
    });
    checkHeader(protectedHeader.typ, options);
    checkTimes(payload, options);
    return payload;
  } catch (error) {
    throw notAuthenticated(error);
  }
}

function keyFor(
  token: string,
  options: TokenOptions,
  { secret, keys }: VerificationSecrets,
): { readonly secret: unknown; readonly algorithms: string[] } {
  const configured =
    options.algorithm === undefined ? ['HS256'] : typeof options.algorithm === 'string' ? [options.algorithm] : [...options.algorithm];
  const algorithms = configured.filter((algorithm) => ALGORITHMS.has(algorithm));
  if (!keys || keys.length === 0) return { secret, algorithms };
  const { kid } = decodeProtectedHeader(token);
  if (kid === undefined || kid === options.keyid) return { secret, algorithms };
  const key = keys.find((entry) => entry.kid === kid);
  if (!key) throw new errors.JWKSNoMatchingKey();
  return { secret: key.secret, algorithms: key.algorithm === undefined ? algorithms : [key.algorithm] };
}

function checkHeader(typ: unknown, options: TokenOptions): void {
  if (options.header?.typ !== undefined && typ !== options.header.typ) throw new errors.JWTInvalid('unexpected "typ"');
}

function checkTimes(payload: JWTPayload, options: TokenOptions): void {
  for (const name of ['exp', 'iat', 'nbf'] as const) {
    const value = payload[name];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0 || value > MAX_TIME))
      throw new errors.JWTInvalid(`"${name}" is not valid`);
  }
  const now = Math.floor(Date.now() / 1000) + Math.min(options.clockTolerance ?? 0, MAX_TOLERANCE);
  if ((payload.iat ?? 0) > now + 1) throw new errors.JWTInvalid('"iat" lies in the future');
}

/** The text says what is wrong, never what the token holds. */
function notAuthenticated(error: unknown): NotAuthenticated {
  if (error instanceof errors.JWTExpired) {
    return new NotAuthenticated('jwt expired', {
      name: 'TokenExpiredError',
      expiredAt: new Date((error.payload.exp ?? 0) * 1000).toISOString(),
    });
  }
  const result = new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
  Object.defineProperty(result, 'cause', { value: error, configurable: true });
  return result;
}
