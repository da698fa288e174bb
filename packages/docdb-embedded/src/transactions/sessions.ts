import { createHash } from 'node:crypto';
import { hashKey } from '../bson/hash-key.ts';
import type { Doc } from '../bson/values.ts';
import { abortedTransaction, DocDbError, noSuchTransaction } from '../errors.ts';
import { readReply, repliesOf } from '../storage/replies.ts';
import type { Store } from '../storage/store.ts';
import { EndedSessions } from './ended-sessions.ts';
import { type Transaction, TRANSACTION_LIFETIME } from './transaction.ts';

/** Milliseconds that a session is kept without use. */
export const SESSION_LIFETIME: number = 30 * 60_000;
/** Sessions that are kept at once: each takes a kilobyte. */
const MOST_SESSIONS = 200_000;
/** Transactions that are open at once: each holds a state of the data, and of those there have to be some for what reads beside them. */
const MOST_TRANSACTIONS = 4000;
/** Bytes of the place of a record. */
const KEY = 32;
/** Records that one write takes away: what LMDB keeps in mind of a write is bounded (`write-memory.ts`). */
const FORGET = 500;

/** What one operation of a `bulkWrite` did. */
export interface WriteOutcome {
  readonly kind: 'insert' | 'update' | 'delete';
  n: number;
  nModified: number;
  /** The id of the document that it made. */
  upserted: Doc | undefined;
  /** Why it was refused. */
  readonly error: { readonly code: number; readonly message: string; readonly extra: Readonly<Record<string, unknown>> } | undefined;
}

/** How far a write came that a client may send again; on disk with what it wrote. */
export interface RetryRecord {
  readonly number: bigint;
  /** Which command it was, and what it called its statements. */
  readonly statements?: string;
  /** Statements that were carried out. */
  readonly next: number;
  /** The answer, so far; of a `bulkWrite` there is what each of its operations did. */
  readonly answer?: Doc;
  readonly outcomes?: readonly WriteOutcome[];
  readonly done: boolean;
  /** Whether it is the commit of a transaction. */
  readonly committed: boolean;
  /** How many parts it was read from. */
  readonly parts?: number;
}

/** A write that is not done has kept in each part what came to it. */
function together(parts: readonly RetryRecord[]): RetryRecord | undefined {
  const last = parts.at(-1);
  if (!last || parts.length === 1) return last;
  const { answer, outcomes } = last;
  const listed = (name: string): Doc => ({ [name]: parts.flatMap((part) => (part.answer?.[name] ?? []) as Doc[]) });
  return {
    ...last,
    ...(answer ? { answer: { ...answer, ...listed('upserted'), ...listed('writeErrors') } } : {}),
    ...(outcomes ? { outcomes: parts.flatMap((part) => part.outcomes ?? []) } : {}),
    parts: parts.length,
  };
}

/** What the server knows of a client's logical session. */
export class Session {
  readonly lsid: Doc;
  /** Where its retry record is kept. */
  readonly key: Buffer;
  lastUse: number = Date.now();
  transaction: Transaction | undefined;
  /** The API that its transaction was begun with, by `apiOf`. */
  transactionApi: string | undefined;
  /** Highest transaction number that was used. */
  number: bigint;
  /** Whether it was ended or killed: what it had open is of no use. */
  ended = false;
  #busy: Promise<void>;

  /** @param before settles when nothing runs any more in an ended session of the same id */
  constructor(lsid: Doc, key: Buffer, number: bigint, before: Promise<void> = Promise.resolve()) {
    this.lsid = lsid;
    this.key = key;
    this.number = number;
    this.#busy = before;
  }

  /** Settles when all commands have come to their end that run by now, or wait. */
  get busy(): Promise<void> {
    return this.#busy;
  }

