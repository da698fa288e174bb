import feathers from '@feathersjs/feathers';
import express from '@feathersjs/express';
import errors from '@feathersjs/errors';
import { say, workWith } from './shared.mjs';

const app = express.default(feathers.feathers());
app.use(express.json());
app.configure(express.rest());
app.use(
  'items',
  workWith((message) => new errors.NotFound(message)),
);
app.use(express.errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
