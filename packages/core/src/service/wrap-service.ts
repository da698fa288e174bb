import { hasResult } from '../hooks/compose.ts';
import { contextClass, MethodContext, type MethodContextClass } from '../hooks/hook-context.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import { MethodChain } from '../hooks/method-chain.ts';
import { LateSetup } from './late-setup.ts';
import { argumentNames, defaultServiceMethods } from './method-arguments.ts';
import { forwardMembers, hasPrivateMembers } from './private-members.ts';
import { addEventMethods, emitServiceEvent, type ListenerErrorHandler } from './service-events.ts';
import { defaultEventMap, isMethod, normalizeServiceOptions, SERVICE } from './service-options.ts';
import type { NormalizedServiceOptions, ServiceOptions } from './service-types.ts';

const STATE: unique symbol = Symbol('framework.serviceState');

/** What the framework keeps for a registered service. */
interface ServiceState {
  readonly hooks: HookRegistry;
  readonly contexts: ReadonlyMap<string, MethodContextClass>;
  readonly lateSetup: LateSetup;
}

/** The part of the application that a service needs. */
export interface ServiceHost {
  /** What hooks see as `context.app`. */
  readonly facade: object;
  readonly hookRegistry: HookRegistry;
  readonly reportListenerError: ListenerErrorHandler;
}

/**
 * Makes the registered form of a service: an object whose prototype is the user's object, with hooks and events.
 * A service that is already registered comes back as it is (reference 1.3).
 *
 * @throws Error when the options name a method that does not exist or is protected
 */
export function wrapService(path: string, service: object, options: ServiceOptions | undefined, host: ServiceHost): object {
  if (SERVICE in service) return service;
  const normalized = normalizeServiceOptions(path, service, options);
  const wrapped = Object.create(service) as object;
  const hooks = new HookRegistry();
  const lateSetup = new LateSetup();
  const inner = new HookRegistry();
  const contexts = new Map<string, MethodContextClass>();
  const methods = new Set([...defaultServiceMethods.filter((name) => isMethod(service, name)), ...normalized.methods]);
  // Private members exist on the user's object alone, so its methods have to run on it.
  const self = hasPrivateMembers(service) ? service : wrapped;

  for (const method of methods) {
    const Context = contextClass(host, { service: wrapped, path, method });
    contexts.set(method, Context);
    const original = (service as Record<string, (...args: unknown[]) => unknown>)[method] as (...args: unknown[]) => unknown;
    const call = self === wrapped ? original : (...args: unknown[]): unknown => Reflect.apply(original, self, args);
    const chain = new MethodChain(host.hookRegistry, hooks, inner, method, call);
    define(wrapped, method, hookedMethod(Object.assign(Context, { chain, lateSetup }), method, normalized, host, original));
  }
  define(wrapped, 'hooks', function (this: object, map: unknown): object {
    hooks.add(map, (name) => methods.has(name), 'middleware');
    return this;
  });
  const { schema } = normalized;
  if (schema) hooks.add(schema.hooks, (name) => methods.has(name), 'middleware');
  if (schema?.innerHooks) inner.add(schema.innerHooks, (name) => methods.has(name), 'middleware');
  Object.defineProperty(wrapped, SERVICE, { value: normalized });
  Object.defineProperty(wrapped, STATE, { value: { hooks, contexts, lateSetup } satisfies ServiceState });
  addEventMethods(wrapped);
  if (self === service) forwardMembers(wrapped, service);
  return wrapped;
}

type CallableContext = MethodContextClass & { readonly chain: MethodChain; readonly lateSetup: LateSetup };

function hookedMethod(
  Context: CallableContext,
  method: string,
  options: NormalizedServiceOptions,
  host: ServiceHost,
  original: (...args: unknown[]) => unknown,
): (...args: unknown[]) => Promise<unknown> {
  const names = argumentNames(method);
  const paramsIndex = names.indexOf('params');
  const event = defaultEventMap[method] ?? null;
  const { chain, lateSetup } = Context;

  const hooked = async function (this: object, ...args: unknown[]): Promise<unknown> {
    const last = args.length > 0 ? args[args.length - 1] : undefined;
    const given = last instanceof MethodContext ? last : undefined;
    if (given) args.pop();
    while (args.length < paramsIndex) args.push(undefined);
    args[paramsIndex] = args[paramsIndex] || {};

    const context = given ?? new Context(this, args);
    if (given) {
      given.self = this;
      given.arguments = args;
    }
    context.event = event;
    if (lateSetup.pending) await lateSetup.wait();
    const { run } = chain;
    if (run) await run(context);
    else if (!hasResult(context)) context.result = await Reflect.apply(chain.method, context.self, context.arguments);
    if (typeof context.event === 'string' && !options.events.includes(context.event)) {
      emitServiceEvent(this, context, host.reportListenerError);
    }
    return given ?? context.result;
  };
  // Markers that users put on their methods stay visible on the registered service.
  for (const symbol of Object.getOwnPropertySymbols(original)) {
    Object.defineProperty(hooked, symbol, Object.getOwnPropertyDescriptor(original, symbol) ?? {});
  }
  return hooked;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

function stateOf(service: unknown): ServiceState | undefined {
  return (service as { [STATE]?: ServiceState } | null | undefined)?.[STATE];
}

/**
 * Makes a context for a call, to be passed as the last argument; the call then resolves with the context.
 *
 * @param service a registered service
 * @param method one of its methods
 * @param data properties to set on the context
 * @throws Error when the service is not registered or has no such method
 */
export function createContext(service: unknown, method: string, data?: Record<string, unknown>): MethodContext {
  const Context = stateOf(service)?.contexts.get(method);
  if (!Context) throw new Error(`'${method}' is not a method of a registered service`);
  const context = new Context(service, []);
  return data ? Object.assign(context, data) : context;
}

/** @returns the gate that calls of a service wait at while its late `setup` runs */
export function lateSetupOf(service: unknown): LateSetup | undefined {
  return stateOf(service)?.lateSetup;
}
