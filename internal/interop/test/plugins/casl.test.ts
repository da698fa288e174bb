import { createMongoAbility, defineAbility } from '@casl/ability';
import { memory } from '@feathersjs/memory';
import socketio from '@feathersjs/socketio';
import { authenticate } from '@framework/authentication';
import { authorize, checkBasicPermission, feathersCasl, getChannelsWithReadAbility } from 'feathers-casl';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addAuthentication, plugin, request, start, stopAll, type AnyApplication, type Running } from '../application.ts';
import { call, collect, connect, disconnectAll } from '@framework-internal/testing/sockets';

const QUERY_OPERATORS = ['$nor', '$not', '$nin', '$and', '$or', '$in', '$eq', '$ne'];

/** Everybody reads what is public, without the note; owners do as they like, admins everything. */
function abilityOf(user: { readonly id: number; readonly role?: string } | undefined): ReturnType<typeof createMongoAbility> {
  return defineAbility((can, cannot) => {
    if (user?.role === 'admin') can('manage', 'all');
    else {
      can(['find', 'get'], 'articles', ['id', 'title', 'ownerId', 'public'], { public: true });
      if (user) {
        can('manage', 'articles', { ownerId: user.id });
        cannot('update', 'articles');
      }
    }
  }) as ReturnType<typeof createMongoAbility>;
}

/** The ability of a request stands for its user; here the header `x-user` names them. */
async function setAbility(context: any): Promise<void> {
  const { params } = context;
  if (!params.provider || params.ability) return;
  const name = params.headers?.['x-user'];
  params.ability = abilityOf(name === undefined ? undefined : { id: Number(name), role: name === '9' ? 'admin' : 'user' });
}

function startArticles(hooks: (app: AnyApplication) => object): Promise<Running> {
  return start((app) => {
    app.configure(plugin(feathersCasl({ defaultAdapter: '@feathersjs/memory' })));
    app.use(
      'articles',
      memory({
        startId: 1,
        multi: true,
        filters: { $nor: true },
        operators: QUERY_OPERATORS,
        casl: { availableFields: ['id', 'title', 'ownerId', 'public', 'note'] },
      } as never),
    );
    app.service('articles').hooks(hooks(app) as never);
  });
}

async function withArticles(hooks: (app: AnyApplication) => object): Promise<Running> {
  const running = await startArticles(hooks);
  await running.app.service('articles').create([
    { title: 'public', public: true, ownerId: 2, note: 'secret' },
    { title: 'of ann', public: false, ownerId: 1, note: 'mine' },
    { title: 'of bob', public: false, ownerId: 2, note: 'his' },
  ]);
  return running;
}

const asRegularHooks = (): object => ({ before: { all: [setAbility, authorize()] }, after: { all: [authorize()] } });
const asAroundHooks = (): object => ({
  around: { all: [async (context: any, next: any) => (await setAbility(context), next()), authorize()] },
});

const as = (user: number): object => ({ 'x-user': String(user) });

afterEach(async () => {
  disconnectAll();
  await stopAll();
});

