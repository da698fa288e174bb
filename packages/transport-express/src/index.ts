import { express as wrap } from './express.ts';
import { application, json, original, raw, request, response, Router, serveStatic, text, urlencoded } from './built-in.ts';
import { authenticate, parseAuthentication } from './middleware/authentication.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { notFound } from './middleware/not-found.ts';
import { withStatics, type WithStatics } from './express-statics.ts';
import { formatter } from './rest/formatter.ts';
import { rest } from './rest/rest.ts';
import { serverOptions } from './application/application-server.ts';
import compression from 'compression';
import cors from 'cors';

export { application, original, json, raw, request, response, Router, serveStatic, serveStatic as static, text, urlencoded };
export { authenticate, parseAuthentication, errorHandler, notFound, formatter, rest, serverOptions, compression, cors };
export { parseQueryString } from './query-parser.ts';
export { idempotent, type IdempotentOptions } from './idempotency/idempotent.ts';
export { MemoryIdempotencyStore, type MemoryIdempotencyOptions } from './idempotency/memory-idempotency-store.ts';
export type { HeldKey, IdempotencyStore, KeptCall } from './idempotency/idempotency-store.ts';
export { requestId } from './request-id.ts';
export { traceCalls, type TracingApi, type TracingSpan } from './tracing/trace-calls.ts';
export { shutdownOn, type ShutdownEvent, type ShutdownOptions } from './application/shutdown-on.ts';
export type { CloseOptions, Closing } from './application/ending.ts';
export type { Application } from './application/application-types.ts';
export type { AuthenticationPort, AuthenticationRequest } from './authentication-port.ts';
export type { Compatibility } from './compatibility/request-alias.ts';
export type { FrameworkRequest } from './express-types.ts';
export type { AuthenticationSettings } from './middleware/authentication.ts';
export type { ErrorHandlerOptions, ErrorLogger, ErrorResponder } from './middleware/error-handler.ts';
export type { NotFoundOptions } from './middleware/not-found.ts';
export type { Middleware } from './middleware-types.ts';
export type { RestOptions } from './rest/rest.ts';
export type { ServiceMiddlewareOptions } from './split-use-arguments.ts';

/** What this package has beside the statics of Express. */
interface Own {
  readonly original: typeof original;
  readonly json: typeof json;
  readonly urlencoded: typeof urlencoded;
  readonly text: typeof text;
  readonly serveStatic: typeof serveStatic;
  readonly rest: typeof rest;
  readonly formatter: typeof formatter;
  readonly errorHandler: typeof errorHandler;
  readonly notFound: typeof notFound;
  readonly authenticate: typeof authenticate;
  readonly parseAuthentication: typeof parseAuthentication;
  readonly serverOptions: typeof serverOptions;
  readonly cors: typeof cors;
  readonly compression: typeof compression;
}

const own: Own = {
  original,
  json,
  urlencoded,
  text,
  serveStatic,
  rest,
  formatter,
  errorHandler,
  notFound,
  authenticate,
  parseAuthentication,
  serverOptions,
  cors,
  compression,
};

/**
 * `express` with everything of this package, and of the installed Express, on it: `import express from '@framework/transport-express'`
 * takes the place of `import express from 'express'`.
 */
export const express: WithStatics<typeof wrap, Own> = withStatics(wrap, own);

export default express;
