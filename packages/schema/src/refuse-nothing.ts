/** What modules that import each other have of each other while they load. */
export const WHILE_LOADING = '. Do two modules import each other? Move what both need into a third';

/**
 * Refuses what is no object where one is to be given.
 *
 * @param takes begins the sentence: what takes which object
 * @throws TypeError that names what was given
 */
export function refuseNoObject(takes: string, given: unknown): asserts given is object {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  throw new TypeError(`${takes}, and not ${kindOf(given)}${given === undefined ? WHILE_LOADING : ''}`);
}

/** @returns what a value is, as messages name it */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an instance of a class' : `a ${typeof value}`;
}
