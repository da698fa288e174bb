import { DocDbService, transactionHook, type DocDbParams } from '@framework/adapter-docdb';
import { framework } from '@framework/core';
import { BadRequest, NotFound } from '@framework/errors';
import { serviceSchema, Type, type DataType, type QueryType, type RecordType } from '@framework/schema';
import express, { errorHandler, json, notFound, rest, type Application } from '@framework/transport-express';
import type { Document, MongoClient } from 'mongodb';

const accountSchema = serviceSchema({
  record: Type.Object({ _id: Type.String(), owner: Type.String({ minLength: 1 }), balance: Type.Integer({ minimum: 0 }) }),
});
const transferSchema = serviceSchema({
  record: Type.Object({ _id: Type.String(), from: Type.String(), to: Type.String(), amount: Type.Integer({ minimum: 1 }) }),
});

/** An account, in the smallest unit of its money. */
export type Account = RecordType<typeof accountSchema>;
/** Money that went from one account to another. */
export type Transfer = RecordType<typeof transferSchema>;
type TransferData = DataType<typeof transferSchema>;

/** Accounts. Update operators such as `$inc` are for the server: callers from outside name none. */
class AccountsService extends DocDbService<
  Account,
  DataType<typeof accountSchema>,
  DocDbParams<QueryType<typeof accountSchema>>,
  Document
> {}

/** Transfers: what was transferred is stored, and with it both accounts are changed. */
class TransfersService extends DocDbService<Transfer, TransferData, DocDbParams<QueryType<typeof transferSchema>>> {
  readonly #accounts: () => AccountsService;

  constructor(client: MongoClient, accounts: () => AccountsService) {
    super({ Model: client.db().collection('transfers'), paginate: { default: 10, max: 100 } });
    this.#accounts = accounts;
  }

  override create(data: TransferData, params?: DocDbParams<QueryType<typeof transferSchema>>): Promise<Transfer>;
  override create(data: TransferData[], params?: DocDbParams<QueryType<typeof transferSchema>>): Promise<Transfer[]>;
  override async create(data: TransferData | TransferData[], params: DocDbParams = {}): Promise<Transfer | Transfer[]> {
    if (Array.isArray(data)) throw new BadRequest('One transfer at a time');
    const { from, to, amount } = data;
    if (from === to) throw new BadRequest('A transfer needs two accounts');
    const { docdb = {} } = params;
    // The condition is part of the command: of two transfers at once, both can not take the last of it.
    await this.#accounts()
      .patch(from, { $inc: { balance: -amount } }, { query: { balance: { $gte: amount } }, docdb })
      .catch(tellWhy('The account is not there, or has not so much'));
    await this.#accounts()
      .patch(to, { $inc: { balance: amount } }, { docdb })
      .catch(tellWhy('The account that is to get it is not there'));
    return super.create(data, { docdb });
  }
}

/** @throws BadRequest (400) in place of NotFound */
function tellWhy(text: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof NotFound ? new BadRequest(text) : error;
  };
}

/** The services of this application by path. */
export interface Services {
  accounts: AccountsService;
  transfers: TransfersService;
}

/**
 * The application.
 *
 * @param client a connected client, whose address names the database
 */
export function createApp(client: MongoClient): Application<Services> {
  const app = express(framework<Services>());
  app.use(json());
  app.configure(rest());
  app.use('accounts', new AccountsService({ Model: client.db().collection('accounts') }), {
    schema: accountSchema,
    methods: ['find', 'get', 'create'],
  });
  app.use('transfers', new TransfersService(client, () => app.service('accounts')), {
    schema: transferSchema,
    methods: ['find', 'get', 'create'],
  });
  // All that the method does with `params.docdb` is one transaction. A write that was in the way makes the driver run it again.
  app.service('transfers').hooks({ around: { create: [transactionHook(client)] } });
  app.use(notFound());
  app.use(errorHandler());
  return app;
}
