import { expect, it } from '@jest/globals';
import { channels } from '@framework/channels';
import { configuration } from '@framework/configuration';
import { framework, type ServiceOptions } from '@framework/core';
import { eventLog, DocDbService, transaction, transactionHook } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { authenticate, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, passwordHash } from '@framework/authentication-local';
import { oauth } from '@framework/authentication-oauth';
import { querySyntax, Reference, resolve, resolveAll, serviceSchema, Type } from '@framework/schema';
import * as express from '@framework/transport-express';
import { sse } from '@framework/transport-sse';

const SECRET = 'b3Nh-7dKq_LzT1mVx0RpYc9uWfEg4JhS';
const record = Type.Object({ name: Type.String() }, { $id: 'Named', additionalProperties: false });

/** What callers without types give. */
const any = <T>(value: unknown): T => value as T;

function authenticationWith(changes: object): () => Promise<unknown> {
  return async () => {
    const app = framework();
    app.use('users', new MemoryService());
    const service = new AuthenticationService(app, 'authentication', {
      secret: SECRET,
      service: 'users',
      entity: 'user',
      authStrategies: ['jwt', 'local'],
      local: { usernameField: 'email', passwordField: 'password' },
      ...changes,
    });
    service.register('jwt', new JWTStrategy());
    service.register('local', new LocalStrategy());
    return app.use('authentication', service).setup();
  };
}

async function withAuthentication(use: (service: AuthenticationService) => unknown): Promise<unknown> {
  const app = framework();
  app.use('users', new MemoryService());
  const service = new AuthenticationService(app, 'authentication', { secret: SECRET, service: 'users', entity: 'user', sessions: true });
  return use(service);
}

const MISSPELT: readonly (readonly [string, () => unknown, string])[] = [
  ['app.use', () => framework().use('notes', new MemoryService(), any<ServiceOptions>({ method: ['find'] })), "option 'method'"],
  ['MemoryService', () => new MemoryService(any({ pagniate: { max: 1 } })), "Did you mean 'paginate'?"],
  ['DocDbService', () => new DocDbService(any({ Model: {}, mutli: false })), "Did you mean 'multi'?"],
  ['eventLog', () => eventLog(any({}), any({ kep: 1 })), "Did you mean 'keep'?"],
  ['transaction', () => transaction(any({}), async () => 1), 'transaction() needs a connected MongoClient'],
  ['transactionHook', () => transactionHook(any({})), 'transactionHook() needs a connected MongoClient'],
  ['authenticate, the hook', () => authenticate(any({ strategies: ['jwt'], servce: 'x' })), "Did you mean 'service'?"],
  [
    'the authentication settings',
    authenticationWith({ limitr: false }),
    "'authentication' has no option 'limitr'. Did you mean 'limiter'?",
  ],
  ['its strategies', authenticationWith({ parseStrategy: ['jwt'] }), "Did you mean 'parseStrategies'?"],
  [
    'the local strategy',
    authenticationWith({ local: { usernameField: 'email', passwordField: 'password', hashCosts: {} } }),
    "'authentication.local' has no option 'hashCosts'. Did you mean 'hashCost'?",
  ],
  [
    'register',
    () => withAuthentication((service) => service.register('jwt', any(JWTStrategy))),
    "got the class JWTStrategy itself: register('jwt', new JWTStrategy())",
  ],
  [
    'createToken',
    () => withAuthentication((service) => service.createToken(any({ entity: 1, scope: ['notes:find'] }))),
    "createToken() has no option 'scope'. Did you mean 'scopes'?",
  ],
  [
    'createApiKey',
    () => withAuthentication((service) => service.createApiKey(any({ entity: 1, scope: ['notes:find'] }))),
    "createApiKey() has no option 'scope'. Did you mean 'scopes'?",
  ],
  ['hashPassword', () => hashPassword('password', any({ strateg: 'other' })), "Did you mean 'strategy'?"],
  ['passwordHash', () => passwordHash(any({ strategy: 'local', servce: 'other' })), "Did you mean 'service'?"],
  ['oauth', () => oauth(any({ linkStrateg: 'jwt' })), "Did you mean 'linkStrategy'?"],
  [
    'serviceSchema',
    () => serviceSchema({ record, ...any<object>({ pacth: record }) }),
    "serviceSchema() has no option 'pacth'. Did you mean 'patch'?",
  ],
  [
    'serviceSchema of a record alone',
    () => serviceSchema(any<never>(record)),
    'What describes a record is given by name: serviceSchema({ record: Type.Object({ … }) })',
  ],
  ['its resolvers', () => serviceSchema({ record, resolvers: any({ dispach: resolve({}) }) }), "Did you mean 'dispatch'?"],
  ['its resolvers of data', () => serviceSchema({ record, resolvers: { data: any({ creat: resolve({}) }) } }), "Did you mean 'create'?"],
  ['resolveAll', () => resolveAll(any({ dispach: resolve({}) })), "resolveAll() has no option 'dispach'. Did you mean 'dispatch'?"],
  ['resolve', () => resolve({}, any<object>({ convertr: () => ({}) })), "Did you mean 'converter'?"],
  ['querySyntax', () => querySyntax(record, {}, any({ hiden: true })), "Did you mean 'hidden'?"],
  ['Reference', () => Reference('users', { as: 'author', ...any<object>({ recrd: record }) }), "Did you mean 'record'?"],
  [
    'an index',
    () => new DocDbService(any({ Model: async () => ({}), indexes: [{ key: { name: 1 }, uniqe: true }] })),
    "index 1 has no option 'uniqe'. Did you mean 'unique'?",
  ],
  ['channels', () => channels(any({ windw: {} })), "Did you mean 'window'?"],
  ['its window', () => channels({ window: any({ entires: 5 }) }), "Did you mean 'entries'?"],
  ['configuration', () => configuration(any<object>({ schema: {}, directry: 'x' })), "no option 'directry'"],
  ['sse', () => sse(any({ pth: 'x' })), "Did you mean 'path'?"],
  ['rest', () => express.rest(any({ formater: () => undefined })), "Did you mean 'formatter'?"],
  ['json', () => express.json(any({ limt: '1kb' })), "json() has no option 'limt'. Did you mean 'limit'?"],
  ['errorHandler', () => express.errorHandler(any({ pubic: true })), "Did you mean 'public'?"],
  ['notFound', () => express.notFound(any({ verbse: true })), "Did you mean 'verbose'?"],
  ['idempotent', () => express.idempotent(any({ kep: 1 })), "Did you mean 'keep'?"],
  ['MemoryIdempotencyStore', () => new express.MemoryIdempotencyStore(any({ maxKey: 1 })), "Did you mean 'maxKeys'?"],
  ['authenticate, the middleware', () => express.authenticate(any({ strategy: 'jwt' })), "has no option 'strategy'"],
  ['parseAuthentication', () => express.parseAuthentication(any({ servce: 'x' })), "Did you mean 'service'?"],
];

it.each(MISSPELT)('a misspelt option of %s is refused at start, with the one that is meant', async (_of, use, message) => {
  await expect(async () => use()).rejects.toThrow(message);
});

it('settings of strategies that are registered later, and of classes of one’s own, are theirs', async () => {
  const own = { google: { key: 'x' }, magic: {}, local: { usernameField: 'email', passwordField: 'password', tenant: 'acme' } };
  await expect(authenticationWith(own)()).resolves.toBeDefined();
});
