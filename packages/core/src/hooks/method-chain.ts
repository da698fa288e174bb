import { aroundLevel, compose, methodCall, regularLevel, type Level, type Run } from './compose.ts';
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
  readonly #name: string;
  /** The service method itself. */
  readonly method: (...args: unknown[]) => unknown;
  readonly #call: Run;
  #appVersion = -1;
  #serviceVersion = -1;
  #run: Run | undefined;

  /** @param inner hooks that came with the registration and run next to the method; they never change */
  constructor(app: HookRegistry, service: HookRegistry, inner: HookRegistry, method: string, original: (...args: unknown[]) => unknown) {
    this.#app = app;
    this.#service = service;
    this.#inner = inner;
    this.#name = method;
    this.method = original;
    this.#call = methodCall(original);
  }

  /** Runs hooks and method; afterwards `context.result` is set, or the promise rejects. `undefined` when there are no hooks. */
  get run(): Run | undefined {
    if (this.#appVersion !== this.#app.version || this.#serviceVersion !== this.#service.version) this.#compile();
    return this.#run;
  }

  #compile(): void {
    const levels = [
      ...this.#app.list('around', this.#name).map(aroundLevel),
      this.#regular(this.#app),
      ...this.#service.middleware(this.#name).map(aroundLevel),
      ...this.#service.list('around', this.#name).map(aroundLevel),
      this.#regular(this.#service),
      ...this.#inner.list('around', this.#name).map(aroundLevel),
      this.#regular(this.#inner),
    ].filter((level) => level !== undefined);
    this.#run = levels.length === 0 ? undefined : compose(levels, this.#call);
    this.#appVersion = this.#app.version;
    this.#serviceVersion = this.#service.version;
  }

  #regular(registry: HookRegistry): Level | undefined {
    return regularLevel({
      before: registry.list('before', this.#name),
      after: registry.list('after', this.#name),
      error: registry.list('error', this.#name),
    });
  }
}
