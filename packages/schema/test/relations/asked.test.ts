import { MemoryService } from '@framework-internal/testing';
import { addCallSignal, framework, type HookContext } from '@framework/core';
import {
  BadGateway,
  BadRequest,
  Conflict,
  Forbidden,
  GeneralError,
  Gone,
  MethodNotAllowed,
  NotAuthenticated,
  NotFound,
  PaymentError,
  TooManyRequests,
  Unavailable,
  type FrameworkError,
} from '@framework/errors';
import { describe, expect, it } from '@jest/globals';
import { Field, Hidden, Reference, resolve, serviceSchema, Type, virtual, type TSchema } from '../../src/index.ts';
import { admin } from '../description/harness.ts';

const int = { id: Type.Integer() };
const company = Type.Object({ id: Type.Integer(), title: Type.String(), tax: Type.Optional(Hidden(Type.String())) });
const user = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  pin: Type.Optional(Hidden(Type.String())),
  companyId: Type.Optional(Reference('companies', { as: 'company', ...int })),
  bossId: Type.Optional(Reference('users', { as: 'boss', ...int })),
});
const post = Type.Object({
  id: Type.Integer(),
  text: Type.String(),
  authorId: Type.Optional(Reference('users', { as: 'author', ...int })),
  authorIds: Type.Optional(Type.Array(Reference('users', { as: 'authors', ...int }))),
  noteId: Type.Optional(Hidden(Reference('users', { as: 'note', ...int }))),
  editorId: Type.Optional(Field(Reference('users', { as: 'editor', ...int }), { readable: admin })),
  plainId: Type.Optional(Reference('plain', { as: 'plain', ...int })),
  serverId: Type.Optional(Reference('server', { as: 'server', ...int })),
  nested: Type.Optional(Type.Object({ byId: Reference('users', { as: 'by', ...int }), kind: Type.String() })),
  nestedToo: Type.Optional(Type.Object({ kind: Type.String() })),
});

const POSTS = [
  {
    id: 1,
    text: 'a',
    ...{ authorId: 1, authorIds: [1, 2], noteId: 2, editorId: 2, plainId: 7, serverId: 1 },
    nested: { byId: 2, kind: 'x' },
    nestedToo: { kind: 'y' },
  },
];
const USERS = [
  { id: 1, name: 'Ann', pin: '1234', companyId: 5, bossId: 2 },
  { id: 2, name: 'Bob', pin: '1234', companyId: 5, bossId: 1 },
];

interface Called {
  find(params?: object): Promise<Record<string, unknown>[]>;
  get(id: number, params?: object): Promise<Record<string, unknown>>;
  create(data: object, params?: object): Promise<Record<string, unknown>>;
}

const described = (record: TSchema) => ({ schema: serviceSchema({ record }) });
const SCHEMAS = { companies: described(company), users: described(user), server: described(user), posts: described(post) };

function build() {
  const app = framework();
  app.use('companies', new MemoryService({ store: [{ id: 5, title: 'Ltd', tax: 'secret' }] }), SCHEMAS.companies);
  app.use('users', new MemoryService({ store: USERS }), SCHEMAS.users);
  app.use('plain', new MemoryService({ store: [{ id: 7, a: 1, b: 2 }] }));
  app.use('server', new MemoryService({ store: USERS }), { ...SCHEMAS.server, methods: ['get'] });
  app.use('posts', new MemoryService({ store: POSTS }), SCHEMAS.posts);
  const queries: object[] = [];
  app.service('users').hooks({ before: { find: [({ params }: HookContext) => void queries.push(params.query as object)] } } as never);
  return { app, queries, posts: app.service('posts') as unknown as Called };
}

const shared = build().posts;
const ask = (query: object, params: object = {}): Promise<Record<string, unknown>[]> => shared.find({ provider: 'rest', query, ...params });
const refusal = async (query: object, params?: object): Promise<unknown> =>
  ask(query, params).then(
    (taken) => ({ taken }),
    (error: unknown) => {
      const { code, message, errors } = error as FrameworkError;
      return { code, message, told: (errors as { message: string }[]).map((problem) => problem.message) };
    },
  );
const refused = (...told: string[]): object => ({ code: 400, message: 'validation failed', told });

