import { defaultServiceMethods, type NormalizedServiceOptions } from '@framework/core';
import { MethodNotAllowed } from '@framework/errors';

/** Header that names a custom method in a POST request. */
export const METHOD_HEADER = 'x-service-method';

/** A service method to call, or that the request only asks what is possible. */
export type MethodChoice = { readonly kind: 'call'; readonly method: string } | { readonly kind: 'options' };

/**
 * The service method of a request (interface 4.1).
 *
 * @param httpMethod for example `GET`
 * @param hasId whether the path ends with an id
 * @param custom value of the `X-Service-Method` header
 * @param options options of the service
 * @throws MethodNotAllowed (405) when the service does not offer it; the answer needs {@link allowHeader}
 * @see security S38, S42
 */
export function serviceMethod(
  httpMethod: string,
  hasId: boolean,
  custom: string | undefined,
  options: NormalizedServiceOptions,
): MethodChoice {
  if (httpMethod === 'OPTIONS') return { kind: 'options' };
  const method = httpMethod === 'POST' && custom !== undefined ? customMethod(custom) : defaultMethod(httpMethod, hasId);
  if (method === undefined) throw new MethodNotAllowed(`Method ${httpMethod} not allowed`);
  if (!options.methods.includes(method)) throw new MethodNotAllowed(`Method \`${method}\` is not supported by this endpoint.`);
  return { kind: 'call', method };
}

function customMethod(name: string): string {
  if (defaultServiceMethods.includes(name)) throw new MethodNotAllowed(`Method \`${name}\` is not supported by this endpoint.`);
  return name;
}

function defaultMethod(httpMethod: string, hasId: boolean): string | undefined {
  switch (httpMethod) {
    case 'GET':
    case 'HEAD':
      return hasId ? 'get' : 'find';
    case 'POST':
      return hasId ? undefined : 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'remove';
    default:
      return undefined;
  }
}

/**
 * The `Allow` header of a path.
 *
 * @param hasId whether the path ends with an id
 * @param options options of the service
 * @param takesMethod whether a POST to the path calls a custom method. Default: `false`
 */
export function allowHeader(hasId: boolean, options: NormalizedServiceOptions, takesMethod = false): string {
  const allowed = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((httpMethod) => {
    const method = defaultMethod(httpMethod, hasId);
    if (httpMethod === 'POST' && takesMethod) return true;
    if (httpMethod === 'POST' && !hasId && options.methods.some((name) => !defaultServiceMethods.includes(name))) return true;
    return method !== undefined && options.methods.includes(method);
  });
  return [...allowed, 'OPTIONS'].join(', ');
}
