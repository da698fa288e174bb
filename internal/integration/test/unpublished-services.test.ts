import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { MemoryService } from '@framework/adapter-memory';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { LocalStrategy } from '@framework/authentication-local';
import { oauth } from '@framework/authentication-oauth';
import type { Channel } from '@framework/channels';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest, urlencoded, type Application } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { BrowserClient, startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { call, connect, disconnectAll } from '@framework-internal/testing/sockets';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, sendJson, type Running } from './harness.ts';

type LiveApplication = Application & { channel(...names: string[]): Channel; publish(publisher: () => Channel): unknown };

const API = 'https://api.example.com';
const SECRET = 'a secret of more than thirty-two bytes, for tests';

const open: Running[] = [];
afterEach(async () => {
  disconnectAll();
  for (const running of open.splice(0)) await running.stop();
});

function newApplication(): LiveApplication {
  const app = express(framework()) as unknown as LiveApplication;
  app.use(json()).use(urlencoded({ extended: true }));
  app.configure(rest());
  app.use('notes', { create: async (data: object) => data });
  return app;
}

/** Publishes all events to everybody who connects. */
async function start(app: LiveApplication): Promise<string> {
  app.on('connection', (connection: object) => app.channel('everybody').join(connection as never));
  app.publish(() => app.channel('everybody'));
  app.use(errorHandler({ logger: false }));
  const running = await listen(app);
  open.push(running);
  return running.url;
}

/** @returns the names of all events that somebody hears while something is done */
async function heardWhile(url: string, work: () => Promise<void>): Promise<string[]> {
  const heard: string[] = [];
  const socket = await connect(url);
  socket.onAny((name: string) => heard.push(name));
  await work();
  // It comes behind all that there was to tell.
  const last = new Promise((resolve) => socket.once('notes created', resolve));
  expect(await call(socket, 'create', 'notes', { text: 'after' }, {})).toMatchObject({ error: null });
  await last;
  return heard;
}

describe('S34 logins at providers', () => {
  let database: TestDatabase;
  let provider: BadProvider;
  beforeAll(async () => {
    database = await startDatabase();
    provider = await startBadProvider('shop', SECRET);
  });
  afterAll(async () => {
    await provider.stop();
    await database.close();
  });

  it.each(['in front of', 'behind'])('are told to nobody, with sockets that are configured %s oauth()', async (where) => {
    const client = { issuer: provider.issuer, clientId: 'shop', clientSecret: SECRET };
    const app = newApplication();
    if (where === 'in front of') app.configure(socketio({ logger: false }));
    app.use('users', new DocDbService({ Model: database.db.collection(`users ${where}`) }));
    app.use('sessions', sessionStore(database.db.collection(`sessions ${where}`)));
    app.set('authentication', {
      secret: SECRET,
      service: 'users',
      entity: 'user',
      authStrategies: ['jwt'],
      sessions: true,
      oauth: { origin: API, company: client, posting: { preset: 'apple', ...client } },
    });
    const authentication = new AuthenticationService(app);
    authentication.register('jwt', new JWTStrategy());
    app.use('authentication', authentication);
    app.configure(oauth());
    if (where === 'behind') app.configure(socketio({ logger: false }));
    const url = await start(app);
    const heard = await heardWhile(url, async () => {
      const browser = new BrowserClient({ [API]: url });
      const { answer } = await browser.open(`${API}/oauth/company`);
      const headers = { authorization: `Bearer ${String((answer?.body as { readonly accessToken?: unknown }).accessToken)}` };
      const link = await sendJson(url, 'POST', '/oauth/company', {}, headers);
      expect([answer?.status, link.status, Object.keys(link.body as object)]).toEqual([200, 200, ['location']]);
      const start = await browser.request(`${API}/oauth/posting`);
      const back = (await fetch(String(start.headers.location), { redirect: 'manual' })).headers.get('location') ?? '';
      const form = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URL(back).search.slice(1),
      };
      const posted = await browser.request(`${API}/oauth/posting/callback`, form);
      expect(posted).toMatchObject({ status: 201, body: { accessToken: expect.any(String) } });
    });
    expect(heard).toEqual(['users created', 'users created', 'notes created']);
  });
});

describe('S34 sessions', () => {
  it.each([
    ['is set up and then mounted', 'framework()', true],
    ['is set up and then mounted', 'express(framework())', true],
    ['is mounted and then set up', 'framework()', false],
  ] as const)('are told to nobody, of an application that %s: %s', async (_title, kind, isSetUpFirst) => {
    const mounted: unknown = kind === 'framework()' ? framework() : express(framework()).use(json()).configure(rest());
    const inner = mounted as Application;
    inner.set('authentication', {
      secret: SECRET,
      service: 'users',
      entity: 'user',
      authStrategies: ['jwt', 'local'],
      local: { usernameField: 'email', passwordField: 'password', hashCost: { memoryCost: 64, timeCost: 1 } },
      sessions: true,
    });
    inner.use('users', new MemoryService({ startId: 1 }));
    inner.use('sessions', new MemoryService({ multi: true }));
    const authentication = new AuthenticationService(inner);
    authentication.register('jwt', new JWTStrategy());
    const local = new LocalStrategy();
    authentication.register('local', local);
    inner.use('authentication', authentication);
    const password = await local.hashPassword('right password', {});
    const app = newApplication().configure(socketio({ logger: false })) as unknown as LiveApplication;
    if (isSetUpFirst) await inner.setup();
    app.use('/api', inner);
    if (!isSetUpFirst) await inner.setup();
    const url = await start(app);
    const heard = await heardWhile(url, async () => {
      await inner.service('users').create({ email: 'a@b.c', password });
      const login = await sendJson(url, 'POST', '/api/authentication', { strategy: 'local', email: 'a@b.c', password: 'right password' });
      const headers = { authorization: `Bearer ${String(login.body.accessToken)}` };
      expect([login.status, (await sendJson(url, 'DELETE', '/api/authentication', undefined, headers)).status]).toEqual([201, 200]);
    });
    expect(heard).toEqual(['api/users created', 'notes created']);
  });
});
