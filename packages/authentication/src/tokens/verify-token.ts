import { NotAuthenticated } from '@framework/errors';
import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type JWTVerifyOptions, type ProtectedHeaderParameters } from 'jose';
import { ofEnded } from '../ended.ts';
import { candidateKeys, type CandidateKey, type VerificationSecrets } from './candidate-keys.ts';
import { MAX_TOLERANCE } from './check-token-options.ts';
import { seconds } from './duration.ts';
import { isPlainHmac, verifyHmac } from './hmac.ts';
import { importKey } from './keys.ts';
import type { TokenOptions } from './token-options.ts';

/** Last second of the year 9999: no honest token lasts longer. */
const MAX_TIME = 253_402_300_799;
/** Longest token, in characters. */
const MAX_LENGTH = 16_384;

/** Three parts in the URL-safe alphabet, without padding: one token has one spelling (RFC 7515 2). */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Verifies an access token.
 *
 * @param token the compact form
 * @param options token options: algorithm, audience, issuer, `header.typ`, subject, id and times are checked
 * @param secrets keys of the configuration
 * @returns the payload
 * @throws NotAuthenticated (401) for every token that is not valid now
 * @see interface 4.2 (verifyAccessToken), security S15, S17, S18
 */
export async function verifyToken(token: unknown, options: TokenOptions, secrets: VerificationSecrets): Promise<JWTPayload> {
  if (typeof token !== 'string' || token.length > MAX_LENGTH || !COMPACT.test(token))
    throw new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
  try {
    const header = headerOf(token);
    const payload = await verifyWithOneOf(candidateKeys(header.kid, options, secrets), header, token, joseOptions(options));
    if (options.header?.typ !== undefined && header.typ !== options.header.typ) throw new errors.JWTInvalid('unexpected "typ"');
    checkClaims(payload, options);
    rememberHeader(token, header);
    return payload;
  } catch (error) {
    throw notAuthenticated(error, options);
  }
}

/** Headers of tokens that were valid, by their text: those that one server signs have the same. */
const HEADERS = new Map<string, ProtectedHeaderParameters>();
const HEADERS_LIMIT = 100;

function headerOf(token: string): ProtectedHeaderParameters {
  return HEADERS.get(token.slice(0, token.indexOf('.'))) ?? decodeProtectedHeader(token);
}

function rememberHeader(token: string, header: ProtectedHeaderParameters): void {
  const text = token.slice(0, token.indexOf('.'));
  if (HEADERS.has(text)) return;
  if (HEADERS.size >= HEADERS_LIMIT) HEADERS.clear();
  HEADERS.set(text, Object.freeze(header));
}

/** Only a signature of another key leads on to the next one. */
async function verifyWithOneOf(
  candidates: readonly CandidateKey[],
  header: ProtectedHeaderParameters,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      return await verifyWith(candidate, header, token, options);
    } catch (error) {
      if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) throw error;
      failure = error;
    }
  }
  throw failure ?? new errors.JWKSNoMatchingKey();
}

async function verifyWith(
  { secret, algorithms }: CandidateKey,
  header: ProtectedHeaderParameters,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const { alg } = header;
  if (alg !== undefined && isPlainHmac(header)) {
    if (!algorithms.includes(alg)) throw new errors.JOSEAlgNotAllowed('"alg" (Algorithm) Header Parameter value not allowed');
    return verifyHmac(token, alg, importKey(secret, alg, 'verify'), options);
  }
  const verified = await jwtVerify(token, (found) => importKey(secret, found.alg, 'verify'), { ...options, algorithms });
  return verified.payload;
}

function joseOptions({ audience, issuer, subject, clockTolerance, expiresIn, clockTimestamp }: TokenOptions): JWTVerifyOptions {
  return {
    clockTolerance: Math.min(clockTolerance ?? 0, MAX_TOLERANCE),
    ...(audience === undefined ? {} : { audience: typeof audience === 'string' ? audience : [...audience] }),
    ...(issuer === undefined ? {} : { issuer: typeof issuer === 'string' ? issuer : [...issuer] }),
    ...(subject === undefined ? {} : { subject }),
    ...(clockTimestamp === undefined ? {} : { currentDate: new Date(clockTimestamp * 1000) }),
    requiredClaims: ['iat', 'jti', ...(expiresIn === undefined ? [] : ['exp'])],
  };
}

function checkClaims(payload: JWTPayload, options: TokenOptions): void {
  for (const name of ['exp', 'iat', 'nbf'] as const) {
    const value = payload[name];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0 || value > MAX_TIME))
      throw new errors.JWTInvalid(`"${name}" is not valid`);
  }
  if (options.jwtid !== undefined && payload.jti !== options.jwtid) throw new errors.JWTInvalid('unexpected "jti"');
  if (options.nonce !== undefined && payload.nonce !== options.nonce) throw new errors.JWTInvalid('unexpected "nonce"');
  const now = options.clockTimestamp ?? Math.floor(Date.now() / 1000);
  const issuedAt = payload.iat ?? 0;
  // Whoever made the token may have a clock that is ahead.
  if (issuedAt > now + MAX_TOLERANCE) throw new errors.JWTInvalid('"iat" lies in the future');
  const tolerance = Math.min(options.clockTolerance ?? 0, MAX_TOLERANCE);
  if (options.maxAge !== undefined && now - issuedAt > seconds(options.maxAge) + tolerance)
    throw new errors.JWTExpired('the token is too old', payload, 'iat', 'check_failed');
}

/** The text says what is wrong, never what the token holds. */
function notAuthenticated(error: unknown, { maxAge = 0 }: TokenOptions): NotAuthenticated {
  if (error instanceof errors.JWTExpired) {
    const { exp = 0, iat = 0 } = error.payload;
    const expiredAt = new Date((error.claim === 'iat' ? iat + seconds(maxAge) : exp) * 1000).toISOString();
    return ofEnded(new NotAuthenticated('jwt expired', { name: 'TokenExpiredError', expiredAt }));
  }
  const result = new NotAuthenticated('invalid token', { name: 'JsonWebTokenError' });
  Object.defineProperty(result, 'cause', { value: error, configurable: true });
  return result;
}
