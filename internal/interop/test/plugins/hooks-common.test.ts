import { memory } from '@feathersjs/memory';
import {
  alterItems,
  checkContext,
  combine,
  debug,
  disablePagination,
  disallow,
  discard,
  fastJoin,
  iff,
  isNot,
  isProvider,
  keep,
  keepQuery,
  lowerCase,
  paramsForServer,
  paramsFromClient,
  populate,
  preventChanges,
  required,
  runParallel,
  serialize,
  setField,
  setNow,
  softDelete,
  stashBefore,
  unless,
  validate,
} from 'feathers-hooks-common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { request, start, stopAll, type AnyApplication, type Running } from '../application.ts';

function startNotes(hooks: object, build: (app: AnyApplication) => void = () => undefined): Promise<Running> {
  return start((app) => {
    app.use('users', memory({ startId: 1 }));
    app.use('notes', memory({ startId: 1, multi: true, paginate: { default: 2, max: 5 } }));
    app.service('notes').hooks(hooks as never);
    build(app);
  });
}

afterEach(stopAll);

describe('feathers-hooks-common in an application of ours', () => {
  it('keeps out calls from outside, and lets those of the server in', async () => {
    const { app, url } = await startNotes({
      before: {
        remove: [disallow('external')],
        patch: [iff(isProvider('external'), disallow())],
        update: [
          unless(
            isNot(() => true),
            disallow(),
          ),
        ],
      },
    });
    await app.service('notes').create([{ text: 'a' }, { text: 'b' }]);
    expect((await request(url, 'DELETE', '/notes/1')).body).toMatchObject({ name: 'MethodNotAllowed', code: 405 });
    expect((await request(url, 'PATCH', '/notes/1', {})).status).toBe(405);
    expect((await request(url, 'PUT', '/notes/1', {})).status).toBe(405);
    await expect(app.service('notes').remove(1)).resolves.toEqual({ id: 1, text: 'a' });
    expect((await request(url, 'GET', '/notes')).body.total).toBe(1);
  });

  it('checks and changes data before a write', async () => {
    const { app, url } = await startNotes({
      before: {
        create: [
          required('text', 'email'),
          lowerCase('email'),
          keep('text', 'email', 'ownerId'),
          setField({ from: 'params.headers.x-user', as: 'data.ownerId' }),
          setNow('createdAt'),
          validate((data: any) => (data.text === 'bad' ? { text: 'Not this one' } : null)),
        ],
        patch: [preventChanges(true, 'ownerId'), discard('color')],
      },
    });
    const ann = { 'x-user': 'ann' };
    expect((await request(url, 'POST', '/notes', { text: 'a' }, ann)).status).toBe(400);
    expect((await request(url, 'POST', '/notes', { text: 'bad', email: 'A@B.C' }, ann)).body).toMatchObject({
      code: 400,
      errors: { text: 'Not this one' },
    });
    const { body } = await request(url, 'POST', '/notes', { text: 'a', email: 'A@B.C', admin: true }, ann);
    expect(body).toEqual({ id: 1, text: 'a', email: 'a@b.c', ownerId: 'ann', createdAt: expect.any(String) });
    expect((await request(url, 'PATCH', '/notes/1', { ownerId: 'eve' })).body.message).toContain('ownerId');
    expect((await request(url, 'PATCH', '/notes/1', { text: 'b', color: 'red' })).body).not.toHaveProperty('color');
    await expect(app.service('notes').get(1)).resolves.toMatchObject({ ownerId: 'ann', text: 'b' });
  });

  it('changes what is answered', async () => {
    const { app, url } = await startNotes({
      after: {
        all: [
          iff(isProvider('external'), discard('secret')),
          alterItems((note: any) => {
            note.length = note.text.length;
          }),
        ],
        get: [serialize({ only: ['id', 'text', 'length'], computed: { loud: (note: any) => note.text.toUpperCase() } } as never)],
      },
    });
    await app.service('notes').create([
      { text: 'one', secret: 'x' },
      { text: 'three', secret: 'y' },
    ]);
    expect((await request(url, 'GET', '/notes')).body.data).toEqual([
      { id: 1, text: 'one', length: 3 },
      { id: 2, text: 'three', length: 5 },
    ]);
    expect((await request(url, 'GET', '/notes/1')).body).toEqual({ id: 1, text: 'one', length: 3, loud: 'ONE', _computed: ['loud'] });
    await expect(app.service('notes').find()).resolves.toMatchObject({ data: [{ secret: 'x' }, { secret: 'y' }] });
  });

  it('changes queries', async () => {
    const { app, url } = await startNotes({ before: { find: [disablePagination(), keepQuery('text', '$limit', '$sort')] } });
    await app.service('notes').create(['a', 'b', 'c'].map((text) => ({ text })));
    expect((await request(url, 'GET', '/notes')).body).toMatchObject({ total: 3, limit: 2 });
    expect((await request(url, 'GET', '/notes?$limit=-1')).body).toHaveLength(3);
    expect((await request(url, 'GET', '/notes?secret=1&text=b')).body.data).toEqual([{ id: 2, text: 'b' }]);
  });

  it('deletes softly, with calls of the service to itself', async () => {
    const { app, url } = await startNotes({ before: { all: [softDelete() as never] } });
    await app.service('notes').create([{ text: 'a' }, { text: 'b' }]);
    expect((await request(url, 'DELETE', '/notes/1')).body).toMatchObject({ id: 1, deleted: true });
    expect((await request(url, 'GET', '/notes/1')).status).toBe(404);
    expect((await request(url, 'GET', '/notes')).body.data).toEqual([{ id: 2, text: 'b' }]);
    await expect(app.service('notes').get(1, { disableSoftDelete: true } as never)).resolves.toMatchObject({ deleted: true });
  });

  it('stashes the record as it was', async () => {
    const seen: unknown[] = [];
    const { app, url } = await startNotes({
      before: { patch: [stashBefore()] },
      after: { patch: [async (context: any) => void seen.push(context.params.before.text)] },
    });
    await app.service('notes').create({ text: 'old' });
    await request(url, 'PATCH', '/notes/1', { text: 'new' });
    expect(seen).toEqual(['old']);
  });

  it('joins records of other services', async () => {
    const { app, url } = await startNotes({
      after: {
        find: [
          fastJoin({
            joins: {
              author: () => async (note: any, context: any) => {
                note.author = await context.app.service('users').get(note.authorId);
              },
            },
          }),
        ],
        get: [
          populate({ schema: { include: { service: 'users', nameAs: 'author', parentField: 'authorId', childField: 'id' } } as never }),
        ],
      },
    });
    await app.service('users').create({ name: 'Ann' });
    await app.service('notes').create({ text: 'a', authorId: 1 });
    expect((await request(url, 'GET', '/notes')).body.data).toEqual([{ id: 1, text: 'a', authorId: 1, author: { id: 1, name: 'Ann' } }]);
    expect((await request(url, 'GET', '/notes/1')).body).toMatchObject({ author: { id: 1, name: 'Ann' } });
  });

  it('carries parameters from a client to the server', async () => {
    const seen: unknown[] = [];
    const { app, url } = await startNotes({
      before: { find: [paramsFromClient('tenant'), async (context: any) => void seen.push([context.params.tenant, context.params.query])] },
    });
    const { query } = paramsForServer({ query: { text: 'a' }, tenant: 'blue', admin: true } as never, 'tenant') as any;
    await app.service('notes').find({ query });
    await request(url, 'GET', '/notes?$client[tenant]=red&$client[admin]=true');
    expect(seen).toEqual([
      ['blue', { text: 'a' }],
      ['red', {}],
    ]);
  });

  it('runs hooks side by side, checks where they stand, and logs', async () => {
    const order: string[] = [];
    let ranBeside = (): void => undefined;
    const beside = new Promise<void>((resolve) => {
      ranBeside = resolve;
    });
    const { app } = await startNotes({
      before: {
        find: [
          runParallel(async () => ranBeside()),
          async (context: any) => {
            checkContext(context, 'before', ['find'], 'checked');
            order.push(context.type);
          },
        ],
        get: [
          async (context: any) => {
            checkContext(context, 'after', null, 'misplaced');
          },
        ],
        create: [combine(), debug('interop')],
      },
    });
    await app.service('notes').find();
    await beside;
    expect(order).toEqual(['before']);
    await expect(app.service('notes').get(1)).rejects.toThrow("The 'misplaced' hook can only be used as a 'after' hook.");
    const logged = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    await expect(app.service('notes').create({ text: 'a' })).resolves.toEqual({ id: 1, text: 'a' });
    expect(logged.mock.calls.flat()).toContain('interop');
    logged.mockRestore();
  });
});