describe.each([
  ['before and after hooks', asRegularHooks],
  ['around hooks', asAroundHooks],
])('feathers-casl as %s', (_title, hooks) => {
  it('finds only what the caller may read, with the fields the caller may read', async () => {
    const { url } = await withArticles(hooks);
    expect((await request(url, 'GET', '/articles')).body).toEqual([{ id: 1, title: 'public', public: true, ownerId: 2 }]);
    const found = await request(url, 'GET', '/articles?$sort[id]=1', undefined, as(1));
    expect(found.body).toEqual([
      { id: 1, title: 'public', public: true, ownerId: 2 },
      { id: 2, title: 'of ann', public: false, ownerId: 1, note: 'mine' },
    ]);
    expect((await request(url, 'GET', '/articles', undefined, as(9))).body).toHaveLength(3);
  });

  it('answers 404 for a record that the caller may not read, and 403 for what nobody like the caller may do', async () => {
    const { url } = await withArticles(hooks);
    expect((await request(url, 'GET', '/articles/3', undefined, as(1))).status).toBe(404);
    const refused = await request(url, 'POST', '/articles', { title: 'x', ownerId: 1 });
    expect(refused.body).toMatchObject({ name: 'Forbidden', code: 403, className: 'forbidden' });
    expect((await request(url, 'PUT', '/articles/2', { title: 'x' }, as(1))).status).toBe(403);
  });

  it('writes only what the caller owns', async () => {
    const { app, url } = await withArticles(hooks);
    expect((await request(url, 'POST', '/articles', { title: 'stolen', ownerId: 2 }, as(1))).status).toBe(403);
    expect((await request(url, 'PATCH', '/articles/3', { title: 'taken' }, as(1))).status).toBe(404);
    expect((await request(url, 'DELETE', '/articles/3', undefined, as(1))).status).toBe(404);
    expect((await request(url, 'PATCH', '/articles/2', { title: 'mine still' }, as(1))).body).toMatchObject({ title: 'mine still' });
    expect((await request(url, 'DELETE', '/articles?title=of%20bob', undefined, as(1))).body).toEqual([]);
    expect((await request(url, 'POST', '/articles', { title: 'new', ownerId: 1 }, as(1))).status).toBe(201);
    await expect(app.service('articles').find()).resolves.toHaveLength(4);
  });

  it('does not let a query widen what may be read', async () => {
    const { url } = await withArticles(hooks);
    for (const query of ['?public=false', '?$or[0][public]=true&$or[1][ownerId]=2', '?$and[0][id]=3', '?id=3']) {
      const { body } = await request(url, 'GET', `/articles${query}`);
      for (const article of body) expect(article).toEqual({ id: 1, title: 'public', public: true, ownerId: 2 });
    }
    expect((await request(url, 'GET', '/articles?$select[]=note')).body).toEqual([{}]);
  });

  it('leaves calls of the server alone', async () => {
    const { app } = await withArticles(hooks);
    await expect(app.service('articles').find()).resolves.toHaveLength(3);
    await expect(app.service('articles').patch(3, { title: 'by the server' })).resolves.toMatchObject({ title: 'by the server' });
  });
});

describe('feathers-casl beside our authentication', () => {
  it('takes the ability of the user who is logged in', async () => {
    const { app, url } = await start((added) => {
      added.configure(plugin(feathersCasl({ defaultAdapter: '@feathersjs/memory' })));
      addAuthentication(added);
      added.use('articles', memory({ startId: 1, operators: QUERY_OPERATORS, filters: { $nor: true } } as never));
      added.service('articles').hooks({
        before: {
          all: [
            authenticate('jwt'),
            async (context: any) => {
              context.params.ability = abilityOf(context.params.user);
            },
            checkBasicPermission(),
            authorize(),
          ],
        },
      } as never);
    });
    await app.service('users').create({ email: 'ann@example.com', password: 'the right password' });
    expect((await request(url, 'GET', '/articles')).status).toBe(401);
    const login = await request(url, 'POST', '/authentication', {
      strategy: 'local',
      email: 'ann@example.com',
      password: 'the right password',
    });
    const headers = { authorization: `Bearer ${login.body.accessToken}` };
    expect((await request(url, 'POST', '/articles', { title: 'mine', ownerId: 1 }, headers)).status).toBe(201);
    expect((await request(url, 'POST', '/articles', { title: 'other', ownerId: 2 }, headers)).status).toBe(403);
    expect((await request(url, 'GET', '/articles', undefined, headers)).body).toMatchObject([{ title: 'mine' }]);
  });

  it('sends events to those who may read the record, with the fields that they may read', async () => {
    const { app, url } = await start((added) => {
      added.configure(plugin(socketio()));
      added.configure(plugin(feathersCasl({ defaultAdapter: '@feathersjs/memory' })));
      added.on('connection', (connection: any) => {
        const name = connection.headers['x-user'];
        connection.ability = abilityOf(name === undefined ? undefined : { id: Number(name) });
        added.channel('everybody').join(connection);
      });
      added.use('articles', memory({ startId: 1, casl: { availableFields: ['id', 'title', 'ownerId', 'public', 'note'] } } as never));
      added.publish((article: any, context: any) => getChannelsWithReadAbility(added as never, article, context));
    });
    const [ann, stranger] = await Promise.all([connect(url, { extraHeaders: { 'x-user': '1' } }), connect(url)]);
    const received = [ann, stranger].map((socket) => collect(socket, 'articles created'));
    await app.service('articles').create({ title: 'private', ownerId: 1, public: false, note: 'mine' });
    await app.service('articles').create({ title: 'public', ownerId: 2, public: true, note: 'his' });
    for (const socket of [ann, stranger]) await call(socket, 'find', 'articles', {});
    const shown = { id: 2, title: 'public', ownerId: 2, public: true };
    expect(received).toEqual([[{ id: 1, title: 'private', ownerId: 1, public: false, note: 'mine' }, shown], [shown]]);
  });
});
