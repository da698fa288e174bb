import { KeyObject } from 'node:crypto';
import { importKey } from '../tokens/keys.ts';
import { property } from '../values.ts';

/** Told wherever a secret is missing or weak. */
export const HOW_TO_MAKE_ONE = `Make one with: node -e "console.log(require('crypto').randomBytes(48).toString('base64'))"`;

/** Fewest bytes of a symmetric secret (RFC 7518 3.2). */
const SECRET_BYTES = 32;
/** Fewest different bytes of a symmetric secret. */
const SECRET_VARIETY = 8;
/** Fewest bits of an RSA key (RFC 7518 3.3). */
const RSA_BITS = 2048;

const RSA: readonly string[] = ['rsa'];
const PSS: readonly string[] = ['rsa', 'rsa-pss'];
const ED: readonly string[] = ['ed25519'];
/** Kinds of keys by algorithm, as Node.js names them (RFC 7518 3.1, RFC 8037). */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  RS256: RSA,
  RS384: RSA,
  RS512: RSA,
  PS256: PSS,
  PS384: PSS,
  PS512: PSS,
  ES256: ['ec prime256v1'],
  ES384: ['ec secp384r1'],
  ES512: ['ec secp521r1'],
  EdDSA: ED,
  Ed25519: ED,
};

const KNOWN = /^(.{1,8})\1+$|supersecret|changeme|your[-_ ]?(256[-_ ]?bit[-_ ]?)?secret|<signing_secret>/i;

/**
 * Refuses a key that others could guess or that does not fit its algorithm (security S16).
 *
 * @param secret the key, in any form that the configuration takes
 * @param algorithm algorithm that it is used with
 * @param setting name of the setting that holds it, for example `authentication.keys[0].secret`
 * @param configKey name of the setting of the configuration
 * @throws Error that names the setting; the key is not in the message
 */
export function checkKey(secret: unknown, algorithm: string, setting: string, configKey: string): void {
  if (algorithm.startsWith('HS')) checkSecret(secret, setting, configKey);
  const key = importKey(secret, algorithm, 'verify');
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const kind = [key.asymmetricKeyType ?? key.type, namedCurve].filter((part) => part !== undefined).join(' ');
  const expected = KINDS[algorithm];
  if (expected?.includes(kind) === false)
    throw new Error(`'${setting}' is a key of the kind ${kind}, and ${algorithm} needs ${expected.join(' or ')}`);
  if (modulusLength !== undefined && modulusLength < RSA_BITS) {
    throw new Error(`'${setting}' is an RSA key of ${String(modulusLength)} bits; at least ${String(RSA_BITS)} are needed`);
  }
}

function checkSecret(secret: unknown, setting: string, configKey: string): void {
  const bytes = bytesOf(secret);
  // A pair of keys is refused where it is imported.
  if (bytes === undefined) return;
  if (bytes.length < SECRET_BYTES) {
    throw new Error(
      `'${setting}' has ${String(bytes.length)} bytes; at least ${String(SECRET_BYTES)} are needed. ${HOW_TO_MAKE_ONE}. For development set '${configKey}.allowWeakSecret' to true`,
    );
  }
  if (new Set(bytes).size < SECRET_VARIETY || KNOWN.test(bytes.toString())) {
    throw new Error(`'${setting}' is easy to guess. ${HOW_TO_MAKE_ONE}. For development set '${configKey}.allowWeakSecret' to true`);
  }
}

function bytesOf(secret: unknown): Buffer | undefined {
  if (typeof secret === 'string') return Buffer.from(secret);
  if (secret instanceof Uint8Array) return Buffer.from(secret);
  if (secret instanceof KeyObject) return secret.type === 'secret' ? secret.export() : undefined;
  const [kty, k] = [property(secret, 'kty'), property(secret, 'k')];
  return kty === 'oct' && typeof k === 'string' ? Buffer.from(k, 'base64url') : undefined;
}
