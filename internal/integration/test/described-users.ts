import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { authenticate, AuthenticationService, JWTStrategy, type AuthenticationStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { framework } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { echo, listen, type Running } from './harness.ts';
import { SECRET } from './session-server.ts';

/** Options of {@link startDescribedUsers}. */
export interface DescribedUsersOptions {
  /** Made by `serviceSchema`. */
  readonly schema: object;
  /** Property of the password in logins and users; a dotted path. */
  readonly passwordField?: string;
  /** Strategies beside `jwt` and `local`. */
  readonly strategies?: Readonly<Record<string, AuthenticationStrategy>>;
}

/** A process with sessions whose users are described, and its database. `stop` ends both. */
export async function startDescribedUsers({
  schema,
  passwordField = 'password',
  strategies = {},
}: DescribedUsersOptions): Promise<Running & { readonly database: TestDatabase }> {
  const database = await startDatabase();
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local', ...Object.keys(strategies)],
    local: { usernameField: 'email', passwordField, hashCost: { memoryCost: 64, timeCost: 1 } },
    sessions: true,
  });
  app.use(json());
  app.configure(rest());
  app.use('users', new DocDbService({ Model: database.db.collection('users') }) as never, { schema: schema as never });
  app.use('sessions', sessionStore(database.db.collection('sessions')));
  const authentication = new AuthenticationService(app);
  const all = { jwt: new JWTStrategy(), local: new LocalStrategy(), ...strategies };
  for (const [name, strategy] of Object.entries(all)) authentication.register(name, strategy);
  app.use('authentication', authentication);
  app.use('echo', { ...echo });
  app.service('echo').hooks({ before: { all: [authenticate('jwt')] } });
  app.use(errorHandler({ logger: false }));
  const running = await listen(app);
  return {
    ...running,
    database,
    async stop() {
      await running.stop();
      await database.close();
    },
  };
}
