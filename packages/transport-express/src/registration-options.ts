import type { ServiceOptions, VersionedService } from '@framework/core';
import type { Middleware } from './middleware-types.ts';
import type { ServiceMiddlewareOptions } from './split-use-arguments.ts';

/**
 * The options of a registration, with the middleware that stands beside the service.
 *
 * @throws Error for `conditional` without versions, and for middleware that another would replace
 */
export function checkedOptions(
  path: string,
  service: object,
  given: ServiceOptions | undefined,
  beside: Required<ServiceMiddlewareOptions>,
): ServiceOptions {
  const options = given ?? {};
  if (options.conditional && typeof (service as Partial<VersionedService>).version !== 'string') {
    throw new Error(
      `The option 'conditional' of '${path}' needs a service with a property 'version' that honours params.precondition: set the adapter's 'version' option`,
    );
  }
  if (options.express !== undefined) return { ...options, express: middlewareOption(path, options.express, beside) };
  return beside.before.length + beside.after.length === 0 ? options : { ...options, express: beside };
}

function middlewareOption(
  path: string,
  { before = [], after = [], ...others }: ServiceMiddlewareOptions,
  beside: Required<ServiceMiddlewareOptions>,
): ServiceMiddlewareOptions {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`The option 'express' of '${path}' has 'before' and 'after', and not '${unknown}'`);
  if (beside.before.length > 0 || beside.after.length > 0) {
    throw new Error(`'${path}' has middleware beside the service and in its option 'express', which would replace it: use one of them`);
  }
  return { before: middlewareList([before], path), after: middlewareList([after], path) };
}

/**
 * Middleware out of lists in lists.
 *
 * @throws Error for anything that is no function
 */
export function middlewareList(values: readonly unknown[], path: string): Middleware[] {
  return values.flat(Infinity).map((value) => {
    if (typeof value !== 'function') {
      throw new Error(
        `Invalid options passed to app.use for '${path}': expected middleware functions around the service and one options object after it, and got ${value === null ? 'null' : typeof value}. Is what you pass exported, and created before this call?`,
      );
    }
    return value as Middleware;
  });
}
