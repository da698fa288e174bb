import errors from '@feathersjs/errors';
import express from '@feathersjs/express';
import feathers from '@feathersjs/feathers';
import { say, workWith } from './shared.mjs';

/** The service, behind the given middleware. */
export async function serveItems(middleware) {
  const app = express.default(feathers.feathers());
  if (middleware.length > 0) app.use(...middleware);
  app.use(express.json());
  app.configure(express.rest());
  app.use(
    'items',
    workWith((message) => new errors.NotFound(message)),
  );
  app.use(express.errorHandler({ logger: false }));
  say(await app.listen(0, '127.0.0.1'));
}
