import { stripSlashes } from '../path.ts';
import { RegisteredService } from '../service/registered-service.ts';
import type { ServiceOptions } from '../service/service-types.ts';
import type { RouteTarget } from './application.ts';
import type { Mount, Registry } from './registry.ts';
import { allOrNothing, type Undo } from './transaction.ts';

/**
 * Puts a service into an application and into all that it is mounted in: routes, mixins, hooks, events, all of it or nothing.
 *
 * @param service the user's object, or a service that is registered already
 * @returns takes it out of all of them again
 * @throws Error when the path is taken, the options can not be honoured, or a mixin throws; nothing has changed then
 */
export function register(registry: Registry, path: string, service: object, options: ServiceOptions | undefined): Undo {
  const known = service instanceof RegisteredService ? service : undefined;
  if (known) return allOrNothing(placements(registry, path, known));
  let created: RegisteredService | undefined;
  function* steps(): Generator<() => Undo> {
    yield () => {
      assertFree(registry, path);
      const made = new RegisteredService(service, { host: registry, path }, options);
      created = made;
      return () => {
        made.rollBack();
      };
    };
    if (created) yield* placements(registry, path, created);
    yield () => {
      created?.seal();
      if (registry.lifecycle.settled) created?.check();
      return () => undefined;
    };
  }
  return allOrNothing(steps());
}

/** The steps that make a service known to an application, and to those outside of it. */
function* placements(registry: Registry, path: string, service: RegisteredService, routed = true): Generator<() => Undo> {
  const entry = { host: registry, path };
  // Where a transport hands requests on, both may have a service at one path; the hooks are what counts.
  const named = routed || !registry.registered.has(path);
  if (routed) yield () => insertRoutes(registry, path, service);
  yield () => {
    service.place(entry);
    return () => {
      service.displace(registry, path);
    };
  };
  yield () => {
    for (const mixin of registry.mixins) mixin.call(registry.facade, service.service, path, service.options);
    service.addMethods();
    return () => undefined;
  };
  if (named) yield () => enlist(registry, path, service);
  for (const place of registry.parents) yield () => placeOutside(place, path, service, routed);
}

/**
 * Puts a service of a mounted application into the one that it is mounted in.
 *
 * @param routed whether the routes of the mounted application lead to the service
 */
export function placeOutside(place: Mount, path: string, service: RegisteredService, routed: boolean): Undo {
  return allOrNothing(placements(place.parent, below(place.prefix, path), service, routed && place.routed));
}

/** @returns the path that a service of a mounted application has outside */
export function below(prefix: string, path: string): string {
  return stripSlashes(`${prefix}/${path}`) || '/';
}

function enlist(registry: Registry, path: string, service: RegisteredService): Undo {
  assertFree(registry, path);
  registry.registered.set(path, service);
  Reflect.set(registry.services, path, service.service);
  return () => {
    registry.registered.delete(path);
    Reflect.deleteProperty(registry.services, path);
  };
}

function assertFree(registry: Registry, path: string): void {
  if (registry.registered.has(path)) throw new Error(`Path ${path} already exists`);
}

function insertRoutes({ routes }: Registry, path: string, service: RegisteredService): Undo {
  const target: RouteTarget = { service: service.service, path };
  const paths = [path, `${path}/:__id`];
  return allOrNothing(
    paths.map((route) => () => {
      routes.insert(route, target, service.options.routeParams);
      return () => {
        routes.remove(route);
      };
    }),
  );
}

/**
 * Takes a service out of an application and of all that it is mounted in.
 *
 * @returns whether it is left in none
 */
export function unregister(registry: Registry, path: string): boolean {
  const service = registry.registered.get(path);
  return service !== undefined && takeOut(registry, path, service);
}

/** Takes a service out of an application and of all that it is mounted in. What has come in its place stays. */
export function takeOut(registry: Registry, path: string, service: RegisteredService): boolean {
  if (registry.registered.get(path) === service) {
    registry.registered.delete(path);
    Reflect.deleteProperty(registry.services, path);
    registry.routes.remove(path);
    registry.routes.remove(`${path}/:__id`);
  }
  for (const { parent, prefix } of registry.parents) takeOut(parent, below(prefix, path), service);
  return service.displace(registry, path);
}
