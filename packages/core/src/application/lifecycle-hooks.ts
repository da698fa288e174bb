import type { ApplicationHookContext, ApplicationHookFunction } from '../hooks/hook-types.ts';

type LifecycleMethod = 'setup' | 'teardown';

/** The around hooks of `app.setup` and `app.teardown` (reference 1.2). */
export class LifecycleHooks {
  readonly #hooks: Record<LifecycleMethod, ApplicationHookFunction[]> = { setup: [], teardown: [] };

  /** @returns whether a hook map is for `setup` or `teardown` and not for service methods */
  takes(map: unknown): boolean {
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return false;
    if (['around', 'before', 'after', 'error'].some((type) => type in map)) return false;
    return 'setup' in map || 'teardown' in map;
  }

  /** @throws Error for a key other than `setup` and `teardown`, or a hook that is not a function */
  add(map: Record<string, unknown>): void {
    for (const [method, value] of Object.entries(map)) {
      if (method !== 'setup' && method !== 'teardown') throw new Error(`'${method}' is not an application method with hooks`);
      const hooks: unknown[] = Array.isArray(value) ? value : [value];
      if (!hooks.every((hook) => typeof hook === 'function')) throw new TypeError(`A hook for '${method}' is not a function`);
      this.#hooks[method].push(...(hooks as ApplicationHookFunction[]));
    }
  }

  /** Runs the hooks around the work and resolves with the application. */
  async run<A>(method: LifecycleMethod, app: A, facade: object, server: unknown, work: () => Promise<void>): Promise<A> {
    const hooks = this.#hooks[method];
    const context: ApplicationHookContext = { app: facade, method, server, arguments: [server], self: facade };
    const step = async (index: number): Promise<void> => {
      const hook = hooks[index];
      if (!hook) return work();
      let called = false;
      await hook.call(facade, context, () => {
        if (called) return Promise.reject(new Error('next() called multiple times'));
        called = true;
        return step(index + 1);
      });
    };
    await step(0);
    return app;
  }
}