describe('what $populate takes', () => {
  it('are names of relations', async () => {
    const what = refused('$populate takes names of relations, such as author or author.company');
    for (const $populate of ['', [''], ['author', ''], [5], 5, { a: 'author' }, null, true])
      expect(await refusal({ $populate })).toEqual(what);
    expect(await ask({ $populate: [], $select: ['text'] })).toEqual([{ id: 1, text: 'a' }]);
    expect((await ask({ $populate: ['author', 'author'] }))[0]?.author).toMatchObject({ name: 'Ann' });
  });

  it('are at most 20 names', async () => {
    expect(await refusal({ $populate: Array.from({ length: 21 }, () => 'author') })).toEqual(refused('$populate takes at most 20 names'));
    expect(await ask({ $populate: Array.from({ length: 20 }, () => 'author') })).toHaveLength(1);
  });

  it('are relations that the caller sees, and services that show records', async () => {
    const told = (name: string): object => refused(`$populate.${name} is no relation of the record`);
    for (const name of [
      'wrong',
      'authorId',
      'text',
      'authors.wrong',
      'author.name',
      'author.boss.wrong',
      'note',
      'editor',
      'server',
      'plain.a',
      'auth',
      'authorx',
    ])
      expect(await refusal({ $populate: name })).toEqual(told(name));
    expect(await ask({ $populate: 'editor' }, { headers: { 'x-role': 'admin' } })).toMatchObject([{ editor: { name: 'Bob' } }]);
    expect(await ask({ $populate: ['editor', 'note', 'server'] }, { provider: undefined })).toMatchObject([
      { editor: { pin: '1234' }, note: { name: 'Bob' }, server: { name: 'Ann' } },
    ]);
  });

  it('tells each problem as one of the query', async () => {
    await expect(ask({ $populate: ['wrong', 'author.wrong'] })).rejects.toMatchObject({
      errors: [
        { path: '$populate.wrong', keyword: 'populate', message: '$populate.wrong is no relation of the record', params: {} },
        { path: '$populate.author.wrong', keyword: 'populate', message: '$populate.author.wrong is no relation of the record', params: {} },
      ],
    });
    const long = 'x'.repeat(300);
    expect(await refusal({ $populate: long })).toEqual(refused(`$populate.${long}`.slice(0, 200) + ' is no relation of the record'));
  });

  it('follows 4 relations one behind the other, and 20 in all', async () => {
    expect(await ask({ $populate: 'author.boss.boss.boss' })).toMatchObject([{ author: { boss: { boss: { boss: { name: 'Bob' } } } } }]);
    expect(await refusal({ $populate: 'author.boss.boss.boss.boss' })).toEqual(
      refused('$populate follows at most 4 relations one behind the other'),
    );
    // Three relations of the record, and what lies behind them.
    const behind = (name: string): string[] => [
      ...['company', 'boss.company', 'boss.boss.company', 'boss.boss.boss'].map((inner) => `${name}.${inner}`),
    ];
    const all = [...['author', 'authors'].flatMap(behind), 'nested.by.company', 'nested.by.boss.boss', 'nested.by.boss.company', 'plain'];
    expect(await ask({ $populate: all })).toHaveLength(1);
    expect(await refusal({ $populate: [...all, 'nested.by.boss.boss.company'] })).toEqual(
      refused('$populate follows at most 20 relations'),
    );
  });

  it('tells at most 20 problems', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `author.wrong${String(index)}`);
    const { told } = (await refusal({ $populate: 'author', $select: names })) as { told: string[] };
    expect(told).toEqual(names.slice(0, 20).map((name) => `$select.${name} is no property of the record`));
  });
});

