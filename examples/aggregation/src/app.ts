import { DocDbService, type DocDbParams } from '@framework/adapter-docdb';
import { framework, type Paginated } from '@framework/core';
import { serviceSchema, Type, type DataType, type QueryType, type RecordType } from '@framework/schema';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import type { Db, Document } from 'mongodb';

const customerSchema = serviceSchema({
  record: Type.Object({ _id: Type.String(), name: Type.String({ minLength: 1 }), country: Type.String({ pattern: '^[A-Z]{2}$' }) }),
});
const orderSchema = serviceSchema({
  record: Type.Object({
    _id: Type.String(),
    customerId: Type.String(),
    item: Type.String({ minLength: 1 }),
    total: Type.Integer({ minimum: 0 }),
    at: Type.String({ format: 'date-time' }),
  }),
});
// What a report gives is described as any record is: callers filter and sort by it, and texts in addresses become numbers.
const monthSchema = serviceSchema({
  record: Type.Object({ _id: Type.String(), orders: Type.Integer(), total: Type.Integer(), largest: Type.Integer() }),
});
const buyerSchema = serviceSchema({
  record: Type.Object({ _id: Type.String(), name: Type.String(), country: Type.String(), orders: Type.Integer(), spent: Type.Integer() }),
});

/** A customer. */
export type Customer = RecordType<typeof customerSchema>;
/** What a customer has bought. */
export type Order = RecordType<typeof orderSchema>;
/** The orders of a month. */
export type Month = RecordType<typeof monthSchema>;
/** A customer with what he has spent. */
export type Buyer = RecordType<typeof buyerSchema>;

class CustomersService extends DocDbService<Customer, DataType<typeof customerSchema>, DocDbParams<QueryType<typeof customerSchema>>> {}
class OrdersService extends DocDbService<Order, DataType<typeof orderSchema>, DocDbParams<QueryType<typeof orderSchema>>> {}

/** Records that are made of others when somebody asks. The query of the caller stands behind the stages, at `$framework`. */
class ReportService<T extends object> {
  readonly #source: DocDbService<T>;
  readonly #stages: readonly Document[];

  constructor(db: Db, collection: string, stages: readonly Document[]) {
    this.#source = new DocDbService<T>({ Model: db.collection(collection), paginate: { default: 12, max: 100 } });
    this.#stages = stages;
  }

  /** Finds rows of the report, in pages. */
  async find({ query = {} }: DocDbParams = {}): Promise<T[] | Paginated<T>> {
    return this.#source.find({ query, pipeline: [...this.#stages, { $framework: {} }] });
  }
}

const MONTHS: readonly Document[] = [
  { $group: { _id: { $substrBytes: ['$at', 0, 7] }, orders: { $sum: 1 }, total: { $sum: '$total' }, largest: { $max: '$total' } } },
];
const BUYERS: readonly Document[] = [
  { $lookup: { from: 'orders', localField: '_id', foreignField: 'customerId', as: 'bought' } },
  { $project: { name: 1, country: 1, orders: { $size: '$bought' }, spent: { $sum: '$bought.total' } } },
];

/** The services of this application by path. */
export interface Services {
  customers: CustomersService;
  orders: OrdersService;
  months: ReportService<Month>;
  buyers: ReportService<Buyer>;
}

/** The application. */
export function createApp(db: Db): Application<Services> {
  const app = express(framework<Services>());
  app.use(json());
  app.configure(rest());
  const pages = { paginate: { default: 10, max: 100 } };
  const orders = async () => {
    const collection = db.collection('orders');
    // Without it, each row of the buyers reads all orders.
    await collection.createIndexes([{ key: { customerId: 1 } }]);
    return collection;
  };
  app.use('customers', new CustomersService({ Model: db.collection('customers'), disableObjectify: true, ...pages }), {
    schema: customerSchema,
  });
  app.use('orders', new OrdersService({ Model: orders, disableObjectify: true, ...pages }), { schema: orderSchema });
  app.use('months', new ReportService<Month>(db, 'orders', MONTHS), { schema: monthSchema });
  app.use('buyers', new ReportService<Buyer>(db, 'customers', BUYERS), { schema: buyerSchema });
  app.use(notFound());
  app.use(errorHandler());
  return app;
}
