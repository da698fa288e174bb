import { isFunction } from '../is-function.ts';
import { defaultServiceMethods } from './method-arguments.ts';
import { protectedMethods } from './protected-methods.ts';
import { checkServiceOptions } from './known-service-options.ts';
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

/** Key of a registered service's options: the mark of a registered service, which plug-ins and transports of the incumbent read too. */
export const SERVICE: unique symbol = Symbol.for('@feathersjs/service');

/**
 * Fills in the options of a registration.
 *
 * @throws Error for an unknown option, one of the wrong type, or a custom method that has a protected name or does not exist
 */
export function normalizeServiceOptions(path: string, service: object, options: ServiceOptions = {}): NormalizedServiceOptions {
  checkServiceOptions(path, options);
  const {
    methods = defaultServiceMethods.filter((name) => isMethod(service, name)),
    events = ownEvents(service),
    serviceEvents = [...defaultServiceEvents, ...names(events, 'events', path)],
  } = options;
  for (const name of names(methods, 'methods', path)) checkMethod(path, service, name);
  return {
    ...options,
    methods: names(methods, 'methods', path),
    events: names(events, 'events', path),
    serviceEvents: names(serviceEvents, 'serviceEvents', path),
    routeParams: { ...options.routeParams },
  };
}

/**
 * Checks what mixins have made of the options, and makes them read-only.
 *
 * @throws Error for a custom method that has a protected name or does not exist
 */
export function sealServiceOptions(path: string, service: object, options: NormalizedServiceOptions): void {
  for (const name of options.methods) checkMethod(path, service, name);
  for (const value of [options.methods, options.events, options.serviceEvents, options.routeParams, options]) Object.freeze(value);
}

function checkMethod(path: string, service: object, name: string): void {
  if (protectedMethods.has(name)) throw new Error(`'${name}' on service '${path}' is not allowed as a custom method name`);
  if (!isMethod(service, name)) throw new Error(`Can not apply hooks. '${name}' is not a function on service '${path}'`);
}

function names(value: unknown, option: string, path: string): string[] {
  if (!Array.isArray(value))
    throw new TypeError(`The option '${option}' of '${path}' has to be a list of names, and is ${value === null ? 'null' : typeof value}`);
  return value.map((name: unknown) => {
    if (typeof name === 'string') return name;
    throw new TypeError(`The option '${option}' of '${path}' has to be a list of names, and holds ${typeof name}`);
  });
}

function ownEvents(service: object): unknown {
  const events: unknown = Reflect.get(service, 'events');
  return events ?? [];
}

/**
 * The options that a service was registered with, defaults filled in.
 *
 * @param service a registered service
 * @returns the options, or `undefined` for an object that is not registered
 */
export function getServiceOptions(service: unknown): NormalizedServiceOptions | undefined {
  return isMarked(service) ? service[SERVICE] : undefined;
}

function isMarked(service: unknown): service is { readonly [SERVICE]: NormalizedServiceOptions } {
  return typeof service === 'object' && service !== null && SERVICE in service;
}

/** @returns whether `service[name]` is a function, own or inherited */
export function isMethod(service: object, name: string): boolean {
  return isFunction(Reflect.get(service, name));
}
