import { DocDbService } from '@framework/adapter-docdb';
import { AuthenticationService, JWTStrategy } from '@framework/authentication';
import type { Application } from '@framework/transport-express';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson, type Answer } from '@framework-internal/testing/http';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oauth, type ProviderConfiguration } from '../../src/index.ts';
import { API, begin, CLIENT, exchange, finish, PAGE, SECRET, startShop, type Shop } from '../harness.ts';

describe('two authentication services that share secret, store and provider', () => {
  let database: TestDatabase;
  let bad: BadProvider;
  let shop: Shop;
  const provider = (): ProviderConfiguration => ({ issuer: bad.issuer, ...CLIENT, idToken: { audiences: ['phone'] } });
  const setting = (service: string, prefix: string): object => ({
    secret: SECRET,
    service,
    authStrategies: ['jwt', 'bad'],
    sessions: true,
    oauth: { origin: API, redirect: `${PAGE}/`, prefix, bad: provider() },
  });
  beforeAll(async () => {
    database = await startDatabase();
    bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
    shop = await startShop({
      database,
      oauth: { bad: provider() },
      authentication: { authStrategies: ['jwt', 'bad'] },
      register: (app: Application) => {
        app.set('defaultAuthentication', 'authentication');
        app.use('admins', new DocDbService({ Model: database.db.collection('admins') }));
        app.set('gate', { ...setting('admins', 'admin-oauth'), entity: 'admin' });
        const gate = new AuthenticationService(app, 'gate');
        gate.register('jwt', new JWTStrategy());
        app.use('gate', gate);
        app.configure(oauth({ authService: 'gate' }));
      },
    });
  });
  afterAll(async () => {
    await shop.stop();
    await bad.stop();
    await database.close();
  });

  const ticketOf = async (subject: string): Promise<string> => {
    bad.subject = subject;
    const browser = shop.browser();
    return String((await finish(browser, (await begin(browser, 'bad')).callback)).access_token);
  };
  const atGate = (data: object): Promise<Answer> => sendJson(shop.url, 'POST', '/gate', data);

  it('S18 take no ticket of each other, also for an entity of the same id', async () => {
    const first = await exchange(shop, await ticketOf('ann'));
    expect(first.body.user.badId).toBe('ann');
    const [user] = await shop.users.find({ badId: 'ann' });
    await database.db.collection('admins').insertOne({ _id: user?._id as never, name: 'root' });

    const ticket = await ticketOf('ann');
    const answers = [await atGate({ strategy: 'jwt', accessToken: ticket }), await atGate({ strategy: 'oauth-ticket', ticket })];
    expect(answers.map(({ status, body }) => [status, body.admin])).toEqual([
      [401, undefined],
      [401, undefined],
    ]);
    // It counts where it is of.
    expect((await exchange(shop, ticket)).body.user.badId).toBe('ann');
  });

  it('O16 take an ID token once between them', async () => {
    const time = Math.floor((performance.timeOrigin + performance.now()) / 1000);
    const idToken = await bad.sign({ iss: bad.issuer, aud: 'phone', sub: 'ben', nonce: 'n1', iat: time, exp: time + 300 });
    const login = { strategy: 'bad', idToken, nonce: 'n1' };
    expect((await sendJson(shop.url, 'POST', '/authentication', login)).status).toBe(201);
    expect((await atGate(login)).status).toBe(401);
    expect(await database.db.collection('admins').findOne({ badId: 'ben' })).toBeNull();
  });
});
