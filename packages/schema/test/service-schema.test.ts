import type { AddressInfo } from 'node:net';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { request } from '@framework-internal/testing/supertest';
import { DocDbService, keywordObjectId, ObjectIdSchema, resolveObjectId, resolveQueryObjectId } from '@framework/adapter-docdb';
import { framework, type HookContext, type Params, type Query } from '@framework/core';
import express, { errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CommandStartedEvent, Document } from 'mongodb';
import { ObjectId } from 'mongodb';
import * as valibot from 'valibot';
import { z } from 'zod';
import {
  Ajv,
  createAjv,
  DateSchema,
  getDataValidator,
  getValidator,
  Hidden,
  resolve,
  resolveAll,
  resolveQuery,
  serviceSchema,
  Type,
  validateData,
  validateParams,
  virtual,
  WriteOnly,
} from '../src/index.ts';

const personSchema = Type.Object({
  _id: Type.Unsafe<ObjectId | string>(ObjectIdSchema()),
  email: Type.String({ format: 'email', maxLength: 100 }),
  age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  active: Type.Optional(Type.Boolean({ default: true })),
  since: Type.Optional(DateSchema()),
  friend: Type.Optional(Type.Unsafe<ObjectId | string>(ObjectIdSchema())),
  address: Type.Optional(Type.Object({ city: Type.String(), code: Type.Optional(WriteOnly(Type.String())) })),
  tags: Type.Optional(Type.Array(Type.String())),
  password: Type.Optional(WriteOnly(Type.String())),
  resetToken: Type.Optional(Hidden(Type.String())),
  role: Type.Readonly(Type.Optional(Type.String())),
  initial: Type.Readonly(Type.Optional(Type.String())),
});

let database: TestDatabase;
let app: Application;
let url: string;
const commands: Document[] = [];
beforeAll(async () => {
  database = await startDatabase({ monitorCommands: true });
  database.client.on('commandStarted', (event: CommandStartedEvent) => {
    if (['find', 'insert', 'findAndModify', 'aggregate', 'delete', 'update'].includes(event.commandName)) commands.push(event.command);
  });
  const ajv = createAjv();
  ajv.addKeyword(keywordObjectId);
  app = express(framework()) as Application;
  app.use(json());
  app.configure(rest());
  const options = { operators: ['$regex'], updateOperators: [], paginate: { default: 10, max: 20 } };
  app.use('people', new DocDbService({ Model: database.db.collection('people'), ...options }), {
    schema: serviceSchema({
      record: personSchema,
      patch: Type.Object(
        {
          age: personSchema.properties.age,
          password: personSchema.properties.password,
          $inc: Type.Optional(Type.Object({ age: Type.Integer() }, { additionalProperties: false })),
        },
        { additionalProperties: false },
      ),
      extensions: { email: { $regex: { type: 'string', maxLength: 20 } } },
      ajv,
      resolvers: {
        data: { create: resolve<{ role?: string }>({ role: () => 'member' }) },
        result: resolve<{ email: string; initial?: string }>({ initial: virtual((person) => person.email[0]?.toUpperCase() ?? '') }),
      },
    }),
  });
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0);
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  await app.close({ timeout: 100 });
  await database.close();
});

const ANN = { email: 'ann@example.com', age: 30, tags: ['a'], address: { city: 'Rome', code: 'X1' }, password: 'secret hash' };
let ann: { _id: string };
beforeEach(async () => {
  await database.db.collection('people').deleteMany({});
  const answer = await request(url).post('/people').send(ANN);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  ann = answer.body as typeof ann;
  commands.length = 0;
});

const get = (path: string) => request(url).get(path).set('Accept', 'application/json');
const problems = (body: unknown): string[] => (body as { errors: { path: string }[] }).errors.map(({ path }) => path);

