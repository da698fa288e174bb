import { asHookContext, type MethodContext } from './hook-context.ts';
import type { AnyHook } from './hook-registry.ts';
import type { HookType } from './hook-types.ts';

/** Runs a part of a chain for one call: some hooks, and all that is inside of them. */
export type Run = (context: MethodContext) => Promise<void>;

/** Hooks of one place in a chain; puts them around all that is inside. */
export type Level = (inside: Run) => Run;

/**
 * Joins levels into one function. Each is bound to the one inside of it here, once for all calls.
 *
 * @param levels outermost first
 * @param method the service method itself, made by {@link methodCall}
 */
export function compose(levels: readonly Level[], method: Run): Run {
  return levels.reduceRight((inside, level) => level(inside), method);
}

type Method = (...args: unknown[]) => unknown;

/** Innermost parts of chains and the methods that they call: a level next to the method calls it itself, which saves a promise. */
const methods = new WeakMap<Run, Method>();

/**
 * @param original the service method
 * @returns the innermost part of a chain: calls the method, unless a hook has set the result
 */
export function methodCall(original: Method): Run {
  const run: Run = async (context) => {
    if (!hasResult(context)) context.result = await Reflect.apply(original, context.self, context.arguments);
  };
  methods.set(run, original);
  return run;
}

/** An own property `result`, also one that is `null` or `undefined`, stands for the method's answer (reference 1.5). */
export function hasResult(context: MethodContext): boolean {
  return Object.hasOwn(context, 'result');
}

const repeatingHooks = new WeakSet<object>();

/**
 * Marks an around hook that may call `next` again once the call before has ended, for example to try a transaction again. It has to
 * put back what the hooks inside have changed in the context.
 *
 * @param hook the hook
 */
export function repeating<H extends object>(hook: H): H {
  repeatingHooks.add(hook);
  return hook;
}

/**
 * @param hook runs with the service as `this`
 * @returns its level; its `next` rejects when it is called twice, unless the hook is {@link repeating} and the call before has ended
 */
export function aroundLevel(hook: AnyHook): Level {
  const repeats = repeatingHooks.has(hook);
  return (inside) => (context) => {
    let called = false;
    const next = (): Promise<void> => {
      if (called) return Promise.reject(new Error('next() called multiple times'));
      called = true;
      const rest = inside(context);
      return repeats ? rest.finally(() => (called = false)) : rest;
    };
    try {
      const pending: unknown = hook.call(context.self, asHookContext(context), next);
      return pending instanceof Promise ? pending : Promise.resolve(pending as PromiseLike<void> | undefined);
    } catch (error) {
      // A hook may throw anything, and the hooks around it get just that.

      return Promise.reject(error);
    }
  };
}

/** Before, after and error hooks of one level. */
export interface RegularHooks {
  readonly before: readonly AnyHook[];
  readonly after: readonly AnyHook[];
  readonly error: readonly AnyHook[];
}

/** @returns one level for before, after and error hooks, or `undefined` when there are none */
export function regularLevel({ before, after, error }: RegularHooks): Level | undefined {
  if (before.length + after.length + error.length === 0) return undefined;
  return (inside) => {
    const finish = (context: MethodContext): Promise<void> | undefined => runAll(after, context, 'after');
    const enter = callAndThen(inside, after.length === 0 ? undefined : finish);
    // Without `async`: where all hooks are synchronous, a call then makes one promise here and not three.
    const run: Run = (context) => {
      try {
        const preparing = runAll(before, context, 'before');
        return preparing === undefined ? enter(context) : preparing.then(() => enter(context));
      } catch (error) {
        return rejected(error);
      }
    };
    if (error.length === 0) return run;
    return async (context) => {
      try {
        await run(context);
      } catch (thrown) {
        await runErrorHooks(error, context, thrown);
      }
    };
  };
}

/** @returns what runs the inside of a level and then what is left of it */
function callAndThen(inside: Run, finish: ((context: MethodContext) => Promise<void> | undefined) | undefined): Run {
  const method = methods.get(inside);
  if (method === undefined) return finish === undefined ? inside : (context) => inside(context).then(() => finish(context));
  return (context) => {
    if (hasResult(context)) return Promise.resolve(finish?.(context));
    const result = Reflect.apply(method, context.self, context.arguments);
    return (result instanceof Promise ? result : Promise.resolve(result)).then((value: unknown) => {
      context.result = value;
      return finish?.(context);
    });
  };
}

/** A hook may throw anything, and the hooks around it get just that. */
function rejected(error: unknown): Promise<never> {
  return Promise.reject(error);
}

async function runErrorHooks(hooks: readonly AnyHook[], context: MethodContext, thrown: unknown): Promise<void> {
  if (context.error !== thrown || hasResult(context)) {
    context.original = { ...context };
    context.error = thrown;
    delete context.result;
  }
  for (const hook of hooks) {
    const pending = runRegular(hook, context, 'error');
    if (pending !== undefined) await pending;
    // A result, `null` too, swallows the error (reference 1.5).
    if (hasResult(context) && context.result !== undefined) return;
  }
  throw context.error;
}

/** @returns a promise only when one of the hooks is asynchronous */
function runAll(hooks: readonly AnyHook[], context: MethodContext, type: HookType): Promise<void> | undefined {
  for (let index = 0; index < hooks.length; index++) {
    const pending = runRegular(hooks[index] as AnyHook, context, type);
    if (pending !== undefined) return runRest(pending, hooks.slice(index + 1), context, type);
  }
  return undefined;
}

async function runRest(pending: Promise<void>, hooks: readonly AnyHook[], context: MethodContext, type: HookType): Promise<void> {
  await pending;
  for (const hook of hooks) {
    const next = runRegular(hook, context, type);
    if (next !== undefined) await next;
  }
}

/** @returns a promise only when the hook is asynchronous: synchronous hooks cost no turn of the event loop */
function runRegular(hook: AnyHook, context: MethodContext, type: HookType): Promise<void> | undefined {
  const outer = context.type;
  context.type = type;
  const returned = hook.call(context.self, asHookContext(context), NO_NEXT);
  if (returned === undefined) {
    context.type = outer;
    return undefined;
  }
  if (isThenable(returned)) {
    return returned.then((value) => {
      finish(context, outer, value);
    }) as Promise<void>;
  }
  finish(context, outer, returned);
  return undefined;
}

function finish(context: MethodContext, outer: HookType, returned: unknown): void {
  context.type = outer;
  if (typeof returned === 'object' && returned !== null && returned !== context) Object.assign(context, returned, { type: outer });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

const NO_NEXT = (): Promise<void> => Promise.reject(new Error('next() is only available in around hooks'));
