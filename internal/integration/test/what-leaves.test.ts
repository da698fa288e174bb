import { inspect } from 'node:util';
import { authenticate as authenticateHook, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework, type HookContext } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { Field, Hidden, serviceSchema, Type, WriteOnly } from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import express, { authenticate, errorHandler, json, parseAuthentication, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, send, sendJson, type Running } from './harness.ts';

const SECRET = 'SECRET-';
const record = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  password: WriteOnly(Type.String()),
  token: Type.Optional(Hidden(Type.String())),
  profile: Type.Optional(Type.Object({ city: Type.String(), pin: Type.Optional(Hidden(Type.String())) })),
  salary: Type.Optional(Field(Type.String(), { readable: ({ query }) => query?.email === 'none' })),
});
const USER = {
  email: 'a@b.c',
  password: 'right password',
  token: `${SECRET}token`,
  profile: { city: 'Bern', pin: `${SECRET}pin` },
  salary: `${SECRET}salary`,
};

/** A document of a database library: its JSON is its own business. */
class Document {
  constructor(fields: object) {
    Object.assign(this, fields);
  }

  toJSON(): object {
    return { ...this };
  }
}

let running: Running;
let bearer: string;
const params: unknown[] = [];
const events: unknown[] = [];

beforeAll(async () => {
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: 'a secret for the tests of what leaves 55',
    entity: 'user',
    service: 'users',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
  });
  app.use(json());
  app.use(parseAuthentication());
  app.configure(rest());
  const note = (context: HookContext): void => {
    const { user } = context.params as { readonly user?: unknown };
    if (user !== undefined)
      params.push(JSON.stringify(context.params), JSON.stringify({ ...(user as object) }), inspect({ user }, { depth: 9 }));
  };
  const users = Object.assign(new MemoryService({ startId: 1 }), {
    report: async (): Promise<unknown> => ({ found: [await users.get(1)] }),
  });
  app.use(
    'users',
    users as never,
    {
      schema: serviceSchema({ record }),
      methods: ['find', 'get', 'create', 'patch', 'remove', 'report'],
    } as never,
  );
  app.service('users').hooks({
    before: { all: [note], create: [hashPassword('password')] },
    after: {
      remove: [
        (context: HookContext) => {
          throw new BadRequest('not this one', { record: context.result, ...(context.result as object) });
        },
      ],
    },
  } as never);
  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  authentication.register('local', new LocalStrategy());
  app.use('authentication', authentication);
  const load = (): Promise<object> => app.service('users').get(1 as never) as Promise<object>;
  // Nothing describes the records of these.
  app.use(
    'plain',
    {
      async find(): Promise<unknown> {
        const user = await load();
        return { total: 1, limit: 1, skip: 0, data: [{ author: user, list: [[user]], map: new Map([['a', user]]), set: new Set([user]) }] };
      },
      async get(id: string): Promise<unknown> {
        const user = await load();
        if (id === 'document') return { author: new Document({ user }) };
        if (id === 'stream')
          return (async function* () {
            yield user;
          })();
        if (id === 'error') throw new BadRequest('no', user);
        if (id === 'errors') throw new BadRequest('no', { deep: [{ user }], errors: [user, { user }] });
        if (id === 'removed')
          return app.service('users').remove(((await app.service('users').create(USER as never)) as { id: number }).id as never);
        if (id === 'report')
          return { of: await (app.service('users') as unknown as { report(data: object): Promise<unknown> }).report({}) };
        return user;
      },
      async create(): Promise<unknown> {
        return load();
      },
      async report(): Promise<unknown> {
        return { users: await app.service('users').find({ paginate: false } as never) };
      },
    } as never,
    { methods: ['find', 'get', 'create', 'report'] } as never,
  );
  app.service('plain').on('created', (_data: unknown, context: unknown) => {
    const { dispatch } = context as HookContext;
    events.push(JSON.stringify(dispatch));
  });
  app.use('mine', { find: async (given: object) => ({ user: (given as { user: unknown }).user }) } as never);
  app.service('mine').hooks({ before: { all: [authenticateHook('jwt'), note] } } as never);
  app.get('/page', authenticate('jwt'), (req, res) => {
    res.json({ user: req.framework?.user, copy: { ...(req.framework?.user as object) } });
  });
  app.get('/fails', (_req, _res, next) => {
    load().then((user) => {
      next(new BadRequest('outside of services', { user }));
    }, next);
  });
  app.use(errorHandler({ logger: false }));
  running = await listen(app);
  await app.service('users').create(USER as never);
  const login = await sendJson(running.url, 'POST', '/authentication', { strategy: 'local', email: 'a@b.c', password: 'right password' });
  expect(login).toMatchObject({ status: 201, body: { user: { id: 1, email: 'a@b.c' } } });
  expect(login.text).not.toMatch(/SECRET|argon2/);
  bearer = `Bearer ${login.body.accessToken as string}`;
});
afterAll(() => running.stop());

describe('S7 S34 what leaves of a record, wherever it was put', () => {
  it.each(['/plain', '/plain/user', '/plain/document', '/plain/stream', '/plain/report', '/mine', '/page'])(
    'GET %s shows what its service shows',
    async (path) => {
      const { status, text } = await send(running.url, path, { headers: { authorization: bearer } });
      expect(status).toBe(200);
      expect(text).toContain('a@b.c');
      expect(text).toContain('Bern');
      expect(text).not.toMatch(/SECRET|argon2/);
    },
  );

  it.each(['/plain/error', '/plain/errors', '/plain/removed', '/fails'])(
    'GET %s, which fails, tells what its service shows',
    async (path) => {
      const { status, text } = await send(running.url, path);
      expect(status).toBe(400);
      expect(text).toContain('Bern');
      expect(text).not.toMatch(/SECRET|argon2/);
    },
  );

  it('holds for custom methods and events of calls on the server', async () => {
    const answer = await sendJson(running.url, 'POST', '/plain', {}, { 'x-service-method': 'report' });
    expect(answer.text).toContain('Bern');
    expect(answer.text).not.toMatch(/SECRET|argon2/);
    expect(JSON.stringify(await running.app.service('plain').create({} as never))).toContain(`${SECRET}pin`);
    expect(await sendJson(running.url, 'POST', '/plain', {})).toMatchObject({ status: 201 });
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(event).toContain('Bern');
      expect(event).not.toMatch(/SECRET|argon2/);
    }
  });

  it('holds for the entity in params, which code on the server reads all the same', async () => {
    const seen: Record<string, unknown>[] = [];
    running.app
      .service('mine')
      .hooks({ before: { all: [(context: HookContext) => void seen.push((context.params as never)['user'])] } } as never);
    await running.app.service('mine').find({ authentication: { strategy: 'jwt', accessToken: bearer.slice(7) } } as never);
    expect(seen[0]).toMatchObject({ email: 'a@b.c', profile: { city: 'Bern' } });
    expect((seen[0] as { token: string }).token).toBe(`${SECRET}token`);
    expect((seen[0] as { profile: { pin: string } }).profile.pin).toBe(`${SECRET}pin`);
    expect(params.length).toBeGreaterThan(6);
    expect(params.join()).toContain('Bern');
    expect(params.join()).not.toMatch(/SECRET|argon2/);
  });
});
