import type { CallContext, HookPlace } from '../hooks/call-context.ts';
import type { DescribedMethod } from '../description/describing.ts';
import { checkSettled } from '../hooks/check-settled.ts';
import { checkHook } from '../hooks/checking.ts';
import type { Run } from '../hooks/compose.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import { inspectedHook, inspectRegistry, type InspectedHook } from '../hooks/inspect-registry.ts';
import { methodChain } from '../hooks/method-chain.ts';
import { functionOf, type AnyFunction } from '../is-function.ts';
import { checkInput } from '../records/check-input.ts';
import { contributionOf } from '../records/contributed-rules.ts';
import { noteGiven } from '../records/given-records.ts';
import { CORE } from '../package-copy.ts';
import { PathRules } from '../records/path-rules.ts';
import type { RecordRules } from '../records/record-rules.ts';
import { rememberDispatched } from '../records/dispatched-elsewhere.ts';
import { isExternal, showForeign } from '../records/show-foreign.ts';
import { showRecords } from '../records/show-records.ts';
import { rememberInError, shownError } from '../records/shown-error.ts';
import { classMiddleware, decoratedMethod } from './class-middleware.ts';
import { extensionHooks, type ExtensionHooks } from './extension-hooks.ts';
import { checkOptionNeeds } from './known-service-options.ts';
import { defaultServiceMethods } from './method-arguments.ts';
import { Placement, type Registration, type ServiceHost } from './placement.ts';
import { tellErrorWatchers } from './error-watchers.ts';
import { eventHolderOf, tellWhenSure } from './held-events.ts';
import { emitServiceEvent, eventMembers, hasEvents } from './service-events.ts';
import { hookedFunction } from './hooked-function.ts';
import { ServiceLifecycle, type Gate } from './service-lifecycle.ts';
import { ServiceMethod, type MethodOwner } from './service-method.ts';
import { ServiceObject } from './service-object.ts';
import { normalizeServiceOptions, sealServiceOptions, SERVICE } from './service-options.ts';
import type { NormalizedServiceOptions, ServiceOptions } from './service-types.ts';
import { wrappedChain } from './wrapped-chain.ts';

