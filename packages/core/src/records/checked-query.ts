import type { HookContext } from '../hooks/hook-types.ts';
import { defaultServiceMethods } from '../service/method-arguments.ts';

/** Key of `params`; only code on the server can set it. Adapters look for it by its name. */
const CHECKED: unique symbol = Symbol.for('@framework/checked-query');

/**
 * Says that what a caller from outside asks for was checked by the rules of the service's records: conditions that hooks add from here on are of the server, and
 * may be on what the caller does not see. Of a method of one's own nothing is said, since its data may become a query.
 *
 * @param context of the call
 * @returns a property for a copy of its parameters; `undefined` where nothing is said
 */
export function checkedQuery({ params, method, service }: HookContext): object | undefined {
  if (params.provider === undefined || !defaultServiceMethods.includes(method)) return undefined;
  // Parameters that are passed on to another service say nothing there. No service, which whoever prints parameters would print, with all that it stores.
  return { [CHECKED]: (called: object) => called === service || called === Object.getPrototypeOf(service) };
}
