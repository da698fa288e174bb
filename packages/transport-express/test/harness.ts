import { framework } from '@framework/core';
import { listen, type RunningApplication } from '@framework-internal/testing/http';
import express, { errorHandler, json, notFound, rest, urlencoded, type Application, type ErrorHandlerOptions } from '../src/index.ts';

export { echo, listen, send, sendJson, type Answer } from '@framework-internal/testing/http';

/** A running application. */
export type Running = RunningApplication<Application>;

/** Body parsers, REST, the services that `build` adds, not-found and error handler, listening. */
export async function start(build: (app: Application) => void, options: ErrorHandlerOptions = {}): Promise<Running> {
  const app = express(framework()) as Application;
  app.use(json()).use(urlencoded({ extended: true }));
  app.configure(rest());
  build(app);
  app.use(notFound());
  app.use(errorHandler({ logger: false, ...options }));
  return listen(app);
}
