// The same application on the incumbent.
import feathers from '@feathersjs/feathers';
import express from '@feathersjs/express';
import authentication from '@feathersjs/authentication';
import local from '@feathersjs/authentication-local';
import { RECORD, say, Users } from './shared.mjs';

const { AuthenticationService, JWTStrategy, hooks } = authentication;
const { LocalStrategy, hooks: localHooks } = local;
const app = express.default(feathers.feathers());
app.set('authentication', {
  secret: 'a secret of more than thirty-two bytes, for benchmarks',
  service: 'users',
  entity: 'user',
  authStrategies: ['jwt', 'local'],
  local: { usernameField: 'email', passwordField: 'password' },
});
app.use(express.json());
app.configure(express.rest());
app.use('users', new Users());
app.service('users').hooks({ after: { all: [localHooks.protect('password')] }, before: { create: [localHooks.hashPassword('password')] } });
const service = new AuthenticationService(app);
service.register('jwt', new JWTStrategy());
service.register('local', new LocalStrategy());
app.use('authentication', service);
app.use('open', { get: async () => RECORD });
app.use('closed', { get: async () => RECORD });
app.service('closed').hooks({ before: { all: [hooks.authenticate('jwt')] } });
app.use(express.errorHandler({ logger: false }));
say(await app.listen(0, '127.0.0.1'));
