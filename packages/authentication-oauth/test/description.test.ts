import { describeService } from '@framework/core';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson } from '@framework-internal/testing/http';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { API, begin, CLIENT, startShop, type Shop } from './harness.ts';

let database: TestDatabase;
let bad: BadProvider;
let shop: Shop;
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  shop = await startShop({
    oauth: {
      bad: { issuer: bad.issuer, ...CLIENT, idToken: { audiences: ['phone'] } },
      closed: { issuer: bad.issuer, ...CLIENT },
      linkToken: 'query',
    },
    authentication: { authStrategies: ['jwt', 'local', 'bad', 'closed'], limiter: false },
    database,
  });
});
afterAll(async () => {
  await shop.stop();
  await bad.stop();
  await database.close();
});

const described = (path: string): any => describeService(shop.app.service(path));

it('logins tell of ID tokens where the settings take them, with the nonce that they need', async () => {
  const bodies: any[] = described('authentication').methods.create.data.oneOf;
  const ofStrategy = (name: string): any => bodies.find(({ properties }) => properties.strategy.const === name);
  expect(ofStrategy('bad')).toEqual({
    type: 'object',
    properties: {
      strategy: { const: 'bad' },
      idToken: { type: 'string', minLength: 1, maxLength: 16_384 },
      nonce: { type: 'string', minLength: 1, maxLength: 512 },
    },
    required: ['strategy', 'idToken', 'nonce'],
  });
  expect(ofStrategy('closed')).toBeUndefined();
  expect(ofStrategy('local')).toBeDefined();
  const send = (data: object) => sendJson(shop.url, 'POST', '/authentication', { strategy: 'bad', ...data });
  expect((await send({ idToken: await bad.sign({ aud: 'phone' }) })).status).toBe(401);
});

it('a login begins with the parameters that are described, up to their lengths', async () => {
  const { query } = described('oauth/:provider').methods.find;
  expect(Object.keys(query)).toEqual(expect.arrayContaining(['redirect', 'prompt', 'login_hint', 'max_age', 'feathers_token']));
  const ask = async (name: string, value: string): Promise<string> => {
    const { status, text } = await shop.browser().request(`${API}/oauth/bad?${name}=${value}`);
    return status === 400 ? String(text) : '';
  };
  for (const [name, { maxLength, pattern }] of Object.entries<any>(query)) {
    // The one is a constant; with the other the whole address is too long first.
    if (name === 'code_challenge_method' || name === 'feathers_token') continue;
    if (pattern !== undefined) {
      expect([name, await ask(name, 'a'.repeat(43))]).toEqual([name, '']);
      expect(new RegExp(pattern).test('a'.repeat(42))).toBe(false);
      expect(await ask(name, 'a'.repeat(42))).toContain(name);
      continue;
    }
    const fill = (length: number): string => (name === 'redirect' ? '/'.padEnd(length, 'a') : 'a'.repeat(length));
    expect([name, await ask(name, fill(maxLength))]).toEqual([name, '']);
    expect(await ask(name, fill(Number(maxLength) + 1))).toContain(`${name}&#39; must be a text`);
  }
  expect(await ask('other', 'a')).toContain('other&#39; is no parameter');
  expect(described('oauth/:provider').methods.create.data).toMatchObject({ additionalProperties: false });
});

it('an answer of a provider is taken up to the length that is described', async () => {
  const { query } = described('oauth/:provider/callback').methods.find;
  const answer = async (length: number): Promise<unknown> => {
    const browser = shop.browser();
    const { callback } = await begin(browser, 'bad');
    expect(callback.searchParams.get('state')).toMatch(new RegExp(query.state.pattern));
    callback.searchParams.set('code', 'a'.repeat(length));
    const { status, headers } = await browser.request(callback.href);
    return [status, String(headers.location).replace(/&.*/, '')];
  };
  // What the provider says of it is another question.
  const [taken] = (await answer(query.code.maxLength)) as [number];
  expect([query.code.maxLength, taken]).toEqual([4096, 303]);
  expect(await answer(Number(query.code.maxLength) + 1)).toEqual([401, 'undefined']);
});

it('answers that are posted, and those in addresses, have the status that is described where no page is gone back to', async () => {
  const client = { issuer: bad.issuer, ...CLIENT };
  const own = await startShop({ oauth: { redirect: undefined, bad: client, posting: { preset: 'apple', ...client } } as never, database });
  const { find, create } = describeService(own.app.service('oauth/:provider/callback'))?.methods ?? {};
  const browser = own.browser();
  const { callback } = await begin(browser, 'bad');
  const answer = await browser.request(callback.href);
  expect([answer.status, Object.keys(answer.body as object)]).toEqual([find?.status ?? 200, expect.arrayContaining(['accessToken'])]);
  const { callback: posted } = await begin(browser, 'posting');
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: posted.search.slice(1) };
  // That of create, where the description says nothing else.
  expect((await browser.request(`${posted.origin}${posted.pathname}`, form)).status).toBe(create?.status ?? 201);
  await own.stop();
});
