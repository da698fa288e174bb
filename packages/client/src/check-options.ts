/**
 * Refuses options that there are not: a misspelt one would silently do nothing.
 *
 * @throws TypeError
 */
export function checkOptions(of: string, options: object, known: string): void {
  const unknown = Object.keys(options).find((name) => !known.split(' ').includes(name));
  if (unknown !== undefined) throw new TypeError(`${of} has no option '${unknown}'. It has ${known}`);
}
