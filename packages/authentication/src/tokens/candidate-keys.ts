import type { VerificationKey } from '../configuration/configuration-types.ts';
import { acceptedAlgorithms } from './signing-algorithms.ts';
import type { TokenOptions } from './token-options.ts';

/** What a token is verified with. */
export interface VerificationSecrets {
  readonly secret: unknown;
  /** Further keys of the configuration; a token names one by its `kid` and never brings one (security S17). */
  readonly keys?: readonly VerificationKey[] | undefined;
}

/** A key that a token may have been signed with, and the algorithms that it is used with. */
export interface CandidateKey {
  readonly secret: unknown;
  readonly algorithms: string[];
}

/** @returns the `kid` of the tokens that are signed with options; `undefined` for none */
export function keyName({ keyid, header }: TokenOptions): string | undefined {
  const named = keyid ?? header?.kid;
  return typeof named === 'string' ? named : undefined;
}

/**
 * The keys that a token may have been signed with, the likeliest first. A token without `kid` was made before keys had names:
 * any of them may have signed it, so that the first rotation logs nobody out.
 *
 * @param kid `kid` of the token's header
 * @param options token options
 * @param secrets keys of the configuration
 */
export function candidateKeys(kid: unknown, options: TokenOptions, { secret, keys = [] }: VerificationSecrets): CandidateKey[] {
  const present = { secret, algorithms: acceptedAlgorithms(options) };
  if (keys.length === 0 || (kid !== undefined && kid === keyName(options))) return [present];
  const further = keys.filter((key) => kid === undefined || key.kid === kid);
  const others = further.map((key) => ({ secret: key.secret, algorithms: acceptedAlgorithms(options, key.algorithm) }));
  return kid === undefined ? [present, ...others] : others;
}
