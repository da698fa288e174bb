import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { framework, type Application } from '@framework/core';
import { MemoryService } from '@framework-internal/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { hashPassword, LocalStrategy } from '../src/index.ts';

const outside = { provider: 'rest' };
const LOGIN = { strategy: 'device', serial: 's1', password: 'correct horse' };

/** Users and devices, of which both have a first one, and a strategy that looks for logins among the devices. */
async function withDevices(own: object, more: object = {}, list?: object) {
  const app = framework() as Application;
  const device = { usernameField: 'serial', passwordField: 'password', service: 'devices', ...own };
  app.set('authentication', {
    secret: 'a secret that is long enough for tests 42',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'device'],
    device,
    ...more,
  });
  for (const path of ['users', 'sessions']) app.use(path, new MemoryService({ startId: 1 }));
  app.use('devices', list ?? new MemoryService({ startId: 1 }));
  for (const path of ['users', 'devices'])
    app.service(path).hooks({ before: { create: [hashPassword('password', { strategy: 'device' })] } });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('device', new LocalStrategy());
  app.use('authentication', service);
  await app.setup();
  await app.service('users').create({ serial: 's1', name: 'Ann', password: 'correct horse' });
  if (!list) await app.service('devices').create({ serial: 's1', name: 'Robot', password: 'correct horse' });
  return { app, service };
}

describe.each([false, true])('a strategy with a service of its own, sessions %p', (sessions) => {
  it('S18 logs in nobody who is somebody else among the users, and tells who runs the server why', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { app, service } = await withDevices({}, { sessions });
    for (const _turn of [1, 2]) await expect(service.create(LOGIN, outside)).rejects.toMatchObject({ code: 401, message: 'invalid token' });
    expect(warned.mock.calls).toEqual([
      [
        "A login with 'device' was refused: what it found in 'devices' is not what 'users' has under the same id, and a token names a user by the id alone. " +
          'The service of a strategy has the same users; another list of users is an authentication service of its own',
        { code: 'OTHER_USERS' },
      ],
    ]);
    warned.mockRestore();
    await app.teardown();
  });

  it('logs in who is the same among the users', async () => {
    const known: { app?: Application } = {};
    const users = () => known.app!.service('users');
    const list = {
      id: 'id',
      find: async (params: object) => users().find(params),
      get: async (id: number, params: object) => users().get(id, params),
    };
    const { app, service } = await withDevices({}, { sessions }, list);
    known.app = app;
    const { accessToken, user } = await service.create(LOGIN, outside);
    expect(user).toMatchObject({ id: 1, name: 'Ann' });
    await expect(service.authenticate({ strategy: 'jwt', accessToken }, outside, 'jwt')).resolves.toMatchObject({ user: { name: 'Ann' } });
    await app.teardown();
  });

  it('S18 has a name of its own for them, and its tokens name no user', async () => {
    const { app, service } = await withDevices({ entity: 'device' }, { sessions });
    const login = await service.create(LOGIN, outside);
    expect(login).toMatchObject({ device: { id: 1, name: 'Robot' } });
    expect(login).not.toHaveProperty('user');
    expect(login.authentication?.payload).not.toHaveProperty('sub');
    await expect(service.authenticate({ strategy: 'jwt', accessToken: login.accessToken }, outside, 'jwt')).rejects.toMatchObject({
      code: 401,
    });
    await app.teardown();
  });
});

it.each([
  [{ entity: 7 }, "'authentication.device.entity' must be the name"],
  [{ entity: 'authentication' }, "'authentication.device.entity' can not be 'authentication'"],
  [{ entityId: '' }, "'authentication.device.entityId' must be the name"],
  [{ service: '' }, "'authentication.device.service' must be the path"],
])('what can not be meant in its options is refused: %p', async (own, message) => {
  await expect(withDevices(own)).rejects.toThrow(message);
});

it('has an id property of its own', async () => {
  const { service } = await withDevices({ entityId: 'serial', entity: 'device' });
  const found = await service.getStrategy('device')?.identify?.(LOGIN, outside);
  expect(found).toMatchObject({ account: 's1', known: true });
});

it('S5 has the same answer for nobody, whichever copy of the errors a hook of the users says it by', async () => {
  const app = framework() as Application;
  app.set('authentication', {
    secret: 'a secret that is long enough for tests 42',
    service: 'users',
    entity: 'user',
    authStrategies: ['local'],
    local: { usernameField: 'email', passwordField: 'password' },
  });
  app.use('users', new MemoryService({ startId: 1 }));
  const ofAnotherCopy = Object.assign(new Error('Nobody here'), {
    [Symbol.for('@framework/error')]: true,
    name: 'NotAuthenticated',
    className: 'not-authenticated',
    code: 401,
  });
  app.service('users').hooks({ before: { find: [() => Promise.reject(ofAnotherCopy)] } });
  const service = new AuthenticationService(app);
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  await app.setup();
  await expect(service.create({ strategy: 'local', email: 'ann@example.com', password: 'wrong' }, outside)).rejects.toMatchObject({
    code: 401,
    message: 'Invalid login',
  });
  await app.teardown();
});
