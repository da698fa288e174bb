import type { HookContext } from '@framework/core';
import { MethodNotAllowed } from '@framework/errors';

/** Calls from outside whose data was checked as a list, entry by entry. */
const lists = new WeakSet<HookContext>();

/** Adapters know for each call whether it may be of several records. */
interface TakesSeveral {
  allowsMulti?(method: string, params: object): boolean;
}

/** Remembers that the data of a call was checked as a list. */
export function noteList(context: HookContext): void {
  if (context.params.provider !== undefined && Array.isArray(context.data)) lists.add(context);
}

/**
 * Hook next to the method: where one record is taken, what was checked as a list is none. A hook that copies the data into an object, as
 * `{ ...context.data, ownerId }`, would make a record of it, of which nothing was checked.
 *
 * @throws MethodNotAllowed (405), as the adapter does for a list that is still one
 */
export function keepLists(context: HookContext): void {
  if (!lists.has(context) || Array.isArray(context.data)) return;
  const { method, params } = context;
  if ((context.service as TakesSeveral).allowsMulti?.(method, params) === false)
    throw new MethodNotAllowed(`Can not ${method} multiple entries`);
}