describe('what $select takes behind relations', () => {
  it('is what the caller sees there', async () => {
    for (const name of ['author.pin', 'author.wrong', 'author.company.tax', 'author.company.wrong'])
      expect(await refusal({ $populate: 'author.company', $select: [name] })).toEqual(
        refused(`$select.${name} is no property of the record`),
      );
    expect(await ask({ $populate: 'plain', $select: ['plain.a'] })).toEqual([{ id: 1, plain: { id: 7, a: 1 } }]);
    expect(await ask({ $populate: 'author', $select: ['author.pin'] }, { provider: undefined })).toEqual([
      { id: 1, author: { id: 1, pin: '1234' } },
    ]);
  });

  it('is a part of the other record, or all of it', async () => {
    expect(await ask({ $populate: 'author.company', $select: ['author.company.title'] })).toEqual([
      { id: 1, author: { id: 1, company: { id: 5, title: 'Ltd' } } },
    ]);
    const whole = { id: 1, name: 'Ann', companyId: 5, bossId: 2 };
    expect(await ask({ $populate: 'author', $select: ['text', 'author', 'author.name'] })).toEqual([{ id: 1, text: 'a', author: whole }]);
    expect(await ask({ $populate: 'author', $select: ['text'] })).toEqual([{ id: 1, text: 'a', author: whole }]);
  });

  it('leaves ids that were read for the records alone, and keeps those that were asked for', async () => {
    expect(await ask({ $populate: 'nested.by', $select: ['nested.by.name'] })).toEqual([{ id: 1, nested: { by: { id: 2, name: 'Bob' } } }]);
    expect(await ask({ $populate: 'nested.by', $select: ['nested', 'nested.by.name'] })).toEqual([
      { id: 1, nested: { byId: 2, kind: 'x', by: { id: 2, name: 'Bob' } } },
    ]);
    expect(await ask({ $populate: 'nested.by', $select: ['nested.byId', 'nested.by.name'] })).toEqual([
      { id: 1, nested: { byId: 2, by: { id: 2, name: 'Bob' } } },
    ]);
    expect(await ask({ $populate: 'nested.by', $select: ['nestedToo', 'nested.by.name'] })).toEqual([
      { id: 1, nested: { by: { id: 2, name: 'Bob' } }, nestedToo: { kind: 'y' } },
    ]);
    expect(await ask({ $populate: ['author', 'authors'], $select: ['authorIds', 'author.name', 'authors.name'] })).toEqual([
      {
        id: 1,
        authorIds: [1, 2],
        author: { id: 1, name: 'Ann' },
        authors: [
          { id: 1, name: 'Ann' },
          { id: 2, name: 'Bob' },
        ],
      },
    ]);
  });

  it('leaves the id of the record, which every answer has, also where it leads to the other record', async () => {
    const app = framework();
    const profile = Type.Object({ id: Reference('users', { as: 'user', ...int }), bio: Type.String() });
    app.use(
      'users',
      new MemoryService({ store: [{ id: 2, name: 'Bob' }] }),
      described(Type.Object({ id: Type.Integer(), name: Type.String() })),
    );
    app.use('profiles', new MemoryService({ store: [{ id: 2, bio: 'x' }] }), described(profile));
    await app.setup();
    const query = { $select: ['bio', 'user.name'], $populate: 'user' };
    expect(await app.service('profiles').find({ provider: 'rest', query })).toEqual([{ id: 2, bio: 'x', user: { id: 2, name: 'Bob' } }]);
  });

  it('leads to records beside a property that is worked out of the whole record', async () => {
    const app = framework();
    const record = Type.Object({ ...post.properties, upper: Type.Optional(Type.String()) });
    const result = resolve<{ text: string; upper?: string }>({ upper: virtual(({ text }) => text.toUpperCase()) });
    app.use('users', new MemoryService({ store: USERS }), SCHEMAS.users);
    app.use('posts', new MemoryService({ store: POSTS }), { schema: serviceSchema({ record, resolvers: { result } }) });
    const posts = app.service('posts') as unknown as Called;
    const query = { $populate: 'nested.by', $select: ['upper', 'nested.by.name'] };
    expect(await posts.find({ provider: 'rest', query })).toEqual([{ id: 1, upper: 'A', nested: { by: { id: 2, name: 'Bob' } } }]);
  });

  it('is asked of the other service with its id, each name once', async () => {
    const { posts, queries } = build();
    await posts.find({ provider: 'rest', query: { $populate: 'author', $select: ['author.name', 'author.name', 'author.id'] } });
    await posts.find({ provider: 'rest', query: { $populate: 'author.company', $select: ['author.name', 'author.company.title'] } });
    await posts.find({ provider: 'rest', query: { $populate: 'author' } });
    expect(queries).toEqual([
      { $select: ['name', 'id'], id: { $in: [1] } },
      { $select: ['name', 'id', 'companyId'], id: { $in: [1] } },
      { id: { $in: [1] } },
    ]);
  });

  it('may be one name, or a list as long queries have it', async () => {
    expect(await ask({ $populate: 'author', $select: 'text' })).toEqual(await ask({ $populate: 'author', $select: ['text'] }));
    expect(await ask({ $populate: 'author', $select: 'author.name' })).toEqual([{ id: 1, author: { id: 1, name: 'Ann' } }]);
    expect(await ask({ $populate: 'author', $select: { 0: 'text', 1: 'author.name' } })).toEqual([
      { id: 1, text: 'a', author: { id: 1, name: 'Ann' } },
    ]);
    await expect(ask({ $populate: 'author', $select: { a: 'text' } })).rejects.toMatchObject({ code: 400 });
    await expect(ask({ $populate: 'author', $select: 5 })).rejects.toMatchObject({ code: 400 });
    // What is no text is not made one: it may have none.
    for (const name of [5, null, {}, [], Object.create(null) as object, { toString: 'x' }])
      expect(await refusal({ $populate: 'author', $select: ['text', name] })).toEqual(refused('$select takes names of properties'));
  });
});