/** Copies of this package find each other's. */
const STATE: unique symbol = Symbol.for('@framework/core/registered-service');

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
  readonly #extension: ExtensionHooks;
  readonly #classMiddleware: readonly AnyFunction[];
  readonly #methodMiddleware = new Map<string, readonly AnyFunction[]>();
  readonly #placement: Placement;
  /** Whether hooks of the outermost stage take out of results what callers may not see. */
  #shows: boolean;
  readonly #wrapping: AnyFunction[] = [];

  static {
    CORE.mark(this.prototype);
  }

  /**
   * @param service the user's object
   * @throws Error for options or hooks that can not be honoured; the object is then as it was
   */
  constructor(service: object, home: Registration, options: ServiceOptions | undefined) {
    const { path } = home;
    CORE.refuseOthers(service, `the service '${path}'`);
    this.home = home;
    this.#placement = new Placement(home, this.#hooks);
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
      if (!hasEvents(service))
        for (const [name, value] of eventMembers(home, this.options, () => this.#placement.registrations)) this.#define(name, value);
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Rises with each registration of hooks that concern the service. */
  get hooksVersion(): number {
    return this.#placement.version;
  }

  /** Whether an application has it. */
  get placed(): boolean {
    return this.#placement.placed;
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

  /** @throws Error when what came with the registration does not fit the other services, or hooks miss something */
  check(): void {
    checkOptionNeeds(this.home.path, this.service, this.options);
    const { path, host } = this.home;
    this.options.schema?.check?.(host.facade, path);
    for (const method of this.methodNames) {
      const here = { path, method, service: this.service };
      const hooks = [...inspectRegistry(host.hookRegistry, here, 'application'), ...this.#ownHooks(here)];
      for (const { hook, type } of hooks) checkHook(hook, { app: host.facade, path, method, type });
    }
  }

  chain(method: ServiceMethod): Run | undefined {
    // A service that came after the application was set up.
    if (this.home.host.lifecycle.settled && this.gate === undefined) this.rules.freeze();
    const sources = {
      applications: this.#placement.applications(),
      service: this.#hooks,
      ...this.#extension,
      given: this.#shows ? noteGiven(this.rules) : undefined,
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
    this.#placement.change();
  }

  /** The hooks of a method, in the order in which they are registered: those of applications first, the outermost application first. */
  hooksOf(name: string): readonly InspectedHook[] {
    const here = { path: this.home.path, method: name, service: this.service };
    return [
      ...this.#placement
        .applications()
        .flatMap(({ hooks, place }) => inspectRegistry(hooks, { ...here, path: place?.path ?? here.path }, 'application')),
      ...this.#ownHooks(here),
    ];
  }

  #ownHooks(here: DescribedMethod): readonly InspectedHook[] {
    const middleware = [...this.#classMiddleware, ...(this.#methodMiddleware.get(here.method) ?? [])];
    return [...middleware.map((hook) => inspectedHook('around', hook, 'service', here)), ...inspectRegistry(this.#hooks, here, 'service')];
  }

  show(context: CallContext): void {
    if (this.#shows) return;
    checkSettled(context);
    if (isExternal(context)) showForeign(context);
    else rememberDispatched(context);
  }

  failed(context: CallContext, thrown: unknown): unknown {
    const external = isExternal(context);
    const shown = external ? shownError(thrown, { params: context.params }, this.rules) : thrown;
    if (!external) rememberInError(thrown, this.rules);
    tellErrorWatchers(this.#placement.registrations, context, shown);
    return shown;
  }

  emit(context: CallContext): void {
    const { event } = context;
    if (typeof event !== 'string' || this.options.events.includes(event)) return;
    const heard = (): void => {
      if (!this.#shows && !isExternal(context)) showForeign(context);
    };
    tellWhenSure(this.#placement.registrations, context.params, () => {
      emitServiceEvent(this.service, context, event, this.home.host.reportListenerError, heard);
    });
  }

  /** Adds an application whose hooks run around the service. */
  place(registration: Registration): void {
    if (!this.placed) this.lifecycle.restart();
    this.#placement.add(registration);
    const holder = eventHolderOf(this.service);
    if (holder) registration.host.eventHolders.add(holder);
  }

  /** @returns whether the service is left in no application */
  displace(host: ServiceHost, path: string): boolean {
    this.#placement.remove(host, path);
    return !this.placed;
  }

  /** Takes everything off an instance that no application has. */
  release(service: object): void {
    if (!this.placed && this.service === service) this.#object.undo();
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
      this.#placement.change();
    });
    return rules;
  }

  /** A default method that the service lacks may have hooks too: hooks are often written for all six. */
  #takesHooks(name: string): boolean {
    return this.#methods.has(name) || defaultServiceMethods.includes(name);
  }

  #define(name: string | symbol, value: unknown): void {
    this.#object.define(name, value, this.home.path);
  }
}

/**
 * @returns what is known of a service; `undefined` for an object that is not registered, though it may be derived from one that is, and for
 *   an instance that was taken out of all applications: it begins anew
 * @throws Error for a service that is registered on an application of another copy of this package
 */
export function registeredService(service: object): RegisteredService | undefined {
  const state = stateOf(service);
  return state?.service === service && (state.placed || state.derived) ? state : undefined;
}

/**
 * @returns what is known of an object that is registered, or was, or is derived from one that is
 * @throws Error for a service that is registered on an application of another copy of this package
 */
export function stateOf(service: unknown): RegisteredService | undefined {
  if (typeof service !== 'object' || service === null) return undefined;
  const state: unknown = Reflect.get(service, STATE);
  if (state instanceof RegisteredService) return state;
  CORE.refuseOthers(state, 'a registered service');
  return undefined;
}
