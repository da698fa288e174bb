import type { Db } from 'mongodb';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dora', 'Eve', 'Finn'];
const COUNTRIES = ['IT', 'NO'];
const ITEMS = ['tea', 'coffee', 'bread', 'honey'];

/** Puts six customers with 240 orders of a year into an empty database: always the same ones. */
export async function addSample(db: Db): Promise<void> {
  const customers = NAMES.map((name, index) => ({ _id: `c${index}`, name, country: COUNTRIES[index % 2] }));
  const orders = Array.from({ length: 240 }, (_, index) => ({
    _id: `o${index}`,
    customerId: `c${(index * 7) % NAMES.length}`,
    item: ITEMS[index % ITEMS.length],
    total: 5 + ((index * 37) % 90),
    at: new Date(Date.UTC(2026, index % 12, 1 + (index % 28), 12)).toISOString(),
  }));
  await db.collection<{ _id: string }>('customers').insertMany(customers);
  await db.collection<{ _id: string }>('orders').insertMany(orders);
}
