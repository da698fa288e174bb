import { CallContext, type HookPlace } from '../hooks/call-context.ts';
import { contextClass, type CallContextClass } from '../hooks/context-class.ts';
import { give, hasResult, type Run } from '../hooks/compose.ts';
import type { AnyFunction } from '../is-function.ts';
import { argumentNames } from './method-arguments.ts';
import { defaultEventMap } from './service-options.ts';

/** What a method needs of its service. */
export interface MethodOwner {
  /** The registered service. */
  readonly service: object;
  /** Where the service was registered first. */
  readonly home: HookPlace;
  /** Changes with each registration of hooks that concern the service. */
  readonly hooksVersion: number;
  /** Set while the service's `setup` still runs that calls have to wait for. */
  readonly gate: { wait(): Promise<void> } | undefined;
  /** Collects the hooks of a method; `undefined` when there are none. */
  chain(method: ServiceMethod): Run | undefined;
  /** Takes out of the result what the caller may not see, where no hook does. */
  show(context: CallContext): void;
  /** Tells of an error with which a call ends. @returns what the caller may see of it */
  failed(context: CallContext, thrown: unknown): unknown;
  /** Tells the listeners of `context.event`. */
  emit(context: CallContext): void;
}

/** One method of one registered service: everything that is known of it before a call. */
export class ServiceMethod {
  readonly name: string;
  /** Names of the arguments in their order. */
  readonly argumentNames: readonly string[];
  /** Event of a finished call; `null` for none. */
  readonly event: string | null;
  /** The user's method without hooks, on the registered service whatever it is called on: that is its `this` (decisions 0011). */
  readonly original: AnyFunction;
  readonly #owner: MethodOwner;
  readonly #Context: CallContextClass;
  readonly #paramsIndex: number;
  #chain: Run | undefined;
  #version = -1;

  constructor(owner: MethodOwner, name: string, original: AnyFunction) {
    this.name = name;
    this.original = original.bind(owner.service);
    this.argumentNames = argumentNames(name);
    this.event = defaultEventMap[name] ?? null;
    this.#owner = owner;
    this.#paramsIndex = this.argumentNames.indexOf('params');
    this.#Context = contextClass(owner.home, owner.service, name);
  }

  /** @returns a context for one call, to be passed as its last argument */
  createContext(data: Record<string, unknown> = {}): CallContext {
    return Object.assign(new this.#Context(this.#owner.service, []), data);
  }

  /**
   * Calls the method with its hooks.
   *
   * @param self what the method was called on
   * @param args its arguments; a context as the last one makes the call resolve with that context
   */
  async call(self: object, args: unknown[]): Promise<unknown> {
    const last = args.length > 0 ? args[args.length - 1] : undefined;
    const given = last instanceof CallContext ? last : undefined;
    const context = this.#begin(self, args, given);
    const owner = this.#owner;
    if (owner.gate !== undefined) await owner.gate.wait();
    if (this.#version !== owner.hooksVersion) this.#compile();
    let answering: Promise<void> | undefined;
    try {
      if (this.#chain) {
        await this.#chain(context);
        if (!hasResult(context)) CallContext.warnOfUnmade(context);
      } else if (!hasResult(context)) give(context, await this.original(...context.arguments));
      answering = this.#end(context);
      if (answering !== undefined) await answering;
    } catch (thrown) {
      const error = owner.failed(context, thrown);
      const telling = CallContext.tellEnd(context, { error });
      if (telling !== undefined) await telling;
      throw error;
    }
    const telling = CallContext.tellEnd(context);
    if (telling !== undefined) await telling;
    if (given) return given;
    return answering === undefined ? context.result : CallContext.answerOf(context)?.value;
  }

  /** @returns the context of the call: the given one, or a new one */
  #begin(self: object, args: unknown[], given: CallContext | undefined): CallContext {
    if (given) args.pop();
    while (args.length < this.#paramsIndex) args.push(undefined);
    const params = args[this.#paramsIndex] || {};
    args[this.#paramsIndex] = params;

    const context = given ?? new this.#Context(self, args);
    if (given) {
      given.self = self;
      given.arguments = args;
    }
    CallContext.begin(context, params);
    context.event = this.event;
    return context;
  }

  /** @returns a promise where the caller gets an answer of its own */
  #end(context: CallContext): Promise<void> | undefined {
    this.#owner.show(context);
    if (context.event !== null) this.#owner.emit(context);
    return CallContext.makeAnswer(context);
  }

  #compile(): void {
    const version = this.#owner.hooksVersion;
    this.#chain = this.#owner.chain(this);
    // Behind it: hooks that can not be put together stay to be, and no call is made without them.
    this.#version = version;
  }
}
