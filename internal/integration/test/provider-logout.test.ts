import { DocDbService, sessionStore } from '@framework/adapter-docdb';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import { oauth } from '@framework/authentication-oauth';
import { channels, type Channel } from '@framework/channels';
import { framework } from '@framework/core';
import express, { errorHandler, json, rest, urlencoded, type Application } from '@framework/transport-express';
import { socketio } from '@framework/transport-socketio';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson } from '@framework-internal/testing/http';
import { BrowserClient, logInAtProvider, startOidcProvider, type OidcServer } from '@framework-internal/testing/oidc';
import { call, collect, connect, disconnectAll } from '@framework-internal/testing/sockets';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';

type LiveApplication = Application & { channel(...names: string[]): Channel };

const API = 'https://api.example.com';
const PAGE = 'https://app.example.com/';
const SECRET = 'a secret of more than thirty-two bytes, for tests';

let database: TestDatabase;
let provider: OidcServer;
let app: LiveApplication;
let url: string;
/** Where the provider finds the server; known once it listens. */
const hosts: Record<string, string> = {};
beforeAll(async () => {
  database = await startDatabase();
  const client = {
    client_id: 'shop',
    client_secret: SECRET,
    redirect_uris: [`${API}/oauth/company/callback`],
    backchannel_logout_uri: `${API}/oauth/company/backchannel-logout`,
    backchannel_logout_session_required: true,
  };
  provider = await startOidcProvider([client], hosts);
  app = express(framework()) as unknown as LiveApplication;
  app.use(json()).use(urlencoded({ extended: true }));
  app.configure(rest());
  app.configure(channels());
  app.configure(socketio({ logger: false }));
  app.use('users', new DocDbService({ Model: database.db.collection('users') }));
  app.use('sessions', sessionStore(database.db.collection('sessions')));
  app.use('notes', new DocDbService({ Model: database.db.collection('notes') }));
  app.set('authentication', {
    secret: SECRET,
    service: 'users',
    entity: 'user',
    authStrategies: ['jwt'],
    sessions: true,
    oauth: { origin: API, redirect: PAGE, company: { issuer: provider.issuer, clientId: 'shop', clientSecret: SECRET } },
  });
  const authentication = new AuthenticationService(app);
  authentication.register('jwt', new JWTStrategy());
  app.use('authentication', authentication);
  app.configure(oauth());
  app.on('login', (_result: unknown, { connection }: { connection?: object }) => {
    if (connection) app.channel('members').join(connection as never);
  });
  app.service('notes').publish(() => app.channel('members'));
  app.use(errorHandler({ logger: false }));
  const server = await app.listen(0);
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts[API] = url;
});
afterAll(async () => {
  disconnectAll();
  await app.close({ timeout: 1000 });
  await provider.stop();
  await database.close();
});

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

it('O17 S19 a socket of who has logged out at the provider gets nothing a second later', async () => {
  const browser = new BrowserClient({ [API]: url });
  const page = await logInAtProvider(browser, `${API}/oauth/company`, 'ann');
  const ticket = new URL(page.url).hash.replace('#access_token=', '');
  // Over a socket a ticket logs in as well.
  const socket = await connect(url);
  const { error, result } = await call(socket, 'create', 'authentication', { strategy: 'jwt', accessToken: ticket }, {});
  expect([error, result.authentication.strategy]).toEqual([null, 'company']);
  const notes = collect(socket, 'notes created');
  await app.service('notes').create({ text: 'before' });
  for (let round = 0; round < 400 && notes.length === 0; round++) await wait(25);
  expect(notes).toHaveLength(1);

  const gone = new Promise((resolve) => socket.once('disconnect', resolve));
  await browser.submit(await browser.open(`${provider.issuer}/session/end?client_id=shop`), { logout: 'yes' });
  // The process that has the socket hears of the end, and lets it go.
  await gone;
  await app.service('notes').create({ text: 'after' });
  await wait(300);
  expect(notes).toHaveLength(1);
  const headers = { authorization: `Bearer ${String(result.accessToken)}` };
  expect((await sendJson(url, 'GET', '/authentication/sessions', undefined, headers)).status).toBe(401);
});
