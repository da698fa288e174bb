import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { checkClaims } from './check-claims.ts';
import { seconds } from './duration.ts';
import { importKey } from './keys.ts';
import type { TokenOptions } from './token-options.ts';

/**
 * Signs an access token.
 *
 * @param payload further claims; an `iat` among them is the time that the token's times are counted from
 * @param options token options
 * @param secret key to sign with
 * @returns the compact form
 * @throws Error when the algorithm, the secret or a time is not valid, and for a claim that an option decides otherwise
 * @see interface 4.2 (createAccessToken)
 */
export async function createToken(payload: Readonly<Record<string, unknown>>, options: TokenOptions, secret: unknown): Promise<string> {
  const algorithm = typeof options.algorithm === 'string' ? options.algorithm : options.algorithm?.[0];
  if (algorithm === undefined || !ALGORITHMS.has(algorithm)) throw new Error(`"algorithm" must be one of ${[...ALGORITHMS].join(', ')}`);
  checkClaims(payload, options);
  const { iat, ...claims } = payload;
  const now = typeof iat === 'number' ? Math.floor(iat) : Math.floor(Date.now() / 1000);
  const token = new SignJWT(claims)
    .setProtectedHeader({ ...options.header, alg: algorithm, ...(options.keyid === undefined ? {} : { kid: options.keyid }) })
    .setIssuedAt(now)
    .setJti(options.jwtid ?? randomUUID());
  if (options.audience !== undefined) token.setAudience(typeof options.audience === 'string' ? options.audience : [...options.audience]);
  if (options.issuer !== undefined) token.setIssuer([options.issuer].flat()[0] ?? '');
  if (options.subject !== undefined) token.setSubject(options.subject);
  if (options.expiresIn !== undefined) token.setExpirationTime(now + seconds(options.expiresIn));
  if (options.notBefore !== undefined) token.setNotBefore(now + seconds(options.notBefore));
  return token.sign(importKey(secret, algorithm, 'sign'));
}

/** Signing algorithms that are offered. `none` is not among them. */
export const ALGORITHMS: ReadonlySet<string> = new Set([
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]);
