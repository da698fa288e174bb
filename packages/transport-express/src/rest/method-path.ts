import { defaultServiceMethods, getServiceOptions, stripSlashes, urlPath, type ServiceLookup } from '@framework/core';
import type { Request } from '../middleware-types.ts';

/** A lookup whose path has named a custom method. */
export interface MethodLookup extends ServiceLookup {
  /** Name of the method that is called; `undefined` for all other requests. */
  readonly method?: string;
  /** Whether a POST to the path calls a custom method. */
  readonly takesMethod?: boolean;
}

/**
 * Reads `POST /<service>/<method>`: the last part of the path names a custom method that transports may call, and no record. A method has one spelling, as services have:
 * middleware that guards it by its path sees no other.
 *
 * @param found what the path leads to
 * @returns for a POST the lookup without an id and with the method; the same one for a path that names none
 */
export function methodLookup(found: ServiceLookup, { method, path }: Pick<Request, 'method' | 'path'>): MethodLookup {
  const { __id: name, ...params } = found.params;
  if (name === undefined || !isCustomMethod(found.service, name)) return found;
  const asked = stripSlashes(path);
  if (asked.slice(asked.lastIndexOf('/') + 1) !== urlPath(name)) return found;
  if (method !== 'POST') return { ...found, takesMethod: true };
  return { service: found.service, path: found.path, params, method: name, takesMethod: true };
}

/** @returns whether a name is that of a custom method that transports may call */
function isCustomMethod(service: object, name: string): boolean {
  return !defaultServiceMethods.includes(name) && getServiceOptions(service)?.methods.includes(name) === true;
}
