import { Readable } from 'node:stream';
import { DocDbService, transactionHook } from '@framework/adapter-docdb';
import { guard, stopRecords, type HookContext, type RecordSource } from '@framework/core';
import { Forbidden, GeneralError, NotAuthenticated } from '@framework/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { Field, Hidden, Nullable, Reference, resolve, serviceSchema, Type, WriteOnly } from '../../src/index.ts';
import { start, type Harness } from './harness.ts';

const SECRET = 'SECRET';
const admin = ({ headers }: { headers?: Record<string, unknown> }): boolean => headers?.['x-role'] === 'admin';

const companies = Type.Object({
  _id: Type.String(),
  title: Type.String(),
  taxId: Type.Optional(Hidden(Type.String())),
  countryId: Type.Optional(Reference('countries', { as: 'country', id: Type.Integer() })),
});
const countries = Type.Object({ id: Type.Integer(), name: Type.String() });
const users = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  password: Type.Optional(WriteOnly(Type.String())),
  token: Type.Optional(Hidden(Type.String())),
  salary: Type.Optional(Field(Type.Integer(), { readable: admin })),
  deleted: Type.Optional(Type.Boolean()),
  companyId: Type.Optional(Nullable(Reference('companies', { as: 'company' }))),
});
const posts = Type.Object({
  _id: Type.String(),
  text: Type.String(),
  authorId: Type.Optional(Nullable(Reference('users', { as: 'author' }))),
  memberIds: Type.Optional(Type.Array(Reference('users', { as: 'members' }))),
  items: Type.Optional(Type.Array(Type.Object({ count: Type.Integer(), buyerId: Reference('users', { as: 'buyer' }) }))),
  noteId: Type.Optional(Hidden(Reference('users', { as: 'note' }))),
  editorId: Type.Optional(Field(Reference('users', { as: 'editor' }), { readable: admin })),
  internalId: Type.Optional(Reference('internal', { as: 'internal' })),
  guardedId: Type.Optional(Reference('guarded', { as: 'guarded' })),
  brokenId: Type.Optional(Reference('broken', { as: 'broken' })),
});

const USERS = ['Ann', 'Bob', 'Cleo'].map((name, index) => ({
  _id: new ObjectId(),
  name,
  password: SECRET,
  token: SECRET,
  salary: index,
  deleted: name === 'Cleo',
}));
const [ann, bob, cleo] = USERS as [(typeof USERS)[0], (typeof USERS)[0], (typeof USERS)[0]];
const COMPANY = { _id: new ObjectId(), title: 'Ltd', taxId: SECRET, countryId: 5 };

