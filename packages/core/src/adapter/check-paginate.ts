import { inspected } from '../inspected.ts';

const SIZES: ReadonlySet<string> = new Set(['default', 'max']);

/**
 * Refuses page sizes that would silently be none, so that a call gets every record.
 *
 * @param of name of the service's class
 * @param paginate the option; callers without types may give anything
 * @throws Error
 */
export function checkPaginate(of: string, paginate: unknown): void {
  if (paginate === undefined || paginate === null || paginate === false) return;
  const option = `The option 'paginate' of ${of}`;
  if (typeof paginate !== 'object' || Array.isArray(paginate))
    throw new Error(
      `${option} is false or page sizes such as { default: 10, max: 50 }, and not ${Array.isArray(paginate) ? 'a list' : inspected(paginate)}`,
    );
  for (const [name, size] of Object.entries(paginate)) {
    if (!SIZES.has(name)) throw new Error(`${option} has no size '${name}': it takes default and max`);
    if (size !== undefined && size !== Infinity && !(Number.isSafeInteger(size) && Number(size) >= 0))
      throw new Error(`${option} has a '${name}' that is no whole number from 0: ${inspected(size)}`);
  }
}
