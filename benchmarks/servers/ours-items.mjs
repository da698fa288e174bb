import { framework } from '@framework/core';
import { NotFound } from '@framework/errors';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { say, workWith } from './shared.mjs';

/**
 * The service.
 *
 * @param options `middleware` in front of it; `tag`: `false` for answers without an entity tag
 */
export async function serveItems({ middleware = [], tag = true } = {}) {
  const app = express(framework());
  if (!tag) app.disable('etag');
  if (middleware.length > 0) app.use(...middleware);
  app.use(json());
  app.configure(rest());
  app.use(
    'items',
    workWith((message) => new NotFound(message)),
  );
  app.use(errorHandler({ logger: false, html: false }));
  say(await app.listen(0, '127.0.0.1'));
}
