import { asHookContext, type MethodContext } from './hook-context.ts';
import type { AnyHook } from './hook-registry.ts';
import type { HookType } from './hook-types.ts';

/** One step of a chain; `next` runs the steps below it. */
export type Step = (context: MethodContext, next: () => Promise<void>) => unknown;

/** The innermost step: the service method itself. */
export type LastStep = (context: MethodContext) => Promise<void>;

/**
 * Joins steps into one function, outermost first.
 *
 * @throws Error when a step calls `next` twice, unless its hook is {@link repeating} and the call before has ended
 */
export function compose(steps: readonly Step[], last: LastStep): LastStep {
  const { length } = steps;
  if (length === 0) return last;
  const repeats = steps.map((step) => repeatingSteps.has(step));
  return (context) => {
    const run = async (index: number): Promise<void> => {
      if (index === length) return last(context);
      let called = false;
      await (steps[index] as Step)(context, () => {
        if (called) return Promise.reject(new Error('next() called multiple times'));
        called = true;
        const rest = run(index + 1);
        return repeats[index] === true ? rest.finally(() => (called = false)) : rest;
      });
    };
    return run(0);
  };
}

const repeatingHooks = new WeakSet<object>();
const repeatingSteps = new WeakSet<Step>();

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

/** @returns a step for an around hook; it runs with the service as `this` */
export function aroundStep(hook: AnyHook): Step {
  const step: Step = (context, next) => hook.call(context.self, asHookContext(context), next);
  if (repeatingHooks.has(hook)) repeatingSteps.add(step);
  return step;
}

/** Before, after and error hooks of one level. */
export interface RegularHooks {
  readonly before: readonly AnyHook[];
  readonly after: readonly AnyHook[];
  readonly error: readonly AnyHook[];
}

/** @returns one step for the before, after and error hooks of a level, or `undefined` when there are none */
export function regularStep({ before, after, error }: RegularHooks): Step | undefined {
  if (before.length + after.length + error.length === 0) return undefined;
  const run: Step = async (context, next) => {
    for (const hook of before) {
      const pending = runRegular(hook, context, 'before');
      if (pending !== undefined) await pending;
    }
    await next();
    for (const hook of after) {
      const pending = runRegular(hook, context, 'after');
      if (pending !== undefined) await pending;
    }
  };
  if (error.length === 0) return run;
  return async (context, next) => {
    try {
      await run(context, next);
    } catch (thrown) {
      await runErrorHooks(error, context, thrown);
    }
  };
}

async function runErrorHooks(hooks: readonly AnyHook[], context: MethodContext, thrown: unknown): Promise<void> {
  if (context.error !== thrown || Object.hasOwn(context, 'result')) {
    context.original = { ...context };
    context.error = thrown;
    delete context.result;
  }
  for (const hook of hooks) {
    const pending = runRegular(hook, context, 'error');
    if (pending !== undefined) await pending;
    // A result, `null` too, swallows the error (reference 1.5).
    if (Object.hasOwn(context, 'result') && context.result !== undefined) return;
  }
  throw context.error;
}

/** @returns a promise only when the hook is asynchronous: synchronous hooks cost no turn of the event loop */
function runRegular(hook: AnyHook, context: MethodContext, type: HookType): Promise<void> | undefined {
  const outer = context.type;
  context.type = type;
  const returned = hook.call(context.self, asHookContext(context), NO_NEXT);
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
