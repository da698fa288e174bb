import { MemoryService } from '@framework/adapter-memory';
import { authenticate, AuthenticationService, JWTStrategy, type AuthenticationConfiguration } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework, type Application as CoreApplication } from '@framework/core';
import express, { authenticate as protect, errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Answer, type Running } from './harness.ts';
import { bearer, SECRET } from './session-server.ts';

const open: Running[] = [];
afterEach(async () => {
  for (const running of open.splice(0)) await running.stop();
});

/** An application with users, logins and a service for whoever is logged in. */
function withLogins(settings: AuthenticationConfiguration = {}): CoreApplication {
  const app = framework();
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
    ...settings,
  });
  app.use('users', new MemoryService({ startId: 1 }));
  app.use('sessions', new MemoryService());
  const authentication = new AuthenticationService(app as never);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  app.use('me', { find: async ({ user }: { user?: { email: string } }) => ({ email: user?.email }) });
  app.service('users').hooks({ before: { create: [hashPassword('password')] } } as never);
  app.service('me').hooks({ before: { find: [authenticate('jwt')] } } as never);
  return app;
}

async function start(build: (app: Application) => void, first: (app: Application) => void = () => undefined): Promise<string> {
  const app = express(framework()) as Application;
  first(app);
  app.use(json());
  app.configure(rest());
  build(app);
  app.use(notFound()).use(errorHandler({ logger: false }));
  const running = await listen(app);
  open.push(running);
  return running.url;
}

const addUser = (app: CoreApplication, email: string): Promise<unknown> =>
  app.service('users').create({ email, password: 'right' } as never);
const logIn = (url: string, path: string, email: string): Promise<Answer> =>
  sendJson(url, 'POST', path, { strategy: 'local', email, password: 'right' });
const tokenOf = ({ body }: Answer): string => (body as { accessToken: string }).accessToken;

