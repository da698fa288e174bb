const SERVICES = new WeakSet<object>();

/**
 * Marks the layer that answers for all services, so that the application knows where they stand.
 *
 * @param layer a middleware function
 * @returns the same function
 */
export function servicesStandHere<F extends object>(layer: F): F {
  SERVICES.add(layer);
  return layer;
}

/**
 * Watches the order in which an application is put together. All services are answered where `rest()` stands; middleware behind it never
 * sees their requests, and a guard that seems to stand in front of a service would guard nothing.
 */
export class RegistrationOrder {
  #restStands = false;
  /** Middleware behind `rest()` that a service could seem to come after. */
  #passedBy = 0;

  /** @param args arguments of an `app.use` that added middleware */
  middlewareAdded(args: readonly unknown[]): void {
    const [path] = args;
    // With a path it may be meant for what stands there.
    if (typeof path === 'string' || path instanceof RegExp) return;
    for (const value of args.flat(Infinity)) this.#functionAdded(value);
  }

  #functionAdded(value: unknown): void {
    if (typeof value !== 'function') return;
    if (SERVICES.has(value)) {
      this.#restStands = true;
      this.#passedBy = 0;
    } else if (value.length > 3) {
      // The error handler ends the stack: a service that is registered now is a late one.
      this.#passedBy = 0;
    } else if (this.#restStands && value.length === 3 && typeof Reflect.get(value, 'handle') !== 'function') this.#passedBy += 1;
  }

  /**
   * Looks at the order before a service is registered. What stands behind `rest()` may be meant for what is no service, so this can
   * only warn.
   */
  checkService(path: string): void {
    if (this.#passedBy === 0) return;
    process.emitWarning(
      `Middleware was added by app.use() behind app.configure(rest()) and before the service '${path}', where no request of a service comes by. ` +
        `Is it for services? Then move it before app.configure(rest()), or pass it with the service: app.use('${path}', middleware, service)`,
      { code: 'MIDDLEWARE_BEHIND_REST' },
    );
    this.end();
  }

  /** No more is looked at: the application is put together, and services that come now are late ones, or it has been warned. */
  end(): void {
    this.#restStands = false;
    this.#passedBy = 0;
  }
}
