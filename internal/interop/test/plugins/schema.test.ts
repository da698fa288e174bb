import { memory } from '@feathersjs/memory';
import {
  Ajv,
  getDispatch,
  getValidator,
  hooks as schemaHooks,
  querySyntax,
  resolve,
  resolveAll,
  validateData,
  validateQuery,
  virtual,
} from '@feathersjs/schema';
import { authenticate } from '@framework/authentication';
import {
  resolve as ownResolve,
  resolveExternal as ownResolveExternal,
  validateData as ownValidateData,
  validateQuery as ownValidateQuery,
} from '@framework/schema';
import { MemoryService } from '@framework-internal/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addAuthentication, request, start, stopAll, type AnyApplication, type Running } from '../application.ts';

const noteSchema = {
  $id: 'InteropNote',
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: {
    id: { type: 'number' },
    text: { type: 'string', minLength: 1 },
    priority: { type: 'number' },
    authorId: { type: 'number' },
  },
} as const;

const querySchema = {
  $id: 'InteropNoteQuery',
  type: 'object',
  additionalProperties: false,
  properties: { ...querySyntax(noteSchema.properties) },
} as const;

const validateNote = getValidator(noteSchema, new Ajv({ allErrors: true }));
const validateNoteQuery = getValidator(querySchema, new Ajv({ coerceTypes: true }));

function startNotes(build: (app: AnyApplication) => void): Promise<Running> {
  return start((app) => {
    app.use('users', memory({ startId: 1 }));
    app.use('notes', memory({ multi: true, startId: 1, paginate: { default: 10, max: 50 } }));
    build(app);
  });
}

afterEach(stopAll);

describe("validateData of the incumbent's schema package", () => {
  it.each(['around', 'before'])('refuses bad data as an %s hook, over REST and internally', async (type) => {
    const { app, url } = await startNotes((added) => {
      added.service('notes').hooks({ [type]: { create: [validateData(validateNote)] } } as never);
    });
    const refused = await request(url, 'POST', '/notes', { text: '', extra: true });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ name: 'BadRequest', message: 'validation failed', code: 400, className: 'bad-request' });
    expect(refused.body.data.map(({ keyword }: any) => keyword).sort()).toEqual(['additionalProperties', 'minLength']);
    await expect(app.service('notes').create({})).rejects.toMatchObject({ code: 400, message: 'validation failed' });
    expect((await request(url, 'POST', '/notes', { text: 'good' })).body).toEqual({ id: 1, text: 'good' });
    expect((await request(url, 'POST', '/notes', [{ text: 'a' }, { text: '' }])).status).toBe(400);
    await expect(app.service('notes').find()).resolves.toMatchObject({ total: 1 });
  });

  it('takes a validator for each method, and none for others', async () => {
    const { url } = await startNotes((added) => {
      added.service('notes').hooks({ around: { all: [validateData({ create: validateNote } as never)] } } as never);
    });
    expect((await request(url, 'POST', '/notes', {})).status).toBe(400);
    await request(url, 'POST', '/notes', { text: 'a' });
    expect((await request(url, 'PATCH', '/notes/1', { color: 'red' })).body).toEqual({ id: 1, text: 'a', color: 'red' });
  });
});

