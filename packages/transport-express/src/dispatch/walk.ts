import {
  callErrorLayer,
  callLayer,
  routeTakes,
  type Found,
  type Layer,
  type Next,
  type RoutedRequest,
  type StackRouter,
} from './express-internals.ts';
import { isExpressOwn, type RouterRules } from './known-functions.ts';
import { pathOf } from './request-path.ts';
import { isOwnLayer, setUnseen } from './unseen.ts';

/** Layers that are called within each other before the call stack is left; Express's own figure. */
const MAX_DEPTH = 100;

/**
 * The way of one request through the stack of an application, by the rules of the installed router. It is one continuation: all layers
 * get the same `next`, and whatever calls it, however late or often, goes on where Express would.
 *
 * What it leaves out is what the application does not use: automatic answers to OPTIONS, handlers of parameters, URLs with a host. See
 * {@link addFastDispatch} for when a request is Express's from the start.
 */
export class Walk {
  /** What layers get as `next`, and others find as `req.next`. */
  readonly next: Next;
  readonly #rules: RouterRules;
  readonly #stack: readonly Layer[];
  readonly #req: RoutedRequest;
  readonly #res: object;
  readonly #done: Next;
  // As they were, for whoever comes after this router.
  readonly #baseUrl: string | undefined;
  readonly #outerNext: unknown;
  readonly #outerParams: unknown;
  #index = 0;
  #depth = 0;
  /** What was taken from the front of the URL for the layer that has the request. */
  #removed = '';
  #slashAdded = false;

  /** @param done called when no layer has answered */
  constructor(rules: RouterRules, router: StackRouter, req: RoutedRequest, res: object, done: Next) {
    this.#rules = rules;
    this.#stack = router.stack;
    this.#req = req;
    this.#res = res;
    this.#done = done;
    this.#baseUrl = req.baseUrl;
    this.#outerNext = req.next;
    this.#outerParams = req.params;
    this.next = Walk.#nextOf(this);
    req.next = this.next;
    req.baseUrl = req.baseUrl || '';
    req.originalUrl = req.originalUrl || req.url;
  }

  // Functions that a constructor makes itself keep what they close over, and with it the request, alive until the next full collection
  // on Node.js 24; made here they do not.
  static #nextOf(walk: Walk): Next {
    return (error) => {
      walk.#step(error);
    };
  }

  #finish(error: unknown): void {
    const outer = { baseUrl: this.#baseUrl, next: this.#outerNext, params: this.#outerParams };
    Object.assign(this.#req, outer);
    this.#done(error);
  }

  #finishLater(error: unknown): void {
    setImmediate(() => {
      this.#finish(error);
    });
  }

  #step(given: unknown): void {
    this.#restoreUrl();
    if (given === 'router') {
      this.#finishLater(null);
      return;
    }
    // The text `route` ends a route, and there is none here.
    const error = given === 'route' ? null : given;
    if (this.#index >= this.#stack.length) {
      this.#finishLater(error);
      return;
    }
    if (++this.#depth > MAX_DEPTH) {
      setImmediate(this.next, given);
      return;
    }
    const path = pathOf(this.#req);
    if (path === undefined) this.#finish(error);
    else this.#goOn(path, error);
  }

  /** Calls the next layer that takes the path; an error passes routes by, and a path that can not be decoded is one. */
  #goOn(path: string, given: unknown): void {
    let error = given;
    for (let layer = this.#stack[this.#index++]; layer; layer = this.#stack[this.#index++]) {
      let found: boolean | Found;
      try {
        found = layer.match(path);
      } catch (thrown) {
        error ||= thrown;
        continue;
      }
      if (!found) continue;
      const { route } = layer;
      if (route) {
        if (error || !routeTakes(route, this.#req.method)) continue;
        this.#req.route = route;
      }
      const { params, path: taken = '' } = found === true ? layer : found;
      this.#req.params = params;
      if (route || taken === '') this.#call(layer, error);
      else this.#callAt(taken, path, layer, error);
      this.#depth = 0;
      return;
    }
    this.#finish(error);
  }

  /** Calls a layer that stands at a path, which it does not see. */
  #callAt(taken: string, path: string, layer: Layer, error: unknown): void {
    const behind = path[taken.length];
    if (!path.startsWith(taken) || (behind !== undefined && !this.#rules.separators.includes(behind))) {
      this.#step(error);
      return;
    }
    const { url } = this.#req;
    const base = this.#baseUrl || '';
    this.#removed = taken;
    this.#slashAdded = url[taken.length] !== '/';
    this.#req.url = this.#slashAdded ? `/${url.slice(taken.length)}` : url.slice(taken.length);
    this.#req.baseUrl = base + (taken.endsWith('/') ? taken.slice(0, -1) : taken);
    this.#call(layer, error);
  }

  #call(layer: Layer, error: unknown): void {
    if (!isOwnLayer(layer.handle) || !isExpressOwn(layer.handleRequest ?? layer.handle_request)) setUnseen(this.#res, false);
    if (error) callErrorLayer(layer, error, this.#req, this.#res, this.next);
    else callLayer(layer, this.#req, this.#res, this.next);
  }

  #restoreUrl(): void {
    const req = this.#req;
    if (this.#slashAdded) {
      if (this.#rules.takesSlashBack === 'always' || !this.#wasRewritten(req.url)) req.url = req.url.slice(1);
      this.#slashAdded = false;
    }
    if (this.#removed !== '') {
      req.baseUrl = this.#baseUrl || '';
      req.url = this.#removed + req.url;
      this.#removed = '';
    }
  }

  #wasRewritten(url: string): boolean {
    if (url === '/' || url.startsWith('/?')) return false;
    return !(this.#removed.endsWith('/') && url.startsWith('/'));
  }
}
