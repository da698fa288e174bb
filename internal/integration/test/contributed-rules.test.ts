import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy, protect } from '@framework/authentication-local';
import { framework, getRules } from '@framework/core';
import { Hidden, serviceSchema, Type } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

const ROWS = [
  { id: 1, name: 'Ann', password: 'SECRET', resetToken: 'SECRET', members: [{ name: 'a', pin: 'SECRET' }] },
  { id: 2, name: 'Bob', password: 'SECRET', resetToken: 'SECRET', members: [] },
];
const member = Type.Object({ name: Type.String(), pin: Type.Optional(Type.String()) });
const record = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  password: Type.Optional(Type.String()),
  resetToken: Type.String(),
  members: Type.Optional(Type.Array(member)),
});

const running: Running[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

async function start(build: (app: Application) => void): Promise<Running> {
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: 'a secret for the tests of the rules 17',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'name', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
  });
  app.use(json());
  app.configure(rest());
  build(app);
  app.use(errorHandler({ logger: false }));
  const started = await listen(app);
  running.push(started);
  return started;
}

const authentication = (app: Application): AuthenticationService => {
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  return service;
};

describe.each([
  ['without a description', {}],
  ['with one', { schema: serviceSchema({ record }) }],
])('what hooks keep secret, in a service %s', (_title, options) => {
  const withHooks = (): Promise<Running> =>
    start((app) => {
      app.use('users', new MemoryService({ store: ROWS }) as never, options);
      app.service('users').hooks({
        before: { create: [hashPassword('password')], patch: [hashPassword('password')] },
        after: { get: [protect('resetToken', 'members.pin')] },
      } as never);
      app.use('authentication', authentication(app));
    });

  it('S7 S34 is sent by no method', async () => {
    const { url } = await withHooks();
    for (const answer of [
      await send(url, '/users'),
      await send(url, '/users/1'),
      await sendJson(url, 'POST', '/users', { name: 'Cy', password: 'SECRET' }),
      await sendJson(url, 'PATCH', '/users/1', { name: 'Di' }),
      await send(url, '/users/2', { method: 'DELETE' }),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect(answer.text).not.toMatch(/SECRET|argon2|resetToken|pin/);
    }
  });

  it.each([
    'resetToken=SECRET',
    'resetToken[$gt]=a',
    '$sort[resetToken]=1',
    '$select[]=resetToken',
    'password[$gt]=a',
    '$or[0][resetToken]=a',
  ])('S7 is not asked for: %s', async (query) => {
    const { url } = await withHooks();
    expect(await send(url, `/users?${query}`)).toMatchObject({ status: 400 });
  });

  it.each([
    { resetToken: 'x' },
    { $set: { resetToken: 'x' } },
    { members: [{ name: 'a', pin: 'x' }] },
    { 'members.0.pin': 'x' },
    { $push: { members: { name: 'a', pin: 'x' } } },
  ])('S10 is not written: %j', async (data) => {
    const { url } = await withHooks();
    const answer = await sendJson(url, 'PATCH', '/users/1', data);
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body.errors[0].path).toMatch(/resetToken|pin/);
  });

  it('is written where a hook hashes it, or a strategy keeps it', async () => {
    const { url, app } = await withHooks();
    expect(await sendJson(url, 'POST', '/users', { name: 'Cy', password: 'right password' })).toMatchObject({ status: 201 });
    expect(await app.service('users').find({ query: { name: 'Cy' } })).toMatchObject([{ password: expect.stringMatching(/^\$argon2id/) }]);
  });

  it('is fixed once the application is set up, whoever asked before', async () => {
    const { url, app } = await start((application) => {
      application.use('users', new MemoryService({ store: ROWS }) as never, options);
      // Asked before the authentication says what it keeps.
      void application.service('users').find({ provider: 'rest', query: { name: 'Ann' } } as never);
      application.use('authentication', authentication(application));
    });
    expect((await send(url, '/users/1')).body).not.toHaveProperty('password');
    const rules = getRules(app.service('users'));
    expect(() => rules?.add({ writeOnly: ['password'] })).not.toThrow();
    expect(() => rules?.add({ hidden: ['name'] })).toThrow("fixed since the application was set up, and say nothing of 'name'");
    expect(() => app.service('users').hooks({ after: { all: [protect('name')] } } as never)).toThrow('before app.setup()');
    expect((await send(url, '/users/1')).body).toHaveProperty('name');
  });
});

describe('what is added to a description', () => {
  it('is asked for in data no more', async () => {
    const { url } = await start((app) => {
      app.use('users', new MemoryService() as never, { schema: serviceSchema({ record }) });
      app.service('users').hooks({ after: { all: [protect('resetToken')] } } as never);
    });
    // The record requires it, and nobody outside can set it.
    expect(await sendJson(url, 'POST', '/users', { name: 'Ann' })).toMatchObject({ status: 201 });
    expect(await sendJson(url, 'PUT', '/users/0', { name: 'Ann' })).toMatchObject({ status: 200 });
    expect(await sendJson(url, 'POST', '/users', {})).toMatchObject({ status: 400 });
  });

  it('is refused at start when data that was described apart takes it', async () => {
    const data = Type.Object({ name: Type.String(), resetToken: Type.String() });
    const app = express(framework()) as Application;
    app.use('users', new MemoryService() as never, { schema: serviceSchema({ record, data }) });
    app.service('users').hooks({ after: { all: [protect('resetToken')] } } as never);
    await expect(app.setup()).rejects.toThrow("The data takes 'resetToken', which the record hides");
  });

  it('waits for the outermost application', async () => {
    const inner = framework();
    inner.use('users', new MemoryService({ store: ROWS }) as never, { schema: serviceSchema({ record }) });
    const { url } = await start((app) => {
      app.use('api', inner);
      app.set('authentication', { ...(app.get('authentication') as object), service: 'api/users' });
      app.use('authentication', authentication(app));
    });
    expect((await send(url, '/api/users/1')).body).toEqual({ id: 1, name: 'Ann', resetToken: 'SECRET', members: ROWS[0]?.members });
  });

  it('is taken of a service that comes late till its first call', async () => {
    const { url, app } = await start(() => undefined);
    app.use('late', new MemoryService({ store: ROWS }) as never);
    app.service('late').hooks({ after: { all: [protect('password')] } } as never);
    expect((await send(url, '/late/1')).body).not.toHaveProperty('password');
    expect(() => app.service('late').hooks({ after: { all: [protect('name')] } } as never)).toThrow("'name'");
  });
});

describe('protect where its service does not know of it', () => {
  it('leaves out of what is sent', async () => {
    const { url } = await start((app) => {
      app.use('users', new MemoryService({ store: ROWS }) as never);
      app.hooks({ after: { all: [protect('password')] } });
      const within = protect('resetToken');
      app.service('users').hooks({ after: { all: [(context: never) => within(context)] } } as never);
    });
    const { body } = await send(url, '/users/1');
    expect(body).toEqual({ id: 1, name: 'Ann', members: ROWS[0]?.members });
  });

  it('finds nothing to do beside rules that hide the same', async () => {
    const hidden = Type.Object({ id: Type.Integer(), name: Type.String(), password: Hidden(Type.String()) });
    const { url } = await start((app) => {
      app.use('users', new MemoryService({ store: ROWS }) as never, { schema: serviceSchema({ record: hidden }) });
      app.service('users').hooks({ after: { all: [protect('password')] } } as never);
    });
    expect((await send(url, '/users/2')).body).not.toHaveProperty('password');
  });
});
