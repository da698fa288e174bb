import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { keyName } from './candidate-keys.ts';
import { importKey } from './keys.ts';

/**
 * A public key as others find it (RFC 7517): what it has beside `use`, `alg` and `kid` depends on its kind, `kty`. No interface, so that functions of Node
 * take it for a key.
 */
export type PublicKey = {
  /** What it is for: it verifies signatures. */
  readonly use: 'sig';
  /** The algorithm of the signatures, such as `RS256`. */
  readonly alg: string;
  /** Its name, which tokens have in their header. */
  readonly kid?: string;
  /** Kind of the key: `RSA`, `EC` or `OKP`. */
  readonly kty?: string;
  /** Curve of an `EC` or `OKP` key. */
  readonly crv?: string;
  /** Coordinate of an `EC` or `OKP` key. */
  readonly x?: string;
  /** Second coordinate of an `EC` key. */
  readonly y?: string;
  /** Modulus of an `RSA` key. */
  readonly n?: string;
  /** Exponent of an `RSA` key. */
  readonly e?: string;
};

/**
 * The public halves of the keys that tokens are verified with; secrets are left out, also those of which the algorithm is not told.
 *
 * @param configuration configuration of the authentication service
 */
export function publicKeys({ secret, keys = [], jwtOptions = {} }: AuthenticationConfiguration): PublicKey[] {
  const [algorithm = 'HS256'] = typeof jwtOptions.algorithm === 'object' ? jwtOptions.algorithm : [jwtOptions.algorithm ?? 'HS256'];
  return [{ secret, algorithm, kid: keyName(jwtOptions) }, ...keys.map((key) => ({ ...key, algorithm: key.algorithm ?? algorithm }))]
    .filter((key) => !key.algorithm.startsWith('HS'))
    .map((key) => ({ ...key, imported: importKey(key.secret, key.algorithm, 'verify') }))
    .filter(({ imported }) => imported.type === 'public')
    .map(({ imported, algorithm: alg, kid }) => ({
      ...imported.export({ format: 'jwk' }),
      use: 'sig' as const,
      alg,
      ...(kid === undefined ? {} : { kid }),
    }));
}
