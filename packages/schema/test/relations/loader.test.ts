import { MemoryService } from '@framework-internal/testing';
import { framework, type HookContext, type Params } from '@framework/core';
import { Forbidden } from '@framework/errors';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Hidden, loader, Reference, resolve, serviceSchema, Type, virtual } from '../../src/index.ts';

const users = Type.Object({ id: Type.Integer(), name: Type.String(), token: Type.Optional(Hidden(Type.String())) });
const posts = Type.Object({ id: Type.Integer(), authorId: Reference('users', { as: 'author', id: Type.Integer() }) });

const finds: { query: { id: { $in: number[] } }; paginate?: unknown }[] = [];
const store = Array.from({ length: 2500 }, (_, id) => ({ id, name: `user ${String(id)}`, token: 'SECRET' }));

/** Keeps its page size whatever it is asked. */
class Stubborn extends MemoryService {
  override find(params: Params = {}): ReturnType<MemoryService['find']> {
    return super.find({ ...params, paginate: { default: 7, max: 7 } });
  }
}

function makeApp() {
  const app = framework();
  app.use('users', new MemoryService({ store, paginate: { default: 10, max: 20 } }), { schema: serviceSchema({ record: users }) });
  app.use('stubborn', new Stubborn({ store }), { schema: serviceSchema({ record: users }) });
  app.service('users').hooks({
    before: {
      find: [
        (context: HookContext) => {
          const { query, provider, headers } = context.params as Params<(typeof finds)[0]['query']>;
          finds.push(context.params as (typeof finds)[0]);
          if (query?.id.$in.includes(2100)) throw new Forbidden('not these');
          if (provider && headers?.['x-all'] === undefined) context.params.query = { ...query, name: { $ne: 'user 3' } };
        },
      ],
    },
  } as never);
  app.use('posts', new MemoryService({ store: [1, 2, 1, 3].map((authorId, id) => ({ id, authorId })) }), {
    schema: serviceSchema({
      record: posts,
      resolvers: {
        result: resolve<{ authorId: number; writer: unknown }, HookContext>({
          writer: virtual<unknown, { authorId: number }, HookContext>((post, { app: own, params }) =>
            loader((own as typeof app).service('users'), params).load(post.authorId),
          ),
        }),
      },
    }),
  });
  return app;
}
let app: ReturnType<typeof makeApp>;
beforeEach(() => {
  app = makeApp();
  finds.length = 0;
});

describe('loader', () => {
  it('finds by one call what resolvers ask for one by one, each record once', async () => {
    const found = await app.service('posts').find({ provider: 'rest' });
    expect(found).toEqual([
      { id: 0, authorId: 1, writer: { id: 1, name: 'user 1' } },
      { id: 1, authorId: 2, writer: { id: 2, name: 'user 2' } },
      { id: 2, authorId: 1, writer: { id: 1, name: 'user 1' } },
      // The other service's restriction.
      { id: 3, authorId: 3, writer: null },
    ]);
    expect(finds.map(({ query }) => query.id.$in)).toEqual([[1, 2, 3]]);
  });

  it('is the same for the same parameters, and another for others', async () => {
    const params = { provider: 'rest', headers: { 'x-all': '1' } };
    const service = app.service('users');
    expect(loader(service, params)).toBe(loader(service, params));
    expect(loader(service, params)).not.toBe(loader(service, { ...params }));
    expect(await loader(service, params).load(3)).toEqual({ id: 3, name: 'user 3' });
    expect(await loader(service, {}).load(3)).toEqual({ id: 3, name: 'user 3', token: 'SECRET' });
    await loader(service, params).load(3);
    expect(finds).toHaveLength(2);
    await loader(service, params).clear(3).load(3);
    expect(finds).toHaveLength(3);
  });

  it('splits what is too much for one query, and keeps errors to their own ids', async () => {
    const ids = Array.from({ length: 2500 }, (_, id) => id);
    const params = {};
    const settled = await Promise.allSettled(ids.map((id) => loader(app.service('users'), params).load(id)));
    expect(finds.map(({ query }) => query.id.$in.length)).toEqual([1000, 1000, 500]);
    expect(settled.slice(0, 2000).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(settled.slice(2000).every((one) => one.status === 'rejected' && (one.reason as Error).message === 'not these')).toBe(true);
  });

  it('asks again where a service keeps to its page size', async () => {
    const ids = Array.from({ length: 20 }, (_, id) => id + (id % 5 === 0 ? 100_000 : 0));
    const found = await loader(app.service('stubborn'), {}).loadMany(ids);
    expect(found.map((record) => record?.id ?? null)).toEqual(ids.map((id) => (id < 100_000 ? id : null)));
  });

  it('gives 400 for what is no id, and null for what can not be one of these', async () => {
    const users = loader(app.service('users'), {});
    for (const id of [undefined, null, {}, [], NaN, '', true]) await expect(users.load(id)).rejects.toMatchObject({ code: 400 });
    expect(await users.loadMany(['5', 'x', 5n])).toEqual([null, null, expect.objectContaining({ id: 5 })]);
    expect(() => loader({ get: () => undefined }, {})).toThrow(TypeError);
  });

  it('says what it needs: a context in the place of its parameters would read as the server does', () => {
    const service = app.service('users');
    const context = { app, service, method: 'get', params: { provider: 'rest' } };
    for (const params of [undefined, null, 'rest', context])
      expect(() => loader(service, params as never)).toThrow(
        new TypeError(
          "A loader needs the parameters of the call: loader(app.service('users'), context.params), or {} to read as the server",
        ),
      );
    for (const given of [undefined, null, 'users', {}, { find: true }])
      expect(() => loader(given as never, {})).toThrow(
        new TypeError("A loader needs a registered service with the method 'find': app.service('users')"),
      );
    expect(() => loader(service, { query: {}, method: 'x' } as never)).not.toThrow();
  });
});
