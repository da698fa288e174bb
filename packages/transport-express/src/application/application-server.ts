import http from 'node:http';
import type { Server } from 'node:http';
import type { AnyExpressApplication } from './application-types.ts';

/** Milliseconds for the headers of a request to arrive (security S44). */
export const HEADERS_TIMEOUT = 20_000;
/** Milliseconds for a whole request to arrive. */
export const REQUEST_TIMEOUT = 60_000;

type Constructor = new (...args: unknown[]) => object;

/**
 * Makes the server of an application. Its requests and responses are created with the application's own prototypes, so
 * that Express need not replace the prototype of each one, which costs more than all else it does (decisions 0004).
 */
export function createApplicationServer(app: AnyExpressApplication): Server {
  // Express's types leave out the prototypes that each application has.
  const { request, response } = app as unknown as { request: object; response: object };
  const server = http.createServer(
    {
      IncomingMessage: withPrototype(http.IncomingMessage, request),
      ServerResponse: withPrototype(http.ServerResponse, response),
    } as unknown as http.ServerOptions,
    app,
  );
  server.headersTimeout = HEADERS_TIMEOUT;
  server.requestTimeout = REQUEST_TIMEOUT;
  return server;
}

/**
 * Node's request and response constructors are plain functions: they can be called on an object with any prototype.
 *
 * V8 reserves space in an object for each property that its constructor mentions, and Node's constructors mention theirs
 * elsewhere. Without the names below every property would be stored outside and the store grown again and again, which takes
 * 1 to 3 us for each request.
 */
function withPrototype(Base: unknown, prototype: object): Constructor {
  const construct = Base as { call(self: object, first: unknown, second: unknown): void };
  function Created(this: Record<string, unknown>, first: unknown, second: unknown): void {
    construct.call(this, first, second);
    if (first !== NEVER) return;
    this.a0 = this.a1 = this.a2 = this.a3 = this.a4 = this.a5 = this.a6 = this.a7 = this.a8 = this.a9 = 0;
    this.b0 = this.b1 = this.b2 = this.b3 = this.b4 = this.b5 = this.b6 = this.b7 = this.b8 = this.b9 = 0;
    this.c0 = this.c1 = this.c2 = this.c3 = this.c4 = this.c5 = this.c6 = this.c7 = this.c8 = this.c9 = 0;
    this.d0 = this.d1 = this.d2 = this.d3 = this.d4 = this.d5 = this.d6 = this.d7 = this.d8 = this.d9 = 0;
  }
  Created.prototype = prototype;
  return Created as unknown as Constructor;
}

/** No request is made of it. */
const NEVER = Symbol('never');
