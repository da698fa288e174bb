import { framework } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { NotFound } from '@framework/errors';
import { say, workWith } from './shared.mjs';

const app = express(framework());
app.use(json());
app.configure(rest());
app.use(
  'items',
  workWith((message) => new NotFound(message)),
);
app.use(errorHandler({ logger: false, html: false }));
say(await app.listen(0, '127.0.0.1'));
