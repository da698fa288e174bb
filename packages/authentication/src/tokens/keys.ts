import { createPrivateKey, createPublicKey, createSecretKey, KeyObject, type JsonWebKey } from 'node:crypto';
import { property } from '../values.ts';

/** What a key is used for. */
export type KeyUse = 'sign' | 'verify';

const cache = new Map<KeyUse, WeakMap<object, Map<string, KeyObject>>>([
  ['sign', new WeakMap()],
  ['verify', new WeakMap()],
]);
/** Texts can not be held weakly; few are ever in use. */
const textCache = new Map<string, KeyObject>();
const TEXT_CACHE = 100;

/**
 * Imports a key, once for each secret, algorithm and use.
 *
 * @param secret secret text or bytes for HS algorithms; PEM text, JWK or `KeyObject` for the others; a private key also
 *   verifies, by its public half
 * @throws Error for a secret that does not fit the algorithm; the secret is not in the message
 */
export function importKey(secret: unknown, algorithm: string, use: KeyUse): KeyObject {
  if (typeof secret === 'string') {
    const name = `${use} ${algorithm} ${secret}`;
    const known = textCache.get(name) ?? createKey(secret, algorithm, use);
    if (textCache.size >= TEXT_CACHE) textCache.clear();
    textCache.set(name, known);
    return known;
  }
  if (typeof secret !== 'object' || secret === null) throw new Error('A secret or a key is needed to sign and verify tokens');
  const keys = cache.get(use)?.get(secret) ?? new Map<string, KeyObject>();
  const known = keys.get(algorithm) ?? createKey(secret, algorithm, use);
  keys.set(algorithm, known);
  cache.get(use)?.set(secret, keys);
  return known;
}

function createKey(secret: string | object, algorithm: string, use: KeyUse): KeyObject {
  if (algorithm.startsWith('HS')) return symmetricKey(secret);
  try {
    if (secret instanceof KeyObject) return use === 'verify' && secret.type === 'private' ? createPublicKey(secret) : secret;
    const bytes = bytesOf(secret);
    if (bytes !== undefined) return use === 'sign' ? createPrivateKey(bytes) : createPublicKey(bytes);
    const jwk = { key: secret as JsonWebKey, format: 'jwk' as const };
    return use === 'sign' ? createPrivateKey(jwk) : createPublicKey(jwk);
  } catch (error) {
    throw new Error(
      `The secret is no ${use === 'sign' ? 'private' : 'public or private'} key for ${algorithm}: use PEM, a JWK or a KeyObject`,
      { cause: error },
    );
  }
}

/** A public key must never become the secret of an HMAC (RFC 8725 2.1). */
function symmetricKey(secret: string | object): KeyObject {
  if (secret instanceof KeyObject) {
    if (secret.type !== 'secret') throw new Error('An HS algorithm needs a secret, not a key pair');
    return secret;
  }
  const [kty, k] = [property(secret, 'kty'), property(secret, 'k')];
  if (kty === 'oct' && typeof k === 'string') return createSecretKey(Buffer.from(k, 'base64url'));
  const bytes = bytesOf(secret);
  if (bytes === undefined) throw new Error('An HS algorithm needs a secret text');
  if (bytes.includes('-----BEGIN ')) throw new Error('An HS algorithm needs a secret, not a key pair');
  return createSecretKey(bytes);
}

/** @returns the bytes of a text or of bytes; `undefined` for any other form of a key */
function bytesOf(secret: string | object): Buffer | undefined {
  if (typeof secret === 'string') return Buffer.from(secret);
  return secret instanceof Uint8Array ? Buffer.from(secret) : undefined;
}
