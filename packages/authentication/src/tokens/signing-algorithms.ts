import { ALGORITHMS } from './create-token.ts';
import type { TokenOptions } from './token-options.ts';

/**
 * The algorithms that a token may be signed with: those of `algorithm`, narrowed by `algorithms` (security S15).
 *
 * @param options token options
 * @param configured algorithm of the key. Default: that of the options
 */
export function acceptedAlgorithms({ algorithm, algorithms }: TokenOptions, configured?: string): string[] {
  const own = configured ?? algorithm ?? 'HS256';
  return [own].flat().filter((name) => ALGORITHMS.has(name) && (algorithms === undefined || algorithms.includes(name)));
}
