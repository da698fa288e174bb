import { authenticate as authenticateHook, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework, type HookContext } from '@framework/core';
import { serviceSchema, Type } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import express, { authenticate, errorHandler, json, parseAuthentication, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

const HASH = '$argon2';
const user = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  auth: Type.Object({ password: Type.String(), since: Type.Optional(Type.String()) }),
});

describe.each([
  ['without a description', undefined],
  ['with one that hides nothing', user],
])('the hash at auth.password, in a service %s', (_title, record) => {
  let running: Running;
  let bearer: string;
  let login: string;
  const left: unknown[] = [];

  beforeAll(async () => {
    const app = express(framework()) as Application;
    app.set('authentication', {
      secret: 'a secret for the tests of the leaks 91',
      service: 'users',
      entity: 'user',
      authStrategies: ['jwt', 'local'],
      local: { usernameField: 'email', passwordField: 'auth.password' },
    });
    app.use(json());
    app.use(parseAuthentication());
    app.configure(rest());
    const users = Object.assign(new MemoryService({ startId: 1, multi: true }), {
      async report(): Promise<unknown> {
        return { found: { list: await app.service('users').find() } };
      },
    });
    const methods = ['find', 'get', 'create', 'update', 'patch', 'remove', 'report'];
    app.use('users', users, { methods, ...(record ? { schema: serviceSchema({ record }) } : {}) });
    const hash = [hashPassword('auth.password')];
    app.service('users').hooks({ before: { create: hash, update: hash, patch: hash } });
    const authentication = new AuthenticationService(app);
    authentication.register('jwt', new JWTStrategy());
    authentication.register('local', new LocalStrategy());
    app.use('authentication', authentication);
    app.use('whoami', {
      async find(params: object): Promise<unknown> {
        return { user: (params as { user: unknown }).user };
      },
    });
    app.service('whoami').hooks({ before: { all: [authenticateHook('jwt')] } });
    app.get('/page', authenticate('jwt'), (req, res) => {
      res.json({ user: req.framework?.user });
    });
    for (const event of ['created', 'patched', 'removed'])
      app.service('users').on(event, (_record: unknown, context: unknown) => left.push((context as HookContext).dispatch));
    app.on('login', (result: unknown) => left.push(result));
    app.use(errorHandler({ logger: false }));
    running = await listen(app);
    left.push((await sendJson(running.url, 'POST', '/users', { email: 'a@b.c', auth: { password: 'right password' } })).body);
    const answer = await sendJson(running.url, 'POST', '/authentication', {
      strategy: 'local',
      email: 'a@b.c',
      auth: { password: 'right password' },
    });
    expect(answer).toMatchObject({ status: 201, body: { user: { email: 'a@b.c' } } });
    login = answer.text;
    bearer = `Bearer ${answer.body.accessToken as string}`;
  });
  afterAll(() => running.stop());

  it('is stored, and in no answer, event or JSON of params', async () => {
    const { url } = running;
    const headers = { authorization: bearer };
    const stored = (await running.app.service('users').get(1)) as { auth: { password: string } };
    expect(stored.auth.password).toMatch(/^\$argon2id/);
    const answers = [
      await send(url, '/users'),
      await send(url, '/users/1'),
      await sendJson(url, 'PATCH', '/users/1', { email: 'a@b.c' }),
      await sendJson(url, 'POST', '/users/1', {}, { 'x-service-method': 'report' }),
      await sendJson(url, 'POST', '/users', {}, { 'x-service-method': 'report' }),
      await send(url, '/whoami', { headers }),
      await send(url, '/page', { headers }),
    ];
    expect(answers.map(({ status }) => status).filter((status) => status < 300).length).toBeGreaterThanOrEqual(6);
    for (const { text } of answers) {
      expect(text).not.toContain(HASH);
      expect(text).not.toContain('right password');
    }
    expect(answers.slice(5).map(({ body }) => body.user.email)).toEqual(['a@b.c', 'a@b.c']);
    expect(login).not.toContain(HASH);
    expect(left.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(left)).not.toContain(HASH);
  });

  it.each(['auth[password][$gt]=a', 'auth.password=a', '$sort[auth.password]=1', '$select[]=auth.password', '$or[0][auth.password]=a'])(
    'is not asked for: %s',
    async (query) => {
      expect(await send(running.url, `/users?${query}`)).toMatchObject({ status: 400 });
    },
  );
});
