import { MemoryService } from '@framework/adapter-memory';
import {
  ApiKeyStrategy,
  authenticate as authenticateHook,
  AuthenticationBaseStrategy,
  AuthenticationService,
  JWTStrategy,
  type AuthenticationRequest,
  type AuthenticationResult,
} from '@framework/authentication';
import { framework, paramsFor, type HookContext } from '@framework/core';
import { Reference, serviceSchema, Type } from '@framework/schema';
import express, { authenticate, errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Answer, type Running } from './harness.ts';

/** Whoever sends nothing else. */
class AnonymousStrategy extends AuthenticationBaseStrategy {
  async parse(): Promise<AuthenticationRequest> {
    return { strategy: 'anonymous' };
  }
  async authenticate(): Promise<AuthenticationResult> {
    return { authentication: { strategy: 'anonymous' } };
  }
}

const people = serviceSchema({ record: Type.Object({ id: Type.Integer(), name: Type.String() }) });
const articles = serviceSchema({
  record: Type.Object({ id: Type.Integer(), authorId: Reference('users', { as: 'author', id: Type.Integer() }) }),
});

let server: Running;
let service: AuthenticationService;
let admins: AuthenticationService;

async function start(ofApplication?: readonly string[]): Promise<void> {
  const app = express(framework()) as Application;
  app.use(json());
  app.use('/admin-authentication', authenticate('anonymous'));
  app.configure(rest());
  app.use('users', new MemoryService({ store: [{ id: 1, name: 'Ann' }] }), { schema: people });
  app.use('admins', new MemoryService({ store: [{ id: 1, name: 'Root' }] }));
  app.use('articles', new MemoryService({ store: [{ id: 7, authorId: 1 }] }), { schema: articles });
  app.use('summary', { find: async (params: object) => app.service('users').get(1, paramsFor(app.service('users'), params) as never) });
  app.use('vault', authenticate('jwt', 'api-key', 'anonymous'), { find: async () => 'gold' });
  app.use('safe', { find: async () => 'gold', get: async () => 'silver' });
  app.use('sessions', new MemoryService({ id: 'id' }));
  const make = (path: string, entities: string): AuthenticationService => {
    app.set(path, {
      secret: `a secret of more than thirty-two bytes for ${path}`,
      service: entities,
      entity: 'user',
      authStrategies: ['jwt', 'api-key', 'anonymous'],
      sessions: true,
    });
    const made = new AuthenticationService(app, path);
    made.register('jwt', new JWTStrategy());
    made.register('api-key', new ApiKeyStrategy());
    made.register('anonymous', new AnonymousStrategy());
    app.use(path, made);
    return made;
  };
  service = make('authentication', 'users');
  admins = make('admin-authentication', 'admins');
  if (ofApplication) app.hooks({ around: { all: [besidesLogins(...ofApplication)] } });
  app.service('users').hooks({ before: { all: [authenticateHook('jwt', 'api-key')] } });
  app.service('articles').hooks({ before: { all: [authenticateHook('jwt', 'api-key', 'anonymous')] } });
  app.service('summary').hooks({ before: { all: [authenticateHook('jwt', 'api-key', 'anonymous')] } });
  app.use(errorHandler({ logger: false }));
  server = await listen(app);
}

