import { framework } from '@framework/core';
import { listen, send } from '@framework-internal/testing/http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import express, { json, rest } from '../src/index.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const application = () => express(framework()).use(json()).configure(rest());

/** Says which path and route it was called at. */
const named = (path: string) => ({
  async find({ route }: { route?: object } = {}) {
    return { path, route };
  },
  async get(id: string) {
    return { path, id };
  },
  async create() {
    return { id: 'é/1' };
  },
});

async function run(app: ReturnType<typeof application>): Promise<string> {
  const running = await listen(app);
  ends.push(running.stop);
  return running.url;
}

const serving = (...paths: string[]) => {
  const app = application();
  for (const path of paths) app.use(path, named(path));
  return run(app);
};

describe('services with names that URLs percent-encode (decisions: path ids; S39)', () => {
  it.each([
    ['Café menu', '/Caf%C3%A9%20menu'],
    ['日本/é', '/%E6%97%A5%E6%9C%AC/%C3%A9'],
    ['100%', '/100%25'],
    ['a+b@c;d=e', '/a+b@c;d=e'],
  ])('%s is reached at %s, with its records', async (path, address) => {
    const url = await serving(path);
    expect((await send(url, address)).body).toEqual({ path, route: {} });
    expect((await send(url, `${address}/x%2Fy%20z`)).body).toEqual({ path, id: 'x/y z' });
    const created = await fetch(`${url}${address}`, { method: 'POST' });
    expect(created.headers.get('location')).toBe(`${address}/%C3%A9%2F1`);
  });

  it('one that is written in the normal form D is the same, and is asked for in either by the server itself', async () => {
    const app = application();
    app.use('cafe\u0301', named('one'));
    expect((await send(await run(app), '/caf%C3%A9')).status).toBe(200);
    expect(app.service('caf\u00e9' as never)).toBe(app.service('cafe\u0301'));
    expect(() => app.use('caf\u00e9', named('two'))).toThrow('Path caf\u00e9 already exists');
  });

  it.each([
    '/%61dmin',
    '/admi%6E',
    '/caf%c3%a9',
    '/cafe%CC%81',
    '/a%2Fb',
    '/%2Fadmin',
    '/admin%2F',
    '/caf%C3',
    '/caf%E9',
    '/%',
    '/100%',
    '/%2561dmin',
  ])('another spelling is another path: %s', async (address) => {
    expect((await send(await serving('admin', 'caf\u00e9', 'a/b', '100%'), address)).status).toBe(404);
  });

  it.each(['/notes/%', '/notes/caf%C3', '/users/%E9/notes'])('bad encoding in a value is 400: %s', async (address) => {
    expect((await send(await serving('notes', 'users/:id/notes'), address)).status).toBe(400);
  });

  it('middleware at the same path stands in front, whatever the spelling', async () => {
    const app = application();
    const inner = express(framework());
    inner.use(['/x', '/Café menu'] as never, (_req: Request, res: Response) => res.status(403).end());
    inner.use(json()).configure(rest());
    inner.use('Café menu', named('inner'));
    app.use('/é', inner);
    const url = await run(app);
    for (const address of ['/Caf%C3%A9%20menu', '/caf%c3%a9%20menu', '/Caf%C3%A9%20menu/1', '/Cafe%CC%81%20menu'])
      expect([403, 404]).toContain((await send(url, `/%C3%A9${address}`)).status);
    expect((await send(url, '/%C3%A9/Caf%C3%A9%20menu')).status).toBe(403);
    expect(Object.keys(app.services)).toEqual(['é/Café menu']);
  });

  it.each([
    ['//admin/notes', '/admin/notes'],
    ['///admin/notes//?a=//&b=1', '/admin/notes/?a=//&b=1'],
    ['/admin/notes//', '/admin/notes/'],
    ['//admin/notes/1#//', '/admin/notes/1'],
    ['//', '/'],
    ['http://elsewhere.example//admin/notes?x', '/admin/notes?x'],
    ['http://elsewhere.example//\\evil.example//', '/%5Cevil.example/'],
  ])('%s is no second way to a service, past the middleware at its path: clients are sent to %s', async (address, location) => {
    const app = express(framework());
    for (const guarded of ['/admin', '/:id'])
      app.all([guarded, `${guarded}/:a`, `${guarded}/:a/:b`], (_req: Request, res: Response) => res.status(403).end());
    app.use(json()).configure(rest());
    for (const path of ['/', 'admin/notes']) app.use(path, named(path));
    const url = await run(app);
    for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
      const answer = await send(url, address, { method });
      const { headers } = answer;
      expect([answer.status, headers.location, headers['content-length'], headers['x-content-type-options']]).toEqual([
        308,
        location,
        '0',
        'nosniff',
      ]);
    }
    expect(new URL(location, url).origin).toBe(url);
  });

  it('a slash at the end is one too many where the application says so of its routes', async () => {
    const app = express(framework());
    app.enable('strict routing');
    app.all(['/admin/notes', '/admin/notes/:id'], (_req: Request, res: Response) => res.status(403).end());
    app.use(json()).configure(rest());
    for (const path of ['/', 'admin/notes']) app.use(path, named(path));
    const url = await run(app);
    const asked = ['/admin/notes', '/admin/notes/', '/admin/notes/1//?x=1/', '/', '//'].map((path) => send(url, path));
    const answers = (await Promise.all(asked)).map(({ status, headers }) => [status, headers.location]);
    expect(answers).toEqual([
      [403, undefined],
      [308, '/admin/notes'],
      [308, '/admin/notes/1?x=1/'],
      [200, undefined],
      [308, '/'],
    ]);
  });

  it('clients that put a slash too many before a path get what they ask for, also below a mounted application', async () => {
    const app = application();
    app.use('/api', application().use('notes', named('notes')));
    const url = await run(app);
    expect((await send(url, '/api//notes//?x=1')).headers.location).toBe('/api/notes/?x=1');
    const answer = await fetch(`${url}/api//notes/`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(201);
  });

  it.each([
    ['/api//v1/notes?x=//', '/api/v1/notes?x=//'],
    ['/api/v1//notes/1', '/api/v1/notes/1'],
    ['/api//v1//notes//', '/api/v1/notes/'],
    ['http://elsewhere.example/api/v1//notes', '/api/v1/notes'],
  ])('%s is no way to a service below mounted applications past the middleware in front of them', async (address, location) => {
    const app = application();
    for (const guarded of ['/api/v1', '/api/v1/notes'])
      app.all([guarded, `${guarded}/:id`], (_req: Request, res: Response) => res.status(403).end());
    app.use('/api', application().use('/v1', application().use('notes', named('notes')) as never) as never);
    const url = await run(app);
    const { status, headers } = await send(url, address);
    expect([
      [308, location],
      [404, undefined],
    ]).toContainEqual([status, headers.location]);
    expect((await send(url, location)).status).toBe(403);
  });

  it('nothing lies below an empty value of a placeholder, which middleware with the same path does not know', async () => {
    const url = await serving('users/:id/notes', 'a/:b/:c');
    for (const address of ['/users//notes', '/users//notes/1', '/a//c', '/a/b//c']) expect((await send(url, address)).status).toBe(404);
  });

  it('a mounted application is reached and taken out by the text of its path', async () => {
    const app = application();
    app.use('/é ü', application().use('a b', named('inner')));
    const url = await run(app);
    expect((await send(url, '/%C3%A9%20%C3%BC/a%20b')).status).toBe(200);
    await app.unuse('é ü');
    expect((await send(url, '/%C3%A9%20%C3%BC/a%20b')).status).toBe(404);
  });

  it('a path that is encoded already is refused where it is registered', () => {
    expect(() => application().use('a%20b', named('x'))).toThrow("The path 'a%20b' has the percent-encoding '%20'. Write the text itself");
  });
});
