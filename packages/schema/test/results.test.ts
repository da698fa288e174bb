import type { AddressInfo } from 'node:net';
import { MemoryService } from '@framework-internal/testing';
import { request } from '@framework-internal/testing/supertest';
import { framework, type HookContext } from '@framework/core';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Field, getDispatch, Hidden, resolve, resolveExternal, serviceSchema, Type, virtual } from '../src/index.ts';

const userSchema = serviceSchema({
  record: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    total: Type.Optional(Type.Integer()),
    data: Type.Optional(Type.Array(Type.Object({ text: Type.String(), token: Type.Optional(Hidden(Type.String())) }))),
    password: Type.Optional(Hidden(Type.String())),
    salary: Type.Optional(Field(Type.Number(), { readable: ({ headers }) => headers?.['x-role'] === 'admin' })),
  }),
});
const USERS = [
  { id: 1, name: 'Ann', total: 1, data: [{ text: 'a', token: 'SECRET' }], password: 'SECRET', salary: 5 },
  { id: 2, name: 'Bob', password: 'SECRET', salary: 6 },
];

class Users extends MemoryService {
  async profile(): Promise<unknown> {
    return { deep: { list: [new Map([['one', USERS[0]]])] }, at: 5 };
  }
}

let app: Application;
let url: string;
beforeAll(async () => {
  app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  app.use('users', new Users({ store: USERS, paginate: { default: 10, max: 10 } }), {
    schema: userSchema,
    methods: ['find', 'get', 'create', 'update', 'patch', 'remove', 'profile'],
  } as never);
  app.use('unpaged', new MemoryService({ store: USERS }), { schema: userSchema });
  app.use('odd', { find: async () => ({ total: 1, data: [USERS[0]], password: 'SECRET' }) } as never, { schema: userSchema });
  app.use('hidden-by-resolver', new MemoryService({ store: USERS }) as never);
  app.service('hidden-by-resolver').hooks({
    around: { all: [resolveExternal(hide)] },
  } as never);
  const author = (service: string) => virtual(async () => app.service(service).get(1));
  app.use('posts', { get: async (id: unknown) => ({ id, text: 'x' }) } as never, {
    schema: serviceSchema({
      record: Type.Object({ id: Type.Integer(), text: Type.String() }),
      resolvers: { result: resolve({ author: author('users'), other: author('hidden-by-resolver') } as never) },
    }),
  });
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0);
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => app.close({ timeout: 100 }));

const hide = resolve<{ password?: string; salary?: number; data?: unknown }>({
  password: async () => undefined,
  salary: async () => undefined,
  data: async () => undefined,
});

const get = (path: string) => request(url).get(path).set('Accept', 'application/json');