  /**
   * Waits until no other command of the session runs: a retry comes behind its first attempt.
   *
   * @returns lets the next one go on
   */
  async checkOut(): Promise<() => void> {
    const before = this.#busy;
    let release = (): void => undefined;
    this.#busy = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

/** All sessions, with their transactions; what a retry is answered is on disk. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  /** What still runs in sessions that have ended. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #ended: EndedSessions;
  readonly #store: Store;
  readonly #most: number;
  readonly #mostTransactions: number;

  /**
   * @param most sessions that are kept at once
   * @param mostTransactions transactions that are open at once
   */
  constructor(store: Store, most: number = MOST_SESSIONS, mostTransactions: number = MOST_TRANSACTIONS) {
    this.#store = store;
    this.#most = most;
    this.#ended = new EndedSessions(most);
    this.#mostTransactions = mostTransactions;
  }

  /**
   * @param owner to whom it belongs, where authentication is on: others with the same id have another session
   * @returns the session, made at its first use
   * @throws DocDbError (261) for one more than are kept
   */
  use(lsid: Doc, owner: string = ''): Session {
    const name = owner + hashKey(lsid.id);
    const known = this.#sessions.get(name);
    if (known) {
      known.lastUse = Date.now();
      return known;
    }
    if (this.#sessions.size >= this.#most)
      throw new DocDbError(
        261,
        `cannot add session into the cache: there are ${String(this.#most)}, and one that is not used is kept for half an hour. End those that are not needed`,
      );
    const key = createHash('sha256').update(name).digest();
    const session = new Session(lsid, key, this.retryRecord(key)?.number ?? -1n, this.#leaving.get(name));
    this.#sessions.set(name, session);
    this.#ended.takeBack(key);
    return session;
  }

  /** @returns what was kept of the last write of a session */
  retryRecord(key: Buffer): RetryRecord | undefined {
    const [first, ...added] = readReply(this.#store.engine, key) as unknown as RetryRecord[];
    return first && together([first, ...added.filter(({ number }) => number === first.number)]);
  }

  /** Ends a session and its transaction. */
  end(lsid: Doc, owner: string = ''): void {
    this.#end(owner + hashKey(lsid.id));
  }

  /** Aborts the transaction of a session that ends, or goes on with a later number. */
  leaveBehind({ transaction }: Session): void {
    if (transaction) this.#store.end(transaction, 'aborted');
  }

  #end(name: string): void {
    const session = this.#sessions.get(name);
    if (session) {
      this.leaveBehind(session);
      session.ended = true;
      if (session.number >= 0n) this.#ended.add(session.key, Date.now());
      // What runs is carried out to its next turn: a retry comes behind it in the next session, too.
      const { busy } = session;
      this.#leaving.set(name, busy);
      void busy.then(() => {
        if (this.#leaving.get(name) === busy) this.#leaving.delete(name);
      });
    }
    this.#sessions.delete(name);
  }

  /** @returns what `$listLocalSessions` shows of the sessions of somebody, or of everybody */
  list(owner: string = ''): Doc[] {
    return this.#of(owner).map(({ lsid, lastUse }) => ({ _id: lsid, lastUse: new Date(lastUse) }));
  }

  /** @returns the transactions that are open, and their sessions; of somebody, or of everybody */
  open(owner: string = ''): { readonly lsid: Doc; readonly lastUse: number; readonly transaction: Transaction }[] {
    return this.#of(owner).flatMap(({ lsid, lastUse, transaction }) =>
      transaction?.state === 'open' ? [{ lsid, lastUse, transaction }] : [],
    );
  }

  #of(owner: string): Session[] {
    return [...this.#sessions].filter(([name]) => name.startsWith(owner)).map(([, session]) => session);
  }

  /** Ends the sessions of somebody who may not log in any more, or not do the same. */
  endOf(owner: string): void {
    for (const name of [...this.#sessions.keys()]) if (name.startsWith(owner)) this.#end(name);
  }

  /** Ends the sessions with an id, whoever they belong to. */
  endWith(lsid: Doc): void {
    const id = hashKey(lsid.id);
    for (const name of [...this.#sessions.keys()]) if (name.endsWith(id)) this.#end(name);
  }

  /** Ends all sessions. */
  endAll(): void {
    for (const name of [...this.#sessions.keys()]) this.#end(name);
  }

  /**
   * The transaction of a command with `autocommit: false`.
   *
   * @param starts whether the command begins it
   * @param committing whether the command is a commit; one that happened before a restart succeeds again
   * @throws DocDbError (117, 146, 225, 251, 256)
   */
  transaction(session: Session, number: bigint, starts: boolean, ending: boolean, committing: boolean): Transaction | undefined {
    const current = session.transaction;
    if (number < session.number) {
      throw new DocDbError(
        225,
        `Cannot start transaction ${String(number)} on session because a newer transaction ${String(session.number)} has already started.`,
        TRANSIENT,
      );
    }
    if (starts) {
      if (number === session.number)
        throw new DocDbError(
          117,
          `Cannot start a transaction at the active transaction number ${String(number)}: a transaction or a retryable write has it`,
        );
      this.leaveBehind(session);
      if (this.#store.openTransactions.size >= this.#mostTransactions)
        throw new DocDbError(
          146,
          `${String(this.#mostTransactions)} transactions are open: commit or abort them before others begin. One that is left open is aborted after a minute`,
          TRANSIENT,
        );
      session.number = number;
      session.transaction = this.#store.begin(number);
      return session.transaction;
    }
    if (current?.number !== number && committing) {
      const record = this.retryRecord(session.key);
      if (record?.committed === true && record.number === number) return undefined;
    }
    if (current?.number !== number) throw noSuchTransaction(number);
    if (current.state === 'aborted') throw abortedTransaction(number);
    if (current.state === 'committed' && !ending) throw new DocDbError(256, `Transaction ${String(number)} has been committed.`);
    return current;
  }

  /** Lets a transaction that nobody was told anything of begin again, on the present state. */
  beginAgain(session: Session, transaction: Transaction): Transaction {
    this.#store.end(transaction, 'aborted');
    session.transaction = this.#store.begin(transaction.number);
    return session.transaction;
  }

  /** Aborts transactions that are open too long, and forgets sessions without use with what a retry of theirs would be answered. */
  async sweep(now: number = Date.now()): Promise<void> {
    const forgotten = this.#ended.takeOutlived(now - SESSION_LIFETIME);
    for (const [name, session] of this.#sessions) {
      const { transaction } = session;
      if (transaction?.state === 'open' && now - transaction.started > TRANSACTION_LIFETIME) this.#store.end(transaction, 'aborted');
      if (now - session.lastUse <= SESSION_LIFETIME) continue;
      this.#sessions.delete(name);
      forgotten.push(session.key);
    }
    await this.#forget(forgotten);
  }

  /** Forgets what retries of sessions that nobody has used for long would be answered; called once, before anything else. */
  async forgetOld(now: number = Date.now()): Promise<void> {
    const kept = repliesOf(this.#store.engine, KEY);
    for (const { key, at } of kept.sort((a, b) => a.at - b.at)) this.#ended.add(key, at);
    await this.#forget(this.#ended.takeOutlived(now - SESSION_LIFETIME));
  }

  async #forget(keys: readonly Buffer[]): Promise<void> {
    for (let at = 0; at < keys.length; at += FORGET)
      await this.#store.write((writer) => {
        for (const key of keys.slice(at, at + FORGET)) writer.forgetReply(key);
      }, true);
  }
}

const TRANSIENT = { errorLabels: ['TransientTransactionError'] };
