import { CORE } from '../package-copy.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import type { ErrorWatcher } from '../service/error-watchers.ts';
import type { EventHolder } from '../service/held-events.ts';
import type { RouteTable } from '../routing/route-table.ts';
import type { ServiceHost } from '../service/placement.ts';
import type { RegisteredService } from '../service/registered-service.ts';
import type { RouteTarget, ServiceMixin } from './application.ts';
import { Lifecycle } from './lifecycle.ts';

/** What registrations and mounts know, and change, of an application. */
export interface Registry extends ServiceHost {
  readonly routes: RouteTable<RouteTarget>;
  readonly mixins: readonly ServiceMixin[];
  /** By path. */
  readonly registered: Map<string, RegisteredService>;
  /** The same, as users see it. */
  readonly services: object;
  /** Applications that this one is mounted in. */
  readonly parents: Set<Mount>;
  /** Applications that are mounted in this one. */
  readonly children: Set<Mount>;
  readonly lifecycle: Lifecycle;
  readonly errorWatchers: Set<ErrorWatcher>;
}

/** An application below a path of another one. */
export interface Mount {
  readonly parent: Registry;
  readonly child: Registry;
  /** Path of the parent, without outer slashes; empty for its root. */
  readonly prefix: string;
  /**
   * Whether the parent's routes lead to the services. Not where the transport hands requests on to the mounted application, whose own
   * middleware comes first; the parent's hooks run around the services all the same.
   */
  readonly routed: boolean;
}

/** By the application, and by what is wrapped around it. */
const registries = new WeakMap<object, Registry & { facade: object }>();

/**
 * @param app a new application
 * @param report told of errors in listeners of events
 */
export function createRegistry(
  app: Pick<Registry, 'routes' | 'mixins' | 'services'>,
  report: ServiceHost['reportListenerError'],
): Registry {
  const registry = {
    facade: app,
    hookRegistry: new HookRegistry(),
    errorWatchers: new Set<ErrorWatcher>(),
    eventHolders: new Set<EventHolder>(),
    reportListenerError: report,
    routes: app.routes,
    mixins: app.mixins,
    services: app.services,
    registered: new Map<string, RegisteredService>(),
    parents: new Set<Mount>(),
    children: new Set<Mount>(),
  };
  const complete = Object.assign(registry, { lifecycle: new Lifecycle(registry) });
  registries.set(CORE.mark(app), complete);
  return complete;
}

/**
 * @returns what is known of an application, or of a wrapped one; `undefined` for anything else
 * @throws Error for an application of another copy of this package
 */
export function registryOf(value: unknown): Registry | undefined {
  if (!isObject(value)) return undefined;
  const known = registries.get(value);
  if (known === undefined) CORE.refuseOthers(value, 'an application or an adapter');
  return known;
}

/**
 * Tells an application from a service and from all else.
 *
 * @returns whether a value is an application, also a wrapped one
 * @throws Error for an application of another copy of this package
 */
export function isApplication(value: unknown): value is object {
  return registryOf(value) !== undefined;
}

/**
 * Makes another object stand for an application: hooks, services and mixins get it as the application. For transports that extend one.
 *
 * @param app an application
 * @param wrapper what stands for it from now on
 * @throws TypeError when `app` is no application, Error for one of another copy of this package
 */
export function wrapApplication(app: object, wrapper: object): void {
  const registry = registries.get(app);
  if (!registry) CORE.refuseOthers(app, 'an application');
  if (!registry) throw new TypeError('Only an application made by framework() can be wrapped');
  registry.facade = wrapper;
  registries.set(CORE.mark(wrapper), registry);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
