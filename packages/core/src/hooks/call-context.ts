import { inspect } from 'node:util';
import type { AnyFunction } from '../is-function.ts';
import { CORE } from '../package-copy.ts';
import type { Params } from '../service/service-types.ts';
import type { HookType, Http } from './hook-types.ts';

/** An application that runs hooks around a service, and where the service stands in it. */
export interface HookPlace {
  /** What hooks see as `context.app`; a transport that wraps the application replaces it. */
  readonly host: { readonly facade: object };
  /** What hooks see as `context.path`. */
  readonly path: string;
}

/** The method itself was called. */
const REACHED = 1;
/** The call came from outside, whatever hooks make of its parameters. */
const FROM_OUTSIDE = 2;
/** The call has ended. */
const OVER = 4;

/** Around hooks whose writer was told that they call no `next`. */
const TOLD = new WeakSet<AnyFunction>();

/**
 * The state of one call. Each method of each service has a subclass of its own whose prototype holds what all its calls
 * share (application, service, path, method, argument positions), so that a call allocates little.
 */
export abstract class CallContext {
  declare readonly app: unknown;
  declare readonly service: object;
  declare readonly path: string;
  declare readonly method: string;
  declare result?: unknown;
  declare dispatch?: unknown;
  declare error?: unknown;
  declare original?: Record<string, unknown>;
  declare id: unknown;
  declare data: unknown;
  declare params: Params;

  type: HookType = 'around';
  arguments: unknown[];
  event: string | null = null;
  self: object;
  #http: Http | undefined;
  /** Where the hooks that run now belong to; `undefined` for the application that the service is registered on. */
  #place: HookPlace | undefined;
  /** What the caller gets in place of the result, or what makes it once the event is out. */
  #answer: CallerAnswer | (() => Promise<unknown>) | undefined;
  /** What is known of the call: {@link REACHED}, {@link FROM_OUTSIDE} and {@link OVER} in one number, as there is a context for each call. */
  #facts = 0;
  /** The innermost around hook that has begun and not called `next`. */
  #stoppedAt: AnyFunction | undefined;
  /** What waits for the end of the call. */
  #ended: EndListener | undefined;
  /** Whether calls of the method are known to end before what `next` began: on the prototype, where it costs nothing to be asked. */
  declare protected readonly leavesNext: boolean;

  static {
    Object.defineProperty(this.prototype, 'leavesNext', { value: false });
    CORE.mark(this.prototype);
  }

  constructor(self: object, args: unknown[]) {
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
    for (const name in this) json[name] = this[name];
    json.http = this.http;
    json.statusCode = this.statusCode;
    return json;
  }

  /** @returns the place whose hooks run now, if it is not the service's own */
  static placeOf(context: CallContext): HookPlace | undefined {
    return context.#place;
  }

  /** Sets the caller's answer, or what makes it. */
  static answer(context: CallContext, answer: CallerAnswer | (() => Promise<unknown>)): void {
    context.#answer = answer;
  }

  /** Takes the caller's answer back. */
  static forgetAnswer(context: CallContext): void {
    context.#answer = undefined;
  }

  /** @returns a promise where there is something to make, so that other calls do not wait for it */
  static makeAnswer(context: CallContext): Promise<void> | undefined {
    const work = context.#answer;
    if (typeof work !== 'function') return undefined;
    return work().then((value) => {
      context.#answer = { value };
    });
  }

  /** Begins a call with its parameters; the context may have been that of one before. */
  static begin(context: CallContext, { provider }: Params): void {
    context.#facts = (context.#facts & REACHED) | (provider === undefined ? 0 : FROM_OUTSIDE);
  }

