/**
 * The options that were given. One that is `undefined` was not: a setting that is missing takes no default, and no bound, away.
 *
 * @param options to be laid over their defaults
 */
export function givenOptions<O extends object>(options: O): O {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as O;
}
