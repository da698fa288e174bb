import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { Program } from '@framework-internal/testing/program';
import type { Application } from '@framework/transport-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApp, type Buyer, type Month, type Order, type Services } from '../src/app.ts';
import { addSample } from '../src/sample.ts';

let database: TestDatabase;
let app: Application<Services>;
let url: string;
let orders: readonly Order[];
let customers: readonly { _id: string; name: string; country: string }[];
beforeAll(async () => {
  database = await startDatabase();
  await addSample(database.db);
  app = createApp(database.db);
  const server = await app.listen(0, 'localhost');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  orders = await database.db.collection<Order>('orders').find().toArray();
  customers = await database.db.collection<{ _id: string; name: string; country: string }>('customers').find().toArray();
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const ask = async (path: string): Promise<any> => (await fetch(url + path, { headers: { accept: 'application/json' } })).json();
const sum = (list: readonly Order[]): number => list.reduce((total, order) => total + order.total, 0);

/** The reports, computed without a database. */
const months = (): Month[] =>
  [...new Set(orders.map(({ at }) => at.slice(0, 7)))].sort().map((_id) => {
    const own = orders.filter(({ at }) => at.startsWith(_id));
    return { _id, orders: own.length, total: sum(own), largest: Math.max(...own.map(({ total }) => total)) };
  });
const buyers = (): Buyer[] =>
  customers
    .map(({ _id, name, country }) => {
      const own = orders.filter(({ customerId }) => customerId === _id);
      return { _id, name, country, orders: own.length, spent: sum(own) };
    })
    .sort((a, b) => b.spent - a.spent || (a._id < b._id ? -1 : 1));

describe('the reports', () => {
  it('months are sums of their orders', async () => {
    const { total, data } = await ask('/months?$sort[_id]=1');
    expect([total, data]).toEqual([12, months()]);
    expect(months()).toHaveLength(12);
  });

  it('buyers are customers with what they have spent', async () => {
    expect((await ask('/buyers?$sort[spent]=-1&$sort[_id]=1')).data).toEqual(buyers());
  });

  it('rows are filtered, selected and paged by what was computed', async () => {
    const [, , third] = buyers();
    const more = buyers().filter(({ spent }) => spent > Number(third?.spent));
    expect((await ask(`/buyers?spent[$gt]=${third?.spent}&$sort[spent]=-1`)).data).toEqual(more);
    const page = await ask('/months?$sort[total]=-1&$sort[_id]=1&$limit=2&$skip=1&$select[]=total');
    const expected = months().sort((a, b) => b.total - a.total || (a._id < b._id ? -1 : 1));
    expect(page).toEqual({ total: 12, limit: 2, skip: 1, data: expected.slice(1, 3).map(({ _id, total }) => ({ _id, total })) });
  });

  it('a new order counts at once', async () => {
    const [before] = (await ask('/months?_id=2026-01')).data;
    const data = { customerId: 'c0', item: 'tea', total: 1_000, at: '2026-01-31T10:00:00.000Z' };
    const made = await fetch(`${url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(data),
    });
    expect(made.status).toBe(201);
    const [after] = (await ask('/months?_id=2026-01')).data;
    expect(after).toEqual({ ...before, orders: Number(before.orders) + 1, total: Number(before.total) + 1_000, largest: 1_000 });
  });

  it('what no row has is 400, and a report is written by nobody', async () => {
    expect((await ask('/months?spent=1')).code).toBe(400);
    expect((await ask('/months?orders=many')).code).toBe(400);
    expect((await fetch(`${url}/months`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).status).toBe(
      405,
    );
  });
});

it('starts, and prints commands that work', async () => {
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const { DOCDB_URL: _url, ...env } = process.env;
  const example = await Program.start([process.execPath, main], { env: { ...env, PORT: '0' }, until: '$select[]=spent' });
  const addresses = [...example.printed.matchAll(/curl -g '(.+)'/g)].map((match) => String(match[1]));
  const found = await Promise.all(
    addresses.map(async (address) => ((await (await fetch(address)).json()) as { data: unknown[] }).data.length),
  );
  expect(found).toHaveLength(3);
  for (const count of found) expect(count).toBeGreaterThan(0);
  expect(await example.end()).toEqual([0, null]);
});
