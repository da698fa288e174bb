const NAMES: ReadonlySet<string> = new Set(['entity', 'entityId', 'service', 'header', 'schemes']);

/** Options with their defaults, where callers without types may have given anything. */
interface Resolved {
  readonly header: unknown;
  readonly schemes: unknown;
}

/**
 * Checks the options of the strategy `jwt`.
 *
 * @param own those under its name
 * @param resolved the same with their defaults
 * @param name of the strategy
 * @throws Error that names what to mend
 */
export function checkJwtOptions(own: Readonly<Record<string, unknown>>, { header, schemes }: Resolved, name: string): void {
  const setting = `authentication.${name}`;
  const unknown = Object.keys(own).find((option) => !NAMES.has(option));
  if (unknown !== undefined)
    throw new Error(`Invalid JwtStrategy option '${setting}.${unknown}'. Did you mean to set it in 'authentication.jwtOptions'?`);
  if (typeof header !== 'string') throw new Error(`The 'header' option for the ${name} strategy must be a string`);
  if (header === '') throw new Error(`'${setting}.header' must be the name of a header`);
  if (!Array.isArray(schemes) || !schemes.every((scheme) => typeof scheme === 'string' && scheme !== ''))
    throw new Error(`'${setting}.schemes' must be a list of schemes, such as ['Bearer']`);
}
