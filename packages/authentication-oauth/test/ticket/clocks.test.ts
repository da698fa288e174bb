import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { startBadProvider, type BadProvider } from '@framework-internal/testing/oidc';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { begin, CLIENT, exchange, finish, startShop, type Shop } from '../harness.ts';

let database: TestDatabase;
let bad: BadProvider;
/** Two processes over one store, as far as tickets know. */
let shops: [Shop, Shop];
beforeAll(async () => {
  database = await startDatabase();
  bad = await startBadProvider(CLIENT.clientId, CLIENT.clientSecret);
  const options = { database, collections: 'clocks', oauth: { bad: { issuer: bad.issuer, ...CLIENT } } };
  shops = [await startShop(options), await startShop(options)];
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await bad.stop();
  await database.close();
});

async function ticketOfFirst(): Promise<string> {
  const browser = shops[0].browser();
  return String((await finish(browser, (await begin(browser, 'bad')).callback)).access_token);
}

/** What the exchange of a ticket answers, so many milliseconds after it was made by the clock of the one that is asked. */
async function exchangedAfter(milliseconds: number, shop: Shop, ticket: string): Promise<number> {
  const later = Date.now() + milliseconds;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
  const { status } = await exchange(shop, ticket);
  clock.mockRestore();
  return status;
}

it('a ticket is exchanged by a process whose clock is more than a minute ahead, and by none that is two', async () => {
  expect(await exchangedAfter(90_000, shops[1], await ticketOfFirst())).toBe(201);
  expect(await exchangedAfter(-90_000, shops[1], await ticketOfFirst())).toBe(201);
  expect(await exchangedAfter(121_000, shops[1], await ticketOfFirst())).toBe(401);
});

it('a ticket ends after a minute in the process that made it', async () => {
  expect(await exchangedAfter(50_000, shops[0], await ticketOfFirst())).toBe(201);
  expect(await exchangedAfter(61_000, shops[0], await ticketOfFirst())).toBe(401);
});

it('a ticket does not last for longer because a clock was put back since', async () => {
  expect(await exchangedAfter(-50_000, shops[0], await ticketOfFirst())).toBe(201);
  for (const shop of shops) expect(await exchangedAfter(-3_600_000, shop, await ticketOfFirst())).toBe(401);
});