describe('what leaves a service (S7, S34)', () => {
  it.each(['/users', '/users/1', '/unpaged', '/unpaged/1', '/odd', '/posts/5'])('GET %s shows nothing hidden', async (path) => {
    const { status, text } = await get(path);
    expect(status).toBe(200);
    expect(text).not.toMatch(/SECRET|salary|password/);
    expect(text).toMatch(/Ann/);
  });

  it('a record with properties total and data is a record', async () => {
    expect((await get('/users/1')).body).toEqual({ id: 1, name: 'Ann', total: 1, data: [{ text: 'a' }] });
  });

  it('a page keeps its numbers, and shows roles what is theirs', async () => {
    const { body } = await get('/users?$sort[id]=1').set('X-Role', 'admin');
    expect(body).toEqual({
      total: 2,
      limit: 10,
      skip: 0,
      data: [
        { id: 1, name: 'Ann', total: 1, data: [{ text: 'a' }], salary: 5 },
        { id: 2, name: 'Bob', salary: 6 },
      ],
    });
  });

  it('the result of a custom method is looked through whole', async () => {
    const users = app.service('users') as unknown as { profile(data: object, params: object): Promise<unknown> };
    expect(await users.profile({}, { provider: 'rest' })).toEqual({
      deep: { list: [new Map([['one', { id: 1, name: 'Ann', total: 1, data: [{ text: 'a' }] }]])] },
      at: 5,
    });
  });

  it('the result of a custom method that the server called keeps its rules, wherever it is put', async () => {
    const users = app.service('users') as unknown as { profile(data: object, params: object): Promise<unknown> };
    const profile = await users.profile({}, {});
    expect(profile).toMatchObject({ at: 5 });
    expect(getDispatch({ profile })).toEqual({
      profile: { deep: { list: [new Map([['one', { id: 1, name: 'Ann', total: 1, data: [{ text: 'a' }] }]])] }, at: 5 },
    });
  });

  it('a record keeps the rules of its service where another one puts it', async () => {
    const { body } = await get('/posts/5');
    expect(body).toMatchObject({ text: 'x', author: { id: 1, name: 'Ann' }, other: { id: 1, name: 'Ann' } });
    const user = await app.service('users').get(1);
    expect(JSON.stringify(user)).toContain('SECRET');
    expect(JSON.stringify(getDispatch({ any: [user] }))).not.toContain('SECRET');
    const forServer = { any: [user] };
    expect(getDispatch(forServer, 'internal')).toBe(forServer);
    // Also where a resolver alone hides something.
    const other = await app.service('hidden-by-resolver').get(1);
    expect(JSON.stringify(getDispatch({ any: [other] }))).not.toContain('SECRET');
  });

  it('an event holds only what everyone may see', async () => {
    const sent: unknown[] = [];
    app.service('users').once('patched', (_record: unknown, context: HookContext) => sent.push(context.dispatch));
    await app.service('users').patch(2, { name: 'Bo' }, { provider: 'rest', headers: { 'x-role': 'admin' } } as never);
    expect(sent).toEqual([{ id: 2, name: 'Bo' }]);
  });

  it('a write answers its caller with what that role sees, however little those who listen get', async () => {
    const sent: unknown[] = [];
    app.service('users').once('patched', (_record: unknown, context: HookContext) => sent.push(context.dispatch));
    const patch = (role: string) => request(url).patch('/users/2').set('X-Role', role).send({ name: 'Bob' });
    expect((await patch('admin')).body).toEqual({ id: 2, name: 'Bob', salary: 6 });
    expect(sent).toEqual([{ id: 2, name: 'Bob' }]);
    expect((await patch('member')).body).toEqual({ id: 2, name: 'Bob' });
  });

  it('selects of a nested value what the caller sees', async () => {
    app.use('accounts', new MemoryService({ store: [{ id: 1, a: { b: { c: 1, pin: 'SECRET' }, d: 2 } }] }), {
      schema: serviceSchema({
        record: Type.Object({
          id: Type.Integer(),
          a: Type.Object({ b: Type.Object({ c: Type.Integer(), pin: Hidden(Type.String()) }), d: Type.Integer() }),
        }),
      }),
    });
    expect((await get('/accounts/1?$select[]=a.b')).body).toEqual({ id: 1, a: { b: { c: 1 } } });
    expect((await get('/accounts?$select[]=a.b.c')).body).toEqual([{ id: 1, a: { b: { c: 1 } } }]);
    for (const query of ['$select[]=a.b.pin', 'a.b=1', '$sort[a.b]=1']) expect((await get(`/accounts?${query}`)).status).toBe(400);
  });

  it.each(['salary[$gt]=1', '$sort[salary]=1', '$select[]=salary', '$or[0][salary]=5', 'data.token=x', 'data=x'])(
    'S7 callers who do not see it can not ask %s',
    async (query) => {
      expect((await get(`/users?${query}`)).status).toBe(400);
      if (query.includes('salary')) expect((await get(`/users?${query}`).set('X-Role', 'admin')).status).toBe(200);
    },
  );

  it('S10 refuses data for all that callers do not set, with the path of each, and a list for one record', async () => {
    const post = (data: object) => request(url).post('/users').set('Accept', 'application/json').send(data);
    const answer = await post({ name: 5, password: 'x', data: [{ text: 'a', token: 'x', other: 1 }], id: 7 });
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: { path: string }[] }).errors.map(({ path }) => path).sort()).toEqual(
      ['data.0.other', 'data.0.token', 'id', 'name', 'password'].sort(),
    );
    expect((await post([{ name: 'a' }, { name: 5 }, { other: 1, name: 'b' }])).body).toMatchObject({
      errors: [{ path: '1.name' }, { path: '2.other' }],
    });
    expect(
      (
        await request(url)
          .patch('/users/2')
          .set('Accept', 'application/json')
          .send([{ name: 'x' }])
      ).status,
    ).toBe(400);
  });
});
