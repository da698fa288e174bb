const values = new WeakMap<object, Map<unknown, unknown>>();

/**
 * Works something out of a configuration once: the same function asked for the same configuration gives the same value. The
 * service hands out a new configuration object when the setting changes, so nothing old is ever given.
 *
 * @param configuration a frozen configuration, as `service.configuration` gives it
 * @param compute works the value out; always the same function object, not one made for the call
 */
export function derivedFrom<C extends object, T>(configuration: C, compute: (configuration: C) => T): T {
  let known = values.get(configuration);
  if (known === undefined) {
    known = new Map();
    values.set(configuration, known);
  }
  if (!known.has(compute)) known.set(compute, compute(configuration));
  return known.get(compute) as T;
}
