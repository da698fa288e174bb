import { EventEmitter } from 'node:events';
import type { ApplicationHookMap, AsPluginApplication, LifecycleHookMap } from '../hooks/hook-types.ts';
import { functionOf } from '../is-function.ts';
import { locationOf } from '../path.ts';
import { RouteTable } from '../routing/route-table.ts';
import { defaultServiceMethods } from '../service/method-arguments.ts';
import { registeredService } from '../service/registered-service.ts';
import type { EventSource } from '../service/service-events.ts';
import type { FrameworkService, ServiceExtension, ServiceOptions } from '../service/service-types.ts';
import { version } from '../version.ts';
import type {
  MethodNames,
  NoServices,
  RegistrationOptions,
  ServiceAt,
  ServicePath,
  ServiceToUse,
  WithService,
} from './application-services.ts';
import { checkedService, checkPath, isGiven, refuseRoute, takenMethod } from './checked-service.ts';
import { configureBy } from './configure-by.ts';
import { teardownService } from './lifecycle.ts';
import { mountApplication, refuseHandedOn, unmountAt } from './mount.ts';
import { register, unregister } from './registration.ts';
import { createRegistry, registryOf, type Registry } from './registry.ts';
import { reportListenerError } from './tell-listeners.ts';

/**
 * Called with each service that is registered, before it is set up. It may change the service, add to `options.methods` and the other lists,
 * and add methods: those named there, and the six default ones, get hooks.
 */
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

/** Members that packages add to every application, in a declaration of their own: `app.channel` for example. */
// oxlint-disable-next-line typescript/no-empty-object-type -- what it has, other packages declare
export interface ApplicationAddons {}

/** What other packages add is there once the application was configured with them. */
/* oxlint-disable no-unused-vars, typescript/no-empty-object-type, typescript/no-unsafe-declaration-merging -- the parameters repeat those of the class, which has members of other packages */
export interface Application<
  Services extends object = NoServices,
  Settings extends object = Record<string, unknown>,
> extends ApplicationAddons {}
/* oxlint-enable no-unused-vars, typescript/no-empty-object-type, typescript/no-unsafe-declaration-merging */

/**
 * An application: settings, services and the hooks that all services share.
 *
 * @typeParam Services service types by path; grows with each `use`, or declare it: `framework<{ users: UserService }>()`
 * @typeParam Settings types of the settings by name
 */
export class Application<Services extends object = NoServices, Settings extends object = Record<string, unknown>> extends EventEmitter {
  /** Version of this package. */
  readonly version: string = version;
  /** Registered services by path. */
  readonly services: { [L in keyof Services]: FrameworkService<Services[L], Application<Services, Settings>> } = Object.create(
    null,
  ) as never;
  /** Settings by name. Names such as `constructor` are names like any other. */
  readonly settings: Partial<Settings> = Object.create(null) as Partial<Settings>;
  /** Functions that are called with each service at its registration. */
  readonly mixins: ServiceMixin[] = [];
  /** Service paths; transports look services up here. */
  readonly routes: RouteTable<RouteTarget> = new RouteTable();
  /** Never set: carries the types of the services to clients. */
  declare readonly '~services'?: Services;
  readonly #registry: Registry;

  constructor() {
    super();
    this.#registry = createRegistry(this, this.#report);
  }

  /** What hooks, services and mixins see as the application: this one, or what a transport has wrapped around it. */
  get facade(): object {
    return this.#registry.facade;
  }

