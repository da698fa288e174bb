import { isFunction } from '../is-function.ts';
import { defaultServiceMethods } from '../service/method-arguments.ts';
import { isMethod } from '../service/service-options.ts';
import type { ServiceOptions } from '../service/service-types.ts';

/**
 * @param given what stands in place of a service
 * @returns the same, if it can be one
 * @throws Error that says what is wrong with it
 */
export function checkedService(path: string, given: unknown, options: ServiceOptions | undefined): object {
  if (given === undefined || given === null) throw new Error(`No service was given for path '${path}', but ${String(given)}`);
  if (isFunction(given)) throw new Error(`Invalid service object passed for path \`${path}\`: ${functionFault(given)}`);
  // Lists have a method `find`.
  if (Array.isArray(given)) throw new Error(`Invalid service object passed for path \`${path}\`: it is a list. For middleware ${WRAP}`);
  if (typeof given !== 'object') throw new Error(`Invalid service object passed for path \`${path}\`: it is a ${typeof given}`);
  if (given instanceof Promise) throw new Error(`Invalid service object passed for path \`${path}\`: it is a promise. Await it first`);
  if (isForeignApplication(given)) {
    throw new Error(
      `The application given for path '${path}' was made by another copy of @framework/core, or by feathers(): install one version for all (npm ls @framework/core), and make applications by framework()`,
    );
  }
  const names = [...defaultServiceMethods, 'setup', 'teardown'];
  if (names.some((name) => isMethod(given, name)) || (options?.methods?.length ?? 0) > 0) return given;
  throw new Error(
    `Invalid service object passed for path \`${path}\`: it has none of the methods ${defaultServiceMethods.join(', ')}, ` +
      `'setup' or 'teardown', and no 'methods' option names another`,
  );
}

/** @returns whether a registration has options, and no object without any */
export function isGiven(options: ServiceOptions | undefined): boolean {
  return Object.values(options ?? {}).some((option) => option !== undefined);
}

/** @returns the error for an object that has an application's methods and is none: nothing is registered in it */
export function takenMethod(): TypeError {
  return new TypeError(
    'use() was called on an object that has taken it from an application, as express() of @feathersjs/express does: ' +
      'take express() of @framework/transport-express, which makes one of both',
  );
}

const WRAP = 'make it an application of Express: express(framework()) of @framework/transport-express';

/**
 * @param name of a setting that is asked for
 * @param handler what stands behind it: nothing, unless a route is meant
 * @throws Error for handlers of a route, which a core application has none of
 */
export function refuseRoute(name: string, handler: unknown): void {
  if (isFunction(handler) || Array.isArray(handler))
    throw new Error(`app.get('${name}') got a handler, and this application has settings and services alone. For routes ${WRAP}`);
}

/**
 * @param path what stands in the place of a path
 * @throws Error for what is none: middleware, which a core application does not take, or a service alone
 */
export function checkPath(path: unknown): asserts path is string {
  if (typeof path === 'string') return;
  if (isFunction(path)) {
    throw new Error(`app.use got a function in place of the path of a service. For middleware ${WRAP}`);
  }
  if (typeof path === 'object' && path !== null)
    throw new Error("app.use got a service without a path. Name one: app.use('users', service)");
  throw new Error(`'${String(path)}' is not a valid service path.`);
}

function functionFault(given: object): string {
  const { prototype, name } = given as { readonly prototype?: unknown; readonly name?: unknown };
  const methods =
    typeof prototype === 'object' && prototype !== null && defaultServiceMethods.some((method) => isMethod(prototype, method));
  return methods ? `it is the class ${String(name)} itself. Pass an instance: new ${String(name)}()` : 'it is a function';
}

function isForeignApplication(given: object): boolean {
  return isMethod(given, 'service') && isMethod(given, 'unuse') && 'services' in given;
}
