import http from 'node:http';
import type { Server, ServerOptions } from 'node:http';
import type { AnyExpressApplication } from './application-types.ts';

/** Milliseconds for the headers of a request to arrive (security S44). */
export const HEADERS_TIMEOUT = 20_000;
/** Milliseconds for a whole request to arrive. */
export const REQUEST_TIMEOUT = 60_000;

type Constructor = new (...args: unknown[]) => object;

/** Makes the server of an application, with {@link serverOptions} and limits of time. */
export function createApplicationServer(app: AnyExpressApplication): Server {
  const server = http.createServer(serverOptions(app), app);
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  return server;
}

/**
 * Options for a server that the application does not make itself, for example
 * `https.createServer({ ...serverOptions(app), key, cert }, app)`.
 *
 * Its requests and responses are created with the application's own prototypes, so that Express need not replace the prototype of each
 * one, which costs more than all else it does (decisions 0004).
 *
 * @param app the application that gets the requests
 * @returns options of `http.createServer` and `https.createServer`
 */
export function serverOptions(app: object): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  // Express's types leave out the prototypes that each application has.
  const { request, response } = app as { request: object; response: object };
  return {
    IncomingMessage: withPrototype(http.IncomingMessage, request),
    ServerResponse: withPrototype(http.ServerResponse, response),
  } as unknown as Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/**
 * Node's request and response constructors are plain functions: they can be called on an object with any prototype.
 *
 * V8 reserves space in an object for each property that its constructor and those it inherits from mention. Without that link all
 * properties would be stored outside and the store grown again and again, which takes 1 to 3 us for each request.
 *
 * They get all that the runtime gives: Node has one argument for a request, Bun its method, its URL and its headers too.
 */
function withPrototype(Base: unknown, prototype: object): Constructor {
  const construct = Base as { call(self: object, ...given: readonly unknown[]): void };
  function Created(this: object, ...given: readonly unknown[]): void {
    construct.call(this, ...given);
  }
  Created.prototype = prototype;
  Object.setPrototypeOf(Created, Base as object);
  return Created as unknown as Constructor;
}
