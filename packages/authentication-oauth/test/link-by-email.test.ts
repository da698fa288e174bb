import { DocDbService } from '@framework/adapter-docdb';
import { startDatabase, type TestDatabase } from '@framework-internal/testing';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { begin, CLIENT, finish, startShop, type Shop } from './harness.ts';

let database: TestDatabase;
let bad: BadProvider;
let shop: Shop;
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  shop = await startShop({
    oauth: { linkByEmail: true, bad: { issuer: bad.issuer, ...CLIENT } },
    authentication: { limiter: false },
    database,
  });
});
beforeEach(async () => {
  bad.subject = 'eve';
  await shop.db.collection(`${shop.collections}-users`).deleteMany({});
});
afterAll(async () => {
  await shop.stop();
  await bad.stop();
  await database.close();
});

const PASSWORD = 'right password';
const ann = { email: 'ann@example.com', password: PASSWORD, emailVerified: true };

/** Whoever controls the account at the provider logs in, and gets what the page is told. */
async function logIn(userinfo: object = {}, claims: Record<string, unknown> = {}): Promise<Readonly<Record<string, string>>> {
  bad.does = { userinfo: { email: ann.email, email_verified: true, ...userinfo }, claims };
  const browser = shop.browser();
  return finish(browser, (await begin(browser, 'bad')).callback);
}

describe('S31 O7 an account is linked by its address', () => {
  beforeEach(async () => {
    await shop.app.service('users').create(ann);
  });

  it.each([false, null, undefined, 'false', 'true', 'yes', 0, 1, [true], {}])(
    'only when the provider has said true of it: %j is not',
    async (verified) => {
      expect(await logIn({ email_verified: verified })).toMatchObject({ error: 'account-exists' });
    },
  );

  it('never when one answer of the provider says the address and another says that some address was verified', async () => {
    expect(await logIn({ email: 'eve@example.com' }, { email: ann.email })).toMatchObject({ error: 'account-exists' });
  });

  it('when the answer that says the address says that it was verified', async () => {
    expect(await logIn({ email: 'eve@example.com', email_verified: false }, { email: ann.email, email_verified: true })).toHaveProperty(
      'access_token',
    );
  });

  it('when both answers of the provider say the address and one says that it was verified', async () => {
    expect(await logIn({}, { email: ann.email })).toHaveProperty('access_token');
  });

  it('never when the ID token says that it was not verified', async () => {
    expect(await logIn({}, { email: ann.email, email_verified: false })).toMatchObject({ error: 'account-exists' });
  });
});

describe('S31 O7 a collection that takes different addresses for one', () => {
  it.each(['ánn@example.com', 'ANN@example.com'])('links none by %s', async (email) => {
    const name = `collated-${email.length}${email.codePointAt(0) ?? 0}`;
    const people = await shop.db.createCollection(name, { collation: { locale: 'en', strength: 1 } });
    await people.insertOne({ email: ann.email, emailVerified: true });
    const collated = await startShop({
      oauth: { linkByEmail: true, bad: { issuer: bad.issuer, ...CLIENT } },
      authentication: { limiter: false, service: 'people' },
      database,
      register: (app) => void app.use('people', new DocDbService({ Model: people })),
    });
    bad.does = { userinfo: { email, email_verified: true } };
    const browser = collated.browser();
    const end = await finish(browser, (await begin(browser, 'bad')).callback);
    await collated.stop();
    expect(end).toMatchObject({ error: 'account-exists' });
  });
});
