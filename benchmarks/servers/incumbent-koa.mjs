import errors from '@feathersjs/errors';
import feathers from '@feathersjs/feathers';
import koa from '@feathersjs/koa';
import { say, workWith } from './shared.mjs';

const app = koa.koa(feathers.feathers());
app.use(koa.errorHandler());
app.use(koa.bodyParser());
app.configure(koa.rest());
app.use(
  'items',
  workWith((message) => new errors.NotFound(message)),
);
say(await app.listen(0, '127.0.0.1'));
