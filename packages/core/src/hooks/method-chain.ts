import { aroundStep, compose, regularStep, type LastStep, type Step } from './compose.ts';
import type { MethodContext } from './hook-context.ts';
import type { HookRegistry } from './hook-registry.ts';

/**
 * The hooks of one method, collected once into a flat chain and collected again only after a registration.
 *
 * Order (reference 1.5): application around, application before, untyped service hooks, service around, service before,
 * method, service after, …, application after; errors go to the service's error hooks first.
 */
export class MethodChain {
  readonly #app: HookRegistry;
  readonly #service: HookRegistry;
  readonly #inner: HookRegistry;
  readonly #method: string;
  readonly #last: LastStep;
  #appVersion = -1;
  #serviceVersion = -1;
  #run: LastStep;

  /** @param inner hooks that came with the registration and run next to the method; they never change */
  constructor(app: HookRegistry, service: HookRegistry, inner: HookRegistry, method: string, original: (...args: unknown[]) => unknown) {
    this.#app = app;
    this.#service = service;
    this.#inner = inner;
    this.#method = method;
    this.#last = callMethod(original);
    this.#run = this.#last;
  }

  /** Runs hooks and method; afterwards `context.result` is set, or the promise rejects. */
  run(context: MethodContext): Promise<void> {
    if (this.#appVersion !== this.#app.version || this.#serviceVersion !== this.#service.version) this.#compile();
    return this.#run(context);
  }

  #compile(): void {
    const steps: (Step | undefined)[] = [
      ...this.#app.list('around', this.#method).map(aroundStep),
      this.#regular(this.#app),
      ...this.#service.middleware(this.#method).map(aroundStep),
      ...this.#service.list('around', this.#method).map(aroundStep),
      this.#regular(this.#service),
      ...this.#inner.list('around', this.#method).map(aroundStep),
      this.#regular(this.#inner),
    ];
    this.#run = compose(
      steps.filter((step) => step !== undefined),
      this.#last,
    );
    this.#appVersion = this.#app.version;
    this.#serviceVersion = this.#service.version;
  }

  #regular(registry: HookRegistry): Step | undefined {
    return regularStep({
      before: registry.list('before', this.#method),
      after: registry.list('after', this.#method),
      error: registry.list('error', this.#method),
    });
  }
}

/** An own property `result`, also one that is `null` or `undefined`, stands for the method's answer (reference 1.5). */
function callMethod(original: (...args: unknown[]) => unknown): LastStep {
  return async (context) => {
    if (Object.hasOwn(context, 'result')) return;
    context.result = await Reflect.apply<unknown, unknown[], unknown>(original, context.self, context.arguments);
  };
}
