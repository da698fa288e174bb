import { DocDbLimiterStore, DocDbService, sessionStore } from '@framework/adapter-docdb';
import {
  ApiKeyStrategy,
  authenticate as authenticateHook,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationConfiguration,
  type SessionOptions,
} from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework } from '@framework/core';
import express, { authenticate, errorHandler, json, rest, urlencoded, type Application } from '@framework/transport-express';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { afterAll, beforeAll } from '@jest/globals';
import type { Db } from 'mongodb';
import { echo, listen, sendJson, type Answer, type Running } from './harness.ts';

export const SECRET = 'a secret of more than thirty-two bytes, for tests';
export const PASSWORD = 'right password';
export const ANN = { strategy: 'local', email: 'ann@example.com', password: PASSWORD };

/** The two authentication services of the application: their users have the same ids, and they share nothing else but the store. */
export const SERVICES = {
  authentication: { secret: SECRET, service: 'users' },
  'admin-authentication': { secret: `${SECRET} of admins`, service: 'admins', jwtOptions: { audience: 'https://admin.example.com' } },
} as const;

/** One process of an application with customers and administrators: several share the database and nothing else. */
export async function startServer(
  db: Db,
  sessions: boolean | SessionOptions = true,
  more: AuthenticationConfiguration = {},
): Promise<Running> {
  const app = express(framework()) as Application;
  app.use(json()).use(urlencoded({ extended: true }));
  app.configure(rest());
  for (const path of ['users', 'admins']) {
    app.use(path, new DocDbService({ Model: db.collection(path) }));
    app.service(path).hooks({
      around: { all: [protect('password')] },
      before: { create: [hashPassword('password')], patch: [hashPassword('password')] },
    });
  }
  app.use('sessions', sessionStore(db.collection('sessions')));
  for (const [path, own] of Object.entries(SERVICES)) {
    app.set(path, {
      entity: 'user',
      authStrategies: ['jwt', 'local', 'api-key'],
      local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 1024, timeCost: 1 } },
      limiter: { store: new DocDbLimiterStore(db.collection('logins')) },
      sessions,
      ...own,
      ...more,
    });
    const service = new AuthenticationService(app, path);
    service.register('jwt', new JWTStrategy());
    service.register('local', new LocalStrategy());
    service.register('api-key', new ApiKeyStrategy());
    app.use(path, service);
  }
  app.use('echo', echo);
  app.service('echo').hooks({ before: { all: [authenticateHook('jwt', 'api-key')] } });
  app.use('admin-echo', { ...echo });
  app
    .service('admin-echo')
    .hooks({ before: { all: [authenticateHook({ service: 'admin-authentication', strategies: ['jwt', 'api-key'] })] } });
  app.get('/page', authenticate('jwt'), (req, res) => {
    res.send(`<h1>Hello ${String((req.framework?.user as { email?: string } | undefined)?.email)}</h1>`);
  });
  app.use(errorHandler({ logger: false }));
  return listen(app);
}

/** What the tests of a file share, once they run. */
export interface AnnsServer {
  database: TestDatabase;
  server: Running;
  user: { readonly _id: unknown };
}

/** A database and a process in which Ann is registered, for all tests of a file. */
export function useAnnsServer(): AnnsServer {
  const shared = {} as AnnsServer;
  beforeAll(async () => {
    const database = await startDatabase();
    const server = await startServer(database.db);
    const user = (await server.app.service('users').create({ email: ANN.email, password: PASSWORD })) as AnnsServer['user'];
    Object.assign(shared, { database, server, user });
  });
  afterAll(async () => {
    await shared.server.stop();
    await shared.database.close();
  });
  return shared;
}

/** The authentication service of a process. */
export function authenticationOf({ app }: Running, path: keyof typeof SERVICES = 'authentication'): AuthenticationService {
  return app.service(path) as unknown as AuthenticationService;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Logs in, and expects it to succeed. */
export async function logIn(at: Running, path = '/authentication', data: object = ANN): Promise<Tokens> {
  const answer = await sendJson(at.url, 'POST', path, data);
  if (answer.status !== 201) throw new Error(`The login was answered ${answer.status}: ${answer.text}`);
  return answer.body as Tokens;
}

/** Refreshes. */
export function refresh(
  at: Running,
  refreshToken: unknown,
  path = '/authentication',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return sendJson(at.url, 'POST', path, { strategy: 'refresh', refreshToken }, headers);
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