  /**
   * @returns the setting, or `undefined`
   * @throws Error for a handler, as a route of Express has one
   */
  get<N extends keyof Settings & string>(name: N): Settings[N];
  get(name: keyof Settings & string, handler?: unknown): unknown {
    refuseRoute(name, handler);
    return this.settings[name];
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
   * @throws TypeError for what is no function
   */
  configure(callback: (this: this, app: AsPluginApplication<this>) => unknown): this {
    configureBy(callback, this);
    return this;
  }

  /**
   * Called by {@link service} for a path without a service. Override it to make services on demand.
   *
   * @returns a service to register at the path
   * @throws Error always, unless overridden; its `cause` says what is registered. Plug-ins that call services by the names that callers send, as batches do,
   *   hand the text of it on to them.
   */
  defaultService(path: string): object {
    const known = Object.keys(this.services).slice(0, 20).join(', ');
    throw new Error(`Can not find service '${path}'`, known === '' ? {} : { cause: `Registered: ${known}` });
  }

  /**
   * @param path a registered path, with or without outer slashes
   * @returns the registered service, with hooks and events
   * @throws Error when there is none
   */
  service<L extends ServicePath<Services>>(path: L): FrameworkService<ServiceAt<Services, L>, this> {
    return this.#serviceAt(locationOf(path, 'service')) as FrameworkService<ServiceAt<Services, L>, this>;
  }

  /**
   * Registers a service, or all services of another application below a prefix. It is done whole, or not at all.
   *
   * @param path for example `users`, or with placeholders `users/:userId/messages`
   * @param service an object with at least one service method, or an application
   * @param options which methods and events it has
   * @returns the application; its type knows the new service
   * @throws Error for an invalid path, service or option, a path that is taken, or options for a service that is registered already; TypeError where another
   *   object has taken this method
   */
  use<L extends string, S extends object, const M extends MethodNames = MethodNames, X extends ServiceExtension = ServiceExtension>(
    path: L,
    service: ServiceToUse<Services, L, S>,
    options?: RegistrationOptions<M, X, S>,
  ): Application<WithService<Services, L, S, M, X>, Settings> {
    if (!(#registry in this)) throw takenMethod();
    checkPath(path);
    this.#add(locationOf(path, 'use'), service, options);
    return this as never;
  }

  /**
   * Removes a service from this application and all that it is mounted in, then calls its `teardown` if no other application has it. For the
   * path of a mounted application, removes that.
   *
   * @returns the service or application, or `undefined` when there was none
   * @throws Error (as a rejection) for a service of an application that a transport hands requests on to: that one goes on answering for it
   */
  async unuse(path: string): Promise<object | undefined> {
    const location = locationOf(path, 'unuse');
    const service = this.#registry.registered.get(location);
    if (!service) return unmountAt(this.#registry, location);
    refuseHandedOn(this.#registry, location, service);
    if (unregister(this.#registry, location)) await teardownService(service);
    return service.service;
  }

  /**
   * Adds hooks for all services, or for `setup` and `teardown`. They also run around the services of applications that are mounted in this
   * one, with this one as `context.app`.
   *
   * @throws Error for an unknown type of hook
   */
  hooks(map: LifecycleHookMap<this>): this;
  hooks(map: ApplicationHookMap<this>): this;
  hooks(map: ApplicationHookMap<this>): this {
    const { lifecycle, hookRegistry } = this.#registry;
    if (lifecycle.takes(map)) lifecycle.addHooks(map);
    else hookRegistry.add(map, () => true, 'around');
    return this;
  }

  /**
   * Sets up all services that are not set up yet, one after the other in the order of their registration, and the applications that are mounted
   * in this one.
   *
   * @param server the HTTP server, when there is one
   * @throws Error when hooks are registered for a method that no service has
   */
  async setup(server?: unknown): Promise<this> {
    this.#checkHooks();
    await this.#registry.lifecycle.setup(server);
    return this;
  }

  /**
   * Tears down all services that are not torn down yet, one after the other.
   *
   * @throws the error of one that fails, or an AggregateError of several, once all others are torn down
   */
  async teardown(server?: unknown): Promise<this> {
    await this.#registry.lifecycle.teardown(server);
    return this;
  }

  /**
   * Finds the service that a URL path leads to.
   *
   * @param path as a client sent it: a socket may send anything
   * @returns the service and the values of its placeholders, or `null`
   * @throws BadRequest (400) for invalid percent-encoding in a placeholder
   */
  lookup(path: unknown): ServiceLookup | null {
    const match = typeof path === 'string' ? this.routes.lookup(path) : undefined;
    return match ? { service: match.value.service, path: match.value.path, params: match.params } : null;
  }

  /**
   * The authentication service that is meant where none is named: the one whose `configKey` is the setting `defaultAuthentication`
   * (interface 4.2).
   *
   * @param path names a certain one
   * @returns the service, or `null` when there is none
   * @throws Error when no service has the path
   */
  defaultAuthentication(path?: string): object | null {
    if (path !== undefined) return this.#serviceAt(locationOf(path, 'defaultAuthentication'));
    const configKey: unknown = Reflect.get(this.settings, 'defaultAuthentication');
    if (typeof configKey !== 'string') return null;
    for (const { service } of this.#registry.registered.values()) if (Reflect.get(service, 'configKey') === configKey) return service;
    return null;
  }

  /** Tells of errors that listeners of service events throw: by the event `listenerError`, else by a warning of the process. */
  readonly #report = (error: unknown, source: EventSource): void => {
    reportListenerError(this, error, source, `A listener of '${source.path} ${String(source.event)}' failed`);
  };

  /** The registered service; where there is none, what `defaultService` makes is registered. */
  #serviceAt(location: string): object {
    if (!this.#registry.registered.has(location)) {
      const makes = functionOf(this.facade, 'defaultService');
      this.#add(location, makes && Reflect.apply(makes, this.facade, [location]), undefined);
    }
    return Reflect.get(this.services, location) as object;
  }

  #add(location: string, service: unknown, options: ServiceOptions | undefined): void {
    const child = registryOf(service);
    if (child) this.#mount(location, child, options);
    else this.#register(location, service, options);
  }

  #register(location: string, given: unknown, options: ServiceOptions | undefined): void {
    const service = checkedService(location, given, options);
    const known = registeredService(service);
    if (known && isGiven(options)) {
      throw new Error(
        `The service given for '${location}' is registered as '${known.home.path}' already, with the options and middleware of that registration. ` +
          'Leave them out here, or register another object',
      );
    }
    register(this.#registry, location, known ?? service, options);
    const registered = this.#registry.registered.get(location);
    if (registered) this.#registry.lifecycle.setupLate(registered);
  }

  /** The services of the other application stay shared, also those that it registers later. */
  #mount(location: string, child: Registry, options: ServiceOptions | undefined): void {
    if (isGiven(options)) {
      throw new Error(`The application mounted at '${location}' takes no options and no middleware: give them to its services`);
    }
    mountApplication(this.#registry, child, location, true);
  }

  /** A misspelt method would silently drop what its hooks were to check. */
  #checkHooks(): void {
    const services = [...this.#registry.registered.values()];
    const known = new Set([...defaultServiceMethods, ...services.flatMap(({ methodNames }) => methodNames)]);
    const unknown = this.#registry.hookRegistry.methodNames().filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    throw new Error(
      `app.hooks has hooks for '${unknown.join("', '")}', and no service has such a method. Correct the name, or register the service with the option 'methods' before app.setup()`,
    );
  }
}
