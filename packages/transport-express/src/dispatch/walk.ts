import type { ExpressVersion, Layer, Next, RoutedRequest, RoutedResponse, StackRouter } from './express-internals.ts';
import { isOwnLayer, setUnseen } from './unseen.ts';

/** Layers that are called within each other before the call stack is left; Express's own figure. */
const MAX_DEPTH = 100;

/**
 * The way of one request through an application's own stack, in Express's order and with Express's rules. Layers without a path are
 * called from here, layers whose path does not match are passed over. As soon as a route or a layer with a path takes the
 * request, Express's own router does all that is left, so that whatever needs paths, parameters or methods is Express's work.
 */
export class Walk {
  /** What layers get as `next`, and others find as `req.next`. */
  readonly next: Next;
  readonly #version: ExpressVersion;
  readonly #router: StackRouter;
  readonly #stack: readonly Layer[];
  readonly #req: RoutedRequest;
  readonly #res: RoutedResponse;
  readonly #finish: Next;
  #index = 0;
  #depth = 0;
  /** Whether only layers of this package have had the response. */
  #unseen: boolean;

  /**
   * @param outermost whether nobody has had the request before
   * @param finish called when no layer has answered
   */
  constructor(version: ExpressVersion, router: StackRouter, req: RoutedRequest, res: RoutedResponse, outermost: boolean, finish: Next) {
    this.#version = version;
    this.#router = router;
    this.#stack = router.stack;
    this.#req = req;
    this.#res = res;
    this.#finish = finish;
    this.#unseen = outermost;
    setUnseen(res, outermost);
    this.next = (error) => {
      this.#step(error);
    };
  }

  #step(given: unknown): void {
    // The text `route` ends a route, and there is none here.
    const error = given === 'route' ? null : given;
    if (error === 'router') {
      setImmediate(this.#finish, null);
      return;
    }
    if (this.#index >= this.#stack.length) {
      setImmediate(this.#finish, error);
      return;
    }
    if (++this.#depth > MAX_DEPTH) {
      setImmediate(this.next, given);
      return;
    }
    const layer = this.#nextLayer(error);
    if (layer === undefined) return;
    this.#req.params = {};
    if (this.#unseen && !isOwnLayer(layer.handle)) {
      this.#unseen = false;
      setUnseen(this.#res, false);
    }
    if (error) this.#version.handleError(layer, error, this.#req, this.#res, this.next);
    else this.#version.handleRequest(layer, this.#req, this.#res, this.next);
    this.#depth = 0;
  }

  /** @returns a layer that takes all paths; `undefined` when someone else has gone on */
  #nextLayer(error: unknown): Layer | undefined {
    const stack = this.#stack;
    const path = pathOf(this.#req.url);
    while (this.#index < stack.length) {
      const layer = stack[this.#index] as Layer;
      if (path === undefined) break;
      if (this.#version.takesAll(layer)) {
        this.#index += 1;
        return layer;
      }
      // An error passes routes by.
      if (!(error && layer.route) && takes(layer, path)) break;
      this.#index += 1;
    }
    if (this.#index < stack.length) this.#handOver(error);
    else this.#finish(error);
    return undefined;
  }

  /** Express's own router goes on from here; layers that are added meanwhile come behind it. */
  #handOver(error: unknown): void {
    setUnseen(this.#res, false);
    const router = Object.create(this.#router, { stack: { value: [] } }) as StackRouter;
    if (error) {
      router.use((_req, _res, next) => {
        next(error);
      });
    }
    for (; this.#index < this.#stack.length; this.#index++) router.stack.push(this.#stack[this.#index] as Layer);
    router.handle(this.#req, this.#res, (left) => {
      if (this.#index < this.#stack.length) this.#step(left);
      else this.#finish(left);
    });
  }
}

/** @returns the path of a URL; `undefined` where Express's own parser has to look */
function pathOf(url: string): string | undefined {
  if (!SIMPLE_URL.test(url)) return undefined;
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** A path, and perhaps a query, without anything that parsers of URLs disagree about. */
const SIMPLE_URL = /^\/[\x21\x22\x24-\x7e]*$/;

function takes(layer: Layer, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    // Express finds the same error again, and makes an answer of it.
    return true;
  }
}