/** A guard of a whole application, as its guides have it. */
function besidesLogins(...strategies: readonly string[]): (context: HookContext, next: () => Promise<void>) => Promise<void> {
  const hook = authenticateHook({ strategies });
  return async (context, next) => (/safe$/.test(context.path) ? hook(context, next) : next());
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> => send(server.url, path, { headers });
const keyed = async (...scopes: string[]): Promise<Record<string, string>> => ({
  'x-api-key': (await service.createApiKey({ entity: 1, ...(scopes.length > 0 ? { scopes } : {}) })).key,
});

afterEach(async () => {
  await server.stop();
});

describe('the guard of a service that a call reaches on behalf of its caller', () => {
  beforeEach(() => start());

  it('asks for its own strategies: one that another guard has let in is none of them', async () => {
    expect(await get('/users')).toMatchObject({ status: 401 });
    expect((await get('/articles?$populate=author')).body).toEqual([{ id: 7, authorId: 1, author: null }]);
    expect(await get('/summary')).toMatchObject({ status: 401 });
    // A login that both take.
    expect((await get('/articles?$populate=author', await keyed())).body).toEqual([{ id: 7, authorId: 1, author: { id: 1, name: 'Ann' } }]);
    expect((await get('/summary', await keyed())).body).toEqual({ id: 1, name: 'Ann' });
  });

  it('looks at the scopes of a key for its own method', async () => {
    const narrow = await keyed('articles:find', 'summary:find');
    expect(await get('/users', narrow)).toMatchObject({ status: 403 });
    expect((await get('/articles?$populate=author', narrow)).body).toEqual([{ id: 7, authorId: 1, author: null }]);
    expect(await get('/summary', narrow)).toMatchObject({ status: 403, body: { data: { name: 'insufficient_scope' } } });
    const wide = await keyed('articles:find', 'summary:find', 'users:*');
    expect((await get('/articles?$populate=author', wide)).body).toEqual([{ id: 7, authorId: 1, author: { id: 1, name: 'Ann' } }]);
    expect((await get('/summary', wide)).body).toEqual({ id: 1, name: 'Ann' });
  });

  it('lets calls of the server pass, whoever is in their parameters', async () => {
    const seen: unknown[] = [];
    server.app.service('articles').hooks({
      after: {
        find: [
          async ({ params, app }: HookContext) => {
            seen.push(await (app as Application).service('users').get(1, { ...params, provider: undefined, query: {} } as never));
          },
        ],
      },
    });
    expect(await get('/articles')).toMatchObject({ status: 200 });
    expect(await get('/articles', await keyed('articles:find'))).toMatchObject({ status: 200 });
    expect(seen).toEqual([
      { id: 1, name: 'Ann' },
      { id: 1, name: 'Ann' },
    ]);
  });
});

describe('the guard of a service behind that of its application', () => {
  beforeEach(() => start(['jwt', 'api-key', 'anonymous']));

  it('may take fewer strategies', async () => {
    server.app.service('safe').hooks({ before: { all: [authenticateHook('jwt')] } });
    expect(await get('/safe')).toMatchObject({ status: 401 });
    expect(await get('/safe', await keyed())).toMatchObject({ status: 401 });
    const { accessToken } = await service.createToken({ entity: 1, scopes: ['safe:find'] });
    const bearer = { authorization: `Bearer ${accessToken}` };
    expect(await get('/safe', bearer)).toMatchObject({ status: 200, body: 'gold' });
    expect(await get('/safe/1', bearer)).toMatchObject({ status: 403 });
  });

  it('may ask another authentication service: user 1 is not administrator 1', async () => {
    server.app.service('safe').hooks({ before: { all: [authenticateHook({ service: 'admin-authentication', strategies: ['jwt'] })] } });
    const { accessToken } = await service.createToken({ entity: 1 });
    expect(await get('/safe', { authorization: `Bearer ${accessToken}` })).toMatchObject({ status: 401 });
    expect(await get('/safe', await keyed())).toMatchObject({ status: 401 });
  });
});

describe('the guard of an application that is mounted in another one', () => {
  beforeEach(() => start());

  it('asks its own authentication service, though both have one name', async () => {
    const inner = framework();
    inner.use('users', new MemoryService({ store: [{ id: 1, name: 'Eve' }] }));
    inner.use('safe', { find: async (params: { user?: object }) => params.user });
    inner.set('authentication', {
      secret: 'a secret of more than thirty-two bytes for the inner one',
      service: 'users',
      entity: 'user',
      authStrategies: ['jwt'],
    });
    const own = new AuthenticationService(inner);
    own.register('jwt', new JWTStrategy());
    inner.use('authentication', own);
    inner.service('safe').hooks({ before: { all: [authenticateHook('jwt')] } });
    server.app.hooks({ around: { all: [besidesLogins('jwt')] } });
    server.app.use('inner', inner);
    const { accessToken } = await service.createToken({ entity: 1 });
    expect(await get('/inner/safe', { authorization: `Bearer ${accessToken}` })).toMatchObject({ status: 401 });
    const ofInner = (await own.createToken({ entity: 1 })).accessToken;
    expect(await get('/inner/safe', { authorization: `Bearer ${ofInner}` })).toMatchObject({ status: 401 });
  });
});

describe('the guard of a service behind middleware', () => {
  beforeEach(() => start());

  it('asks for its own strategies', async () => {
    server.app.service('vault').hooks({ before: { all: [authenticateHook('jwt')] } });
    expect(await get('/vault', await keyed())).toMatchObject({ status: 401 });
    const { accessToken } = await service.createToken({ entity: 1 });
    expect(await get('/vault', { authorization: `Bearer ${accessToken}` })).toMatchObject({ status: 200, body: 'gold' });
  });

  it('lets logins read their entity, whoever the middleware has let in', async () => {
    server.app.service('admins').hooks({ before: { all: [authenticateHook({ service: 'admin-authentication', strategies: ['jwt'] })] } });
    const { accessToken } = await admins.createToken({ entity: 1 });
    const answer = await sendJson(server.url, 'POST', '/admin-authentication', { strategy: 'jwt', accessToken });
    expect(answer).toMatchObject({ status: 201, body: { user: { id: 1, name: 'Root' } } });
  });
});
