import { CallContext, type HookPlace } from './call-context.ts';
import { checkSettled } from './check-settled.ts';
import type { AnyFunction } from '../is-function.ts';
import { isThenable } from '../is-thenable.ts';
import { CORE } from '../package-copy.ts';
import { watched } from './watched-next.ts';
import { isGuard } from './guard.ts';
import { isRecordSource, isStream } from '../records/record-source.ts';
import type { HookType } from './hook-types.ts';

/** Runs a part of a chain for one call: some hooks, and all that is inside of them. */
export type Run = (context: CallContext) => Promise<unknown>;

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

/** Innermost parts of chains and the methods that they call: a level next to the method calls it itself, which saves a promise. */
const methods = new WeakMap<Run, AnyFunction>();

/**
 * @param original the service method, bound to its service
 * @returns the innermost part of a chain: calls the method, unless a hook has set the result
 */
export function methodCall(original: AnyFunction): Run {
  const run: Run = async (context) => {
    if (hasResult(context)) return;
    CallContext.reach(context);
    give(context, await original(...context.arguments));
  };
  methods.set(run, original);
  return run;
}

/**
 * Sets what the method has given. A stream that goes to a transport may fail while hooks still run, and would end the process where nobody listens yet: whoever
 * reads it gets its error.
 */
export function give(context: CallContext, value: unknown): void {
  context.result = value;
  CallContext.given(context);
  if (CallContext.isFromOutside(context) && isRecordSource(value) && isStream(value)) value.on('error', () => undefined);
}

/** An own property `result`, also one that is `null` or `undefined`, stands for the method's answer (reference 1.5). */
export function hasResult(context: CallContext): boolean {
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
  return CORE.mark(hook);
}

/**
 * @param hook runs with the service as `this`
 * @returns its level; its `next` rejects when it is called twice, unless the hook is {@link repeating} and the call before has ended
 */
export function aroundLevel(hook: AnyFunction): Level {
  const repeats = repeatingHooks.has(hook);
  let waits = repeats;
  const asked = (): void => {
    waits = true;
  };
  return (inside) => (context) => {
    let begun: Promise<unknown> | undefined;
    const next = (): Promise<unknown> => {
      if (begun !== undefined) return Promise.reject(new Error('next() called multiple times'));
      begun = BEGUN;
      CallContext.waitAt(context, undefined);
      // A hook that failed the time before has left its own.
      if (repeats) context.type = 'around';
      const rest = inside(context);
      begun = rest;
      if (repeats) return rest.finally(() => (begun = undefined));
      // For each hook of each call it would cost a sixth of it.
      if (CallContext.leaves(context)) CallContext.takeError(context, rest);
      else if (!waits) return watched(context, rest, asked);
      return rest;
    };
    CallContext.waitAt(context, hook);
    try {
      const pending: unknown = hook.call(context.self, context, next);
      if (pending instanceof Promise) return pending;
      if (begun === undefined && typeof pending === 'function') throw notCalled(hook);
      return ended(pending, context, waits ? begun : undefined);
    } catch (error) {
      return ended(rejected(error), context, waits ? begun : undefined);
    }
  };
}

/** Stands for what a hook has begun until there is a promise of it. */
const BEGUN = Promise.resolve();

/** A hook that has ended already waits for nothing that it has begun; one that gives something like a promise may. */
function ended(value: unknown, context: CallContext, begun: Promise<unknown> | undefined): Promise<unknown> {
  if (begun !== undefined) CallContext.takeError(context, begun);
  return Promise.resolve(value);
}

/**
 * Lets the hooks of another application see that application, and the path that the service has there, as long as they run.
 *
 * @param place the application that the hooks belong to
 * @param levels its hooks, outermost first
 */
export function placedLevel(place: HookPlace, levels: readonly Level[]): Level {
  return (inside) => {
    const run = compose(levels, (context) => {
      CallContext.enter(context, undefined);
      return inside(context).finally(() => {
        CallContext.enter(context, place);
      });
    });
    return (context) => {
      CallContext.enter(context, place);
      return run(context).finally(() => {
        CallContext.enter(context, undefined);
      });
    };
  };
}

/** Before, after and error hooks of one level. */
export interface RegularHooks {
  readonly before: readonly AnyFunction[];
  readonly after: readonly AnyFunction[];
  readonly error: readonly AnyFunction[];
}

