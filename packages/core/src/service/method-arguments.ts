/** The methods that every service may have (interface 1). */
export const defaultServiceMethods: readonly string[] = Object.freeze(['find', 'get', 'create', 'update', 'patch', 'remove']);

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = Object.freeze({
  find: ['params'],
  get: ['id', 'params'],
  create: ['data', 'params'],
  update: ['id', 'data', 'params'],
  patch: ['id', 'data', 'params'],
  remove: ['id', 'params'],
});

const CUSTOM: readonly string[] = Object.freeze(['data', 'params']);

/**
 * Names of a method's arguments in their order.
 *
 * @param method a default method, or a custom one, which always takes `(data, params)`
 */
export function argumentNames(method: string): readonly string[] {
  return Object.hasOwn(ARGUMENTS, method) ? (ARGUMENTS[method] ?? CUSTOM) : CUSTOM;
}
