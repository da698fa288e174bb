import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryService } from '@framework/adapter-memory';
import { authenticate as authenticateHook, AuthenticationService, JWTStrategy } from '@framework/authentication';
import { hashPassword, LocalStrategy } from '@framework/authentication-local';
import { framework, type HookContext } from '@framework/core';
import express, { authenticate, errorHandler, json, rest, type Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, sendJson, type Running } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'personal-'));
let running: Running;
let headers: Record<string, string>;

beforeAll(async () => {
  writeFileSync(join(folder, 'receipt.txt'), 'tea');
  const app = express(framework()) as Application;
  app.set('authentication', {
    secret: 'a secret of more than thirty-two bytes, for tests',
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt', 'local'],
    local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
  });
  app.use(json());
  app.configure(rest());
  app.use('users', new MemoryService({ startId: 1 }));
  app.service('users').hooks({ before: { create: [hashPassword('password')] } });
  const service = new AuthenticationService(app);
  service.register('jwt', new JWTStrategy());
  service.register('local', new LocalStrategy());
  app.use('authentication', service);
  app.use('notes', new MemoryService({ store: [{ id: 1, text: 'first' }] }));
  app.service('notes').hooks({ before: { all: [authenticateHook('jwt')] } });
  app.use('vault', authenticate('jwt'), new MemoryService({ store: [{ id: 1, text: 'gold' }] }));
  app.use('versions', authenticate('jwt'), new MemoryService({ store: [{ id: 1, text: 'gold', version: 1 }], version: 'version' }), {
    conditional: true,
  });
  app.get('/page', authenticate('jwt'), (_req, res) => void res.json({ page: true }));
  app.get('/receipt', authenticate('jwt'), (_req, res) => {
    res.sendFile('receipt.txt', { root: folder });
  });
  app.get('/receipt-of-an-hour', authenticate('jwt'), (_req, res) => {
    res.sendFile('receipt.txt', { root: folder, maxAge: '1h' });
  });
  app.get('/logo', authenticate('jwt'), (_req, res) => void res.set('Cache-Control', 'max-age=60').json({ logo: true }));
  const before = (_req: unknown, res: { set(name: string, value: string): void }, next: () => void): void => {
    res.set('Cache-Control', 'no-store');
    next();
  };
  app.get('/link', before, authenticate('jwt'), (_req, res) => void res.json({ link: true }));
  app.get('/public', (_req, res) => void res.json({ all: true }));
  app.use(errorHandler({ logger: false }));
  running = await listen(app);
  await sendJson(running.url, 'POST', '/users', { email: 'ann@example.com', password: 'right' });
  headers = { authorization: `Bearer ${(await logIn<{ accessToken: string }>()).body.accessToken}` };
});

afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

interface Login<Body> {
  readonly body: Body;
  readonly caching: string | null;
}

async function logIn<Body>(): Promise<Login<Body>> {
  const answer = await fetch(`${running.url}/authentication`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ strategy: 'local', email: 'ann@example.com', password: 'right' }),
  });
  return { body: (await answer.json()) as Body, caching: answer.headers.get('cache-control') };
}

async function caching(path: string, options: RequestInit = { headers }): Promise<string> {
  const answer = await fetch(running.url + path, options);
  await answer.arrayBuffer();
  return `${String(answer.status)} ${String(answer.headers.get('cache-control'))}`;
}

describe('S41 what is made for one caller', () => {
  it('is kept by no cache where a login gives it', async () => {
    expect((await logIn()).caching).toBe('no-store');
    expect(await caching('/authentication', { method: 'DELETE', headers: { authorization: 'Bearer wrong' } })).toBe('401 no-store');
  });

  it('is kept as an application says, of a login too', async () => {
    const hook = (context: HookContext): void => {
      context.http.headers = { 'cache-control': 'no-store, private' };
    };
    const app = running.app;
    app.service('authentication').hooks({ after: { create: [hook] } });
    expect((await logIn()).caching).toBe('no-store, private');
  });

  it('is kept by no cache where a hook puts an `http` of its own in place, which says nothing of that', async () => {
    const hook = (context: HookContext): void => {
      context.http = { status: 200 };
    };
    running.app.service('authentication').hooks({ after: { create: [hook] } });
    expect((await logIn()).caching).toBe('no-store');
    running.app.hooks({ after: { create: [hook] } });
    expect((await logIn()).caching).toBe('no-store');
  });

  it.each([
    ['/page', '200 private, no-cache'],
    ['/receipt', '200 private, no-cache'],
    ['/receipt-of-an-hour', '200 private, no-cache'],
    ['/logo', '200 max-age=60'],
    ['/link', '200 no-store'],
    ['/public', '200 null'],
  ])('is kept by the client of its user alone behind the middleware, unless a handler says otherwise: %s', async (path, expected) => {
    expect(await caching(path)).toBe(expected);
  });

  it('is refused by what is not kept', async () => {
    expect(await caching('/page', {})).toBe('401 no-store');
  });

  it.each([
    ['/notes', '200 no-store'],
    ['/vault', '200 no-store'],
    ['/vault/1', '200 no-store'],
    ['/vault/2', '404 no-store'],
    ['/versions/1', '200 private, no-cache'],
  ])('is kept as services say it, also with the middleware beside them: %s', async (path, expected) => {
    expect(await caching(path)).toBe(expected);
  });
});
