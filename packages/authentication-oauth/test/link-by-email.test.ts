import { DocDbService } from '@framework/adapter-docdb';
import type { HookContext, NextFunction } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OAuthStrategy, type OAuthParams, type OAuthProfile } from '../src/index.ts';
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

describe('S31 O7 two identities with one verified address that log in at the same instant', () => {
  const running: Shop[] = [];
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop();
  });

  /** Longest wait in milliseconds for others who read at the same time: they may be held back. */
  const PATIENCE = 500;

  /** Lets reads by the address go on when two have come, so that both decide by the same state. */
  function together(): (context: HookContext, next: NextFunction) => Promise<void> {
    const waiting: (() => void)[] = [];
    return async ({ params }, next) => {
      await next();
      if (params.query?.email === undefined || waiting.length === 2) return;
      const both = new Promise<void>((resolve) => waiting.push(resolve));
      if (waiting.length === 2) for (const go of waiting) go();
      await Promise.race([both, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    };
  }

  class WithAddress extends OAuthStrategy {
    override async getEntityData(
      profile: OAuthProfile,
      existing: Readonly<Record<string, unknown>> | null,
      params: OAuthParams,
    ): Promise<Record<string, unknown>> {
      const own = await super.getEntityData(profile, existing, params);
      return existing ? own : { ...own, email: profile.email, emailVerified: true };
    }
  }

  /** Two processes with one database, or one of them twice. */
  async function startBoth(processes: number, name: string): Promise<[Shop, Shop]> {
    const wait = together();
    const start = async (): Promise<Shop> => {
      const started = await startShop({
        oauth: { linkByEmail: true, bad: { issuer: bad.issuer, ...CLIENT } },
        authentication: { limiter: false },
        strategies: { bad: new WithAddress() },
        database,
        collections: name,
      });
      running.push(started);
      started.app.service('users').hooks({ around: { find: [wait] } });
      return started;
    };
    const first = await start();
    return [first, processes === 2 ? await start() : first];
  }

  /** Each identity logs in at one of the applications. */
  async function oneWins(shops: readonly [Shop, Shop]): Promise<void> {
    bad.does = { userinfo: { email: ann.email, email_verified: true } };
    const flows: { subject: string; finish: () => Promise<Readonly<Record<string, string>>> }[] = [];
    for (const [index, at] of shops.entries()) {
      const subject = `identity${String(index)}`;
      bad.subject = subject;
      const browser = at.browser();
      const { callback } = await begin(browser, 'bad');
      flows.push({ subject, finish: () => finish(browser, callback) });
    }
    const ends = await Promise.all(flows.map(async (flow) => ({ subject: flow.subject, error: (await flow.finish()).error })));
    const winners = ends.filter(({ error }) => error === undefined);
    expect([winners.length, ends.map(({ error }) => error).filter((error) => error !== undefined)]).toEqual([1, ['account-exists']]);
    expect(await shops[0].users.find()).toEqual([expect.objectContaining({ email: ann.email, badId: winners[0]?.subject })]);
  }

  it.each([1, 2])('one of them takes the account (processes: %i)', async (processes) => {
    const shops = await startBoth(processes, `taken${String(processes)}`);
    await shops[0].app.service('users').create(ann);
    await oneWins(shops);
  });

  it.each([1, 2])('one of them makes the account (processes: %i)', async (processes) => {
    await oneWins(await startBoth(processes, `made${String(processes)}`));
  });

  it('one of them takes the account of a service that knows no null in queries', async () => {
    const shops = await startBoth(1, 'strict');
    await shops[0].app.service('users').create(ann);
    const refuse = ({ params }: HookContext): void => {
      if (params.query?.badId === null) throw new BadRequest('validation failed');
    };
    shops[0].app.service('users').hooks({ before: { patch: [refuse] } });
    await oneWins(shops);
  });
});
