import { framework, type HookContext, type NextFunction } from '@framework/core';
import { Forbidden, NotAuthenticated, NotFound } from '@framework/errors';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { authenticate, AuthenticationService, JWTStrategy, type AuthenticationApplication } from '../../src/index.ts';
import { createApp, SECRET, type AuthHarness } from '../harness.ts';

interface Things {
  get(id: unknown, params?: object): Promise<unknown>;
  look(data: object, params?: object): Promise<unknown>;
  hooks(map: object): void;
}

const forbidden = new Forbidden('Not yours');
let refusal: Error = forbidden;
beforeEach(() => {
  refusal = forbidden;
});
const refuse = (): never => {
  throw refusal;
};

/** An application with a service, and what was told of denied calls. */
function watchedApp(get: () => unknown = () => 'here'): AuthHarness & { readonly things: Things; readonly told: unknown[] } {
  const harness = createApp();
  const told: unknown[] = [];
  harness.app.on('authz-denied', (event: unknown) => told.push(event));
  harness.app.use('things', { get: async () => get(), look: async () => refuse() } as never, { methods: ['get', 'look'] } as never);
  return { ...harness, told, things: harness.app.service('things') as unknown as Things };
}

const DENIED = { path: 'things', method: 'get', provider: 'rest', error: 'Forbidden' };
const OUTSIDE = { provider: 'rest' };

const places: [where: string, refuse: (app: AuthHarness['app'], things: Things) => void][] = [
  ['a before hook', (_app, things) => things.hooks({ before: { get: [refuse] } })],
  ['an after hook', (_app, things) => things.hooks({ after: { all: [refuse] } })],
  ['an around hook', (_app, things) => things.hooks({ around: { get: [refuse] } })],
  [
    'an error hook, of another error',
    (_app, things) => things.hooks({ before: { get: [() => Promise.reject(new Error('x'))] }, error: { get: [refuse] } }),
  ],
  ['a before hook of the application', (app) => app.hooks({ before: { all: [refuse] } } as never)],
  ['an after hook of the application', (app) => app.hooks({ after: { all: [refuse] } } as never)],
  ['an around hook of the application', (app) => app.hooks({ around: { all: [refuse] } } as never)],
  [
    'middleware of the application',
    (app) => app.hooks([async (_context: HookContext, next: NextFunction) => next().then(refuse)] as never),
  ],
];

describe('S45 authz-denied', () => {
  it.each(places)('is told once for a 403 of %s, and not for calls on the server', async (_where, add) => {
    const { app, things, told } = watchedApp();
    add(app, things);
    await app.setup();
    await expect(things.get(1)).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([]);
    await expect(things.get(1, { ...OUTSIDE, headers: { 'x-request-id': 'r-1' } })).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([{ ...DENIED, requestId: 'r-1' }]);
  });

  it.each(places)('is told once for a 401 that %s throws itself, without the hook authenticate', async (_where, add) => {
    const { app, things, told } = watchedApp();
    refusal = new NotAuthenticated('Who calls?');
    add(app, things);
    await app.setup();
    await expect(things.get(1)).rejects.toMatchObject({ code: 401 });
    await expect(things.get(1, OUTSIDE)).rejects.toMatchObject({ code: 401 });
    expect(told).toEqual([{ ...DENIED, error: 'NotAuthenticated' }]);
  });

  it('is told to the outer application for a 401 of a service of a mounted one, with its path there', async () => {
    const { app, told } = watchedApp();
    const inner = framework();
    inner.use('things', { get: async () => 'here' } as never);
    inner.service('things').hooks({ before: { get: [authenticate('jwt')] } } as never);
    app.use('v1', inner as never);
    await app.setup();
    const outer = app.service('v1/things') as unknown as Things;
    await expect(outer.get(1, OUTSIDE)).rejects.toMatchObject({ code: 401 });
    expect(told).toEqual([{ ...DENIED, path: 'v1/things', error: 'NotAuthenticated' }]);
  });

  it('is not told for a login that fails, which is told as login-failed', async () => {
    const { app, told } = watchedApp();
    await app.setup();
    const login = app.service('authentication') as unknown as AuthenticationService;
    await expect(login.create({ strategy: 'jwt', accessToken: 'none' }, OUTSIDE)).rejects.toMatchObject({ code: 401 });
    expect(told).toEqual([]);
  });

  it('is told for methods themselves, custom ones too, whatever the transport', async () => {
    const { things, told } = watchedApp(refuse);
    await expect(things.get(1, { provider: 'socketio' })).rejects.toMatchObject({ code: 403 });
    await expect(things.look({}, OUTSIDE)).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([
      { ...DENIED, provider: 'socketio' },
      { ...DENIED, method: 'look' },
    ]);
  });

  it('is told for each call, also where one error stands for all of them', async () => {
    const error = Object.freeze(new Forbidden('Not yours'));
    const { things, told } = watchedApp(() => {
      throw error;
    });
    for (const id of [1, 2]) await expect(things.get(id, OUTSIDE)).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([DENIED, DENIED]);
  });

  it('is told for the call from outside where a call within it is refused', async () => {
    const { app, things, told } = watchedApp(refuse);
    app.use('outer', { get: async () => things.get(1) } as never);
    const outer = app.service('outer') as unknown as Things;
    await expect(outer.get(1, OUTSIDE)).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([{ ...DENIED, path: 'outer' }]);
  });

  it('is told for tokens that are not for the call', async () => {
    const { app, service, things, told } = watchedApp();
    things.hooks({ before: { all: [authenticate('jwt')] } });
    await app.setup();
    const { accessToken } = await service.createToken({ entity: 1, scopes: ['things:find'] });
    const params = { ...OUTSIDE, authentication: { strategy: 'jwt', accessToken } };
    await expect(things.get(1, params)).rejects.toMatchObject({ code: 403, data: { name: 'insufficient_scope' } });
    expect(told).toEqual([DENIED]);
    const login = (app.service('authentication') as unknown as AuthenticationService).create({ strategy: 'jwt', accessToken }, OUTSIDE);
    await expect(login).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([DENIED, { ...DENIED, path: 'authentication', method: 'create' }]);
  });

  it('is told once where an application has two authentication services', async () => {
    const { app, things, told } = watchedApp(refuse);
    const second = { secret: `${SECRET} 2`, service: 'users', entity: 'user', authStrategies: ['jwt'] };
    const other = new AuthenticationService(app as unknown as AuthenticationApplication, 'second', second);
    other.register('jwt', new JWTStrategy());
    app.use('second', other as never);
    await app.setup();
    await expect(things.get(1, OUTSIDE)).rejects.toMatchObject({ code: 403 });
    expect(told).toEqual([DENIED]);
  });

  it('is not told for what is answered otherwise', async () => {
    const { app, things, told } = watchedApp(refuse);
    app.hooks({ error: { all: [(context: HookContext) => void (context.error = new NotFound('Nothing here'))] } } as never);
    await app.setup();
    await expect(things.get(1, OUTSIDE)).rejects.toMatchObject({ code: 404 });
    expect(told).toEqual([]);
  });
});