describe('what hooks ask for besides', () => {
  it('is added to what the caller asked for, as much as either wants', async () => {
    const asking = async (first: object, more: object): Promise<unknown> => {
      const { app, posts } = build();
      app.service('posts').hooks({
        before: { find: [({ params }: HookContext) => void (params.query = { ...params.query, ...more })] },
      } as never);
      return posts.find({ provider: 'rest', query: first });
    };
    const name = { $populate: 'author', $select: ['author.name'] };
    expect(await asking(name, { $populate: 'author', $select: ['author.bossId'] })).toEqual([
      { id: 1, author: { id: 1, name: 'Ann', bossId: 2 } },
    ]);
    expect(await asking(name, { $populate: 'author' })).toMatchObject([{ author: { id: 1, name: 'Ann', companyId: 5 } }]);
    expect(await asking(name, { $populate: 'author.company' })).toMatchObject([{ author: { name: 'Ann', company: { title: 'Ltd' } } }]);
    expect(await asking({ $populate: 'author.boss' }, { $populate: 'author.company' })).toMatchObject([
      { author: { boss: { name: 'Bob' }, company: { title: 'Ltd' } } },
    ]);
    expect(await asking(name, { $populate: 'nested.by' })).toEqual([
      { id: 1, nested: { by: { id: 2, name: 'Bob', companyId: 5, bossId: 1 } }, author: { id: 1, name: 'Ann' } },
    ]);
    await expect(asking({}, { $populate: 'note' })).rejects.toMatchObject({ code: 400 });
  });
});

describe('records behind a relation', () => {
  const answering = (thrown: unknown): Promise<unknown> => {
    const { app, posts } = build();
    app.service('users').hooks({ before: { find: [() => Promise.reject(thrown)] } } as never);
    return posts.get(1, { provider: 'rest', query: { $populate: ['author', 'authors'], $select: ['text'] } });
  };

  it.each([NotAuthenticated, Forbidden, NotFound, MethodNotAllowed, Gone])(
    'are not seen where the other service refuses: %p',
    async (Class) => {
      expect(await answering(new Class('no'))).toEqual({ id: 1, text: 'a', author: null, authors: [] });
    },
  );

  it.each([BadRequest, PaymentError, Conflict, TooManyRequests, GeneralError, BadGateway, Unavailable])(
    'fail the call where the other service fails: %p',
    async (Class) => {
      const failure = new Class('failed');
      await expect(answering(failure)).rejects.toMatchObject({ code: failure.code, message: 'failed' });
    },
  );

  it('are what hooks of the other service made for callers from outside, and its result for the server', async () => {
    const { app, posts } = build();
    const making = async (context: HookContext, next: () => Promise<void>): Promise<void> => {
      await next();
      context.dispatch = [{ id: 1, name: 'for the outside' }];
    };
    app.service('users').hooks({ around: { find: [making] } } as never);
    const query = { $populate: 'author', $select: ['author.name'] };
    expect(await posts.get(1, { provider: 'rest', query })).toEqual({ id: 1, author: { id: 1, name: 'for the outside' } });
    expect(await posts.get(1, { query })).toEqual({ id: 1, author: { id: 1, name: 'Ann' } });
  });

  it('are found without making the signal of a call that nobody reads', async () => {
    let made = 0;
    const params = { provider: 'rest', query: { $populate: 'author', $select: ['author.name'] } };
    addCallSignal(params, {
      get signal() {
        made += 1;
        return new AbortController().signal;
      },
    });
    expect(await shared.find(params)).toEqual([{ id: 1, author: { id: 1, name: 'Ann' } }]);
    expect(made).toBe(0);
  });

  it('are not in events, and not in what listeners get', async () => {
    const { app, posts } = build();
    const heard: unknown[] = [];
    app.service('posts').on('created', (record: unknown) => heard.push({ ...(record as object) }));
    const query = { $populate: 'author', $select: ['text', 'author.name'] };
    const made = await posts.create({ text: 'b', authorId: 2 }, { provider: 'rest', query });
    expect(made).toMatchObject({ text: 'b', author: { id: 2, name: 'Bob' } });
    expect(made).not.toHaveProperty('authorId');
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toHaveProperty('author');
  });

  it('are not for custom methods', async () => {
    const { app } = build();
    app.use('tools', { run: async () => ({ authorId: 1 }) } as never, {
      methods: ['run'],
      schema: SCHEMAS.posts.schema as never,
    });
    const tools = app.service('tools' as never) as unknown as { run(data: object, params: object): Promise<unknown> };
    await expect(tools.run({}, { provider: 'rest', query: { $populate: 'author' } })).rejects.toMatchObject({
      errors: [{ path: '$populate', message: '$populate is not for the method run' }],
    });
  });
});
