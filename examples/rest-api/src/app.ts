import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { framework, type HookContext } from '@framework/core';
import { openapi } from '@framework/openapi';
import express, { errorHandler, json, notFound, rest, urlencoded, type Application } from '@framework/transport-express';
import { sse } from '@framework/transport-sse';
import type { Collection, Db } from 'mongodb';
import { type CitiesService, createCitiesService } from './cities/cities-service.ts';
import { citySchema } from './cities/city-schema.ts';
import { livePage } from './live-page.ts';
import { loginBeforeBody, loginRequired } from './login-required.ts';
import { keepSecret, settings, type Settings } from './settings.ts';
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

/** The application with its settings, and nothing else yet. */
export function createApp(): Application<Services, Settings> {
  const app = express(framework<Services, Settings>());
  app.configure(settings);
  keepSecret(app);
  return app;
}

/**
 * Puts middleware and services into the application.
 *
 * @param db the database
 * @param openCities gives the collection of the cities
 */
export async function addServices(
  app: Application<Services, Settings>,
  db: Db,
  openCities: (db: Db) => Promise<Collection>,
): Promise<void> {
  app.use(loginBeforeBody(app));
  app.use(json());
  app.use(urlencoded({ extended: true }));
  app.configure(rest());
  app.configure(sse());
  app.hooks({ around: { all: [loginRequired] } });

  app.use('users', createUsersService(db), {
    schema: userSchema,
    docs: { description: 'People who may log in. Everyone sees themselves alone.' },
  });
  app.use('cities', createCitiesService(await openCities(db)), {
    schema: citySchema,
    docs: { description: 'Cities of the world.' },
  });
  app.service('users').hooks(usersHooks);

  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  app.service('authentication').hooks({ before: { create: [lowerCaseLogin] } });

  // Anyone may read cities, so that anyone may hear of their changes. Users have no publisher: nobody hears of them.
  app.on('connection', (connection: object) => app.channel('everybody').join(connection));
  const toEverybody = () => app.channel('everybody');
  app.service('cities').publish(toEverybody);
  app.get('/live', livePage);

  app.configure(openapi({ info: { title: 'Cities of the world', version: '1.0.0' }, ui: 'rapidoc' }));

  app.use(notFound());
  app.use(errorHandler());
}
