import { checkMany } from '@framework/core/adapter';
import type { ResolvedOptions } from '../docdb-types.ts';
import type { Call } from './call.ts';
import { countMatching } from './count-matching.ts';

/**
 * Counts the records that a write to several of them would touch, for one that reads none of them.
 *
 * @throws BadRequest (400) when they are more than the service's `maxMulti`
 */
export async function checkCount(call: Call): Promise<void> {
  checkMany(await countMatching(call, oneMore(call.options).limit), call.options);
}

/** @returns how many records are looked for: one more than may be tells that there are too many. Without a bound it is none for the database either */
export function oneMore({ maxMulti }: ResolvedOptions): { readonly limit?: number } {
  return Number.isFinite(maxMulti) ? { limit: maxMulti + 1 } : {};
}
