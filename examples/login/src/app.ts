import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { oauth, OAuthStrategy, type OAuthProfile } from '@framework/authentication-oauth';
import { framework, type Params } from '@framework/core';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import type { Db } from 'mongodb';
import type { RunningProvider } from './provider.ts';

interface User {
  _id: unknown;
  email?: string;
  name?: string;
  companyId?: string;
}

interface AccountParams extends Params {
  user?: User;
}

/** The account of whoever is logged in, as the page shows it. */
class AccountService {
  async find({ user }: AccountParams): Promise<object> {
    const { email, name, companyId } = user ?? {};
    return Promise.resolve({ email, name, linked: companyId === undefined ? [] : [{ provider: 'company', id: companyId }] });
  }
}

/** Takes the name that the provider knows. The address stays with the provider: here it would have to be verified again. */
class CompanyStrategy extends OAuthStrategy {
  override async getEntityData(...args: Parameters<OAuthStrategy['getEntityData']>): Promise<Record<string, unknown>> {
    const [profile, existing]: [OAuthProfile, Readonly<Record<string, unknown>> | null, unknown] = args;
    return { ...(await super.getEntityData(...args)), name: existing?.name ?? profile.name };
  }
}

/**
 * Makes the application.
 *
 * @param origin where browsers find it
 */
export function makeApp(db: Db, origin: string, provider: RunningProvider): Application {
  const app: Application = express(framework());
  app.set('authentication', {
    secret: randomBytes(48).toString('base64'),
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password' },
    // Page and API share an origin: the tokens are in cookies that no script reads.
    sessions: { cookie: true },
    oauth: { origin, redirect: `${origin}/`, response: 'cookie', company: { issuer: provider.issuer, ...provider.client } },
  });
  app.use(json());
  app.configure(rest());

  const users = async () => {
    const collection = db.collection('users');
    await collection.createIndexes([
      { key: { email: 1 }, unique: true, sparse: true },
      { key: { companyId: 1 }, unique: true, sparse: true },
    ]);
    return collection;
  };
  app.use('users', new DocDbService({ Model: users, hidden: ['password'] }), { methods: ['create'] });
  app.service('users').hooks({ before: { create: [hashPassword('password')], patch: [hashPassword('password')] } });
  app.use('sessions', sessionStore(db.collection('sessions')));

  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  authentication.register('company', new CompanyStrategy());
  app.use('authentication', authentication);
  app.configure(oauth());

  app.use('account', new AccountService(), { methods: ['find'] });
  app.service('account').hooks({ before: { all: [authenticate('jwt')] } });

  const page = readFileSync(new URL('../public/index.html', import.meta.url), 'utf8');
  app.get('/', (_req, res) => void res.type('html').send(page));
  app.use(notFound());
  app.use(errorHandler());
  return app;
}
