import { argumentNames } from '../service/method-arguments.ts';
import type { HookContext, HookType, Http } from './hook-types.ts';

/**
 * The state of one call. Each method of each service has a subclass of its own whose prototype holds what all its calls
 * share (application, service, path, method, argument positions), so that a call allocates little.
 */
export abstract class MethodContext {
  declare readonly app: unknown;
  declare readonly service: unknown;
  declare readonly path: string;
  declare readonly method: string;
  declare result?: unknown;
  declare dispatch?: unknown;
  declare error?: unknown;
  declare original?: Record<string, unknown>;
  declare id: unknown;
  declare data: unknown;
  declare params: unknown;

  type: HookType = 'around';
  arguments: unknown[];
  event: string | null = null;
  self: unknown;
  #http: Http | undefined;

  constructor(self: unknown, args: unknown[]) {
    this.self = self;
    this.arguments = args;
  }

  get http(): Http {
    return (this.#http ??= {});
  }

  set http(value: Http | undefined) {
    this.#http = value ?? {};
  }

  get statusCode(): number | undefined {
    return this.#http?.status;
  }

  set statusCode(value: number | undefined) {
    if (value === undefined) delete this.http.status;
    else this.http.status = value;
  }

  /** @returns own and shared properties as a plain object (reference 1.5) */
  toJSON(): Record<string, unknown> {
    const json: Record<string, unknown> = {};
    for (const name in this) json[name] = (this as unknown as Record<string, unknown>)[name];
    json.http = this.http;
    json.statusCode = this.statusCode;
    return json;
  }
}

/** Makes a context for one call. */
export type MethodContextClass = new (self: unknown, args: unknown[]) => MethodContext;

/** What all calls of one method share. */
export interface ContextFacts {
  readonly service: unknown;
  readonly path: string;
  readonly method: string;
}

/**
 * Makes the context class of one service method.
 *
 * @param host where to find the application, which may still be wrapped by a transport
 * @param facts what all its calls share; enumerable on the prototype, so that `toJSON` and spreading behave as expected
 */
export function contextClass(host: { readonly facade: object }, facts: ContextFacts): MethodContextClass {
  class Context extends MethodContext {}
  Object.defineProperty(Context.prototype, 'app', { get: () => host.facade, enumerable: true, configurable: true });
  for (const [name, value] of Object.entries(facts)) {
    Object.defineProperty(Context.prototype, name, { value, enumerable: true, writable: true, configurable: true });
  }
  const names = argumentNames(facts.method);
  for (const name of ['id', 'data', 'params']) {
    const index = names.indexOf(name);
    if (index >= 0) Object.defineProperty(Context.prototype, name, argumentAccessor(index));
    else Object.defineProperty(Context.prototype, name, { value: undefined, writable: true, configurable: true });
  }
  return Context;
}

function argumentAccessor(index: number): PropertyDescriptor & ThisType<MethodContext> {
  return {
    get(): unknown {
      return this.arguments[index];
    },
    set(value: unknown) {
      this.arguments[index] = value;
    },
    enumerable: true,
    configurable: true,
  };
}

/** @returns the context with the types that hooks see */
export function asHookContext(context: MethodContext): HookContext {
  return context as unknown as HookContext;
}
