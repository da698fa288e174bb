import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { framework, type HookContext } from '@framework/core';
import express, { errorHandler, json, notFound, rest, urlencoded, type Application } from '@framework/transport-express';
import { citiesHooks, type CitiesService, createCitiesService } from './cities/cities-service.ts';
import { citySchema } from './cities/city-schema.ts';
import { importCities } from './cities/import-cities.ts';
import type { Database } from './database.ts';
import type { Settings } from './settings.ts';
import { createUsersService, userSchema, usersHooks, type UsersService } from './users/users-service.ts';

/** The services of this application by path. */
export interface Services {
  users: UsersService;
  cities: CitiesService;
  authentication: AuthenticationService;
}

/** Addresses are stored in lower case: a login may write them as it likes. */
function lowerCaseLogin(context: HookContext<unknown, AuthenticationService, 'create'>): void {
  const { email } = context.data;
  if (typeof email === 'string') context.data = { ...context.data, email: email.toLowerCase() };
}

/** Puts the application together on an open database. */
export async function createApp(
  settings: Pick<Settings, 'secret'>,
  database: Database,
  output: NodeJS.WritableStream,
): Promise<Application<Services>> {
  const app = express(framework<Services>());
  app.set('authentication', {
    secret: settings.secret,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    jwtOptions: { audience: 'https://example.com', issuer: 'rest-api' },
    local: { usernameField: 'email', passwordField: 'password' },
  });
  app.use(json());
  app.use(urlencoded({ extended: true }));
  app.configure(rest());

  app.use('users', createUsersService(database.db), { schema: userSchema });
  app.use('cities', createCitiesService(await importCities(database.db, output)), { schema: citySchema });
  app.service('users').hooks(usersHooks);
  app.service('cities').hooks(citiesHooks);

  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  app.service('authentication').hooks({ before: { create: [lowerCaseLogin] } });

  app.use(notFound());
  app.use(errorHandler());
  return app;
}
