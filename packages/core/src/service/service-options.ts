import { defaultServiceMethods } from './method-arguments.ts';
import { protectedMethods } from './protected-methods.ts';
import type { NormalizedServiceOptions, ServiceOptions } from './service-types.ts';

/** The event that each default method emits (reference 1.3). */
export const defaultEventMap: Readonly<Record<string, string>> = Object.freeze({
  create: 'created',
  update: 'updated',
  patch: 'patched',
  remove: 'removed',
});

/** Events of a service that names none. */
export const defaultServiceEvents: readonly string[] = Object.freeze(Object.values(defaultEventMap));

/** Key of a registered service's options. */
export const SERVICE: unique symbol = Symbol.for('@framework/service') as never;

/**
 * Fills in the options of a registration.
 *
 * @throws Error when a custom method has a protected name or does not exist
 */
export function normalizeServiceOptions(path: string, service: object, options: ServiceOptions = {}): NormalizedServiceOptions {
  const methods = options.methods ?? defaultServiceMethods.filter((name) => isMethod(service, name));
  for (const name of methods) {
    if (protectedMethods.has(name)) {
      throw new Error(`'${name}' on service '${path}' is not allowed as a custom method name`);
    }
    if (!isMethod(service, name)) throw new Error(`Can not apply hooks. '${name}' is not a function on service '${path}'`);
  }
  if (options.schema && typeof (options.schema as { readonly hooks?: unknown }).hooks !== 'object') {
    throw new Error(`The option 'schema' of '${path}' has no hooks: make it with serviceSchema({ record }) of @framework/schema`);
  }
  const events = options.events ?? (service as { events?: readonly string[] }).events ?? [];
  return {
    ...options,
    methods: Object.freeze([...methods]),
    events: Object.freeze([...events]),
    serviceEvents: Object.freeze([...(options.serviceEvents ?? [...defaultServiceEvents, ...events])]),
    routeParams: Object.freeze({ ...options.routeParams }),
  };
}

/**
 * The options that a service was registered with, defaults filled in.
 *
 * @param service a registered service
 * @returns the options, or `undefined` for an object that is not registered
 */
export function getServiceOptions(service: unknown): NormalizedServiceOptions | undefined {
  return (service as { [SERVICE]?: NormalizedServiceOptions } | null | undefined)?.[SERVICE];
}

/** @returns whether `service[name]` is a function, own or inherited */
export function isMethod(service: object, name: string): boolean {
  return typeof (service as Record<string, unknown>)[name] === 'function';
}