let harness: Harness;
const seen: object[] = [];
beforeAll(async () => {
  harness = await start(async (app, { db }) => {
    const person = serviceSchema({ record: users });
    const paged = { paginate: { default: 10, max: 500 } };
    const docs = (name: string, options: object = {}): DocDbService => new DocDbService({ Model: db.collection(name), ...options });
    app.use('countries', docs('countries', { id: 'id' }), { schema: serviceSchema({ record: countries }) });
    app.use('companies', docs('companies'), { schema: serviceSchema({ record: companies }) });
    app.use('users', docs('users', { ...paged, paginate: { default: 1, max: 2 } }), {
      schema: serviceSchema({
        record: users,
        resolvers: { dispatch: resolve<{ name: string }>({ name: async (name) => name?.toUpperCase() }) },
      }),
    });
    app.service('users').hooks({
      before: {
        find: [
          (context: HookContext) => {
            seen.push(context.params);
            // A restriction for callers from outside.
            if (context.params.provider) context.params.query = { ...context.params.query, deleted: { $ne: true } };
          },
        ],
      },
    } as never);
    app.use('internal', docs('users'), { methods: ['get'], schema: person });
    app.use('guarded', docs('users'), { schema: person });
    app.service('guarded').hooks({
      before: {
        all: [
          guard(({ params }: HookContext) => {
            if (!params.provider) return;
            if (!params.headers?.['x-user']) throw new NotAuthenticated('who?');
            if (params.headers['x-user'] !== 'ann') throw new Forbidden('not you');
          }),
        ],
      },
    } as never);
    app.use('broken', docs('users'), { schema: person });
    app.service('broken').hooks({
      before: {
        find: [
          () => {
            throw new GeneralError('the database is away');
          },
        ],
      },
    } as never);
    app.use('posts', docs('posts', { ...paged, multi: true, cursors: true }), { schema: serviceSchema({ record: posts }) });
    await db.collection('countries').insertOne({ id: 5, name: 'Utopia' });
    await db.collection('companies').insertOne(COMPANY);
    await db.collection('users').insertMany(USERS.map((user) => ({ ...user, companyId: user === bob ? null : COMPANY._id })));
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await harness.database.db.collection('posts').deleteMany({});
  seen.length = harness.commands.length = 0;
});

const store = async (...given: object[]): Promise<void> => {
  await harness.database.db.collection('posts').insertMany(given.map((post, index) => ({ text: `post ${String(index)}`, ...post })));
  harness.commands.length = 0;
};
const data = (body: unknown): Record<string, unknown>[] => (body as { data: Record<string, unknown>[] }).data;
const problems = (body: unknown): string[] => ((body as { errors?: { path: string }[] }).errors ?? []).map(({ path }) => path);
const names = (): string[] =>
  harness.commands.map((command) => `${Object.keys(command)[0] as string} ${String(Object.values(command)[0])}`);

describe('populate', () => {
  it('puts 100 records with their authors into an answer by two commands', async () => {
    await store(...Array.from({ length: 100 }, (_, index) => ({ authorId: index % 2 ? ann._id : bob._id })));
    const { status, body } = await harness.get('/posts?$populate=author&$limit=100&$sort[text]=1');
    expect(status).toBe(200);
    expect(data(body)).toHaveLength(100);
    expect(new Set(data(body).map(({ author }) => (author as { name: string }).name))).toEqual(new Set(['ANN', 'BOB']));
    // The page is counted beside.
    expect(names().filter((name) => !name.startsWith('aggregate'))).toEqual(['find posts', 'find users']);
    expect(harness.commands.at(-1)?.filter).toMatchObject({ _id: { $in: [expect.anything(), expect.anything()] } });
  });

  it('gives what the other service would give the same caller, and no more', async () => {
    await store({ authorId: ann._id }, { authorId: cleo._id }, { authorId: new ObjectId() }, { authorId: null }, {});
    const { body, text } = await harness.get('/posts?$populate=author&$sort[text]=1');
    const ANN = { _id: String(ann._id), name: 'ANN', deleted: false, companyId: String(COMPANY._id) };
    expect(data(body).map(({ author }) => author)).toEqual([ANN, null, null, null, undefined]);
    expect(data(body)[4]).not.toHaveProperty('author');
    expect(text).not.toContain(SECRET);
    const toAdmin = await harness.get('/posts?$populate=author&$sort[text]=1', { 'x-role': 'admin' });
    expect(data(toAdmin.body)[0]?.author).toEqual({ ...ANN, salary: 0 });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toMatchObject({ provider: 'rest', headers: { 'x-role': 'admin' } });
  });

  it('works in lists, in nested records and behind other relations, by one command for each relation and level', async () => {
    const items = [
      { count: 1, buyerId: ann._id },
      { count: 2, buyerId: cleo._id },
    ];
    await store({ authorId: ann._id, memberIds: [bob._id, cleo._id, ann._id], items }, { authorId: bob._id, memberIds: [] });
    const { status, body, text } = await harness.get(
      '/posts?$populate[]=author.company.country&$populate[]=members&$populate[]=items.buyer&$sort[text]=1',
    );
    expect(status).toBe(200);
    const [first, second] = data(body);
    expect(first).toMatchObject({
      author: { name: 'ANN', company: { title: 'Ltd', country: { id: 5, name: 'Utopia' } } },
      members: [{ name: 'BOB' }, { name: 'ANN' }],
      items: [
        { count: 1, buyer: { name: 'ANN' } },
        { count: 2, buyer: null },
      ],
    });
    expect(second).toMatchObject({ author: { name: 'BOB', company: null }, members: [] });
    expect(text).not.toContain(SECRET);
    expect(names().filter((name) => !name.startsWith('aggregate'))).toEqual([
      ...['find posts', 'find users', 'find companies', 'find countries', 'find users', 'find users'],
    ]);
  });

  it('works for every method that gives records, for cursors and lists', async () => {
    const made = await harness.post('/posts?$populate=author', { text: 'new', authorId: String(ann._id) });
    expect([made.status, made.body]).toMatchObject([201, { text: 'new', author: { name: 'ANN' } }]);
    const { _id } = made.body as { _id: string };
    expect((await harness.get(`/posts/${_id}?$populate=author`)).body).toMatchObject({ author: { name: 'ANN' } });
    const service = harness.app.service('posts');
    const params = { provider: 'rest', query: { $populate: ['author'] } };
    const change = { text: 'a', authorId: String(bob._id) };
    expect(await service.update(_id, change, params)).toMatchObject({ author: { name: 'BOB' } });
    expect(await service.patch(_id, { authorId: String(ann._id) }, params)).toMatchObject({ author: { name: 'ANN' } });
    expect(await service.create([change, change], params)).toMatchObject([{ author: { name: 'BOB' } }, { author: { name: 'BOB' } }]);
    expect(await service.find({ ...params, paginate: false } as never)).toMatchObject(
      Array.from({ length: 3 }, () => ({ author: { name: expect.stringMatching(/ANN|BOB/) } })),
    );
    const first = (await harness.get('/posts?$populate=author&$limit=2')).body as { next: string; data: object[] };
    expect(first.data).toMatchObject([{ author: {} }, { author: {} }]);
    const rest = (await harness.get(`/posts?$populate=author&$limit=2&$after=${first.next}`)).body as typeof first;
    expect(rest.data).toMatchObject([{ author: {} }]);
    expect(await service.remove(_id, params)).toMatchObject({ author: { name: 'ANN' } });
  });

  it('gives code on the server whole records, which stay secret wherever they are sent', async () => {
    await store({ authorId: cleo._id, noteId: ann._id });
    const [post] = (await harness.app
      .service('posts')
      .find({ query: { $populate: ['author.company', 'note'] }, paginate: false } as never)) as [Record<string, Record<string, unknown>>];
    expect(post).toMatchObject({ author: { name: 'Cleo', password: SECRET, company: { taxId: SECRET } }, note: { name: 'Ann' } });
    const { getDispatch } = await import('../../src/index.ts');
    const shown = getDispatch({ any: [post] });
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown).toMatchObject({ any: [{ author: { name: 'CLEO' } }] });
  });

  it("selects of the caller's own records, and of those behind relations", async () => {
    await store({ authorId: ann._id, items: [{ count: 1, buyerId: bob._id }] });
    const path = (query: string) => harness.get(`/posts?${query}`);
    const own = await path('$populate=author&$select[]=text');
    expect(data(own.body)).toEqual([{ _id: expect.any(String), text: 'post 0', author: expect.objectContaining({ name: 'ANN' }) }]);
    const behind = await path('$populate[]=author.company&$select[]=author.name&$select[]=author.company.title');
    expect(data(behind.body)).toEqual([
      {
        _id: expect.any(String),
        author: { _id: String(ann._id), name: 'ANN', company: { _id: String(COMPANY._id), title: 'Ltd' } },
      },
    ]);
    const inside = await path('$populate=items.buyer&$select[]=items.count&$select[]=items.buyer.name');
    expect(data(inside.body)).toEqual([{ _id: expect.any(String), items: [{ count: 1, buyer: { _id: String(bob._id), name: 'BOB' } }] }]);
    const kept = await path('$populate=author&$select[]=authorId&$select[]=author');
    expect(data(kept.body)[0]).toMatchObject({ authorId: String(ann._id), author: { name: 'ANN', deleted: false } });
  });

  it.each([
    ['$populate=wrong', ['$populate.wrong']],
    ['$populate=authorId', ['$populate.authorId']],
    ['$populate=author.wrong', ['$populate.author.wrong']],
    ['$populate=author.name', ['$populate.author.name']],
    ['$populate[]=wrong&$populate[]=author.company.wrong', ['$populate.wrong', '$populate.author.company.wrong']],
    ['$populate=note', ['$populate.note']],
    ['$populate=editor', ['$populate.editor']],
    ['$populate=internal', ['$populate.internal']],
    ['$populate=__proto__', ['$populate.__proto__']],
    ['$populate[a]=author', ['$populate']],
    ['$populate[][a]=author', ['$populate']],
    ['$populate=', ['$populate']],
    [`$populate=${'author.'.repeat(500)}x`, [`$populate.${'author.'.repeat(500)}`.slice(0, 200)]],
    [Array.from({ length: 21 }, (_, index) => `$populate[${String(index)}]=author`).join('&'), ['$populate']],
    ['$populate=author&$select[]=author.password', ['$select.author.password']],
    ['$populate=author&$select[]=author.salary', ['$select.author.salary']],
    ['$populate=author.company&$select[]=author.company.taxId', ['$select.author.company.taxId']],
    ['$select[]=author.name', ['$select.0']],
    ['author.name=Ann', ['author.name']],
    ['$sort[author.name]=1', ['$sort.author.name']],
    ['$or[0][$populate]=author', ['$or.0.$populate']],
  ])('refuses what is not declared, or not seen: %.60s', async (query, paths) => {
    const { status, body } = await harness.get(`/posts?${query}`);
    expect([status, problems(body)]).toEqual([400, paths]);
    expect(harness.commands).toEqual([]);
  });

  it('refuses more relations, and longer ways, than there may be', async () => {
    expect((await harness.get('/posts?$populate=editor', { 'x-role': 'admin' })).status).toBe(200);
    const app = harness.app;
    const node = Type.Object({ _id: Type.String(), aId: Reference('nodes', { as: 'a' }), bId: Reference('nodes', { as: 'b' }) });
    app.use('nodes', new DocDbService({ Model: harness.database.db.collection('nodes'), paginate: { default: 5 } }), {
      schema: serviceSchema({ record: node }),
    });
    expect((await harness.get('/nodes?$populate=a.b.a.b')).status).toBe(200);
    expect(problems((await harness.get('/nodes?$populate=a.b.a.b.a')).body)).toEqual(['$populate']);
    const wide = ['a', 'b'].flatMap((first) =>
      ['a', 'b'].flatMap((second) => ['a', 'b'].flatMap((third) => ['a', 'b'].map((last) => `${first}.${second}.${third}.${last}`))),
    );
    expect(problems((await harness.get(`/nodes?${wide.map((name) => `$populate[]=${name}`).join('&')}`)).body)).toEqual(['$populate']);
    // Each record is in the answer as often as it is asked for: 30 with 30 with 30 of them are 27,930.
    const ids = Array.from({ length: 30 }, () => new ObjectId());
    const circle = Type.Object({ _id: Type.String(), ids: Type.Array(Reference('circles', { as: 'all' })) });
    app.use('circles', new DocDbService({ Model: harness.database.db.collection('circles'), paginate: { default: 30 } }), {
      schema: serviceSchema({ record: circle }),
    });
    await harness.database.db.collection('circles').insertMany(ids.map((_id) => ({ _id, ids })));
    expect((await harness.get('/circles?$populate=all')).status).toBe(200);
    const { status, body } = await harness.get('/circles?$populate=all.all.all');
    expect([status, (body as { message: string }).message]).toEqual([400, expect.stringContaining('10000 records')]);
  });

  it('is null where the other service refuses the caller, and fails where it fails', async () => {
    await store({ guardedId: ann._id, brokenId: ann._id });
    for (const [user, guarded] of [
      ['', null],
      ['bob', null],
      ['ann', expect.objectContaining({ name: 'Ann' })],
    ] as const) {
      const { status, body } = await harness.get('/posts?$populate=guarded', user ? { 'x-user': user } : {});
      expect([status, data(body)[0]?.guarded]).toEqual([200, guarded]);
    }
    expect((await harness.get('/posts?$populate=broken')).status).toBe(500);
  });

  it('is not for custom methods', async () => {
    harness.app.use('tools', { find: async () => [], run: async () => ({ authorId: ann._id }) } as never, {
      methods: ['find', 'run'],
      schema: serviceSchema({ record: Type.Object({ authorId: Reference('users', { as: 'author' }) }) }),
    });
    const { status, body } = await harness.post('/tools?$populate=author', {}, { 'X-Service-Method': 'run' });
    expect([status, problems(body)]).toEqual([400, ['$populate']]);
  });

  it('leaves an event as it is without, for every listener, now and later', async () => {
    const events: unknown[] = [];
    const later: Promise<unknown>[] = [];
    const listener = (record: unknown, context: HookContext): void => {
      events.push(record, context.dispatch, context.result);
      later.push(new Promise((done) => setTimeout(done, 20)).then(() => events.push(context.dispatch, context.result)));
    };
    for (const event of ['created', 'patched', 'removed']) harness.app.service('posts').on(event, listener);
    const made = await harness.post('/posts?$populate=author', { text: 'new', authorId: String(ann._id) });
    const service = harness.app.service('posts');
    const { _id } = made.body as { _id: string };
    expect(await service.patch(_id, { text: 'b' }, { query: { $populate: 'author' } })).toMatchObject({ author: { name: 'Ann' } });
    expect(await service.remove(_id, { query: { $populate: 'author' } })).toMatchObject({ author: { name: 'Ann' } });
    for (const event of ['created', 'patched', 'removed']) harness.app.service('posts').off(event, listener);
    await Promise.all(later);
    expect(events).toHaveLength(15);
    for (const record of events) {
      expect(record).toHaveProperty('authorId');
      expect(record).not.toHaveProperty('author');
    }
  });

  it('tells of an event before it fails', async () => {
    let told = 0;
    harness.app.service('posts').once('created', () => (told += 1));
    expect((await harness.post('/posts?$populate=broken', { text: 'new', brokenId: String(ann._id) })).status).toBe(500);
    expect(told).toBe(1);
  });

  it('takes what hooks of the application ask for besides', async () => {
    const service = harness.app.service('posts');
    const ask = (context: HookContext): void => {
      const { headers, query } = context.params;
      if (headers?.['x-more']) context.params.query = { ...query, $populate: 'members' };
    };
    service.hooks({ before: { find: [ask] } } as never);
    await store({ authorId: ann._id, memberIds: [bob._id] });
    const both = await harness.get('/posts?$populate=author&$select[]=text', { 'x-more': '1' });
    expect(data(both.body)).toEqual([
      {
        _id: expect.any(String),
        text: 'post 0',
        author: expect.objectContaining({ name: 'ANN' }),
        members: [expect.objectContaining({ name: 'BOB' })],
      },
    ]);
    const alone = await harness.get('/posts', { 'x-more': '1' });
    expect(data(alone.body)[0]).toMatchObject({ members: [{ name: 'BOB' }], authorId: String(ann._id) });
    expect(data(alone.body)[0]).not.toHaveProperty('author');
  });

  it('finds records with numbers for ids by their URL', async () => {
    expect((await harness.get('/countries/5')).body).toMatchObject({ id: 5, name: 'Utopia' });
    for (const id of ['5x', '05x', 'abc', '6']) expect([id, (await harness.get(`/countries/${id}`)).status]).toEqual([id, 404]);
  });

  it('takes part in the transaction of its caller, and reads after one that has ended', async () => {
    const { client, db } = harness.database;
    const fresh = { _id: new ObjectId(), name: 'Dora' };
    await store({ authorId: fresh._id });
    const session = client.startSession();
    session.startTransaction();
    await db.collection('users').insertOne(fresh, { session });
    const find = (params: object) =>
      harness.app.service('posts').find({ query: { $populate: ['author', 'members'] }, paginate: false, ...params } as never);
    expect(await find({ docdb: { session } })).toMatchObject([{ author: { name: 'Dora' } }]);
    expect(await find({})).toMatchObject([{ author: null }]);
    await session.abortTransaction();
    await session.endSession();
    const ending = async (context: HookContext, next: () => Promise<void>): Promise<void> => {
      await transactionHook(client)(context, next);
    };
    harness.app.use('drafts', new DocDbService({ Model: db.collection('posts') }), { schema: serviceSchema({ record: posts }) });
    harness.app.service('drafts').hooks({ around: { create: [ending] } } as never);
    const made = await harness.post('/drafts?$populate=author', { text: 'a', authorId: String(ann._id) });
    expect([made.status, made.body]).toMatchObject([201, { author: { name: 'ANN' } }]);
  });

  it('populates what streams, together what comes together, and ends the source with the loop', async () => {
    const sources = { ended: false };
    async function* source(): AsyncGenerator {
      try {
        for (let id = 0; id < 250; id++) yield { _id: String(id), text: '', authorId: id % 2 ? ann._id : bob._id };
      } finally {
        sources.ended = true;
      }
    }
    harness.app.use('streams', { find: async () => source() } as never, { schema: serviceSchema({ record: posts }) });
    const read = async (most: number): Promise<{ author: { name: string } }[]> => {
      const records: { author: { name: string } }[] = [];
      const stream = (await harness.app
        .service('streams')
        .find({ provider: 'rest', query: { $populate: 'author' } })) as AsyncIterable<never>;
      for await (const record of stream) if (records.push(record) === most) break;
      return records;
    };
    const all = await read(Infinity);
    expect(all).toHaveLength(250);
    expect(all.map(({ author }) => author.name)).toEqual(all.map((_record, index) => (index % 2 ? 'ANN' : 'BOB')));
    expect(names()).toEqual(['find users', 'find users', 'find users']);
    sources.ended = false;
    expect(await read(3)).toHaveLength(3);
    expect(sources.ended).toBe(true);
  });

  it('lets go of a stream of which nobody reads a record', async () => {
    const unread = new Readable({ objectMode: true, read: () => undefined });
    harness.app.use('unread', { find: async () => unread } as never, { schema: serviceSchema({ record: posts }) });
    const stream = await harness.app.service('unread').find({ provider: 'rest', query: { $populate: 'author' } });
    await stopRecords(stream as unknown as RecordSource);
    expect(unread.destroyed).toBe(true);
  });

  it('passes over ids that are none', async () => {
    await store({ authorId: 'no id', memberIds: [5, { a: 1 }, [String(ann._id)], true, bob._id] });
    const { status, body } = await harness.get('/posts?$populate[]=author&$populate[]=members');
    expect([status, data(body)[0]?.author]).toEqual([200, null]);
    expect(data(body)[0]?.members).toMatchObject([[{ name: 'ANN' }], { name: 'BOB' }]);
  });
});