describe('validateQuery', () => {
  it.each(['around', 'before'])('converts what REST sends as an %s hook and refuses unknown properties', async (type) => {
    const seen: unknown[] = [];
    const { app, url } = await startNotes((added) => {
      added.service('notes').hooks({
        [type]: { all: [validateQuery(validateNoteQuery)] },
        after: { find: [async (context: any) => void seen.push(context.params.query)] },
      } as never);
    });
    await app.service('notes').create([
      { text: 'a', priority: 1 },
      { text: 'b', priority: 2 },
      { text: 'c', priority: 3 },
    ]);
    const found = await request(url, 'GET', '/notes?priority[$gt]=1&$sort[priority]=-1&$select[0]=text&$limit=5');
    expect(found.body).toEqual({
      total: 2,
      limit: 5,
      skip: 0,
      data: [
        { id: 3, text: 'c' },
        { id: 2, text: 'b' },
      ],
    });
    expect(seen).toEqual([{ priority: { $gt: 1 }, $sort: { priority: -1 }, $select: ['text'], $limit: 5 }]);
    expect((await request(url, 'GET', '/notes?secret=1')).body).toMatchObject({ name: 'BadRequest', message: 'validation failed' });
    expect((await request(url, 'GET', '/notes?text[$regex]=.*')).status).toBe(400);
  });

  it.each(['around', 'before'])(
    'runs as an %s hook in front of an adapter that checks queries by parseQuery, and opens nothing there',
    async (type) => {
      const withPattern = {
        ...querySchema,
        $id: `InteropOpenQuery-${type}`,
        properties: querySyntax(noteSchema.properties, { text: { $regex: { type: 'string' } } }),
      };
      const { url } = await start((added) => {
        added.use(
          'notes',
          new MemoryService({
            startId: 1,
            store: [
              { id: 1, text: 'a', priority: 1 },
              { id: 2, text: 'b', priority: 2 },
            ],
          }),
        );
        added
          .service('notes')
          .hooks({ [type]: { find: [validateQuery(getValidator(withPattern as never, new Ajv({ coerceTypes: true })))] } } as never);
      });
      expect((await request(url, 'GET', '/notes?priority=2')).body).toEqual([{ id: 2, text: 'b', priority: 2 }]);
      expect((await request(url, 'GET', '/notes?text[$regex]=a')).body).toMatchObject({
        code: 400,
        message: 'Invalid query parameter $regex',
      });
    },
  );
});

