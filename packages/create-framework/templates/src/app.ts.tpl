%% if login
import { randomBytes } from 'node:crypto';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
%% end
%% if oauth
import { oauth, OAuthStrategy } from '@framework/authentication-oauth';
%% end
import { framework } from '@framework/core';
%% if database
import { Unavailable } from '@framework/errors';
%% end
import { openapi } from '@framework/openapi';
import express, { errorHandler, json, notFound, rest‹, type Application as ExpressApplication› } from '@framework/transport-express';
%% if socketio
import { socketio } from '@framework/transport-socketio';
%% end
%% if sse
import { sse } from '@framework/transport-sse';
%% end
%% if database & ts
import type { Db } from 'mongodb';
%% end
%% if database
import { openDatabase } from './database.«ext»';
%% end
import * as services from './services/index.«ext»';
%% if login
import { lowerCaseLogin } from './services/users.«ext»';
%% end

%% if ts
/** The services by their paths. Each file in `services` adds its own. */
export interface Services {
  health: { find(): Promise<{ status: string }> };
%% if login
  authentication: AuthenticationService;
%% end
}

/** What `app.get` gives. */
export interface Settings {
%% if database
  db: Db;
%% end
%% if login
  authentication: object;
%% end
%% if memory & !login
  // Settings of your own, set by `app.set` below.
  port?: number;
%% end
}

export type Application = ExpressApplication<Services, Settings>;
%% else
/**
%% if database
 * @typedef {import('@framework/transport-express').Application<Record<never, never>, { db: import('mongodb').Db, authentication: object }>} Application
%% else
 * @typedef {import('@framework/transport-express').Application<Record<never, never>, { authentication: object }>} Application
%% end
 */
%% end

/**
 * Makes the application. It listens to nothing yet: `main.«ext»` and the tests do that.
%% if login | database
 *
 * @param ‹env¦{NodeJS.ProcessEnv} [env]› where the settings come from, see README.md
%% end
 */
%% if memory & !login
export function createApp()‹: Application› {
%% else
%% if embedded
export async function createApp(env‹: NodeJS.ProcessEnv› = process.env)‹: Promise<Application>› {
%% else
export function createApp(env‹: NodeJS.ProcessEnv› = process.env)‹: Application› {
%% end
%% end
%% if login
  if (!env.AUTH_SECRET) {
    throw new Error(
      'AUTH_SECRET is not set, and signs tokens. Write AUTH_SECRET=… into the file .env, which git does not know, with what this prints: ' +
        `node -p "require('crypto').randomBytes(48).toString('base64')"`,
    );
  }
%% end
%% if ts
  const app: Application = express(framework<Services, Settings>());
%% else
  /** @type {Application} */
  const app = express(framework());
%% end
%% if database
%% if embedded
  const database = await openDatabase(env.DATABASE_URL, env.DATA_DIR);
%% else
  const database = openDatabase(env.DATABASE_URL);
%% end
  app.set('db', database.db);
  // Behind the teardown of the services, which may still write.
  app.hooks({
    teardown: [
      async (_context, next) => {
        await next();
        await database.close();
      },
    ],
  });
%% end
%% if oauth
  const { ORIGIN: origin = 'http://localhost:3030', GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  // Logins by GitHub, once both are set. At GitHub, register `<origin>/oauth/github/callback`.
  if (!clientId !== !clientSecret) throw new Error('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together: set both, or neither');
  const github = clientId && clientSecret ? { clientId, clientSecret } : undefined;
%% end
%% if login
  app.set('authentication', {
    secret: env.AUTH_SECRET,
    service: 'users',
    entity: 'user',
    entityId: '_id',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password' },
    // Access tokens are short-lived. A session makes them end earlier, at a logout, and its refresh token gives new ones.
    jwtOptions: { expiresIn: '15m', audience: '«name»', issuer: '«name»' },
    sessions: true,
%% if oauth
    oauth: { origin, redirect: `${origin}/`, ...(github ? { github } : {}) },
%% end
  });
%% end
%% if oauth

  // Forms too: some providers send them.
  app.use(json()).use(express.urlencoded({ extended: true }));
%% else

  app.use(json());
%% end
  app.configure(rest());
%% if sse
  app.configure(sse());
%% end
%% if socketio
  app.configure(socketio());
%% end
  app.configure(openapi({ info: { title: '«name»', version: '1.0.0' } }));

  const health = { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] };
  const healthDocs = { operations: { find: { summary: 'Whether the server can answer', result: health } } };
%% if database
  app.use(
    'health',
    {
      async find() {
        await database.db.command({ ping: 1 }).catch((error‹: unknown›) => {
          throw new Unavailable('The database does not answer', { cause: error });
        });
        return { status: 'ok' };
      },
    },
    { docs: healthDocs },
  );
%% else
  app.use('health', { find: async () => Promise.resolve({ status: 'ok' }) }, { docs: healthDocs });
%% end
  for (const service of Object.values(services)) app.configure(service);
%% if login

  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
%% if oauth
  if (github) authentication.register('github', new OAuthStrategy());
%% end
  app.use('authentication', authentication);
  app.service('authentication').hooks({ before: { create: [lowerCaseLogin] } });
%% if oauth
  if (github) app.configure(oauth());
%% end
%% end
%% if realtime
%% if login

  // Who gets events: those who are logged in. A logout leaves all channels by itself.
  app.on('login', (_result‹: unknown›, { connection }‹: { connection?: object }›) => {
    if (connection) app.channel('authenticated').join(connection);
  });
%% else

  // Who gets events: everybody who listens. Services without a publisher send none.
  app.on('connection', (connection‹: object›) => app.channel('everybody').join(connection));
%% end
%% end

  app.use(notFound());
  app.use(errorHandler());
  return app;
}

/** For `framework-audit`: the application with settings of its own, which nobody uses. */
export const audited = () =>
%% if login & mongodb
  createApp({ AUTH_SECRET: randomBytes(48).toString('base64'), DATABASE_URL: 'mongodb://127.0.0.1:27017/«databaseName»' });
%% end
%% if login & !mongodb
  createApp({ AUTH_SECRET: randomBytes(48).toString('base64') });
%% end
%% if !login & mongodb
  createApp({ DATABASE_URL: 'mongodb://127.0.0.1:27017/«databaseName»' });
%% end
%% if !login & !mongodb
%% if embedded
  createApp({});
%% else
  createApp();
%% end
%% end
