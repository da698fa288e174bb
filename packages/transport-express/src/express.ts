import { EventEmitter } from 'node:events';
import { Application as CoreApplication, isApplication, urlPath, wrapApplication, type NoServices } from '@framework/core';
import originalExpress, { type Express } from 'express';
import type { AnyExpressApplication, Application } from './application/application-types.ts';
import type { CloseOptions } from './application/ending.ts';
import { forwardMembers } from './application/forward-members.ts';
import { Lifecycle } from './application/lifecycle.ts';
import { withErrorCallback } from './application/listen-callback.ts';
import { nestWhenMounted, takeOut } from './application/nesting.ts';
import { nestReached, rememberPlain } from './application/reached.ts';
import { RegistrationOrder } from './application/registration-order.ts';
import { addFastDispatch } from './dispatch/fast-dispatch.ts';
import './express-types.ts';
import { isExpress4 } from './dispatch/express-internals.ts';
import { parseQueryString } from './query-parser.ts';
import { parseOrRefuseLater } from './refused-query.ts';
import { splitUseArguments } from './split-use-arguments.ts';
import { refuseUncalled } from './uncalled.ts';

/**
 * Makes an application compatible with Express, or a plain Express application when none is given.
 *
 * @param app an application made by `framework()`
 * @param serverApp an Express application to extend. Default: a new one
 * @returns the Express application, now also a service application
 * @throws Error when `app` is not an application, TypeError when `serverApp` is none of Express
 * @see interface 4.3
 */
export function express(): Express;
export function express<Services extends object = NoServices, Settings extends object = Record<string, unknown>>(
  app: CoreApplication<Services, Settings>,
  serverApp?: object,
): Application<Services, Settings>;
export function express(...args: [app?: object, serverApp?: object]): unknown {
  const [app, serverApp = originalExpress()] = args;
  if (app === undefined) return serverApp;
  // One of another copy of the core is refused there.
  if (!isApplication(app) || !(app instanceof CoreApplication))
    throw new Error('express(app) requires a valid application instance, as framework() makes it');
  if (typeof serverApp !== 'function' || typeof Reflect.get(serverApp, 'handle') !== 'function')
    throw new TypeError(
      'express(app, serverApp) takes an application of Express behind the application, as express() makes it, and nothing for a new one',
    );
  const core = app as CoreApplication;
  const wrapped = serverApp as AnyExpressApplication;
  shareState(core, wrapped);
  forwardMembers(core, wrapped);
  addTransport(core, wrapped);
  return wrapped;
}

/** Both applications have the same settings and the same listeners. */
function shareState(app: CoreApplication, wrapped: AnyExpressApplication): void {
  const settings = wrapped.settings as Record<string, unknown>;
  for (const [name, value] of Object.entries(app.settings)) wrapped.set(name, value);
  Object.defineProperty(app, 'settings', { value: settings });
  const events = wrapped as unknown as EventEmitter;
  for (const name of app.eventNames()) for (const listener of app.rawListeners(name)) events.on(name, listener as () => void);
  for (const name of Object.keys(EventEmitter.prototype).filter((key) => !key.startsWith('_'))) {
    const method = (events as unknown as Record<string, unknown>)[name];
    if (typeof method === 'function') Object.defineProperty(app, name, { value: method.bind(events), configurable: true });
  }
  wrapApplication(app, wrapped);
}

/** A path, or a list of them, as URLs have it; patterns and middleware stay as they are. */
function inUrls(path: unknown): unknown {
  if (typeof path === 'string') return urlPath(path);
  return Array.isArray(path) ? path.map(inUrls) : path;
}

type QueryParser = (text: string | null | undefined) => unknown;

/**
 * Express 4 keeps the parser that is set when the first middleware is added: this one asks for the present setting. It also parses each
 * query, read or not: one that we refuse is an error where somebody reads it, as in Express 5.
 */
function presentQueryParser(wrapped: AnyExpressApplication): QueryParser {
  const ours = isExpress4(wrapped) ? parseOrRefuseLater : parseQueryString;
  const parse: QueryParser = (text) => {
    if (wrapped.settings['query parser'] === false) return {};
    const present = wrapped.settings['query parser fn'] as QueryParser | undefined;
    return present === undefined || present === parse ? ours(text) : present(text);
  };
  return parse;
}

function addTransport(app: CoreApplication, wrapped: AnyExpressApplication): void {
  const expressUse = wrapped.use.bind(wrapped) as (...args: unknown[]) => unknown;
  wrapped.set('query parser', presentQueryParser(wrapped));
  (wrapped as unknown as Express).disable('x-powered-by');
  addFastDispatch(wrapped);
  nestWhenMounted(wrapped);
  const lifecycle = new Lifecycle(app, wrapped);

  const order = new RegistrationOrder();

  const members = {
    use(...args: unknown[]): AnyExpressApplication {
      refuseUncalled(args);
      const split = splitUseArguments(args);
      if (split.kind === 'middleware') {
        rememberPlain(args);
        // Paths are text: what stands in front of a service has to see the requests that reach it.
        const [path, ...handlers] = args;
        expressUse(inUrls(path), ...handlers);
        order.middlewareAdded(args);
      } else {
        order.checkService(split.path);
        app.use(split.path, split.service, split.options);
      }
      return wrapped;
    },
    unuse: (path: string) => takeOut(app, wrapped, path),
    configure(callback: (this: unknown, app: unknown) => unknown): AnyExpressApplication {
      refuseUncalled([callback]);
      CoreApplication.prototype.configure.call(wrapped as unknown as CoreApplication, callback);
      return wrapped;
    },
    listen(...args: unknown[]): Promise<unknown> {
      const told = (): void => {
        // Whoever gets the error by the callback need not take it from the promise too.
        started.catch(() => undefined);
      };
      const started = lifecycle.listen((server) => (isExpress4(wrapped) ? args : withErrorCallback(server, args, told)));
      return started;
    },
    setup(server?: unknown): Promise<unknown> {
      order.end();
      nestReached(wrapped);
      return lifecycle.setup(server);
    },
    teardown: (server?: unknown) => lifecycle.teardown(server),
    close: (options?: CloseOptions) => lifecycle.close(options),
  };
  Object.assign(wrapped, members);
}
