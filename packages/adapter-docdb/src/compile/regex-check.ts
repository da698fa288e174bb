import { BadRequest } from '@framework/errors';

/** Longest pattern from outside (security S13). */
export const REGEX_LENGTH = 100;

/** A repeated group that itself repeats, or alternatives inside a repetition: where matching can take exponential time. */
const NESTED = /\((?:[^()\\]|\\.)*(?:[*+}]|\|)(?:[^()\\]|\\.)*\)\s*(?:[*+]|\{\d+,)/;

/**
 * Checks a pattern that came from outside.
 *
 * @param condition has `$regex` and maybe `$options`
 * @throws BadRequest (400) for patterns that are too long or may take too long, and for unknown flags
 */
export function checkRegex(condition: Readonly<Record<string, unknown>>): void {
  const { $regex: pattern, $options: flags = '' } = condition;
  if (typeof pattern !== 'string') throw new BadRequest('$regex must be text');
  if (typeof flags !== 'string' || !/^[imsx]*$/.test(flags)) throw new BadRequest('$options may hold i, m, s and x');
  if (pattern.length > REGEX_LENGTH) throw new BadRequest(`$regex may have at most ${String(REGEX_LENGTH)} characters`);
  if (NESTED.test(pattern) || /\\[1-9]/.test(pattern)) throw new BadRequest('$regex may not repeat a group that repeats, nor refer back');
}
