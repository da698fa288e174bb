import { defaultServiceMethods, getServiceOptions, type ServiceLookup } from '@framework/core';
import { BadRequest } from '@framework/errors';
import type { Request } from '../middleware-types.ts';
import { METHOD_HEADER } from './service-method.ts';

/** A lookup whose path has named a custom method. */
export interface MethodLookup extends ServiceLookup {
  /** Name of the method that is called; `undefined` for all other requests. */
  readonly method?: string;
  /** Whether a POST to the path calls a custom method. */
  readonly takesMethod?: boolean;
}

/**
 * Reads `POST /<service>/<method>`: the last part of the path names a custom method that transports may call, and no record.
 *
 * @param found what the path leads to
 * @returns for a POST the lookup without an id and with the method; the same one for a path that names none
 * @throws BadRequest (400) for a header that names another method than the path
 */
export function methodLookup(found: ServiceLookup, { method, headers }: Pick<Request, 'method' | 'headers'>): MethodLookup {
  const { __id: name, ...params } = found.params;
  if (name === undefined || !isCustomMethod(found.service, name)) return found;
  if (method !== 'POST') return { ...found, takesMethod: true };
  const header = headers[METHOD_HEADER];
  if (header !== undefined && header !== name) {
    throw new BadRequest('The path and the header X-Service-Method name different methods: leave the header out');
  }
  return { service: found.service, path: found.path, params, method: name, takesMethod: true };
}

/** @returns whether a name is that of a custom method that transports may call */
function isCustomMethod(service: object, name: string): boolean {
  return !defaultServiceMethods.includes(name) && getServiceOptions(service)?.methods.includes(name) === true;
}
