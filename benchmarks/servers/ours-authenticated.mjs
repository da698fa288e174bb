// Users in memory, local and JWT login, an open and a protected service.
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest } from '@framework/transport-express';
import { RECORD, say, Users } from './shared.mjs';

const app = express(framework());
app.set('authentication', {
  secret: 'a secret of more than thirty-two bytes, for benchmarks',
  service: 'users',
  entity: 'user',
  authStrategies: ['jwt', 'local'],
  limiter: false,
  local: { usernameField: 'email', passwordField: 'password' },
});
app.use(json());
app.configure(rest());
app.use('users', new Users());
app.service('users').hooks({ around: { all: [protect('password')] }, before: { create: [hashPassword('password')] } });
const service = new AuthenticationService(app);
service.register('jwt', new JWTStrategy());
service.register('local', new LocalStrategy());
app.use('authentication', service);
app.use('open', { get: async () => RECORD });
app.use('closed', { get: async () => RECORD });
app.service('closed').hooks({ before: { all: [authenticate('jwt')] } });
app.use(errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
