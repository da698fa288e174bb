/**
 * Refuses options that there are not: a misspelt one would silently do nothing.
 *
 * @throws TypeError
 */
export function checkOptions(of: string, options: object, known: string): void {
  for (const name of Object.keys(options))
    if (!known.split(' ').includes(name)) throw new TypeError(`${of} has no option '${name}'. It has ${known}`);
}
