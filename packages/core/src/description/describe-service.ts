import type { ServiceDescription } from './described.ts';

/**
 * Key of the method by which a service describes itself: `[describesItself](): ServiceDescription`. It is asked when somebody wants the description,
 * after the application was set up. Copies of this package know each other's.
 */
export const describesItself: unique symbol = Symbol.for('@framework/describes-itself');

/**
 * What a service says of itself.
 *
 * @param service a service, registered or not
 * @returns `undefined` for a service that says nothing
 */
export function describeService(service: object): ServiceDescription | undefined {
  const describe: unknown = Reflect.get(service, describesItself);
  if (typeof describe !== 'function') return undefined;
  const description: unknown = Reflect.apply(describe, service, []);
  return typeof description === 'object' && description !== null ? description : undefined;
}