  /** @returns whether the call had a provider when it began: who gets its answer stays the same */
  static isFromOutside(context: CallContext): boolean {
    return (context.#facts & FROM_OUTSIDE) !== 0;
  }

  /** Tells whoever waits for the end of the call. @returns a promise where somebody does */
  static tellEnd(context: CallContext, failure?: { readonly error: unknown }): Promise<void> | undefined {
    context.#facts |= OVER;
    return context.#ended?.(failure);
  }

  /** Lets somebody wait for the end of the call, behind those who do already. */
  static whenEnded(context: CallContext, listener: EndListener): void {
    const before = context.#ended;
    context.#ended = before === undefined ? listener : (failure) => before(failure).then(() => listener(failure));
  }

  /** Notes that the method itself is called. */
  static reach(context: CallContext): void {
    context.#facts |= REACHED;
  }

  /** Notes the around hook that the call waits at; `undefined` once that hook has called `next`. */
  static waitAt(context: CallContext, hook: AnyFunction | undefined): void {
    context.#stoppedAt = hook;
  }

  /**
   * A call without a result that an around hook has kept from its method was not made, and its caller takes it for done (reference 1.5). Whoever wrote the hook is
   * told so, once for each hook.
   */
  static warnOfUnmade(context: CallContext): void {
    const hook = context.#stoppedAt;
    if (hook === undefined || TOLD.has(hook)) return;
    TOLD.add(hook);
    const name = hook.name === '' ? 'An around hook' : `The around hook '${hook.name}'`;
    process.emitWarning(
      `${name} of '${context.path}.${context.method}' has ended without a call of next() and without context.result: the method was not called. Await next() in it, or set the result`,
    );
  }

  /** @returns whether calls of the method are known to end before what `next` began */
  static leaves(context: CallContext): boolean {
    return context.leavesNext;
  }

  /**
   * Takes the error of what `next` began, for a hook that may not wait for it: nobody else would, and it would end the process. Behind the end of the call it is
   * told.
   */
  static takeError(context: CallContext, rest: Promise<unknown>): void {
    rest.then(undefined, (error: unknown) => {
      if ((context.#facts & OVER) !== 0) CallContext.#warnOfLost(context, error);
    });
  }

  /**
   * Tells of an error, at the end of the call, unless somebody has asked for it by then.
   *
   * @param isAskedFor whether somebody has
   */
  static tellError(context: CallContext, error: unknown, isAskedFor: () => boolean): void {
    const tell = async (): Promise<void> => {
      if (!isAskedFor()) CallContext.#warnOfLost(context, error);
    };
    if ((context.#facts & OVER) === 0) CallContext.whenEnded(context, tell);
    else void tell();
  }

  static #warnOfLost(context: CallContext, error: unknown): void {
    process.emitWarning(
      `What an around hook of '${context.path}.${context.method}' has begun by next(), and not waited for, has failed behind the answer of the call: ${String(error)}`,
      { detail: inspect(error) },
    );
  }

  /**
   * Says that the method has given something. Where its call has ended before, an around hook has not waited for it: whoever wrote the hook is told so, once for each
   * method.
   */
  static given(context: CallContext): void {
    if ((context.#facts & OVER) === 0 || context.leavesNext) return;
    Object.defineProperty(Object.getPrototypeOf(context), 'leavesNext', { value: true });
    process.emitWarning(
      `A call of '${context.path}.${context.method}' has ended before its method had: an around hook does not wait for next(), and the caller gets neither result nor error. Await next() in it`,
    );
  }

  /** @returns whether the method itself was called */
  static reached(context: CallContext): boolean {
    return (context.#facts & REACHED) !== 0;
  }

  /** @returns the caller's own answer; `undefined` when there is none, or none yet */
  static answerOf(context: CallContext): CallerAnswer | undefined {
    const answer = context.#answer;
    return typeof answer === 'function' ? undefined : answer;
  }

  /** Says whose hooks run next. */
  static enter(context: CallContext, place: HookPlace | undefined): void {
    context.#place = place;
  }
}

/**
 * @param context of a call, or one that was made by hand
 * @returns the context of a call; `undefined` for anything else
 * @throws Error for the context of a call of another copy of this package, of which nothing is known here
 */
export function callContext(context: unknown): CallContext | undefined {
  if (context instanceof CallContext) return context;
  CORE.refuseOthers(context, 'the context of a call');
  return undefined;
}

/** What one caller gets in place of the result. */
export interface CallerAnswer {
  readonly value: unknown;
  /** Whether nothing of the call may change it any more. */
  readonly final?: true;
}

/** Is told the end of a call; the caller waits for it. */
export type EndListener = (failure?: { readonly error: unknown }) => Promise<void>;
