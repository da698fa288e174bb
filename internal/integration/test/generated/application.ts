import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { DocDbService } from '@framework/adapter-docdb';
import { configuration } from '@framework/configuration';
import { framework, type HookContext, type NextFunction } from '@framework/core';
import { hooks as schemaHooks } from '@framework/schema';
import express, { cors, errorHandler, json, notFound, rest, serveStatic, urlencoded, type Application } from '@framework/transport-express';
import { MongoClient, type Db } from 'mongodb';
import type * as typebox from './typebox.ts';
import type * as jsonSchemas from './json.ts';

/** The schema files of one form. */
export type Schemas = typeof typebox | typeof jsonSchemas;

const methods = ['find', 'get', 'create', 'patch', 'remove'];

/** Notes errors, as the generated `log-error` does. */
const logError =
  (log: unknown[]) =>
  async (_context: HookContext, next: NextFunction): Promise<void> => {
    try {
      await next();
    } catch (error) {
      log.push(error);
      throw error;
    }
  };

/**
 * An application as the incumbent's generator makes it for Express, REST, MongoDB and local login, with the imports renamed. The generator makes a file of
 * each function.
 *
 * @param log gets the errors of service calls
 */
export function generatedApplication(schemas: Schemas, log: unknown[]): Application {
  const app = express(framework()) as Application;
  app.configure(configuration(schemas.configurationValidator) as never);
  app.use(cors());
  app.use(json());
  app.use(urlencoded({ extended: true }));
  app.use('/', serveStatic(app.get('public') as string));
  app.configure(rest());
  app.configure(mongodb);
  app.configure(authentication);
  app.configure((services: Application) => {
    user(services, schemas);
    message(services, schemas);
  });
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  app.hooks({ around: { all: [logError(log)] }, before: {}, after: {}, error: {} } as never);
  app.hooks({ setup: [], teardown: [] } as never);
  return app;
}

function mongodb(app: Application): void {
  const connection = app.get('mongodb') as string;
  const database = new URL(connection).pathname.substring(1);
  const client = MongoClient.connect(connection);
  app.set(
    'mongodbClient',
    client.then((connected) => connected.db(database)),
  );
  app.hooks({
    teardown: [
      async (_context: unknown, next: () => Promise<void>) => {
        await next();
        await (await client).close();
      },
    ],
  } as never);
}

function authentication(app: Application): void {
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
}

const options = (app: Application, name: string): ConstructorParameters<typeof DocDbService>[0] => ({
  paginate: app.get('paginate') as { default: number; max: number },
  Model: (app.get('mongodbClient') as Promise<Db>).then((db) => db.collection(name)),
});

function user(app: Application, schemas: Schemas): void {
  app.use('users', new DocDbService(options(app, 'users')) as never, { methods, events: [] });
  app.service('users').hooks({
    around: {
      all: [schemaHooks.resolveExternal(schemas.userExternalResolver), schemaHooks.resolveResult(schemas.userResolver)],
      find: [authenticate('jwt')],
      get: [authenticate('jwt')],
      create: [],
      update: [authenticate('jwt')],
      patch: [authenticate('jwt')],
      remove: [authenticate('jwt')],
    },
    before: {
      all: [schemaHooks.validateQuery(schemas.userQueryValidator), schemaHooks.resolveQuery(schemas.userQueryResolver)],
      find: [],
      get: [],
      create: [schemaHooks.validateData(schemas.userDataValidator), schemaHooks.resolveData(schemas.userDataResolver)],
      patch: [schemaHooks.validateData(schemas.userPatchValidator), schemaHooks.resolveData(schemas.userPatchResolver)],
      remove: [],
    },
    after: { all: [] },
    error: { all: [] },
  } as never);
}

function message(app: Application, schemas: Schemas): void {
  app.use('messages', new DocDbService(options(app, 'messages')) as never, { methods, events: [] });
  app.service('messages').hooks({
    around: {
      all: [
        authenticate('jwt'),
        schemaHooks.resolveExternal(schemas.messageExternalResolver),
        schemaHooks.resolveResult(schemas.messageResolver),
      ],
    },
    before: {
      all: [schemaHooks.validateQuery(schemas.messageQueryValidator), schemaHooks.resolveQuery(schemas.messageQueryResolver)],
      find: [],
      get: [],
      create: [schemaHooks.validateData(schemas.messageDataValidator), schemaHooks.resolveData(schemas.messageDataResolver)],
      patch: [schemaHooks.validateData(schemas.messagePatchValidator), schemaHooks.resolveData(schemas.messagePatchResolver)],
      remove: [],
    },
    after: { all: [] },
    error: { all: [] },
  } as never);
}
