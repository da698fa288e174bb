/** Says of a service that what {@link keptPaths} gives outlives its `update` and `patch`. Copies of this package know each other's. */
export const keepsPaths: unique symbol = Symbol.for('@framework/keeps-paths');

/** Key of `params`; only code on the server can set it. */
const KEPT: unique symbol = Symbol.for('@framework/kept-paths');

interface Kept {
  /** The registered service: parameters that are passed on to another service say nothing there. */
  readonly service: object;
  readonly paths: readonly string[];
}

const NONE: readonly string[] = Object.freeze([]);

/**
 * What of the stored record has to outlive a call of `update` or `patch`, although the data replaces what is around it, because the caller does not see
 * or set it.
 *
 * @param params parameters of the call
 * @param service the service that was called, registered or as the user made it
 * @returns dotted paths; what the data itself has at a path wins
 */
export function keptPaths(params: object, service: object): readonly string[] {
  const kept = (params as { readonly [KEPT]?: Kept })[KEPT];
  return kept && (kept.service === service || Object.getPrototypeOf(kept.service) === service) ? kept.paths : NONE;
}

/** @returns parameters that say what has to outlive the call */
export function withKeptPaths<P extends object>(params: P, service: object, paths: readonly string[]): P {
  return { ...params, [KEPT]: { service, paths } satisfies Kept };
}

/** @returns whether a service keeps what it is told to keep */
export function canKeep(service: object): boolean {
  return Reflect.get(service, keepsPaths) === true;
}
