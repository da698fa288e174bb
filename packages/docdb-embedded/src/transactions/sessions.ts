import { hashKey } from '../bson/hash-key.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Store } from '../storage/store.ts';
import { type Transaction, TRANSACTION_LIFETIME } from './transaction.ts';

/** Milliseconds that a session is kept without use. */
export const SESSION_LIFETIME: number = 30 * 60_000;

/** What the server knows of a client's logical session. */
export interface Session {
  readonly lsid: Doc;
  lastUse: number;
  transaction: Transaction | undefined;
  /** Highest transaction number that was used. */
  number: bigint;
  /** Answer of the last retryable write. */
  reply: { readonly number: bigint; readonly answer: Doc } | undefined;
}

/** All sessions, with their transactions and the answers that a retry gets again. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns the session, made at its first use */
  use(lsid: Doc): Session {
    const key = hashKey(lsid.id);
    const known = this.#sessions.get(key);
    if (known) {
      known.lastUse = Date.now();
      return known;
    }
    const session: Session = { lsid, lastUse: Date.now(), transaction: undefined, number: -1n, reply: undefined };
    this.#sessions.set(key, session);
    return session;
  }

  /** Ends a session and its transaction. */
  end(lsid: Doc): void {
    const key = hashKey(lsid.id);
    const session = this.#sessions.get(key);
    if (session?.transaction) this.#store.abort(session.transaction);
    this.#sessions.delete(key);
  }

  /** @returns what `$listLocalSessions` shows of the sessions */
  list(): Doc[] {
    return [...this.#sessions.values()].map(({ lsid, lastUse }) => ({ _id: lsid, lastUse: new Date(lastUse) }));
  }

  /** Ends all sessions. */
  endAll(): void {
    for (const session of [...this.#sessions.values()]) this.end(session.lsid);
  }

  /**
   * The transaction of a command with `autocommit: false`.
   *
   * @param starts whether the command begins it
   * @throws DocDbError (225, 251, 256)
   */
  transaction(session: Session, number: bigint, starts: boolean, ending: boolean): Transaction {
    const current = session.transaction;
    if (number < session.number) {
      throw new DocDbError(
        225,
        `Cannot start transaction ${String(number)} on session because a newer transaction ${String(session.number)} has already started.`,
        TRANSIENT,
      );
    }
    if (starts) {
      if (current?.number === number && current.state !== 'open')
        throw new DocDbError(251, `Given transaction number ${String(number)} has been ended.`, TRANSIENT);
      if (current?.state === 'open') this.#store.abort(current);
      session.number = number;
      session.transaction = this.#store.begin(number);
      return session.transaction;
    }
    if (current?.number !== number || current.state === 'aborted') {
      throw new DocDbError(251, `Given transaction number ${String(number)} does not match any in-progress transactions.`, TRANSIENT);
    }
    if (current.state === 'committed' && !ending) throw new DocDbError(256, `Transaction ${String(number)} has been committed.`);
    return current;
  }

  /** Aborts transactions that are open too long, and forgets sessions without use. */
  sweep(now: number = Date.now()): void {
    for (const [key, session] of this.#sessions) {
      const { transaction } = session;
      if (transaction?.state === 'open' && now - transaction.started > TRANSACTION_LIFETIME) this.#store.abort(transaction);
      if (now - session.lastUse > SESSION_LIFETIME && transaction?.state !== 'open') this.#sessions.delete(key);
    }
  }
}

const TRANSIENT = { errorLabels: ['TransientTransactionError'] };
