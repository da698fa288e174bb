import type { EventHold } from '@framework/core';
import type { ClientSession } from 'mongodb';
import type { DocDbParams } from './docdb-types.ts';

/** What tells of the calls in the present transaction of a session. */
type Waiting = (() => void)[];

const waitingIn = new WeakMap<ClientSession, Waiting>();

/**
 * Keeps the events of calls in a transaction until it is committed: what is undone, or done again, is not told.
 *
 * @param params of a call of any service
 * @returns `undefined` for a call that is in no transaction
 */
export function holdUntilCommit({ docdb }: DocDbParams): EventHold | undefined {
  const session = docdb?.session;
  if (session?.inTransaction() !== true) return undefined;
  const waiting = waitingIn.get(session) ?? follow(session);
  return (tell) => void waiting.push(tell);
}

/**
 * Follows a session from one transaction to the next. The driver tells nobody how they end, and who runs them may be the application: its methods are where both
 * its own helper and the application come by.
 */
function follow(session: ClientSession): Waiting {
  const waiting: Waiting = [];
  waitingIn.set(session, waiting);
  const start = session.startTransaction.bind(session);
  const commit = session.commitTransaction.bind(session);
  const abort = session.abortTransaction.bind(session);
  const forget = (): void => {
    waiting.length = 0;
  };
  const methods: Pick<ClientSession, 'startTransaction' | 'commitTransaction' | 'abortTransaction'> = {
    startTransaction(...options) {
      start(...options);
      // The one before was not committed, and may not have been aborted either: the driver runs it again.
      forget();
    },
    async commitTransaction(...options) {
      await commit(...options);
      for (const tell of waiting.splice(0)) tell();
    },
    async abortTransaction(...options) {
      forget();
      await abort(...options);
    },
  };
  Object.assign(session, methods);
  return waiting;
}
