import { DocDbService } from '@framework/adapter-docdb';
import type { HookContext, NextFunction } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, CreateCollectionOptions } from 'mongodb';
import { API, begin, CLIENT, exchange, finish, startShop, type Shop } from './harness.ts';

let database: TestDatabase;
let bad: BadProvider;
const running: Shop[] = [];
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
});
beforeEach(() => {
  bad.subject = 'ann';
  bad.does = { userinfo: { email: undefined } };
});
afterEach(async () => {
  for (const shop of running.splice(0)) await shop.stop();
});
afterAll(async () => {
  await bad.stop();
  await database.close();
});

interface People {
  readonly shop: Shop;
  readonly people: Collection;
  logIn(): Promise<Readonly<Record<string, string>>>;
}

/** An application whose entities have no indexes. */
async function startPeople(name: string, options: CreateCollectionOptions = {}): Promise<People> {
  const people = await database.db.createCollection(name, options);
  const shop = await startShop({
    oauth: { linkByEmail: true, bad: { issuer: bad.issuer, ...CLIENT } },
    authentication: { limiter: false, service: 'people' },
    database,
    register: (app) => void app.use('people', new DocDbService({ Model: people })),
  });
  running.push(shop);
  return {
    shop,
    people,
    logIn: async () => {
      const browser = shop.browser();
      return finish(browser, (await begin(browser, 'bad')).callback);
    },
  };
}

describe('O10 an identity without an address that logs in for the first time several times at once', () => {
  it('makes one entity in one process, also where nothing else keeps it unique', async () => {
    const { shop, people, logIn } = await startPeople('at-once');
    const flows: (() => Promise<Readonly<Record<string, string>>>)[] = [];
    for (let count = 0; count < 5; count++) {
      const browser = shop.browser();
      const { callback } = await begin(browser, 'bad');
      flows.push(() => finish(browser, callback));
    }
    const ends = await Promise.all(flows.map((end) => end()));
    expect(ends.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(await people.find().toArray()).toEqual([expect.objectContaining({ badId: 'ann' })]);
    expect(await logIn()).toHaveProperty('access_token');
  });
});

it('O10 a first login that has asked for its entity before another one made it takes that', async () => {
  const { shop, people, logIn } = await startPeople('asked-before');
  let tellDone = (): void => undefined;
  const done = new Promise<void>((resolve) => (tellDone = resolve));
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (tellAsked = resolve));
  let isFirst = true;
  shop.app.service('people').hooks({
    after: {
      find: [
        async () => {
          if (!isFirst) return;
          isFirst = false;
          tellAsked();
          await done;
        },
      ],
    },
  });
  const slow = logIn();
  await asked;
  await logIn();
  tellDone();
  await slow;
  expect(await people.countDocuments({ badId: 'ann' })).toBe(1);
});

describe('O10 an identity that several accounts link at once', () => {
  /** The answer of the provider to a link that an account has begun. */
  async function beginLink({ shop, people }: People, name: string): Promise<() => Promise<Readonly<Record<string, string>>>> {
    const { insertedId: entity } = await people.insertOne({ name });
    const { accessToken } = await shop.authentication.createToken({ entity });
    const browser = shop.browser();
    const { body } = await browser.request(`${API}/oauth/bad`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const answer = await browser.request(String(body.location));
    return () => finish(browser, String(answer.headers.location));
  }

  it('becomes that of one in one process, also where nothing else keeps it unique', async () => {
    const started = await startPeople('links-at-once');
    const links = [await beginLink(started, 'Ann'), await beginLink(started, 'Bob'), await beginLink(started, 'Eve')];
    const ends = await Promise.all(links.map((end) => end()));
    expect(ends.map(({ error }) => error).sort()).toEqual(['already-linked', 'already-linked', undefined]);
    expect(await started.people.countDocuments({ badId: 'ann' })).toBe(1);
    expect(await started.logIn()).toHaveProperty('access_token');
  });

  it('and logs in for the first time meanwhile, has one account', async () => {
    const started = await startPeople('link-and-login');
    const link = await beginLink(started, 'Ann');
    const browser = started.shop.browser();
    const { callback } = await begin(browser, 'bad');
    await Promise.all([link(), finish(browser, callback)]);
    expect(await started.people.countDocuments({ badId: 'ann' })).toBe(1);
    expect(await started.logIn()).toHaveProperty('access_token');
  });
});

describe('O8 a collection that takes different identities for one', () => {
  const options = { collation: { locale: 'en', strength: 2 } };

  it('lets nobody in as somebody else whose name is written otherwise', async () => {
    const { shop, people, logIn } = await startPeople('collated', options);
    await people.insertOne({ badId: 'ANN', name: 'another' });
    const { access_token: ticket } = await logIn();
    expect((await exchange(shop, ticket)).body.user).toMatchObject({ badId: 'ann' });
    expect(await people.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ badId: 'ANN', name: 'another' }, { badId: 'ann' }]);
    expect((await exchange(shop, (await logIn()).access_token)).body.user).toMatchObject({ badId: 'ann' });
  });

  it('makes no entity where an index takes both for one', async () => {
    const { people, logIn } = await startPeople('collated-index', options);
    await people.createIndex({ badId: 1 }, { unique: true });
    await people.insertOne({ badId: 'ANN', name: 'another' });
    expect(await logIn()).toMatchObject({ error: 'account-exists' });
    expect(await people.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ badId: 'ANN', name: 'another' }]);
  });
});

describe('S31 O7 what was found of an account has to hold when an identity takes it', () => {
  const email = 'ann@example.com';
  const changes: readonly [string, object][] = [
    ['its address became another one', { email: 'other@example.com', emailVerified: true }],
    ['its address is not verified any more', { emailVerified: false }],
    ['another identity has taken it', { badId: 'bob' }],
  ];

  /** Another process changes the account between the question for it and the write. */
  async function changedMeanwhile(name: string, change: object): Promise<People> {
    const started = await startPeople(name);
    await started.people.insertOne({ email, emailVerified: true });
    bad.does = { userinfo: { email, email_verified: true } };
    started.shop.app.service('people').hooks({
      around: {
        find: [
          async ({ params }: HookContext, next: NextFunction) => {
            await next();
            if (params.query?.email !== undefined) await started.people.updateOne({ email }, { $set: change });
          },
        ],
      },
    });
    return started;
  }

  it.each(changes)('%s: the login fails and nothing is written', async (what, change) => {
    const { people, logIn } = await changedMeanwhile(`changed ${what}`, change);
    expect(await logIn()).toMatchObject({ error: 'account-exists' });
    expect(await people.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ email, emailVerified: true, ...change }]);
  });

  it.each([
    ['no null', changes[0], (query: object) => Object.values(query).includes(null)],
    ['no null', changes[1], (query: object) => Object.values(query).includes(null)],
    ['the address alone', changes[0], (query: object) => Object.keys(query).some((name) => name !== 'email')],
  ] as const)('also of a service that knows %s in queries: %j', async (what, change, isUnknown) => {
    const [, fields = {}] = change ?? [];
    const { shop, people, logIn } = await changedMeanwhile(`strict ${what} ${JSON.stringify(fields)}`, fields);
    const refuse = ({ params }: HookContext): void => {
      if (isUnknown(params.query ?? {})) throw new BadRequest('validation failed');
    };
    shop.app.service('people').hooks({ before: { patch: [refuse] } });
    expect(await logIn()).toMatchObject({ error: 'account-exists' });
    expect(await people.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ email, emailVerified: true, ...fields }]);
  });
});
