import { EventEmitter } from 'node:events';
import { HookRegistry } from '../hooks/hook-registry.ts';
import type { MethodContext } from '../hooks/hook-context.ts';
import type { ApplicationHookMap, LifecycleHookMap } from '../hooks/hook-types.ts';
import { stripSlashes } from '../path.ts';
import { RouteTable } from '../routing/route-table.ts';
import { defaultServiceMethods } from '../service/method-arguments.ts';
import { getServiceOptions, isMethod } from '../service/service-options.ts';
import type { FrameworkService, ServiceLifecycle, ServiceOptions } from '../service/service-types.ts';
import { lateSetupOf, wrapService } from '../service/wrap-service.ts';
import type { NoServices, ServiceAt, ServicePath, ServiceToUse, WithService } from './application-services.ts';
import { LifecycleHooks } from './lifecycle-hooks.ts';

/** Called with each service that is registered. */
export type ServiceMixin = (service: object, path: string, options: ServiceOptions) => void;

/** What a path leads to. */
export interface RouteTarget {
  readonly service: object;
  readonly path: string;
}

/** A service that a path leads to, with the values of its placeholders. */
export interface ServiceLookup {
  readonly service: object;
  /** The path that the service is registered at, with its placeholders. */
  readonly path: string;
  /** Values of the placeholders; the record id, if any, under `__id`. */
  readonly params: Record<string, string>;
}

/**
 * An application: settings, services and the hooks that all services share.
 *
 * @typeParam Services service types by path; grows with each `use`, or declare it: `framework<{ users: UserService }>()`
 * @typeParam Settings types of the settings by name
 */
export class Application<Services extends object = NoServices, Settings extends object = Record<string, unknown>> extends EventEmitter {
  /** Registered services by path. */
  readonly services: { [L in keyof Services]: FrameworkService<Services[L], Application<Services, Settings>> } = Object.create(
    null,
  ) as never;
  /** Settings by name. */
  readonly settings: Partial<Settings> = {};
  /** Functions that are called with each service at its registration. */
  readonly mixins: ServiceMixin[] = [];
  /** Service paths; transports look services up here. */
  readonly routes: RouteTable<RouteTarget> = new RouteTable();
  /** Hooks of all methods of all services. */
  readonly hookRegistry: HookRegistry = new HookRegistry();
  /** What hooks, services and mixins see as the application; a transport that wraps the application replaces it. */
  facade: object = this;
  #isSetup = false;
  readonly #lifecycle = new LifecycleHooks();
  readonly #mounts: { readonly app: Application; readonly prefix: string }[] = [];

  /** @returns the setting, or `undefined` */
  get<N extends keyof Settings & string>(name: N): Settings[N] {
    return this.settings[name] as Settings[N];
  }

  /** Changes a setting. */
  set<N extends keyof Settings & string>(name: N, value: Settings[N]): this {
    this.settings[name] = value;
    return this;
  }

  /**
   * Runs a function that sets up a part of the application, for example `app.configure(rest())`.
   *
   * @param callback gets the application; what it returns is not awaited
   */
  configure(callback: (this: this, app: this) => unknown): this {
    callback.call(this, this);
    return this;
  }

  /**
   * Called by {@link service} for a path without a service. Override it to make services on demand.
   *
   * @returns a service to register at the path
   * @throws Error always, unless overridden
   */
  defaultService(path: string): object {
    const known = Object.keys(this.services).slice(0, 20).join(', ');
    throw new Error(`Can not find service '${path}'${known === '' ? '' : ` (registered: ${known})`}`);
  }

  /**
   * @param path a registered path, with or without outer slashes
   * @returns the registered service, with hooks and events
   * @throws Error when there is none
   */
  service<L extends ServicePath<Services>>(path: L): FrameworkService<ServiceAt<Services, L>, this> {
    const location = stripSlashes(path) || '/';
    const services = this.services as Record<string, unknown>;
    if (!(location in services)) this.#add(location, (this.facade as this).defaultService(location), undefined);
    return services[location] as FrameworkService<ServiceAt<Services, L>, this>;
  }

  /**
   * Registers a service, or all services of another application below a prefix.
   *
   * @param path for example `users`, or with placeholders `users/:userId/messages`
   * @param service an object with at least one service method, or an application
   * @param options which methods and events it has
   * @returns the application; its type knows the new service
   * @throws Error for an invalid path, service or option, or a path that is taken
   */
  use<L extends string, S extends object>(
    path: L,
    service: ServiceToUse<Services, L, S>,
    options?: ServiceOptions,
  ): Application<WithService<Services, L, S>, Settings> {
    if (typeof path !== 'string') throw new Error(`'${String(path)}' is not a valid service path.`);
    this.#add(stripSlashes(path) || '/', service, options);
    return this as never;
  }

