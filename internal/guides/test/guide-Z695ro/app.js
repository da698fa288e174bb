import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { authenticate as authenticateHook, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { DocDbServer } from '@framework/docdb-embedded';
import express, { authenticate, errorHandler, json, notFound, rest } from '@framework/transport-express';
import { MongoClient } from 'mongodb';

const database = await DocDbServer.start({ path: 'data' });
const db = (await new MongoClient(database.uri).connect()).db('shop');

export const app = express(framework());
app.set('authentication', {
  // Make one with: node -e "console.log(require('crypto').randomBytes(48).toString('base64'))"
  secret: process.env.AUTH_SECRET,
  service: 'users',
  entity: 'user',
  authStrategies: ['jwt', 'local'],
  local: { usernameField: 'email', passwordField: 'password' },
  // Access tokens are short-lived; sessions make them end earlier, and refresh tokens give new ones.
  jwtOptions: { expiresIn: '15m', audience: 'https://shop.example.com', issuer: 'shop' },
  sessions: true,
});

app.use(json());
app.configure(rest());

app.use(
  'users',
  new DocDbService({
    Model: async () => {
      const users = db.collection('users');
      await users.createIndexes([{ key: { email: 1 }, unique: true }]);
      return users;
    },
    hidden: ['password'],
  }),
  { methods: ['create'] },
);
app.service('users').hooks({
  around: { all: [protect('password')] },
  before: { create: [hashPassword('password')], patch: [hashPassword('password')] },
});

app.use('sessions', sessionStore(db.collection('sessions')));

const authentication = new AuthenticationService(app);
authentication.register('jwt', new JWTStrategy());
authentication.register('local', new LocalStrategy());
app.use('authentication', authentication);

app.use('orders', new DocDbService({ Model: db.collection('orders') }));
app.service('orders').hooks({ before: { all: [authenticateHook('jwt')] } });

// A page that is no service.
app.get('/account', authenticate('jwt'), (req, res) => {
  res.send(`<h1>Hello ${req.framework.user.email}</h1>`);
});

app.use(notFound());
app.use(errorHandler());

const server = await app.listen(Number(process.env.PORT ?? 3030), '127.0.0.1');
console.log(`http://127.0.0.1:${server.address().port}`);
process.once('SIGTERM', async () => {
  await app.close();
  process.exit(0);
});

app.on('login', (result, params, context) => {});
app.on('logout', (result, params, context) => {});
app.on('login-failed', ({ strategy, account, address, requestId }) => {}); // account is a digest
app.on('lockout', ({ strategy, account, address, retryAfter, requestId }) => {});
app.on('refresh-reuse', ({ session, user }) => {});
app.on('authz-denied', ({ path, method, provider, error, requestId }) => {}); // every 401 and 403 of a call from outside
