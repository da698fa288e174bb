/** @returns what is said of something in a record that would hold for nothing */
export function lost(what: string): Error {
  return new Error(
    `${what} can not be seen through, and would hold for nothing: leave it out of the record, and put it into a hook, a resolver, or the schemas of the option 'data'`,
  );
}

export const BOUNDED_DATE = 'A bound of a date (min, max)';
export const BY_FUNCTION = 'A check by a function';
export const FLAG = 'A flag of a pattern (i, m, s, v, y)';

/** JSON Schema has the source of a pattern alone. Other flags change nothing of which texts it takes. */
export function hasLostFlag(flags: unknown): boolean {
  return typeof flags === 'string' && /[imsvy]/u.test(flags);
}
