import { AsyncLocalStorage } from 'node:async_hooks';
import { copyParams, type EventHold } from '@framework/core';
import type { ClientSession, TransactionOptions } from 'mongodb';
import type { DocDbParams } from './docdb-types.ts';
import { isServerError, UNKNOWN_COMMIT, UnansweredError } from './driver-error.ts';
import { COMMAND_TIME, driverOptions, LONGEST } from './operations/call.ts';
import { isSession } from './operations/driver-options.ts';
import { limitOf, withinLimit } from './operations/within-limit.ts';

/** Where code runs: in the work of a transaction, within a command of it, or where its calls are told of, which is outside of it. */
interface Place {
  readonly transaction: SessionTransaction;
  readonly at: 'work' | 'command' | 'told';
}

const here = new AsyncLocalStorage<Place>();

/** @returns the transaction that the code is in the work of */
function own(): SessionTransaction | undefined {
  const place = here.getStore();
  return place?.at === 'told' ? undefined : place?.transaction;
}

/** The present transaction of each session that is followed, or its last one. */
const latest = new WeakMap<ClientSession, SessionTransaction>();

/**
 * One transaction of a session, from its start to its end. A session takes one command at a time; what comes when the transaction has ended would be
 * stored outside of it, or in the next one of the session, which may be the same work again.
 */
export class SessionTransaction {
  readonly session: ClientSession;
  #state: 'open' | 'ending' | 'committed' | 'undone' = 'open';
  /** What tells of the calls. */
  #waiting: (() => void)[] = [];
  #failure: unknown;
  #last: Promise<void> = Promise.resolve();

  constructor(session: ClientSession) {
    this.session = session;
  }

  /** Whether it is known how it has ended, or nobody can end it any more. */
  get hasEnded(): boolean {
    return this.#state === 'committed' || this.#state === 'undone' || this.session.hasEnded;
  }

