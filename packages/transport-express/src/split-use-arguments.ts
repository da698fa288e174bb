import { declareServiceOption, isApplication, type ServiceOptions } from '@framework/core';
import type { Middleware } from './middleware-types.ts';
import { checkedOptions, middlewareList } from './registration-options.ts';
import { hasServiceMethods, isClass, isServiceArgument } from './service-argument.ts';

/** Service middleware of one registration (interface 4.1). */
export interface ServiceMiddlewareOptions {
  /** Runs before the service call, for REST requests only. */
  before?: readonly Middleware[];
  /** Runs after the service call; sees `res.data` and `res.hook`. */
  after?: readonly Middleware[];
}

declare module '@framework/core' {
  interface ServiceOptions {
    /** Middleware of the Express transport. Default: what stands before and after the service in `app.use`. */
    express?: ServiceMiddlewareOptions;
    /**
     * Whether single records have a strong `ETag`, and requests may set conditions with `If-None-Match` and `If-Match`;
     * `required` refuses update, patch and remove without a condition (428). Needs a service that keeps versions, for
     * example a `DocDbService` with the option `version`. Default: `false`.
     */
    conditional?: boolean | 'required';
  }
}

declareServiceOption('express');
declareServiceOption('conditional', (value) =>
  typeof value === 'boolean' || value === 'required' ? undefined : "has to be true, false or 'required'",
);

/** What the arguments of `app.use` mean. */
export type UseArguments =
  | { readonly kind: 'middleware' }
  | { readonly kind: 'service'; readonly path: string; readonly service: object; readonly options: ServiceOptions };

/**
 * Tells a service registration from a registration of middleware.
 *
 * @param args the arguments of `app.use`
 * @throws TypeError for a class, a missing service, or a service without a path
 * @throws Error when something other than middleware or known options stands beside a service, or anything beside one that is
 *   registered already
 */
export function splitUseArguments(args: readonly unknown[]): UseArguments {
  const [path, ...rest] = args;
  for (const value of args) refuseClass(path, value);
  if (typeof path !== 'string') {
    if (isServiceArgument(path) && (isApplication(path) || hasServiceMethods(path))) {
      throw new TypeError("app.use got a service without a path. Name one: app.use('users', service)");
    }
    return { kind: 'middleware' };
  }
  const index = rest.findIndex(isServiceArgument);
  if (index < 0) {
    refuseMissing(path, rest);
    return { kind: 'middleware' };
  }

  const service = rest[index] as object;
  const before = middlewareList(rest.slice(0, index), path);
  const behind = rest.slice(index + 1);
  const place = behind.findIndex(isOptions);
  const options = place < 0 ? undefined : (behind.splice(place, 1)[0] as ServiceOptions);
  const after = middlewareList(behind, path);
  if (options || before.length > 0 || after.length > 0) refuseBesideApplication(path, service);
  return { kind: 'service', path, service, options: checkedOptions(path, service, options, { before, after }) };
}

function refuseClass(path: unknown, value: unknown): void {
  if (!isClass(value)) return;
  const name = value.name === '' ? 'Service' : value.name;
  const place = typeof path === 'string' ? `'${path}'` : "'path'";
  throw new TypeError(`app.use(${place}, …) got the class ${name}. Create the service: app.use(${place}, new ${name}())`);
}

function refuseMissing(path: string, values: readonly unknown[]): void {
  const flat = values.flat(Infinity);
  const wrong = flat.find((value) => value === undefined || value === null || value instanceof Promise);
  if (flat.length > 0 && flat.every((value) => value !== wrong)) return;
  if (wrong instanceof Promise)
    throw new TypeError(`app.use('${path}', …) requires a middleware function or a service, and got a promise. Await it first`);
  const got = flat.length === 0 ? 'nothing behind the path' : String(wrong);
  throw new TypeError(
    `app.use('${path}', …) requires a middleware function or a service, and got ${got}. Is what you pass exported, and created before this call?`,
  );
}

/** The core refuses what stands beside a service that is registered already; beside an application it knows more to do. */
function refuseBesideApplication(path: string, service: object): void {
  if (!isApplication(service)) return;
  throw new Error(
    `app.use('${path}', …) got middleware or options beside an application, whose services have their own. ` +
      `Wrap the inner application with express(app), or add the middleware with a path before app.configure(rest())`,
  );
}

function isOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
