import { sendJson } from '@framework-internal/testing/http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerAt, exchange, logIn, startProviders, startShop, type Shop, type TwoProviders } from './harness.ts';

let providers: TwoProviders;
let shop: Shop;
beforeAll(async () => {
  providers = await startProviders();
  shop = await startShop({ oauth: providers.oauth, database: providers.database }, providers.server);
});
afterAll(() => providers.stop());

const TICKET = /^oauth-ticket\.[\w-]{43}$/;

describe('a login at a provider (interface 1)', () => {
  it('stands beside the strategies jwt and local', async () => {
    const ann = { email: 'both@example.com', password: 'right password' };
    await shop.app.service('users').create(ann);
    const login = await sendJson(shop.url, 'POST', '/authentication', { strategy: 'local', ...ann });
    expect([login.status, login.body.authentication.strategy]).toEqual([201, 'local']);
    const again = await sendJson(shop.url, 'POST', '/authentication', { strategy: 'jwt', accessToken: login.body.accessToken });
    expect([again.status, again.body.authentication.strategy]).toEqual([201, 'jwt']);
    const other = await exchange(shop, answerAt(await logIn(shop.browser(), 'two', 'carl')).access_token);
    expect([other.status, other.body.authentication.strategy]).toEqual([201, 'two']);
  });

  it('sends the browser there and back with a ticket, which is exchanged for a token once', async () => {
    const page = await logIn(shop.browser(), 'one', 'ann');
    expect(page.url).toMatch(/^https:\/\/app\.example\.com\/#access_token=oauth-ticket\.[\w-]{43}$/);
    const { access_token: ticket } = answerAt(page);
    expect(ticket).toMatch(TICKET);
    const login = await exchange(shop, ticket);
    expect(login.status).toBe(201);
    expect(login.body).toMatchObject({ authentication: { strategy: 'one' }, user: { oneId: 'ann' }, accessToken: expect.any(String) });
    expect((await exchange(shop, ticket)).status).toBe(401);
    const sessions = await sendJson(shop.url, 'GET', '/authentication/sessions', undefined, {
      authorization: `Bearer ${String(login.body.accessToken)}`,
    });
    expect(sessions.body).toEqual([expect.objectContaining({ via: 'one', current: true })]);
  });

  it('finds the same entity again', async () => {
    const first = await exchange(shop, answerAt(await logIn(shop.browser(), 'one', 'bob')).access_token);
    const second = await exchange(shop, answerAt(await logIn(shop.browser(), 'one', 'bob')).access_token);
    expect(second.body.user).toEqual(first.body.user);
    expect(await shop.users.find({ oneId: 'bob' })).toHaveLength(1);
  });
});
