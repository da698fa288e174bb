import type { CallContext, HookPlace } from '../hooks/call-context.ts';
import type { Run } from '../hooks/compose.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import { inspectedHook, inspectRegistry, type InspectedHook } from '../hooks/inspect-registry.ts';
import { methodChain, type ApplicationHooks } from '../hooks/method-chain.ts';
import type { HookContext, NextFunction } from '../hooks/hook-types.ts';
import { functionOf, type AnyFunction } from '../is-function.ts';
import { checkInput } from '../records/check-input.ts';
import { contributionOf } from '../records/contributed-rules.ts';
import { PathRules } from '../records/path-rules.ts';
import type { RecordRules } from '../records/record-rules.ts';
import { isExternal, showForeign } from '../records/show-foreign.ts';
import { showRecords } from '../records/show-records.ts';
import { rememberInError, shownError } from '../records/shown-error.ts';
import { classMiddleware, decoratedMethod } from './class-middleware.ts';
import { defaultServiceMethods } from './method-arguments.ts';
import { emitServiceEvent, eventMembers, hasEvents, type ListenerErrorHandler } from './service-events.ts';
import { ServiceLifecycle, type Gate } from './service-lifecycle.ts';
import { ServiceMethod, type MethodOwner } from './service-method.ts';
import { ServiceObject } from './service-object.ts';
import { normalizeServiceOptions, sealServiceOptions, SERVICE } from './service-options.ts';
import type { NormalizedServiceOptions, ServiceExtension, ServiceOptions } from './service-types.ts';
import { wrappedChain } from './wrapped-chain.ts';

const STATE: unique symbol = Symbol('framework.registeredService');

/** The part of an application that a service needs. */
export interface ServiceHost {
  /** What hooks see as `context.app`. */
  readonly facade: object;
  readonly hookRegistry: HookRegistry;
  readonly lifecycle: { readonly settled: boolean };
  readonly reportListenerError: ListenerErrorHandler;
}

/** One entry of an application's services. */
export interface Registration {
  readonly host: ServiceHost;
  readonly path: string;
}

/** All that the framework knows of a registered service. It is made for the first application that the service is registered on. */
export class RegisteredService implements MethodOwner {
  /** What `app.service` gives. */
  readonly service: object;
  /** The first application, and the path there. */
  readonly home: HookPlace & Registration;
  readonly options: NormalizedServiceOptions;
  readonly lifecycle: ServiceLifecycle = new ServiceLifecycle();
  /** What the service's records show, take and can be asked for. */
  readonly rules: RecordRules;
  /** Whether it is another object than the user's. */
  readonly derived: boolean;
  readonly #object: ServiceObject;
  readonly #methods = new Map<string, ServiceMethod>();
  readonly #hooks = new HookRegistry();
  readonly #extension: Readonly<Record<'outer' | 'input' | 'inner', HookRegistry>>;
  readonly #classMiddleware: readonly AnyFunction[];
  readonly #methodMiddleware = new Map<string, readonly AnyFunction[]>();
  /** The home first; those that it is mounted in behind it. Of a service that was taken out of the last one, the last. */
  #registrations: readonly Registration[] = [];
  #placed = false;
  /** Whether hooks of the outermost stage take out of results what callers may not see. */
  #shows: boolean;
  #registries: readonly HookRegistry[] = [];
  readonly #wrapping: AnyFunction[] = [];
  #moves = 0;