describe('resolvers', () => {
  it.each(['around', 'before'])('change data and query as %s hooks', async (type) => {
    const { url } = await startNotes((added) => {
      added.service('notes').hooks({
        [type]: {
          create: [
            schemaHooks.resolveData(
              resolve<any, any>({
                authorId: async (_value, _data, context) => context.params.headers['x-user'] && Number(context.params.headers['x-user']),
                secret: async () => undefined,
                text: async (value) => value?.trim(),
              }),
            ),
          ],
          find: [
            schemaHooks.resolveQuery(
              resolve<any, any>({ authorId: async (_value, _query, context) => Number(context.params.headers['x-user']) }),
            ),
          ],
        },
      } as never);
    });
    const ann = { 'x-user': '1' };
    const bob = { 'x-user': '2' };
    const created = await request(url, 'POST', '/notes', { text: '  a ', secret: 'x', authorId: 7 }, ann);
    expect(created.body).toEqual({ id: 1, text: 'a', authorId: 1 });
    await request(url, 'POST', '/notes', { text: 'b' }, bob);
    expect((await request(url, 'GET', '/notes?authorId=1', undefined, bob)).body).toMatchObject({ total: 1, data: [{ text: 'b' }] });
  });

  it('add virtual properties of other services, and hide what callers from outside may not see', async () => {
    const { app, url } = await startNotes((added) => {
      added
        .service('users')
        .hooks({ around: { all: [schemaHooks.resolveExternal(resolve<any, any>({ secret: async () => undefined }))] } });
      const authorOf = virtual(async (note: any, context: any) => context.app.service('users').get(note.authorId));
      added.service('notes').hooks({
        around: {
          all: [
            schemaHooks.resolveExternal(resolve<any, any>({ internal: async () => undefined })),
            schemaHooks.resolveResult(resolve<any, any>({ author: authorOf })),
          ],
        },
      });
    });
    await app.service('users').create({ name: 'Ann', secret: 'the hash' });
    const created = await request(url, 'POST', '/notes', { text: 'a', authorId: 1, internal: 'x' });
    expect(created.body).toEqual({ id: 1, text: 'a', authorId: 1, author: { id: 1, name: 'Ann' } });
    expect((await request(url, 'GET', '/notes')).body.data).toEqual([created.body]);
    expect((await request(url, 'GET', '/notes/1?$select[]=author')).body).toEqual({ author: { id: 1, name: 'Ann' } });

    const inside = await app.service('notes').get(1);
    expect(inside).toMatchObject({ internal: 'x', author: { secret: 'the hash' } });
    expect(getDispatch(inside)).toEqual(created.body);
  });

  it.each([
    ['FeathersJS', schemaHooks.resolveExternal(resolve<any, any>({ phone: async () => undefined, name: async () => 'A.' }))],
    ['this framework', ownResolveExternal(ownResolve<any>({ phone: () => undefined, name: () => 'A.' }))],
  ])('of %s say what a login of this framework gives of the user, and not who is logged in', async (_whose, resolving) => {
    const users: unknown[] = [];
    const { app, url } = await start((added) => {
      addAuthentication(added);
      added.service('users').hooks({ around: { all: [resolving] } } as never);
      added.use('me', { find: async ({ user }: any) => void users.push({ ...user }) });
      added.service('me').hooks({ around: { all: [authenticate('jwt')] } });
    });
    await app.service('users').create({ email: 'a@example.com', password: 'long enough', name: 'Ann', phone: '123' });
    const login = { strategy: 'local', email: 'a@example.com', password: 'long enough' };
    const { status, body } = await request(url, 'POST', '/authentication', login);
    expect([status, body.user]).toEqual([201, { id: 1, email: 'a@example.com', name: 'A.' }]);
    expect((await app.service('authentication').create(login)).user).toMatchObject({ name: 'Ann', phone: '123' });
    await request(url, 'GET', '/me', undefined, { authorization: body.accessToken });
    expect(users).toEqual([{ id: 1, email: 'a@example.com', name: 'Ann', phone: '123' }]);
  });

  it('give their errors to the client', async () => {
    const { url } = await startNotes((added) => {
      added.service('notes').hooks({
        around: {
          create: [
            schemaHooks.resolveData(
              resolve<any, any>({
                text: async () => {
                  throw new Error('This text is taken');
                },
              }),
            ),
          ],
        },
      });
    });
    const refused = await request(url, 'POST', '/notes', { text: 'a' });
    expect(refused.status).toBe(400);
    expect(refused.body.data.text.message).toBe('This text is taken');
  });

  it('refuse to run where they could not do their work', async () => {
    const { app, url } = await startNotes((added) => {
      added.service('notes').hooks({ after: { all: [schemaHooks.resolveResult(resolve<any, any>({ text: async () => 'x' }))] } } as never);
    });
    await expect(app.service('notes').find()).rejects.toThrow('The resolveResult hook must be used as an around hook');
    expect((await request(url, 'GET', '/notes')).status).toBe(500);
  });

  it('run together with resolveAll', async () => {
    const { url } = await startNotes((added) => {
      added.service('notes').hooks([
        resolveAll({
          data: { create: resolve<any, any>({ priority: async (value) => value ?? 1 }), update: resolve({}), patch: resolve({}) },
          result: resolve<any, any>({ loud: virtual(async (note: any) => note.text.toUpperCase()) }),
          dispatch: resolve<any, any>({ priority: async () => undefined }),
        } as never),
      ] as never);
    });
    expect((await request(url, 'POST', '/notes', { text: 'a' })).body).toEqual({ id: 1, text: 'a', loud: 'A' });
  });
});

describe("validators and resolvers of the incumbent's in our hooks", () => {
  it('check data and queries, whose problems are told as those of ours, and hide from callers from outside', async () => {
    const { url } = await startNotes((added) => {
      added.service('notes').hooks({
        around: { all: [ownResolveExternal(resolve<any, any>({ priority: async () => undefined }) as never)] },
        before: { find: [ownValidateQuery(validateNoteQuery)], create: [ownValidateData(validateNote)] },
      } as never);
    });
    expect((await request(url, 'POST', '/notes', { text: 'a', priority: 2 })).body).toEqual({ id: 1, text: 'a' });
    const refused = await request(url, 'POST', '/notes', { text: '', extra: true });
    expect([refused.status, refused.body.errors.map(({ path }: any) => path).sort()]).toEqual([400, ['extra', 'text']]);
    expect((await request(url, 'GET', '/notes?priority[$gt]=1')).body.total).toBe(1);
    const unknown = await request(url, 'GET', '/notes?priority[$gt]=many');
    expect([unknown.status, unknown.body.message]).toEqual([400, 'validation failed']);
  });
});
