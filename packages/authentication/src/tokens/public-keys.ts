import type { JsonWebKey } from 'node:crypto';
import type { AuthenticationConfiguration } from '../configuration/configuration-types.ts';
import { keyName } from './candidate-keys.ts';
import { importKey } from './keys.ts';

/** A public key as others find it (RFC 7517). */
export type PublicKey = JsonWebKey & { readonly use: 'sig'; readonly alg: string; readonly kid?: string };

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
