/**
 * Refuses options that there are not: a misspelt one would silently do nothing.
 *
 * @param of the function that takes them
 * @param names those that there are
 * @throws TypeError
 */
export function checkOptionNames(of: string, options: object, names: ReadonlySet<string>): void {
  const unknown = Object.keys(options).find((name) => !names.has(name));
  if (unknown !== undefined) throw new TypeError(`${of}() has no option '${unknown}': it takes ${[...names].join(', ')}`);
}