  /**
   * Removes a service after its `teardown`.
   *
   * @returns the service, or `undefined` when there was none
   */
  async unuse(path: string): Promise<object | undefined> {
    const location = stripSlashes(path) || '/';
    const services = this.services as Record<string, object | undefined>;
    const service = services[location];
    if (!service) return undefined;
    await (service as ServiceLifecycle).teardown?.(this.facade, location);
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the registry is an object by its public shape
    delete services[location];
    this.routes.remove(location);
    this.routes.remove(`${location}/:__id`);
    return service;
  }

  /**
   * Adds hooks for all services, or for `setup` and `teardown`.
   *
   * @throws Error for an unknown type of hook
   */
  hooks(map: LifecycleHookMap<this>): this;
  hooks(map: ApplicationHookMap<this>): this;
  hooks(map: ApplicationHookMap<this>): this {
    if (this.#lifecycle.takes(map)) this.#lifecycle.add(map as Record<string, unknown>);
    else this.hookRegistry.add(map, () => true, 'around');
    return this;
  }

  /**
   * Sets up all services, one after the other in the order of their registration.
   *
   * @param server the HTTP server, when there is one
   */
  setup(server?: unknown): Promise<this> {
    this.#isSetup = true;
    return this.#lifecycle.run('setup', this, this.facade, server, async () => {
      for (const [path, service] of this.#entries()) await service.setup?.(this.facade, path);
    });
  }

  /** Tears down all services, one after the other. */
  teardown(server?: unknown): Promise<this> {
    this.#isSetup = false;
    return this.#lifecycle.run('teardown', this, this.facade, server, async () => {
      for (const [path, service] of this.#entries()) await service.teardown?.(this.facade, path);
    });
  }

  /**
   * Finds the service that a URL path leads to.
   *
   * @returns the service and the values of its placeholders, or `undefined`
   * @throws URIError for invalid percent-encoding in a placeholder
   */
  lookup(path: string): ServiceLookup | undefined {
    const match = this.routes.lookup(path);
    return match && { service: match.value.service, path: match.value.path, params: match.params };
  }

  /** Told of errors that listeners of service events throw. Override it, or listen to `listenerError`. */
  readonly reportListenerError = (error: unknown, context: MethodContext): void => {
    if (this.emit('listenerError', error, context)) return;
    process.emitWarning(error instanceof Error ? error : new Error(String(error)), {
      detail: `A listener of '${context.path} ${String(context.event)}' failed`,
    });
  };

  #add(location: string, service: object, options: ServiceOptions | undefined): void {
    if (isApplication(service)) this.#mount(location, service);
    else this.#register(location, service, options);
  }

  #register(location: string, service: object, options: ServiceOptions | undefined): void {
    if (!isService(service, options)) {
      throw new Error(
        `Invalid service object passed for path \`${location}\`: it has none of the methods ${defaultServiceMethods.join(', ')}, ` +
          `'setup' or 'teardown', and no 'methods' option names another`,
      );
    }
    const wrapped = wrapService(location, service, options, this);
    const normalized: ServiceOptions = getServiceOptions(wrapped) ?? {};
    const target: RouteTarget = { service: wrapped, path: location };
    this.routes.insert(location, target, normalized.routeParams);
    this.routes.insert(`${location}/:__id`, target, normalized.routeParams);
    for (const mixin of this.mixins) mixin.call(this.facade, wrapped, location, normalized);
    (this.services as Record<string, object>)[location] = wrapped;
    for (const { app, prefix } of this.#mounts) app.#add(stripSlashes(`${prefix}/${location}`), wrapped, undefined);
    if (this.#isSetup) this.#setupLate(wrapped, location);
  }

  #setupLate(service: ServiceLifecycle, path: string): void {
    if (typeof service.setup !== 'function') return;
    const done = lateSetupOf(service)?.start(() => service.setup?.(this.facade, path));
    done?.catch((error: unknown) => {
      process.emitWarning(`setup of service '${path}' failed: ${String(error)}`);
    });
  }

  /** The services of the other application stay shared, also those that it registers later. */
  #mount(prefix: string, app: Application): void {
    const path = prefix === '/' ? '' : prefix;
    for (const [location, service] of Object.entries(app.services))
      this.#add(stripSlashes(`${path}/${location}`), service as object, undefined);
    app.#mounts.push({ app: this as never, prefix: path });
  }

  #entries(): [string, ServiceLifecycle][] {
    return Object.entries(this.services) as [string, ServiceLifecycle][];
  }
}

/** @returns whether a value is an application, also a wrapped one */
export function isApplication(value: unknown): value is Application {
  const candidate = value as { service?: unknown; services?: unknown } | null | undefined;
  return typeof candidate?.service === 'function' && typeof candidate.services === 'object' && candidate.services !== null;
}

function isService(service: unknown, options: ServiceOptions | undefined): service is object {
  if (typeof service !== 'object' || service === null) return false;
  return [...defaultServiceMethods, 'setup', 'teardown'].some((name) => isMethod(service, name)) || (options?.methods?.length ?? 0) > 0;
}
