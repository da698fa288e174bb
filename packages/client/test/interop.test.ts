import type { AddressInfo } from 'node:net';
import { AuthenticationService as FeathersAuthentication, JWTStrategy as FeathersJwt } from '@feathersjs/authentication';
import { LocalStrategy as FeathersLocal, hooks as localHooks } from '@feathersjs/authentication-local';
import theirAuthenticationClient from '@feathersjs/authentication-client';
import theirExpress, { errorHandler, json, rest as feathersRest } from '@feathersjs/express';
import { feathers } from '@feathersjs/feathers';
import { memory } from '@feathersjs/memory';
import theirRestClient from '@feathersjs/rest-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, rest } from '../src/index.ts';
import { LOGIN, start, type Running } from './application.ts';

/** Modules of the incumbent are functions, which their types as ES modules do not say. */
type Callable = (...args: unknown[]) => any;
const [feathersExpress, restClient, authenticationClient] = [
  theirExpress,
  theirRestClient,
  theirAuthenticationClient,
] as unknown as Callable[] as [Callable, Callable, Callable];

let ours: Running;
let theirs: { url: string; stop: () => Promise<unknown> };
beforeAll(async () => {
  ours = await start({ authentication: { jwtOptions: { expiresIn: '1h' } } });
  theirs = await startFeathers();
});
afterAll(async () => {
  await ours.stop();
  await theirs.stop();
});

/** A server of the incumbent with the services that the flow calls. */
async function startFeathers(): Promise<typeof theirs> {
  const app = feathersExpress(feathers());
  app.use(json()).configure(feathersRest());
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    entity: 'user',
    service: 'users',
    authStrategies: ['jwt', 'local'],
    jwtOptions: { expiresIn: '1h' },
    local: { usernameField: 'email', passwordField: 'password' },
  });
  app.use('users', memory({ startId: 1 }));
  app.use('notes', memory({ multi: true, paginate: { default: 10, max: 50 } }));
  app.use('who', {
    find: async ({ user }: any) => ({ email: user?.email }),
    create: async (data: object, { user }: any) => ({ ...data, by: user?.email }),
  });
  const authentication = new FeathersAuthentication(app);
  authentication.register('jwt', new FeathersJwt());
  authentication.register('local', new FeathersLocal());
  app.use('authentication', authentication);
  const { authenticate } = await import('@feathersjs/authentication');
  app.service('users').hooks({ before: { create: [localHooks.hashPassword('password')] } });
  app.service('who').hooks({ before: { all: [authenticate('jwt')] } });
  app.use(errorHandler({ logger: false, html: false }));
  const server = await app.listen(0, '127.0.0.1');
  await app.service('users').create({ email: LOGIN.email, password: LOGIN.password });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => app.teardown(server) };
}

/** What is the same of both clients. */
interface AnyClient {
  service(path: string): any;
  authenticate(data: object): Promise<any>;
  reAuthenticate(): Promise<any>;
  logout(): Promise<any>;
  get(name: 'authentication'): any;
  on(event: any, listener: (result: any) => unknown): unknown;
  hooks(map: object): unknown;
}

const makeOurs = (url: string): AnyClient => createClient(rest(url)) as AnyClient;
const makeTheirs = (url: string): AnyClient => {
  const client = feathers().configure(restClient(url).fetch(fetch)).configure(authenticationClient());
  return client as unknown as AnyClient;
};

/** The flow, and what is seen of it. */
async function flow(client: AnyClient): Promise<unknown[]> {
  const seen: unknown[] = [];
  client.on('login', () => seen.push('login'));
  client.on('logout', () => seen.push('logout'));
  client.hooks({ before: { create: [(context: any) => void seen.push(`before ${context.path}`)] } });
  const notes = client.service('notes');
  const fails = (call: Promise<unknown>): Promise<unknown> =>
    call.catch((error: unknown) => ['name', 'code', 'className'].map((name) => Reflect.get(error as object, name) as unknown));
  seen.push(await fails(client.service('who').find()));
  const made = await notes.create({ text: 'a' });
  seen.push(made.text, (await notes.get(made.id)).text, (await notes.patch(made.id, { text: 'b' })).text);
  seen.push((await notes.create([{ text: 'c' }, { text: 'd' }])).length);
  seen.push(
    (await notes.find({ query: { text: { $in: ['b', 'c'] }, $sort: { text: -1 }, $limit: 1, $select: ['text'] } })).data.map(
      ({ text }: any) => text,
    ),
  );
  seen.push((await notes.find({ query: { $or: [{ text: 'b' }, { text: 'd' }] } })).total);
  seen.push((await notes.update(made.id, { text: 'e' })).text);
  seen.push((await notes.patch(null, { text: 'f' }, { query: { text: 'e' } })).length);
  seen.push(await fails(notes.get(4711)));
  seen.push(await fails(client.authenticate({ ...LOGIN, password: 'wrong' })));
  seen.push((await client.authenticate(LOGIN)).user.email);
  seen.push((await client.service('who').find()).email, (await client.service('who').create({ text: 'x' })).by);
  seen.push((await client.reAuthenticate()).user.email, typeof (await client.get('authentication')).accessToken);
  seen.push((await notes.remove(null)).length);
  await client.logout();
  seen.push(await fails(client.service('who').find()));
  return seen;
}

describe('the same flow', () => {
  it.each([
    ['our client, our server', makeOurs, () => ours.url],
    ['our client, the server of the incumbent', makeOurs, () => theirs.url],
    ['the client of the incumbent, our server', makeTheirs, () => ours.url],
    ['the client of the incumbent, its server', makeTheirs, () => theirs.url],
  ])('%s', async (_, make, url) => {
    const notAuthenticated = ['NotAuthenticated', 401, 'not-authenticated'];
    expect(await flow(make(url()))).toEqual([
      notAuthenticated,
      'before notes',
      ...['a', 'a', 'b'],
      'before notes',
      2,
      ['c'],
      2,
      'e',
      1,
      ['NotFound', 404, 'not-found'],
      'before authentication',
      notAuthenticated,
      'before authentication',
      'login',
      LOGIN.email,
      'before who',
      ...[LOGIN.email, LOGIN.email],
      ...[LOGIN.email, 'string'],
      3,
      'logout',
      notAuthenticated,
    ]);
  });
});