describe('the logins of a mounted application (interface 5.2, 9)', () => {
  it('count over REST for its services, at any depth, where the outer one has none', async () => {
    const inner = withLogins();
    const between = framework();
    between.use('v1', inner as never);
    const url = await start((app) => app.use('Café api', between as never));
    await addUser(inner, 'ann@example.com');
    const path = '/Caf%C3%A9%20api/v1';
    const headers = bearer(tokenOf(await logIn(url, `${path}/authentication`, 'ann@example.com')));
    expect(await send(url, `${path}/me`, { headers })).toMatchObject({ status: 200, body: { email: 'ann@example.com' } });
    expect((await send(url, `${path}/me`)).status).toBe(401);
    expect((await send(url, `${path}/me`, { headers: bearer('wrong') })).status).toBe(401);
    expect((await send(url, `${path}/authentication`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(url, `${path}/me`, { headers })).status).toBe(401);
  });

  it('count for its services alone', async () => {
    const [first, second] = [withLogins(), withLogins({ secret: `${SECRET} of others` })];
    const seen: unknown[] = [];
    const url = await start((app) => {
      app.use('first', first as never);
      app.use('second', second as never);
      app.use('first-own', {
        async find({ authentication }: { authentication?: unknown }) {
          seen.push(authentication);
          return [];
        },
      });
    });
    for (const app of [first, second]) await addUser(app, 'ann@example.com');
    const headers = bearer(tokenOf(await logIn(url, '/first/authentication', 'ann@example.com')));
    expect((await send(url, '/first/me', { headers })).status).toBe(200);
    expect(await send(url, '/second/me', { headers })).toMatchObject({ status: 401, body: { message: 'invalid token' } });
    expect((await send(url, '/first-own', { headers })).status).toBe(200);
    expect(seen).toEqual([undefined]);
    expect((await send(url, '/first/me/%zz', { headers })).status).toBe(400);
  });

  it('count beside those of the outer one, whose credentials come first', async () => {
    const inner = withLogins({ jwt: { header: 'X-Inner' } });
    const url = await start((app) => {
      const outer = withLogins({ secret: `${SECRET} of others` });
      for (const path of ['users', 'sessions']) app.use(path, outer.service(path) as never);
      app.set('authentication', outer.get('authentication'));
      const authentication = new AuthenticationService(app as never);
      authentication.register('jwt', new JWTStrategy());
      authentication.register('local', new LocalStrategy());
      app.use('authentication', authentication);
      app.use('inner', inner as never);
    });
    await addUser(inner, 'ann@example.com');
    const token = tokenOf(await logIn(url, '/inner/authentication', 'ann@example.com'));
    expect((await send(url, '/inner/me', { headers: { 'x-inner': token } })).status).toBe(200);
    expect((await send(url, '/inner/me', { headers: { 'x-inner': token, ...bearer('wrong') } })).status).toBe(401);
  });

  it('count for middleware beside its services', async () => {
    const inner = withLogins();
    const page = { find: async ({ user }: { user?: { email: string } }) => ({ email: user?.email }) };
    inner.use('page', page as never, { express: { before: [protect('jwt')] } } as never);
    const url = await start((app) => app.use('api', inner as never));
    await addUser(inner, 'ann@example.com');
    const headers = bearer(tokenOf(await logIn(url, '/api/authentication', 'ann@example.com')));
    expect(await send(url, '/api/page', { headers })).toMatchObject({ status: 200, body: { email: 'ann@example.com' } });
    expect(await send(url, '/api/page')).toMatchObject({ status: 401, body: { message: 'Not authenticated' } });
  });

  it('count for middleware that is bound to a path in front of its services', async () => {
    const inner = withLogins();
    const seen: unknown[] = [];
    const build = (app: Application): unknown => app.use('/api', inner as never);
    const first = (app: Application): unknown =>
      app.use('/api/me', protect('jwt'), (req: { framework?: { user?: { email?: string } } }, _res: unknown, next: () => void) => {
        seen.push(req.framework?.user?.email);
        next();
      });
    const app = express(framework());
    const outer = express(framework()) as Application;
    for (const [one, configured] of [
      [app, () => void (first(app as Application), app.configure(rest()), build(app as Application))],
      [outer, () => void outer.configure(rest()).use('/outer', app as never)],
    ] as const) {
      one.use(json());
      configured();
    }
    outer.use(notFound()).use(errorHandler({ logger: false }));
    await app.setup();
    const running = await listen(outer);
    open.push(running);
    await addUser(inner, 'ann@example.com');
    const { url } = running;
    const headers = bearer(tokenOf(await logIn(url, '/outer/api/authentication', 'ann@example.com')));
    expect(await send(url, '/outer/api/me', { headers })).toMatchObject({ status: 200, body: { email: 'ann@example.com' } });
    expect(await send(url, '/outer/api/me')).toMatchObject({ status: 401, body: { message: 'Not authenticated' } });
    const alone = await start(build, first);
    const own = bearer(tokenOf(await logIn(alone, '/api/authentication', 'ann@example.com')));
    expect(await send(alone, '/api/me', { headers: own })).toMatchObject({ status: 200, body: { email: 'ann@example.com' } });
    expect(seen).toEqual(['ann@example.com', 'ann@example.com']);
  });

  it('have cookies of their own in one browser, by the option cookieName', async () => {
    const names = ['shop', 'admin'] as const;
    const apps = names.map((cookieName, at) =>
      withLogins({ secret: `${SECRET} of ${cookieName}`, sessions: { cookie: true, ...(at === 0 ? {} : { cookieName }) } }),
    );
    const url = await start((app) => {
      for (const [at, name] of names.entries()) app.use(name, apps[at] as never);
    });
    const jar = new Map<string, string>();
    const browse = async (method: string, path: string, data?: object): Promise<Answer> => {
      const headers = { origin: url, cookie: [...jar].map((pair) => pair.join('=')).join('; ') };
      const answer = data ? await sendJson(url, method, path, data, headers) : await send(url, path, { method, headers });
      for (const cookie of answer.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return answer;
    };
    for (const [at, name] of names.entries()) {
      await addUser(apps[at] as CoreApplication, `${name}@example.com`);
      const login = { strategy: 'local', email: `${name}@example.com`, password: 'right' };
      expect((await browse('POST', `/${name}/authentication`, login)).status).toBe(201);
    }
    const kinds = ['refresh', 'access', 'device'];
    expect([...jar.keys()]).toEqual([...kinds.map((kind) => `__Host-${kind}`), ...kinds.map((kind) => `__Host-admin-${kind}`)]);
    const seen = async (): Promise<unknown[]> =>
      Promise.all(names.map(async (name) => ((await browse('GET', `/${name}/me`)).body as { email?: string; code?: number }).email ?? 401));
    expect(await seen()).toEqual(['shop@example.com', 'admin@example.com']);
    expect((await browse('POST', '/admin/authentication', { strategy: 'refresh' })).status).toBe(201);
    expect((await browse('POST', '/shop/authentication', { strategy: 'refresh' })).status).toBe(201);
    expect(await seen()).toEqual(['shop@example.com', 'admin@example.com']);
    expect((await browse('DELETE', '/admin/authentication')).status).toBe(200);
    expect(await seen()).toEqual(['shop@example.com', 401]);
    expect([...jar.keys()]).toEqual([...kinds.map((kind) => `__Host-${kind}`), '__Host-admin-device']);
  });

  it('end with their refresh token', async () => {
    const inner = withLogins({ sessions: true });
    const url = await start((app) => app.use('api', inner as never));
    await addUser(inner, 'ann@example.com');
    const { body } = await logIn(url, '/api/authentication', 'ann@example.com');
    const { accessToken, refreshToken } = body as { accessToken: string; refreshToken: string };
    expect((await send(url, '/api/authentication/sessions', { headers: bearer(accessToken) })).status).toBe(200);
    expect((await sendJson(url, 'DELETE', '/api/authentication', { refreshToken })).status).toBe(200);
    expect((await send(url, '/api/me', { headers: bearer(accessToken) })).status).toBe(401);
  });
});
