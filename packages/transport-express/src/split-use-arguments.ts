import { declareServiceOption, isApplication, type ServiceOptions, type VersionedService } from '@framework/core';
import type { Middleware } from './middleware-types.ts';

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
declareServiceOption('conditional');

/** What the arguments of `app.use` mean. */
export type UseArguments =
  | { readonly kind: 'middleware' }
  | { readonly kind: 'service'; readonly path: string; readonly service: object; readonly options: ServiceOptions };

/**
 * Tells a service registration from a registration of middleware.
 *
 * @param args the arguments of `app.use`
 * @throws Error when something other than middleware or options stands beside a service
 */
export function splitUseArguments(args: readonly unknown[]): UseArguments {
  const [path, ...rest] = args;
  const index = rest.findIndex(isServiceArgument);
  if (typeof path !== 'string' || index < 0) return { kind: 'middleware' };

  const service = rest[index] as object;
  const before = middlewareList(rest.slice(0, index), path);
  const behind = rest.slice(index + 1);
  const options = isOptions(behind[0]) ? (behind.shift() as ServiceOptions) : {};
  const after = middlewareList(behind, path);
  if (options.conditional && typeof (service as Partial<VersionedService>).version !== 'string') {
    throw new Error(
      `The option 'conditional' of '${path}' needs a service with a property 'version' that honours params.precondition: set the adapter's 'version' option`,
    );
  }
  if (before.length + after.length === 0) return { kind: 'service', path, service, options };
  const { before: outer = [], after: last = [] } = options.express ?? {};
  return {
    kind: 'service',
    path,
    service,
    options: { ...options, express: { before: [...outer, ...before], after: [...after, ...last] } },
  };
}

/** Functions are middleware, Express applications and routers too; any other object is a service or an application. */
function isServiceArgument(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return isApplication(value) || typeof (value as { handle?: unknown }).handle !== 'function';
}

function isOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function middlewareList(values: readonly unknown[], path: string): Middleware[] {
  return values.flat(Infinity).map((value) => {
    if (typeof value !== 'function') {
      throw new Error(
        `Invalid options passed to app.use for '${path}': expected middleware functions around the service and one options object after it`,
      );
    }
    return value as Middleware;
  });
}
