import type { HookContext, NextFunction } from '@framework/core';
import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import type { DocDbParams } from './docdb-types.ts';
import { isDriverError, toFrameworkError } from './driver-error.ts';

/**
 * Runs calls as one transaction: all of them take effect, or none. The driver runs the function again when another
 * transaction was in the way, so it must not have effects outside the database.
 *
 * @param client a connected client
 * @param work gets the session; pass it to each call as `params.docdb.session`
 * @returns what the function returned
 * @see interface 4.5 (transactions)
 */
export async function transaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  try {
    return await client.withSession((session) => session.withTransaction(() => work(session), options));
  } catch (error) {
    throw isDriverError(error) ? toFrameworkError(error) : error;
  }
}

/**
 * Around hook that makes the method call one transaction. Calls of other services inside it take part when they get
 * `context.params.docdb`.
 *
 * @param client a connected client, or a function that gives one
 */
export function transactionHook(
  client: MongoClient | (() => MongoClient | Promise<MongoClient>),
): (context: HookContext, next: NextFunction) => Promise<void> {
  return async (context, next) => {
    const params = context.params as DocDbParams;
    if (params.docdb?.session) {
      await next();
      return;
    }
    const connected = typeof client === 'function' ? await client() : client;
    const session = connected.startSession();
    try {
      session.startTransaction();
      context.params = { ...params, docdb: { ...params.docdb, session } } as typeof context.params;
      await next();
      await session.commitTransaction();
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      throw isDriverError(error) ? toFrameworkError(error) : error;
    } finally {
      await session.endSession();
    }
  };
}
