import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { begin, CLIENT, exchange, finish, startShop, type ShopOptions } from './harness.ts';

let database: TestDatabase;
let bad: BadProvider;
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
});
afterAll(async () => {
  await bad.stop();
  await database.close();
});

describe('slashes around a path say nothing', () => {
  it.each<[string, Partial<ShopOptions>]>([
    ['of the authentication service', { options: { authService: '/authentication' } }],
    ['of the authentication service, behind it', { options: { authService: 'authentication/' } }],
    ['of the users', { authentication: { service: '/users', limiter: false } }],
    ['of the users, behind it', { authentication: { service: 'users/', limiter: false } }],
    ['of the flow', { oauth: { prefix: '/oauth/' } }],
    ['of the sessions', { authentication: { sessions: { service: '/sessions' }, limiter: false } }],
  ])('%s', async (_, options) => {
    const shop = await startShop({ database, ...options, oauth: { bad: { issuer: bad.issuer, ...CLIENT }, ...options.oauth } });
    const browser = shop.browser();
    const end = await finish(browser, (await begin(browser, 'bad')).callback);
    const { body } = await exchange(shop, end.access_token);
    await shop.stop();
    expect(body.user).toMatchObject({ badId: 'ann' });
  });
});
