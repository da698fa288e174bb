import { copyParams, repeating, type HookContext, type NextFunction } from '@framework/core';
import type { ClientSession, MongoClient, TransactionOptions } from 'mongodb';
import { copyPlain } from './copy-plain.ts';
import type { DocDbParams } from './docdb-types.ts';
import { isDriverError, toFrameworkError } from './driver-error.ts';
import { beginFor, follow, inOrder, isBeside, optionsWithin, presentParams, transactionOf, within } from './session-transaction.ts';

/**
 * Runs calls as one transaction: all of them take effect, or none. The driver runs the function again when another
 * transaction was in the way, so it must not have effects outside the database.
 *
 * @param client a connected client
 * @param work gets the session; pass it to each call as `params.docdb.session`
 * @returns what the function returned
 * @throws TypeError for what is no client of the driver
 * @see interface 4.5 (transactions)
 */
export async function transaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  checkClient('transaction()', client);
  return inNewSession(client, 'work', work, options);
}

/** @throws what {@link runIn} throws */
async function inNewSession<T>(
  client: MongoClient,
  whose: 'call' | 'work',
  work: (session: ClientSession) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return client.withSession((session) => {
    beginFor(session, whose);
    return runIn(session, work, options);
  });
}

/** @throws what the work throws, and what `toFrameworkError` makes of errors of the driver */
async function runIn<T>(session: ClientSession, work: (session: ClientSession) => Promise<T>, options?: TransactionOptions): Promise<T> {
  follow(session);
  try {
    return await session.withTransaction(() => within(session, () => work(session)), options);
  } catch (error) {
    throw isDriverError(error) ? toFrameworkError(error) : error;
  }
}

/**
 * Around hook that makes the method call one transaction. Calls of other services inside it take part when they get
 * `context.params.docdb`. Where another transaction was in the way, the driver runs the method, and the hooks inside this one,
 * again: they must not have effects outside the database. What they change in data and queries is undone before.
 *
 * @param client a connected client, or a function that gives one
 * @throws TypeError for what is neither
 */
export function transactionHook(
  client: MongoClient | (() => MongoClient | Promise<MongoClient>),
  options?: TransactionOptions,
): (context: HookContext, next: NextFunction) => Promise<void> {
  if (typeof client !== 'function') checkClient('transactionHook()', client);
  return repeating(async (context: HookContext, next: NextFunction) => {
    if (typeof next !== 'function')
      throw new TypeError('transactionHook() is an around hook: hooks({ around: { create: [transactionHook(client)] } })');
    const { params: original, http, event, arguments: given } = context;
    const params = presentParams(original);
    if (!isBeside(params) && transactionOf(params)) return next();
    const { docdb } = params as DocDbParams;
    const hadResult = Object.hasOwn(context, 'result');
    const attempt = async (session: ClientSession): Promise<void> => {
      // What an attempt before has left behind.
      if (!hadResult) delete context.result;
      delete context.dispatch;
      // Hooks may change data and queries in their place: the next attempt begins with what the call was made with.
      Object.assign(context, {
        arguments: given.map((value) => (value === original ? value : copyPlain(value))),
        event,
        http: { ...http },
      });
      const query = params.query === undefined ? {} : { query: copyPlain(params.query) };
      context.params = copyParams(params, { ...query, docdb: optionsWithin(session, docdb) });
      await next();
    };
    const own = docdb?.session;
    if (own) return inOrder(own, () => runIn(own, attempt, options));
    const of = typeof client === 'function' ? await client() : client;
    checkClient('transactionHook()', of);
    return inNewSession(of, 'call', attempt, options);
  });
}

/** Callers without types may give a database or a collection, or nothing yet. */
function checkClient(of: string, client: unknown): asserts client is MongoClient {
  if (typeof client === 'object' && client !== null && 'withSession' in client) return;
  throw new TypeError(`${of} needs a connected MongoClient of the driver, as the first argument`);
}
