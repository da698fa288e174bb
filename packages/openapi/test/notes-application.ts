import { MemoryService } from '@framework/adapter-memory';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { serviceSchema, Type, WriteOnly } from '@framework/schema';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { openapi, type OpenApiOptions } from '../src/index.ts';

/** Who logs in. */
export const USER = { email: 'me@example.com', password: 'correct horse' };

/** Notes that those who are logged in read, and a document. */
export function notesApplication(options: OpenApiOptions = {}): Application {
  const app = express(framework());
  app.use(json()).configure(rest());
  app.set('authentication', {
    secret: 'a secret of the tests that is long enough for everybody',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password' },
  });
  const user = Type.Object({
    id: Type.Integer(),
    email: Type.String({ format: 'email', examples: [USER.email] }),
    password: WriteOnly(Type.String()),
  });
  app.use('users', new MemoryService({ startId: 1 }), { schema: serviceSchema({ record: user }), methods: ['create', 'get'] });
  app.service('users').hooks({ before: { create: [hashPassword('password')], get: [authenticate('jwt')] } });
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  const note = Type.Object({ id: Type.Integer(), text: Type.String() });
  app.use('notes', new MemoryService({ store: [{ id: 1, text: 'The first note of all' }], paginate: { default: 10, max: 10 } }), {
    schema: serviceSchema({ record: note }),
  });
  app.service('notes').hooks({ before: { all: [authenticate('jwt')] } });
  app.configure(openapi({ info: { title: 'Notes <of all>', version: '1.0.0' }, ...options }));
  app.use(notFound()).use(errorHandler({ logger: false }));
  return app as never;
}