  /**
   * @param service the user's object
   * @throws Error for options or hooks that can not be honoured; the object is then as it was
   */
  constructor(service: object, home: Registration, options: ServiceOptions | undefined) {
    const { path, host } = home;
    this.home = home;
    // An instance that was registered before, and taken out again, still has its members: whoever holds it meets its hooks till now.
    stateOf(service)?.release(service);
    this.options = normalizeServiceOptions(path, service, options);
    this.#classMiddleware = classMiddleware(service, path);
    this.#extension = extensionHooks(this.options.schema);
    this.#shows = this.options.schema?.rules !== undefined;
    this.rules = this.options.schema?.rules ?? this.#pathRules();
    this.#object = new ServiceObject(service);
    this.service = this.#object.object;
    this.derived = this.service !== service;
    try {
      this.#addRules([service, ...this.#classMiddleware]);
      this.addMethods();
      const hooks = this.#hooks;
      const takes = (name: string): boolean => this.#takesHooks(name);
      const addRules = (contributors: readonly object[]): void => {
        this.#addRules(contributors);
      };
      this.#define('hooks', function (this: object, map: unknown): object {
        hooks.add(map, takes, 'middleware', addRules);
        return this;
      });
      this.#define(SERVICE, this.options);
      this.#define(STATE, this);
      if (!hasEvents(service)) for (const [name, value] of eventMembers(path, host.reportListenerError)) this.#define(name, value);
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Rises with each registration of hooks that concern the service. */
  get hooksVersion(): number {
    let version = this.#moves;
    for (const registry of this.#registries) version += registry.version;
    return version;
  }

  /** Whether an application has it. */
  get placed(): boolean {
    return this.#placed;
  }

  get gate(): Gate | undefined {
    return this.lifecycle.gate;
  }

  /** Names of the methods that have hooks. */
  get methodNames(): string[] {
    return [...this.#methods.keys()];
  }

  /** @returns the method, or `undefined` when there is none of that name */
  method(name: string): ServiceMethod | undefined {
    return this.#methods.get(name);
  }

  /** Gives hooks to all methods that have none yet: those of the service, and later those that a mixin has added. */
  addMethods(): void {
    for (const name of new Set([...defaultServiceMethods, ...this.options.methods])) {
      const found = functionOf(this.service, name);
      if (!found || this.#methods.has(name)) continue;
      const { original, middleware } = decoratedMethod(found, this.home.path, name);
      const method = new ServiceMethod(this, name, original);
      this.#addRules(middleware);
      this.#methods.set(name, method);
      this.#methodMiddleware.set(name, middleware);
      this.#define(name, hookedFunction(method, original));
    }
  }

  /** Makes the options read-only, once mixins have had them. */
  seal(): void {
    sealServiceOptions(this.home.path, this.service, this.options);
  }

  /** @throws Error when what came with the registration does not fit the other services */
  check(): void {
    this.options.schema?.check?.(this.home.host.facade, this.home.path);
  }

  chain(method: ServiceMethod): Run | undefined {
    // A service that came after the application was set up.
    if (this.home.host.lifecycle.settled && this.gate === undefined) this.rules.freeze();
    const sources = {
      applications: this.#applications(),
      service: this.#hooks,
      ...this.#extension,
      classMiddleware: this.#classMiddleware,
      methodMiddleware: this.#methodMiddleware.get(method.name) ?? [],
    };
    return wrappedChain(this.#wrapping, methodChain(sources, method.name, method.original), method.original, (context) => {
      if (!this.#shows) showForeign(context);
    });
  }

  /** Adds a hook around all others and around what is taken out of results. */
  wrap(hook: AnyFunction): void {
    this.#wrapping.push(hook);
    this.#moves += 1;
  }

  /** The hooks of a method, in the order in which they are registered: those of applications first, the outermost application first. */
  hooksOf(name: string): readonly InspectedHook[] {
    const of = (registry: HookRegistry, level: InspectedHook['level']): InspectedHook[] => inspectRegistry(registry, name, level);
    const middleware = [...this.#classMiddleware, ...(this.#methodMiddleware.get(name) ?? [])];
    return [
      ...this.#applications().flatMap(({ hooks }) => of(hooks, 'application')),
      ...middleware.map((hook) => inspectedHook('around', hook, 'service')),
      ...of(this.#hooks, 'service'),
    ];
  }

  show(context: CallContext): void {
    if (!this.#shows && isExternal(context)) showForeign(context);
  }

  showError(context: CallContext, thrown: unknown): unknown {
    if (isExternal(context)) return shownError(thrown, { params: context.params }, this.rules);
    rememberInError(thrown, this.rules);
    return thrown;
  }

  emit(context: CallContext): void {
    const { event } = context;
    if (typeof event !== 'string' || this.options.events.includes(event)) return;
    const heard = (): void => {
      if (!this.#shows && !isExternal(context)) showForeign(context);
    };
    emitServiceEvent(this.service, context, event, this.home.host.reportListenerError, heard);
  }

  /** Adds an application whose hooks run around the service. */
  place(registration: Registration): void {
    if (!this.#placed) this.lifecycle.restart();
    this.#placeAll([...(this.#placed ? this.#registrations : []), registration]);
    this.#placed = true;
  }

  /** @returns whether the service is left in no application. Its hooks then stay those of the last one */
  displace(host: ServiceHost, path: string): boolean {
    const left = this.#registrations.filter((entry) => entry.host !== host || entry.path !== path);
    this.#placed = left.length > 0;
    if (this.#placed) this.#placeAll(left);
    return !this.#placed;
  }

  /** Takes everything off an instance that no application has. */
  release(service: object): void {
    if (!this.#placed && this.service === service) this.#object.undo();
  }

  /** Makes the user's object as it was before. */
  rollBack(): void {
    this.#object.rollBack();
  }

  /** @param contributors the user's object, or hooks */
  #addRules(contributors: readonly object[]): void {
    for (const contributor of contributors) {
      const contribution = contributionOf(contributor);
      if (contribution) this.rules.add(contribution);
    }
  }

  /** Rules of records that nothing describes. They cost nothing before the first is added. */
  #pathRules(): PathRules {
    const rules = new PathRules(() => {
      if (this.#shows) return;
      this.#shows = true;
      this.#extension.outer.add({ around: { all: [showRecords(rules)] } }, () => true, 'middleware');
      this.#extension.input.add({ around: { all: [checkInput(rules)] } }, () => true, 'middleware');
      this.#moves += 1;
    });
    return rules;
  }

  #placeAll(registrations: readonly Registration[]): void {
    // The sum of versions has to rise when a registry goes.
    this.#moves = this.hooksVersion + 1;
    this.#registrations = registrations;
    const hosts = new Set(registrations.map(({ host }) => host));
    this.#registries = [...hosts].map(({ hookRegistry }) => hookRegistry).concat(this.#hooks);
  }

  /** Each application once, the outermost first. */
  #applications(): ApplicationHooks[] {
    const applications = new Map<ServiceHost, ApplicationHooks>();
    for (const registration of this.#registrations) {
      const { host } = registration;
      if (applications.has(host)) continue;
      const hooks = host.hookRegistry;
      applications.set(host, host === this.home.host ? { hooks } : { hooks, place: registration });
    }
    return [...applications.values()].reverse();
  }

  /** A default method that the service lacks may have hooks too: hooks are often written for all six. */
  #takesHooks(name: string): boolean {
    return this.#methods.has(name) || defaultServiceMethods.includes(name);
  }

  #define(name: string | symbol, value: unknown): void {
    this.#object.define(name, value, this.home.path);
  }
}

/** What came with the registration; it never changes. */
function extensionHooks({ outerHooks, inputHooks, innerHooks }: ServiceExtension = {}): Record<'outer' | 'input' | 'inner', HookRegistry> {
  const registryOf = (map: object | undefined): HookRegistry => {
    const registry = new HookRegistry();
    if (map) registry.add(map, () => true, 'middleware');
    return registry;
  };
  return { outer: registryOf(outerHooks), input: registryOf(inputHooks), inner: registryOf(innerHooks) };
}

/** The function that stands on the registered service in place of the user's method. */
function hookedFunction(method: ServiceMethod, original: AnyFunction): object {
  const hooked = function (this: object, ...args: unknown[]): Promise<unknown> {
    return method.call(this, args);
  };
  // Markers that users put on their methods stay visible on the registered service.
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(hooked, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
  }
  Object.defineProperty(hooked, 'name', { value: method.name, configurable: true });
  return Object.assign(hooked, { createContext: method.createContext.bind(method) });
}

/**
 * @returns what is known of a service; `undefined` for an object that is not registered, though it may be derived from one that is, and for
 *   an instance that was taken out of all applications: it begins anew
 */
export function registeredService(service: object): RegisteredService | undefined {
  const state = stateOf(service);
  return state?.service === service && (state.placed || state.derived) ? state : undefined;
}

function stateOf(service: unknown): RegisteredService | undefined {
  if (typeof service !== 'object' || service === null) return undefined;
  const state: unknown = Reflect.get(service, STATE);
  return state instanceof RegisteredService ? state : undefined;
}

/**
 * Adds a hook around every call of a service: around all other hooks, and around what is taken out of results that leave, so that it sees what the
 * event of the call will hold. For packages; hooks of users are added by `service.hooks`.
 *
 * @param service a registered service
 * @param hook gets the context and `next`, as around hooks do
 * @throws Error when the service is not registered
 */
export function wrapCalls(service: object, hook: (context: HookContext, next: NextFunction) => Promise<void>): void {
  const known = stateOf(service);
  if (!known) throw new Error('Only calls of registered services can be wrapped');
  known.wrap(hook as AnyFunction);
}

/**
 * Makes a context for a call, to be passed as the last argument; the call then resolves with the context.
 *
 * @param service a registered service
 * @param method one of its methods
 * @param data properties to set on the context
 * @throws Error when the service is not registered or has no such method
 */
export function createContext(service: unknown, method: string, data?: Record<string, unknown>): CallContext {
  const known = stateOf(service)?.method(method);
  if (!known) throw new Error(`'${method}' is not a method of a registered service`);
  return known.createContext(data);
}

/**
 * Tells which hooks a call of a method runs, for tools that look at an application and change nothing.
 *
 * @param service a registered service
 * @param method one of its methods
 * @returns the hooks of the applications around the service, the outermost first, then those of the service
 * @throws Error when the service is not registered or has no such method
 */
export function inspectHooks(service: unknown, method: string): readonly InspectedHook[] {
  const known = stateOf(service);
  if (!known?.method(method)) throw new Error(`'${method}' is not a method of a registered service`);
  return known.hooksOf(method);
}
