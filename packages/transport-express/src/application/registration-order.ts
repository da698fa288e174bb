const SERVICES = new WeakSet<object>();
const LAST = new WeakSet<object>();

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

/** @returns whether it is the layer that answers for all services */
export function answersServicesHere(layer: object): boolean {
  return SERVICES.has(layer);
}

/**
 * Marks a middleware that hands no request on, so that the application knows where nothing more is reached.
 *
 * @param handler a middleware function
 * @returns the same function
 */
export function nothingStandsBehind<F extends object>(handler: F): F {
  LAST.add(handler);
  return handler;
}

/**
 * Watches the order in which an application is put together. All services are answered where `rest()` stands; middleware behind it never
 * sees their requests, and a guard that seems to stand in front of a service would guard nothing.
 */
export class RegistrationOrder {
  #restStands = false;
  /** Whether requests end in front of where services are answered. */
  #isOver = false;
  /** Paths of middleware behind `rest()` that a service could seem to come after; an empty text for the path of all. */
  #passedBy: string[] = [];

  /** @param args arguments of an `app.use` that added middleware */
  middlewareAdded(args: readonly unknown[]): void {
    const paths: readonly unknown[] = [args[0]].flat(Infinity);
    const hasPath = paths.every((path) => typeof path === 'string' || path instanceof RegExp);
    for (const value of args.flat(Infinity)) {
      if (typeof value !== 'function') continue;
      if (!hasPath) this.#functionAdded(value);
      else if (this.#restStands && looksOn(value)) this.#passedBy.push(...paths.filter((path) => typeof path === 'string'));
    }
  }

  #functionAdded(value: object & { readonly length: number }): void {
    if (LAST.has(value)) this.#isOver = true;
    if (SERVICES.has(value)) {
      if (this.#isOver) warnOfNotFound();
      this.#restStands = true;
      this.#passedBy = [];
    } else if (value.length > 3) {
      // The error handler ends the stack: a service that is registered now is a late one.
      this.#passedBy = [];
    } else if (this.#restStands && looksOn(value)) this.#passedBy.push('');
  }

  /**
   * Looks at the order before a service is registered. What stands behind `rest()` may be meant for what is no service, so this can
   * only warn; what stands at another path than the service's is meant for that.
   */
  checkService(path: string): void {
    if (!this.#passedBy.some((mount) => covers(mount, path))) return;
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
    this.#passedBy = [];
  }
}

function warnOfNotFound(): void {
  process.emitWarning(
    'app.use(notFound()) stands in front of app.configure(rest()), so that every request of a service is 404: move it behind all services',
    { code: 'NOT_FOUND_BEFORE_REST' },
  );
}

/** Whether it is a function that lets requests pass, and no router or application, which may answer at paths of its own. */
function looksOn(value: object & { readonly length: number }): boolean {
  return value.length === 3 && typeof Reflect.get(value, 'handle') !== 'function';
}

/** Whether middleware at a path would stand in front of a service, were it in front of `rest()`. A pattern is taken for another path. */
function covers(mount: string, path: string): boolean {
  const [front, whole] = [mount, path].map((text) => text.split('/').filter((part) => part !== ''));
  return front?.every((part, at) => part.startsWith(':') || part.toLowerCase() === whole?.[at]?.toLowerCase()) === true;
}