  /** The error with which the database has undone everything. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Makes a call when those before it are through.
   *
   * @throws what the call throws, and Error when the transaction has ended or the database has undone it
   */
  async inTurn<T>(call: () => Promise<T>): Promise<T> {
    if (own() === this && here.getStore()?.at === 'command') return call();
    this.#check();
    const turn = this.#last.then(() => {
      // Beside the one that failed: whoever waits for all of them gets one error, whichever comes first.
      if (this.#failure !== undefined) throw this.#failure;
      this.#check();
      return here.run({ transaction: this, at: 'command' }, call);
    });
    this.#last = turn.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Error && isServerError(error.cause)) this.#failure ??= error;
      },
    );
    return turn;
  }

  /** Keeps what tells of a call until the end. */
  hold(tell: () => void): void {
    if (this.#state === 'committed') this.#tell(tell);
    else if (this.#state !== 'undone') this.#waiting.push(tell);
  }

  /** Lets no other call begin, and waits for the one that runs. */
  async end(): Promise<void> {
    if (this.#state === 'open') this.#state = 'ending';
    await this.#last;
  }

  /** Tells of its calls. */
  committed(): void {
    this.#state = 'committed';
    for (const tell of this.#waiting.splice(0)) this.#tell(tell);
  }

  /** Tells nobody. One that is committed stays it. */
  undone(): void {
    if (this.#state !== 'committed') this.#state = 'undone';
    this.#waiting = [];
  }

  #tell(tell: () => void): void {
    here.run({ transaction: this, at: 'told' }, tell);
  }

  #check(): void {
    if (this.#state !== 'open')
      throw new Error(
        'The transaction of this call has ended before the call came to the database, which has nothing of it: ' +
          'what works in a transaction has to wait for all its calls, also where one of them fails (Promise.allSettled)',
      );
    if (this.#failure === undefined) return;
    throw new Error(
      'The database has undone the transaction when a call before this one failed, which is the cause: the error of such a call has to end the work',
      { cause: this.#failure },
    );
  }
}

/**
 * The transaction that a call belongs to: that of the work which makes it, also when that has ended, or else the present one of its session.
 *
 * @param params of a call of any service
 */
export function transactionOf({ docdb }: DocDbParams): SessionTransaction | undefined {
  const session = docdb?.session;
  // Whoever has none may say so by `null`. Parameters of other services come by here too: what is no session is refused where a call would use it.
  if (!isSession(session)) return undefined;
  const mine = own();
  if (mine?.session === session) return mine;
  return session.inTransaction() ? follow(session) : undefined;
}

/** Key of the transaction that a call has begun, in the options that it gives to the calls inside of it. */
const WITHIN: unique symbol = Symbol('within');

/** @returns options for the calls inside of the present transaction of a session */
export function optionsWithin(session: ClientSession, docdb: DocDbParams['docdb']): DocDbParams['docdb'] {
  return { ...docdb, session, ...{ [WITHIN]: follow(session) } };
}

/** Sessions that were begun for one transaction, and end with it: that of a call, or of work that calls are made by. */
const begunFor = new WeakMap<ClientSession, 'call' | 'work'>();

/** Notes that a session is of one transaction alone. */
export function beginFor(session: ClientSession, whose: 'call' | 'work'): void {
  begunFor.set(session, whose);
}

/**
 * The parameters of a call as they hold now. Hooks around a call that was a transaction, and listeners, make further calls with its parameters: these are outside of
 * it once it has ended. What the work of the transaction calls too late keeps its session, and is refused.
 *
 * @param params of a call of any service; not changed
 * @returns the parameters, or a copy without the session of a transaction that has ended
 */
export function presentParams<P extends DocDbParams>(params: P): P {
  const session = params.docdb?.session;
  if (session === undefined || !isLeft(session)) return params;
  const { session: _session, ...docdb } = { ...params.docdb };
  return copyParams(params, { docdb });
}

/** Whether a session is of a transaction that has ended, and of code that is outside of it. */
function isLeft(session: ClientSession): boolean {
  if (own()?.session === session || latest.get(session)?.hasEnded === false) return false;
  const whose = begunFor.get(session);
  if (whose === 'call') return true;
  // Who runs transactions in a session of its own may go on with that, as long as it is there.
  return here.getStore()?.transaction.session === session && (whose === 'work' || session.hasEnded);
}

/** Transactions that calls have begun in sessions of their callers: the last one of each session that still runs. */
const begun = new WeakMap<ClientSession, Promise<unknown>>();

/**
 * Whether the session of a call runs the transaction of another call, which this one is no part of: it would be undone with that, though its caller was told
 * that it was made.
 *
 * @param params of a call of any service
 */
export function isBeside({ docdb }: DocDbParams): boolean {
  const session = docdb?.session;
  if (session === undefined || !begun.has(session)) return false;
  return own()?.session !== session && Reflect.get(docdb ?? {}, WITHIN) !== latest.get(session);
}

/**
 * Runs the transaction of a call in the session of its caller, behind those that other calls have begun there.
 *
 * @throws what the work throws
 */
export async function inOrder(session: ClientSession, work: () => Promise<void>): Promise<void> {
  const before = begun.get(session);
  const done = before ? before.then(work, work) : work();
  begun.set(session, done);
  try {
    await done;
  } finally {
    if (begun.get(session) === done) begun.delete(session);
  }
}

/**
 * Runs work as the present transaction of a session, which is followed.
 *
 * @throws what the work throws, and the error with which the database has undone everything, where the work has kept it to itself
 */
export async function within<T>(session: ClientSession, work: () => Promise<T>): Promise<T> {
  const transaction = follow(session);
  const result = await here.run({ transaction, at: 'work' }, work);
  await transaction.end();
  if (transaction.failure !== undefined) throw transaction.failure;
  return result;
}

/**
 * Keeps the events of calls in a transaction until it is committed: what is undone, or done again, is not told.
 *
 * @param params of a call of any service
 * @returns `undefined` for a call that is in no transaction
 */
export function holdUntilCommit(params: DocDbParams): EventHold | undefined {
  const transaction = transactionOf(params);
  return transaction && ((tell) => transaction.hold(tell));
}

/**
 * Follows a session from one transaction to the next. The driver tells nobody how they end, and who runs them may be the application: its methods are where both
 * its own helper and the application come by.
 *
 * @returns the present transaction of the session, or its next one
 */
export function follow(session: ClientSession): SessionTransaction {
  const known = latest.get(session);
  if (known) return known;
  const first = new SessionTransaction(session);
  latest.set(session, first);
  let present = first;
  const start = session.startTransaction.bind(session);
  const commit = session.commitTransaction.bind(session);
  const abort = session.abortTransaction.bind(session);
  let limit = limitOfEnd(session, undefined);
  /** That the driver does not come to an end with undoing the present transaction. */
  let stuck: unknown;
  const methods: Pick<ClientSession, 'startTransaction' | 'commitTransaction' | 'abortTransaction'> = {
    startTransaction(options) {
      if (stuck !== undefined) throw stuck;
      start(options);
      // The one before was not committed, and may not have been aborted either: the driver runs it again.
      present.undone();
      present = new SessionTransaction(session);
      latest.set(session, present);
      limit = limitOfEnd(session, options);
    },
    async commitTransaction(...options) {
      const committing = present;
      await committing.end();
      await withinLimit(commit(...options), limit, clientOfSession(session), UNKNOWN_COMMIT);
      committing.committed();
    },
    async abortTransaction(...options) {
      const aborting = present;
      aborting.undone();
      await aborting.end();
      if (stuck !== undefined) return;
      try {
        await withinLimit(abort(...options), limit, clientOfSession(session));
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        // The driver tells of nothing that undoing fails with: the server undoes by itself what nobody goes on with.
        stuck = error;
      }
    },
  };
  Object.assign(session, methods);
  return first;
}

/** @returns milliseconds that the end of a transaction may take */
function limitOfEnd({ clientOptions, defaultTransactionOptions }: ClientSession, options: TransactionOptions | undefined): number {
  const client = { options: clientOptions };
  const maxTimeMS = options?.maxCommitTimeMS ?? defaultTransactionOptions?.maxCommitTimeMS ?? COMMAND_TIME;
  return Math.min(limitOf(client, driverOptions({ maxTimeMS }, {}, { db: { client } })) ?? LONGEST, LONGEST);
}

/** The driver's own, which it does not declare. */
function clientOfSession(session: ClientSession): unknown {
  return Reflect.get(session, 'client');
}
