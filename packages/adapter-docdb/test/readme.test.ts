import { readFileSync } from 'node:fs';
import { startDatabase, type TestDatabase } from '@framework-internal/testing/database';
import { framework } from '@framework/core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DocDbService } from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

interface Row {
  _id: string;
  [name: string]: unknown;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

it('the joins of the README give what they say', async () => {
  const [, code = ''] = /^```js joins\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const { db } = database;
  await db.collection<Row>('customers').insertMany([
    { _id: 'c1', name: 'Zoe', country: 'IT' },
    { _id: 'c2', name: 'Bob', country: 'DE' },
    { _id: 'c3', name: 'Ann', country: 'IT' },
  ]);
  await db.collection<Row>('orders').insertMany([
    { _id: 'o1', customerId: 'c1', total: 5, at: 1 },
    { _id: 'o2', customerId: 'c2', total: 50, at: 2 },
    { _id: 'o3', customerId: 'c3', total: 20, at: 3 },
    { _id: 'o4', customerId: 'c1', total: 30, at: 4 },
  ]);
  await db.collection<Row>('items').insertMany([
    { _id: 'i1', orderId: 'o3' },
    { _id: 'i2', orderId: 'o3' },
  ]);
  const app = framework()
    .use('orders', new DocDbService({ Model: db.collection('orders') }))
    .use('customers', new DocDbService({ Model: db.collection('customers'), paginate: { default: 10 } }));
  // The example is plain JavaScript, run as it stands.
  const AsyncFunction = (async () => undefined).constructor as new (
    ...args: string[]
  ) => (app: unknown) => Promise<Record<string, unknown>>;
  const results = await new AsyncFunction('app', `${code}\nreturn { italian, latest, one, customers };`)(app);
  const { italian, latest, one, customers } = results as Record<string, Record<string, unknown>[]>;
  expect(italian?.map(({ _id, customer }) => [_id, (customer as { name: string }).name])).toEqual([
    ['o3', 'Ann'],
    ['o1', 'Zoe'],
    ['o4', 'Zoe'],
  ]);
  expect(latest?.map(({ _id }) => _id)).toEqual(['o4', 'o3', 'o2', 'o1']);
  expect(one).toMatchObject({ _id: 'o3', items: [{ _id: 'i1' }, { _id: 'i2' }] });
  expect(customers).toMatchObject({
    total: 3,
    data: [
      { _id: 'c2', spent: 50, orders: 1 },
      { _id: 'c1', spent: 35, orders: 2 },
      { _id: 'c3', spent: 20, orders: 1 },
    ],
  });
});
