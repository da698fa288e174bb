import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { sendJson } from '@framework-internal/testing/http';
import { startBadProvider, type BadProvider, type BrowserClient } from '@framework-internal/testing/oidc';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { API, begin, CLIENT, exchange, finish, startShop, type Shop } from './harness.ts';

let database: TestDatabase;
let bad: BadProvider;
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
});
beforeEach(() => {
  bad.does = {};
  bad.subject = 'ann';
});
afterAll(async () => {
  await bad.stop();
  await database.close();
});

const PASSWORD = 'right password';
const startLinking = (oauth: object = {}, more: object = {}): Promise<Shop> =>
  startShop({ oauth: { bad: { issuer: bad.issuer, ...CLIENT }, ...oauth }, authentication: { limiter: false, ...more }, database });

async function logInLocal(shop: Shop, email: string): Promise<string> {
  const answer = await sendJson(shop.url, 'POST', '/authentication', { strategy: 'local', email, password: PASSWORD });
  return String(answer.body.accessToken);
}

/** Begins to link, as a page does that has a token. */
async function beginLink(browser: BrowserClient, token: string): Promise<URL> {
  const start = await browser.request(`${API}/oauth/bad`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (start.status !== 200) throw new Error(`The link began with ${start.status}: ${start.text}`);
  const answer = await browser.request(String(start.body.location));
  return new URL(String(answer.headers.location));
}

const flags = [false, true];
const rows = flags.flatMap((provider) =>
  flags.flatMap((local) => flags.flatMap((flag) => flags.map((logged) => ({ provider, local, flag, logged })))),
);

describe('S31 O7 an identity whose address an account has', () => {
  it('the table has 16 rows', () => {
    expect(rows).toHaveLength(16);
  });

  it.each(rows)(
    'provider verified $provider, local verified $local, linkByEmail $flag, logged in $logged',
    async ({ provider, local, flag, logged }) => {
      const shop = await startLinking({ linkByEmail: flag });
      const ann = { email: 'ann@example.com', password: PASSWORD, emailVerified: local };
      const { _id: id } = (await shop.app.service('users').create(ann)) as { _id: unknown };
      const before = await shop.users.find();
      bad.does = { userinfo: { email_verified: provider } };
      const browser = shop.browser();
      const callback = logged ? await beginLink(browser, await logInLocal(shop, ann.email)) : (await begin(browser, 'bad')).callback;
      const end = await finish(browser, callback);
      if (logged || (provider && local && flag)) {
        expect((await exchange(shop, end.access_token)).body.user).toMatchObject({ _id: String(id), badId: 'ann' });
        expect(await shop.users.find()).toHaveLength(1);
      } else {
        expect(end).toEqual({ error: 'account-exists', error_id: expect.any(String) });
        expect(await shop.users.find()).toEqual(before);
      }
      await shop.stop();
    },
  );

  it('CVE-2026-53516: who registers the address of a victim first gets nothing of its login, before or after it', async () => {
    const shop = await startLinking({ linkByEmail: true });
    // From outside nobody says of himself that an address was verified.
    const claimed = { email: 'ann@example.com', password: PASSWORD };
    expect((await sendJson(shop.url, 'POST', '/users', { ...claimed, emailVerified: true })).status).toBe(400);
    expect((await sendJson(shop.url, 'POST', '/users', claimed)).status).toBe(201);
    const browser = shop.browser();
    expect(await finish(browser, (await begin(browser, 'bad')).callback)).toMatchObject({ error: 'account-exists' });
    expect(await shop.users.find({ badId: { $exists: true } })).toEqual([]);
    await shop.stop();
  });

  it('an identity is written by the server alone: nobody waits as somebody else', async () => {
    const shop = await startLinking();
    expect((await sendJson(shop.url, 'POST', '/users', { email: 'eve@example.com', password: PASSWORD, badId: 'ann' })).status).toBe(400);
    const { _id: id } = (await sendJson(shop.url, 'POST', '/users', { email: 'eve@example.com', password: PASSWORD })).body;
    expect((await sendJson(shop.url, 'PATCH', `/users/${String(id)}`, { badId: 'ann' })).status).toBe(400);
    await shop.stop();
  });

  it('T16 addresses are compared as they are written, and one that is no text is none', async () => {
    const shop = await startLinking({ linkByEmail: true });
    await shop.app.service('users').create({ email: 'ann@example.com', password: PASSWORD, emailVerified: true });
    for (const [subject, email] of [
      ['x1', 'Ann@example.com'],
      ['x2', { $ne: null }],
      ['x3', ''],
      ['x4', undefined],
    ] as const) {
      bad.subject = subject;
      bad.does = { userinfo: { email } };
      const browser = shop.browser();
      const end = await finish(browser, (await begin(browser, 'bad')).callback);
      expect((await exchange(shop, end.access_token)).body.user).toEqual({ _id: expect.any(String), badId: subject });
    }
    await shop.stop();
  });
});

describe('O7 an account that has verified another address', () => {
  const EVE = { email: 'eve@example.com', password: PASSWORD, emailVerified: true };
  let shop: Shop;
  let id: string;
  beforeEach(async () => {
    shop = await startLinking({ linkByEmail: true });
    id = String(((await shop.app.service('users').create(EVE)) as { _id: unknown })._id);
  });
  afterEach(() => shop.stop());

  async function loginOfAnn(): Promise<unknown> {
    const browser = shop.browser();
    return finish(browser, (await begin(browser, 'bad')).callback);
  }
  const users = (): { patch(id: unknown, data: object): Promise<unknown>; update(id: unknown, data: object): Promise<unknown> } =>
    shop.app.service('users') as never;

  const TAKEN = { email: 'ann@example.com' };
  const CHANGES: readonly [title: string, change: () => Promise<unknown>][] = [
    ['PATCH', () => sendJson(shop.url, 'PATCH', `/users/${id}`, TAKEN)],
    ['PUT', () => sendJson(shop.url, 'PUT', `/users/${id}`, { ...TAKEN, password: PASSWORD })],
    ['a patch on the server', () => users().patch(id, TAKEN)],
    ['a patch with $set on the server', () => users().patch(id, { $set: TAKEN })],
    [
      'an update that renames another property on the server',
      async () => {
        await users().patch(id, { contact: TAKEN.email });
        await users().update(id, { $rename: { contact: 'email' } });
      },
    ],
  ];

  it.each(CHANGES)('gets nothing of the login of who has the address that it takes: by %s', async (_title, change) => {
    await change();
    expect(await shop.users.find({ email: TAKEN.email })).toHaveLength(1);
    expect(await loginOfAnn()).toMatchObject({ error: 'account-exists' });
  });

  it('S9 takes no name without a text', async () => {
    const answer = await sendJson(shop.url, 'PATCH', `/users/${id}`, '{"$rename":{"contact":{"toString":1}}}');
    expect(answer.status).toBe(400);
  });

  it.each([
    ['PATCH', () => sendJson(shop.url, 'PATCH', `/users/${id}`, { email: EVE.email, name: 'Eve' })],
    ['PUT', () => sendJson(shop.url, 'PUT', `/users/${id}`, { email: EVE.email, password: PASSWORD, name: 'Eve' })],
  ])('stays verified when the same address is written again: by %s', async (_title, change) => {
    await change();
    expect(await shop.users.find({ name: 'Eve' })).toEqual([expect.objectContaining({ email: EVE.email, emailVerified: true })]);
  });

  it('is verified anew by a write on the server that says so', async () => {
    await users().patch(id, { ...TAKEN, emailVerified: true });
    expect(await loginOfAnn()).toMatchObject({ access_token: expect.any(String) });
  });
});

it('O7 an account with an identity of the provider is not given to another identity with its address', async () => {
  const shop = await startLinking({ linkByEmail: true });
  await shop.app.service('users').create({ email: 'ann@example.com', password: PASSWORD, emailVerified: true, badId: 'the first ann' });
  const before = await shop.users.find();
  const browser = shop.browser();
  expect(await finish(browser, (await begin(browser, 'bad')).callback)).toMatchObject({ error: 'account-exists' });
  expect(await shop.users.find()).toEqual(before);
  await shop.stop();
});

describe('O9 linking while logged in', () => {
  it('needs a token', async () => {
    const shop = await startLinking();
    for (const headers of [{}, { authorization: 'Bearer x' }]) {
      expect((await sendJson(shop.url, 'POST', '/oauth/bad', {}, headers)).status).toBe(401);
    }
    await shop.stop();
  });

  it.each<[data: unknown, message: string]>([
    [{ feathers_token: 'x' }, "'feathers_token' is no parameter of this call"],
    [[], 'The data must be an object'],
    [[{ redirect: '/' }], 'The data must be an object'],
    [{ login_hint: 'a\0b' }, "'login_hint' must be a text"],
    [{ login_hint: 'a\r\nb' }, "'login_hint' must be a text"],
    [{ login_hint: 5 }, "'login_hint' must be a text"],
  ])('takes nothing but the parameters of a login: %j', async (data, message) => {
    const shop = await startLinking();
    await shop.app.service('users').create({ email: 'bob@example.com', password: PASSWORD });
    const headers = { authorization: `Bearer ${await logInLocal(shop, 'bob@example.com')}` };
    const answer = await sendJson(shop.url, 'POST', '/oauth/bad', data, headers);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    await shop.stop();
  });

  it('an identity of somebody else is never moved', async () => {
    const shop = await startLinking();
    const browser = shop.browser();
    await finish(browser, (await begin(browser, 'bad')).callback);
    await shop.app.service('users').create({ email: 'bob@example.com', password: PASSWORD });
    const before = await shop.users.find();
    const end = await finish(browser, await beginLink(browser, await logInLocal(shop, 'bob@example.com')));
    expect(end).toEqual({ error: 'already-linked', error_id: expect.any(String) });
    expect(await shop.users.find()).toEqual(before);
    await shop.stop();
  });

  it('tells of an identity that another process has given to somebody else at the same moment', async () => {
    const shop = await startLinking();
    const users = shop.app.service('users') as unknown as { create(data: object): Promise<unknown>; hooks(map: object): void };
    await users.create({ email: 'bob@example.com', password: PASSWORD });
    const browser = shop.browser();
    const callback = await beginLink(browser, await logInLocal(shop, 'bob@example.com'));
    users.hooks({
      before: {
        patch: [
          () =>
            shop.db
              .collection(`${shop.collections}-users`)
              .insertOne({ badId: 'ann' })
              .then(() => undefined),
        ],
      },
    });
    expect(await finish(browser, callback)).toEqual({ error: 'already-linked', error_id: expect.any(String) });
    expect(await shop.users.find({ badId: 'ann', email: 'bob@example.com' })).toEqual([]);
    await shop.stop();
  });

  it.each<object>([
    { sessions: true },
    { sessions: false },
    { sessions: false, jwtOptions: { audience: ['https://api.example.com', 'https://other.example.com'] } },
  ])('ends with the login that it began with (%j)', async (settings) => {
    const shop = await startLinking({}, settings);
    await shop.app.service('users').create({ email: 'bob@example.com', password: PASSWORD });
    const token = await logInLocal(shop, 'bob@example.com');
    const browser = shop.browser();
    const callback = await beginLink(browser, token);
    expect((await sendJson(shop.url, 'DELETE', '/authentication', undefined, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect(await finish(browser, callback)).toMatchObject({ error: 'expired' });
    expect(await shop.users.find({ badId: { $exists: true } })).toEqual([]);
    await shop.stop();
  });

  it('links nothing to who was disabled meanwhile', async () => {
    const shop = await startLinking({}, { sessions: false });
    const bob = (await shop.app.service('users').create({ email: 'bob@example.com', password: PASSWORD })) as { _id: string };
    const browser = shop.browser();
    const callback = await beginLink(browser, await logInLocal(shop, 'bob@example.com'));
    await shop.app.service('users').patch(bob._id, { disabled: true });
    expect(await finish(browser, callback)).toMatchObject({ error: 'failed' });
    expect(await shop.users.find({ badId: { $exists: true } })).toEqual([]);
    await shop.stop();
  });

  it('with a token in the address only where the settings ask for it', async () => {
    const shop = await startLinking({ linkToken: 'query' });
    const bob = (await shop.app.service('users').create({ email: 'bob@example.com', password: PASSWORD })) as { _id: unknown };
    const browser = shop.browser();
    expect((await browser.request(`${API}/oauth/bad?feathers_token=x`)).status).toBe(401);
    const { authorization, callback } = await begin(browser, 'bad', `?feathers_token=${await logInLocal(shop, 'bob@example.com')}`);
    expect(authorization.search).not.toContain('feathers_token');
    const end = await finish(browser, callback);
    expect((await exchange(shop, end.access_token)).body.user._id).toBe(String(bob._id));
    await shop.stop();
  });

  it('a token of a machine links nothing', async () => {
    const shop = await startLinking();
    const bob = (await shop.app.service('users').create({ email: 'bob@example.com', password: PASSWORD })) as { _id: unknown };
    const { accessToken } = await shop.authentication.createToken({
      entity: bob._id,
      name: 'robot',
      scopes: ['oauth/:provider:create'],
    } as never);
    const answer = await sendJson(shop.url, 'POST', '/oauth/bad', {}, { authorization: `Bearer ${accessToken}` });
    expect(answer.status).toBe(403);
    await shop.stop();
  });
});

it.each([
  ['letters of one byte', 'a', 200],
  ['letters of three bytes', '中', 400],
])('a page to go back to is kept by browsers, or refused: %s', async (_what, letter, status) => {
  const shop = await startLinking();
  const ann = { email: 'ann@example.com', password: PASSWORD };
  await shop.app.service('users').create(ann);
  const answer = await shop.browser().request(`${API}/oauth/bad`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await logInLocal(shop, ann.email)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ redirect: `/${letter.repeat(1000)}` }),
  });
  expect(answer.status).toBe(status);
  await shop.stop();
});

describe('O10 O15 first logins', () => {
  it('of 20 at once, one makes the entity and all log in', async () => {
    const shop = await startLinking();
    bad.subject = 'new';
    const flows = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const browser = shop.browser();
        return { browser, ...(await begin(browser, 'bad')) };
      }),
    );
    const ends = await Promise.all(flows.map(({ browser, callback }) => finish(browser, callback)));
    const logins = await Promise.all(ends.map((end) => exchange(shop, end.access_token)));
    expect(new Set(logins.map(({ status, body }) => `${status} ${body.user._id}`)).size).toBe(1);
    expect(await shop.users.find({ badId: 'new' })).toHaveLength(1);
    await shop.stop();
  });

  it('a user who is disabled is told nothing, before the ticket and after it', async () => {
    const shop = await startLinking();
    const browser = shop.browser();
    const { access_token: first } = await finish(browser, (await begin(browser, 'bad')).callback);
    const { user } = (await exchange(shop, first)).body;
    const { access_token: second } = await finish(browser, (await begin(browser, 'bad')).callback);
    await shop.app.service('users').patch(user._id, { disabled: true });
    expect((await exchange(shop, second)).status).toBe(401);
    expect(await finish(browser, (await begin(browser, 'bad')).callback)).toMatchObject({ error: 'failed' });
    await shop.stop();
  });

  it('a ticket ends when its user logs out everywhere', async () => {
    const shop = await startLinking();
    const browser = shop.browser();
    const { access_token: first } = await finish(browser, (await begin(browser, 'bad')).callback);
    const { user } = (await exchange(shop, first)).body;
    const { access_token: second } = await finish(browser, (await begin(browser, 'bad')).callback);
    await shop.authentication.sessions?.endAll(String(user._id));
    expect((await exchange(shop, second)).status).toBe(401);
    await shop.stop();
  });

  it('two entities with one identity are nobody', async () => {
    const shop = await startLinking();
    await shop.db.collection('shop-twice').insertMany([{ badId: 'ann' }, { badId: 'ann' }]);
    const before = shop.app.get('authentication') as object;
    const { DocDbService } = await import('@framework/adapter-docdb');
    shop.app.use('twice', new DocDbService({ Model: shop.db.collection('shop-twice') }));
    shop.app.set('authentication', { ...before, service: 'twice' });
    const browser = shop.browser();
    expect(await finish(browser, (await begin(browser, 'bad')).callback)).toMatchObject({ error: 'failed' });
    await shop.stop();
  });
});

it('O9 a link ends with the password of whoever began it, also where the collection was written past the service', async () => {
  const shop = await startLinking();
  await shop.app.service('users').create({ email: 'ann@example.com', password: PASSWORD });
  const browser = shop.browser();
  const callback = await beginLink(browser, await logInLocal(shop, 'ann@example.com'));
  await shop.db.collection(`${shop.collections}-users`).updateOne({}, { $set: { password: 'another hash' } });
  expect(await finish(browser, callback)).toMatchObject({ error: 'expired' });
  expect(await shop.users.find({ badId: { $exists: true } })).toEqual([]);
  await shop.stop();
});