describe('app.use with a schema', () => {
  it('checks, converts and completes data, and resolves it', async () => {
    expect(ann).toEqual({
      _id: expect.any(String),
      email: ANN.email,
      age: 30,
      active: true,
      tags: ['a'],
      address: { city: 'Rome' },
      role: 'member',
      initial: 'A',
    });
    const stored = await database.db.collection('people').findOne();
    expect(stored).toMatchObject({ password: 'secret hash', address: { code: 'X1' }, role: 'member' });
    expect(stored).not.toHaveProperty('initial');
    const second = await request(url).post('/people').send({ email: 'b@example.com', since: '2020-02-03', friend: ann._id });
    expect(second.status).toBe(201);
    const other = await database.db.collection('people').findOne({ email: 'b@example.com' });
    expect([other?.since, other?.friend]).toEqual([new Date('2020-02-03'), new ObjectId(ann._id)]);
  });

  it('converts queries, and gives 400 that names each property', async () => {
    const found = await get('/people?age[$gte]=30&active=true&tags=a&$sort[age]=-1&$limit=1');
    expect(found.body).toMatchObject({ total: 1, limit: 1, data: [{ email: ANN.email }] });
    expect((await get(`/people?_id=${ann._id}`)).body).toMatchObject({ total: 1 });
    expect((await get(`/people?_id[$in][]=${ann._id}`)).body).toMatchObject({ total: 1 });
    expect((await get(`/people?_id[$ne]=${ann._id}`)).body).toMatchObject({ total: 0 });
    const wrong = await get('/people?age=10abc&active=yes&wrong=1&since=never&_id=5&$limit=x');
    expect(wrong.status).toBe(400);
    expect(new Set(problems(wrong.body))).toEqual(new Set(['age', 'active', 'wrong', 'since', '_id', '$limit']));
  });

  it.each([
    ['age=10abc', 'age must be integer'],
    ['age=', 'age must be integer'],
    ['age=1e309', 'age must be integer'],
    ['age[$gt]=1.5', 'age.$gt must be integer'],
    ['active=1', 'active must be boolean'],
    ['$sort[age]=up', '$sort.age must be equal to one of the allowed values'],
  ])('says what was expected of %s', async (query, message) => {
    const { status, body } = await get(`/people?${query}`);
    expect(status).toBe(400);
    expect((body as { errors: { message: string }[] }).errors.map((error) => error.message)).toContain(message);
  });

  it('S3 S4 takes the paths that it declares and no others, and keeps the allow-list beneath', async () => {
    expect((await get('/people?address.city=Rome')).body).toMatchObject({ total: 1 });
    expect((await get('/people?$sort[address.city]=1&$select[]=address.city')).body).toMatchObject({
      data: [{ address: { city: 'Rome' } }],
    });
    expect((await get('/people?email[$regex]=^ann')).body).toMatchObject({ total: 1 });
    commands.length = 0;
    for (const query of [
      'address.street=x',
      'address.city.x=1',
      'email[$where]=1',
      'email[$options]=i',
      '$where=1',
      'age[$regex]=a',
      '$or[0][$where]=1',
      '$nor[0][age]=1',
      `email[$regex]=${'a'.repeat(21)}`,
    ])
      expect([query, (await get(`/people?${query}`)).status]).toEqual([query, 400]);
    expect(commands).toEqual([]);
    // A hook that puts something in after the check is stopped by the service.
    const open = app.service('people');
    await expect(open.find({ query: { $where: 'true' } as never, provider: 'rest' })).rejects.toMatchObject({ code: 400 });
  });

  it('S3 S6 what a schema declares holds for its own service alone, also when parameters are passed on', async () => {
    app.use('undeclared', new DocDbService({ Model: database.db.collection('people'), multi: true }));
    let passed: PromiseSettledResult<unknown>[] = [];
    const passOn = async ({ params }: HookContext): Promise<void> => {
      const other = app.service('undeclared');
      passed = await Promise.allSettled([other.find(params), other.patch(null, { $inc: { age: 1 } }, params)]);
    };
    app.service('people').hooks({ before: { find: [passOn] } });
    const answer = await get('/people?address.city=Rome');
    expect(passed).toMatchObject([{ reason: { code: 400 } }, { reason: { code: 400 } }]);
    expect(answer.body).toMatchObject({ total: 1 });
  });

  it('S4 S2 sends no operator that the schema allows and the service does not', async () => {
    app.use('strict', new DocDbService({ Model: database.db.collection('people') }), {
      schema: serviceSchema({ record: Type.Object({ email: Type.String() }), extensions: { email: { $regex: { type: 'string' } } } }),
    });
    commands.length = 0;
    expect((await get('/strict?email[$regex]=a')).status).toBe(400);
    expect(commands).toEqual([]);
  });

  it('S10 refuses what callers may not set', async () => {
    for (const data of [
      { role: 'admin' },
      { _id: 'x' },
      { initial: 'X' },
      { unknown: 1 },
      { $set: { role: 'admin' } },
      JSON.parse('{"__proto__":{"role":"admin"}}'),
    ]) {
      expect(
        (
          await request(url)
            .post('/people')
            .send({ ...data, email: ANN.email })
        ).status,
      ).toBe(400);
      expect((await request(url).patch(`/people/${ann._id}`).set('Accept', 'application/json').send(data)).status).toBe(400);
    }
    expect((await get(`/people/${ann._id}`)).body).toMatchObject({ role: 'member' });
  });

  it('S6 takes the update operators that its data schema declares', async () => {
    const increased = await request(url)
      .patch(`/people/${ann._id}`)
      .send({ $inc: { age: 2 } });
    expect(increased.body).toMatchObject({ age: 32 });
    for (const data of [{ $inc: { age: 'x' } }, { $inc: { salary: 1 } }, { $set: { age: 5 } }, { $unset: { password: '' } }])
      expect((await request(url).patch(`/people/${ann._id}`).send(data)).status).toBe(400);
  });

  it('a patch has no defaults, and only what it names', async () => {
    await app.service('people').patch(ann._id, { $set: { active: false } } as never);
    expect((await request(url).patch(`/people/${ann._id}`).send({ age: '31' })).body).toMatchObject({ age: 31, active: false });
  });

  it('S14 pages stay bounded', async () => {
    expect((await get('/people?$limit=1000')).body).toMatchObject({ limit: 20 });
    for (const query of ['$limit=-1', '$limit[]=5&$limit[]=6', '$limit=NaN', '$skip=-1'])
      expect((await get(`/people?${query}`)).status).toBe(400);
  });

  it('S7 hidden properties are in no answer of any method, and can not be asked about', async () => {
    const id = `/people/${ann._id}`;
    const answers = [
      await get('/people'),
      await get(id),
      await request(url)
        .post('/people')
        .send({ ...ANN, email: 'c@example.com' }),
      await request(url).patch(id).send({ password: 'other hash' }),
      await request(url).put(id).send(ANN),
      await request(url).delete(id),
    ];
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(300);
      expect(JSON.stringify(answer.body)).not.toMatch(/hash|X1|password/);
    }
    const queries = [
      'password=secret hash',
      'password[$gt]=a',
      'password[$gt]=z',
      '$sort[password]=1',
      '$select[]=password',
      '$or[0][password]=x',
      'address[city]=Rome',
      'address.code=X1',
      '$sort[address]=1',
      '$and[0][$or][0][password]=x',
    ];
    const bodies = new Set<string>();
    for (const query of queries) {
      const answer = await get(`/people?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      if (query.startsWith('password[$gt]')) bodies.add(JSON.stringify(answer.body));
    }
    expect(bodies.size).toBe(1);
  });

  it('S7 hidden properties are there for the server, and not in what events send', async () => {
    const people = app.service('people');
    const sent: unknown[] = [];
    people.once('created', (_record: unknown, context: HookContext) => sent.push(context.dispatch));
    const made = await people.create({ email: 'd@example.com', password: 'secret hash' } as never);
    expect(made).toMatchObject({ password: 'secret hash' });
    expect(sent).toEqual([expect.not.objectContaining({ password: expect.anything() })]);
    expect(await people.find({ query: { password: 'secret hash' } as never })).toMatchObject({ total: 2 });
  });

  it('hides in results that come record by record', async () => {
    app.use(
      'streamed',
      {
        async find() {
          return (async function* () {
            yield { a: 1, b: 2 };
          })();
        },
      } as never,
      {
        schema: serviceSchema({ record: Type.Object({ a: Type.Integer(), b: Hidden(Type.Integer()) }) }),
      },
    );
    expect((await get('/streamed')).body).toEqual([{ a: 1 }]);
  });

  it('resolvers of queries know what other hooks found out', async () => {
    app.use('own', new DocDbService({ Model: database.db.collection('own'), multi: true }), {
      schema: serviceSchema({
        record: Type.Object({ owner: Type.String(), text: Type.String() }),
        data: Type.Object({ text: Type.String() }, { additionalProperties: false }),
        resolvers: {
          query: resolve<{ owner?: string }, { params: { user?: string } }>({ owner: (_value, _query, context) => context.params.user }),
          data: {
            create: resolve<{ owner?: string }, { params: { user?: string } }>({ owner: (_value, _data, context) => context.params.user }),
          },
          dispatch: resolve<{ text: string }>({ text: (text) => text?.toUpperCase() }),
        },
      }),
    });
    app.service('own').hooks({
      before: {
        all: [
          (context) => {
            (context.params as { user?: unknown }).user = context.params.headers?.['x-user'];
          },
        ],
      },
    });
    for (const user of ['ann', 'bob'])
      await request(url)
        .post('/own')
        .set('X-User', user)
        .send({ text: `of ${user}` });
    expect((await get('/own').set('X-User', 'ann')).body).toEqual([{ _id: expect.any(String), owner: 'ann', text: 'OF ANN' }]);
    expect((await get('/own?owner=bob').set('X-User', 'ann')).body).toEqual([{ _id: expect.any(String), owner: 'ann', text: 'OF ANN' }]);
  });

  it('needs a description that serviceSchema has made', () => {
    expect(() => app.use('raw', { get: async () => ({}) }, { schema: personSchema as never })).toThrow('serviceSchema({ record })');
  });
});

describe('validators of other libraries (Standard Schema)', () => {
  const zod = z.object({ name: z.string().min(2), age: z.coerce.number().int() });
  const vali = valibot.object({ name: valibot.pipe(valibot.string(), valibot.minLength(2)), age: valibot.number() });

  it.each([
    ['zod', zod, zod.partial()],
    ['valibot', vali, valibot.partial(vali)],
  ])('%s checks data, with every problem in errors', async (_name, create, patch) => {
    const validators = getDataValidator({ create, patch });
    await expect(validators.create({ name: 'Ann', age: 5, extra: 1 })).resolves.toEqual({ name: 'Ann', age: 5 });
    await expect(validators.patch({ age: 6 })).resolves.toEqual({ age: 6 });
    const failed = (await validators.create({ name: 'A', age: 'x' }).catch((error: unknown) => error)) as {
      code: number;
      errors: { path: string }[];
    };
    expect([failed.code, failed.errors.map(({ path }) => path)]).toEqual([400, ['name', 'age']]);
    expect(() => getDataValidator(create as never)).toThrow("needs one for 'patch'");
  });

  it('work in hooks and in service schemas', async () => {
    const service = framework()
      .use(
        'people',
        { create: async (data: unknown) => data, patch: async (_id: unknown, data: unknown) => data },
        {
          schema: serviceSchema({ record: Type.Object({ name: Type.String(), age: Type.Number() }), data: zod, patch: zod.partial() }),
        },
      )
      .service('people');
    await expect(service.create({ name: 'Ann', age: '5' })).resolves.toEqual({ name: 'Ann', age: 5 });
    await expect(
      service.create([
        { name: 'Ann', age: 1 },
        { name: 'B', age: 2 },
      ]),
    ).rejects.toMatchObject({ code: 400 });
    const hooked = framework()
      .use('people', { create: async (data: unknown) => data })
      .service('people');
    hooked.hooks({ before: { create: [validateData(getValidator(vali)) as never] } });
    await expect(hooked.create({ name: 'A', age: 1 })).rejects.toMatchObject({ code: 400, errors: [{ path: 'name' }] });
  });
});

describe('validateParams', () => {
  it('converts and checks the placeholders of a path', async () => {
    const route = getValidator(Type.Object({ userId: Type.Integer() }));
    app.use('users/:userId/notes', { find: async (params: { route: unknown }) => params.route } as never);
    app.service('users/:userId/notes').hooks({ before: { all: [validateParams({ route })] } });
    expect((await get('/users/5/notes')).body).toEqual({ userId: 5 });
    const failed = await get('/users/five/notes');
    expect([failed.status, problems(failed.body)]).toEqual([400, ['userId']]);
  });
});

describe('object ids', () => {
  it('the keyword works in an ajv instance of the user', () => {
    const ajv = new Ajv({ strict: false });
    ajv.addKeyword(keywordObjectId);
    const check = ajv.compile({ type: 'object', properties: { id: ObjectIdSchema(), list: { type: 'array', items: ObjectIdSchema() } } });
    const hex = 'a'.repeat(24);
    const data = { id: hex, list: [hex] };
    expect(check(data)).toBe(true);
    expect(data).toEqual({ id: new ObjectId(hex), list: [new ObjectId(hex)] });
    for (const id of ['a'.repeat(12), 5, {}, 'x'.repeat(24)]) expect(check({ id })).toBe(false);
  });

  it('the resolvers take the place of the keyword', async () => {
    const hex = 'b'.repeat(24);
    const query = resolve<{ friend?: unknown }>({ friend: resolveQueryObjectId });
    const data = resolve<{ friend?: unknown }>({ friend: resolveObjectId });
    expect(await query.resolve({ friend: { $in: [hex], $ne: hex } }, {})).toEqual({
      friend: { $in: [new ObjectId(hex)], $ne: new ObjectId(hex) },
    });
    expect(await data.resolve({ friend: hex }, {})).toEqual({ friend: new ObjectId(hex) });
    await expect(data.resolve({ friend: 'x' }, {})).rejects.toMatchObject({ code: 400 });
  });

  it.each(['resolveQuery', 'resolveAll'])(
    '%s has the resolver convert within $or, $and and $nor, where others are not asked',
    async (hook) => {
      const asked: unknown[] = [];
      interface Asked {
        friend?: unknown;
        owner?: unknown;
      }
      const query = resolve<Asked>({
        friend: resolveQueryObjectId,
        owner: (value: unknown) => {
          asked.push(value);
          return 'me';
        },
      });
      const seen: unknown[] = [];
      const app = framework().use('rows', {
        find: async (params: Params) => {
          seen.push(params.query);
          return [];
        },
      });
      app
        .service('rows')
        .hooks(hook === 'resolveAll' ? { around: { find: [resolveAll({ query })] } } : { before: { find: [resolveQuery(query)] } });
      const text = 'b'.repeat(24);
      const conditions = (friend: unknown, owner: string): Query => ({
        friend,
        owner,
        $or: [
          { friend, owner: 'you' },
          { name: 'Ann' },
          { $and: [{ friend: { $in: [friend] } }, { $nor: [{ friend: { $ne: friend } }] }] },
        ],
        $and: [{ $or: [{ friend }] }],
        $limit: 5,
      });
      const given = conditions(text, 'you');
      await app.service('rows').find({ query: given });
      expect(seen).toEqual([conditions(new ObjectId(text), 'me')]);
      expect(asked).toEqual(['you']);
      expect(given).toEqual(conditions(text, 'you'));
      const wrong = app.service('rows').find({ query: { $or: [{ $and: [{ friend: 'x' }] }] } });
      await expect(wrong).rejects.toMatchObject({ code: 400, errors: { friend: { message: 'An object id has 24 hexadecimal digits' } } });
      // What is no list of conditions is for those to refuse who know queries.
      for (const odd of [{ $or: 'x' }, { $or: [5, null] }]) await app.service('rows').find({ query: odd });
      expect(seen.slice(1)).toEqual([
        { $or: 'x', owner: 'me' },
        { $or: [5, null], owner: 'me' },
      ]);
    },
  );

  it('conditions that are nested without end do not end the process', async () => {
    const query = resolve<{ friend?: unknown }>({ friend: resolveQueryObjectId });
    let nested: object = { friend: 'b'.repeat(24) };
    for (let depth = 0; depth < 20_000; depth++) nested = { $or: [nested] };
    let resolved: unknown = await query.resolveQuery(nested, {});
    for (let depth = 0; depth < 20_000; depth++) [resolved] = (resolved as { $or: unknown[] }).$or;
    expect(resolved).toEqual({ friend: new ObjectId('b'.repeat(24)) });
  });

  it('a resolver leaves a null that takes one away', async () => {
    const data = resolve<{ friend?: unknown; name?: string }>({ friend: resolveObjectId });
    expect(await data.resolve({ friend: null, name: 'Ann' }, {})).toEqual({ friend: null, name: 'Ann' });
    expect(await data.resolve({ name: 'Ann' }, {})).toEqual({ name: 'Ann' });
  });
});
