import { isDeepStrictEqual } from 'node:util';
import type { HookContext, Http } from '@framework/core';

/**
 * Tells what is set of an answer from now on: what was set before by hooks in front is set by them again when a call comes again, and is another each time, as a
 * cookie or an id of the request.
 *
 * @param context of the call
 * @returns gives status, headers and target that are others than they were
 */
export function httpChanges({ http: { headers: given = {}, ...before } }: HookContext): (http: Http) => Http {
  // Hooks may add to a list in its place.
  const headersBefore = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value].flat()]));
  return ({ headers = {}, ...rest }) => {
    const changed = Object.entries(headers).filter(([name, value]) => !isDeepStrictEqual([value].flat(), headersBefore[name]));
    const others = Object.entries(rest).filter(([name, value]) => value !== Reflect.get(before, name));
    return { ...Object.fromEntries(others), ...(changed.length === 0 ? {} : { headers: Object.fromEntries(changed) }) };
  };
}