/** @returns one level for before, after and error hooks, or `undefined` when there are none */
export function regularLevel({ before, after, error }: RegularHooks): Level | undefined {
  if (before.length + after.length + error.length === 0) return undefined;
  return (inside) => {
    const finish = (context: CallContext): Promise<void> | undefined => runAll(after, context, 'after');
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
function callAndThen(inside: Run, finish: ((context: CallContext) => Promise<void> | undefined) | undefined): Run {
  const method = methods.get(inside);
  if (method === undefined) return finish === undefined ? inside : (context) => inside(context).then(() => finish(context));
  return (context) => {
    if (hasResult(context)) return Promise.resolve(finish?.(context));
    CallContext.reach(context);
    const result = method(...context.arguments);
    return (result instanceof Promise ? result : Promise.resolve(result)).then((value: unknown) => {
      give(context, value);
      return finish?.(context);
    });
  };
}

/** A hook may throw anything, and the hooks around it get just that. */
function rejected(error: unknown): Promise<never> {
  return Promise.reject(error);
}

async function runErrorHooks(hooks: readonly AnyFunction[], context: CallContext, thrown: unknown): Promise<void> {
  // What an error hook swallows is meant.
  CallContext.waitAt(context, undefined);
  if (context.error !== thrown || hasResult(context)) {
    context.original = { ...context };
    context.error = thrown;
    delete context.result;
    CallContext.forgetAnswer(context);
  }
  const { dispatch } = context;
  try {
    // All of them, also behind one that has set a result: the next may log the error.
    const pending = runAll(hooks, context, 'error');
    if (pending !== undefined) await pending;
  } catch (error) {
    context.error = error;
    throw error;
  }
  // A result, `null` too, swallows the error (reference 1.5); nothing that was thrown is no error that a hook has taken away.
  if (context.result === undefined && (context.error !== undefined || thrown === undefined)) throw context.error;
  // What was made for callers before the error is not what they get of a hook that swallows it.
  if (context.dispatch === dispatch) delete context.dispatch;
}

/** @returns a promise only when one of the hooks is asynchronous */
function runAll(hooks: readonly AnyFunction[], context: CallContext, type: HookType): Promise<void> | undefined {
  // By index: where V8 does not inline what runs the hooks, each step of `for (of)` makes objects, 400 bytes a call with 2 + 2 hooks.
  let done = 0;
  for (let hook = hooks[0]; hook !== undefined; hook = hooks[done]) {
    const pending = runRegular(hook, context, type);
    done += 1;
    if (pending !== undefined) return runRest(pending, hooks.slice(done), context, type);
  }
  checkSettled(context);
  return undefined;
}

async function runRest(pending: Promise<void>, hooks: readonly AnyFunction[], context: CallContext, type: HookType): Promise<void> {
  await pending;
  for (const hook of hooks) {
    const next = runRegular(hook, context, type);
    if (next !== undefined) await next;
  }
  checkSettled(context);
}

/** @returns a promise only when the hook is asynchronous: synchronous hooks cost no turn of the event loop */
function runRegular(hook: AnyFunction, context: CallContext, type: HookType): Promise<void> | undefined {
  const outer = context.type;
  context.type = type;
  // The context alone: hooks that work as around hooks too tell the two apart by the absence of `next`.
  const returned = hook.call(context.self, context);
  if (returned === undefined) {
    context.type = outer;
    return undefined;
  }
  if (isThenable(returned)) {
    return Promise.resolve(returned).then((value) => {
      finish(hook, context, outer, value);
    });
  }
  finish(hook, context, outer, returned);
  return undefined;
}

/** @throws TypeError for a function: what only makes a hook would let through what that hook was to check; for a guard that says `false`, which would do the same */
function finish(hook: AnyFunction, context: CallContext, outer: HookType, returned: unknown): void {
  context.type = outer;
  if (typeof returned === 'function') throw notCalled(hook);
  if (returned === false && isGuard(hook)) throw notRefused(hook);
  if (typeof returned === 'object' && returned !== null && returned !== context) Object.assign(context, returned, { type: outer });
}

function notRefused(hook: AnyFunction): TypeError {
  return new TypeError(
    `The guard '${hook.name === '' ? 'guard' : hook.name}' gave false. A guard refuses a call by throwing, as throw new Forbidden('…'), and whatever else it gives lets the call go on`,
  );
}

function notCalled(hook: AnyFunction): TypeError {
  const name = hook.name === '' ? 'hook' : hook.name;
  return new TypeError(
    `The hook '${name}' gave a function. What makes a hook is listed called, as ${name}(…); a hook of one expression that is a function takes braces around it`,
  );
}
