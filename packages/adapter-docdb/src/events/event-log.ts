import { randomUUID } from 'node:crypto';
import type { HookContext } from '@framework/core';
import { Timestamp, type ClientSession, type Collection, type CollectionInfo, type Db } from 'mongodb';
import type { DocDbParams } from '../docdb-types.ts';
import { checkSource, fromSource, LOG_DATABASE, type DatabaseSource } from '../driver-source.ts';
import { ownOptions } from '../operations/call.ts';
import { inTime } from '../operations/in-time.ts';
import { transactionOf } from '../session-transaction.ts';
import { transactionHook } from '../transaction.ts';
import { followChanges } from './change-stream.ts';
import { Changes, isLogDocument, partsOf, type LogDocument } from './changes.ts';
import {
  eventLogSettings,
  type DocDbLogReader,
  type EventLogOptions,
  type EventLogSettings,
  type LogEntry,
  type LogOrder,
} from './event-log-types.ts';
import { prepareDurable } from './durable-collection.ts';
import { keepFor } from './keep-for.ts';
import { documentsOf } from './log-documents.ts';
import { storeDocuments } from './store-documents.ts';

/** Milliseconds in which a process that starts has to have read what is there. */
const START_TIME = 30_000;

/**
 * A log of events in a database, for all processes that use it: `channels({ log: eventLog(db) })`. The order is that in which the database
 * commits. Each process reads it by one change stream; it needs a replica set, or the embedded database.
 */
export class DocDbEventLog {
  readonly #source: DatabaseSource;
  readonly #settings: EventLogSettings;
  readonly #changes: Changes;
  #db: Db | undefined;
  #reader: DocDbLogReader | undefined;
  #epoch = '';
  #stop: (() => Promise<void>) | undefined;
  /** Ends what is stored; another one for each start. */
  #ending = new AbortController();
  /** Marks of this process that it has not read yet. */
  readonly #marks = new Map<string, () => void>();

  /**
   * @param source the database
   * @param options name of the collection, and what else is watched
   * @throws TypeError for what is no database, and for options that are not what they have to be
   */
  constructor(source: DatabaseSource, options: EventLogOptions = {}) {
    checkSource(source, LOG_DATABASE);
    this.#source = source;
    this.#settings = eventLogSettings(options);
    this.#changes = new Changes(this.#settings);
  }

  /** Which log it is; known once it was started. */
  get epoch(): string {
    return this.#epoch;
  }

  get latest(): LogOrder {
    return this.#changes.latest;
  }

  /** Milliseconds in which entries are to be gathered. */
  get gather(): number {
    return this.#settings.gather;
  }

  /** Paths of services whose events are the changes of their collections. */
  get watched(): readonly string[] {
    return [...this.#settings.watch.values()];
  }

  /**
   * Connects, and reads what other processes have told before; entries are told from then on.
   *
   * @throws Error for a database that has no change streams, for a collection that holds something else, when {@link stop} is called meanwhile, and what the
   *   database fails with
   */
  async start(): Promise<void> {
    const ending = new AbortController();
    this.#ending = ending;
    const db = await fromSource(this.#source, LOG_DATABASE);
    refuseStopped(ending.signal);
    await refuseForeignDocuments(db, this.#settings.collection);
    this.#db = db;
    const from = await this.#begin(db, this.#settings.replay);
    refuseStopped(ending.signal);
    this.#reader?.lost(this.#epoch);
    this.#stop = followChanges(db, this.#changes.collections, from, {
      changed: (change) => {
        const mark = this.#changes.tell(change, this.#reader);
        if (mark !== undefined) this.#marks.get(mark)?.();
      },
      lost: async () => {
        // Behind what can not be read, also where nothing was written since.
        await this.#write(randomUUID());
        const now = await this.#begin(db, 0);
        this.#reader?.lost(this.#epoch);
        // What this process waits for may be before that.
        for (const mark of this.#marks.keys()) await this.#write(mark);
        return now;
      },
      failed: (error) => {
        this.#reader?.failed?.(error);
      },
    });
    await this.#caughtUp(ending.signal);
  }

  /** Tells no more entries, and does not try again to store any. A start that is under way fails. */
  async stop(): Promise<void> {
    this.#ending.abort();
    const stop = this.#stop;
    this.#stop = undefined;
    await stop?.();
  }

  /**
   * Adds entries; tried again while the database can not be reached.
   *
   * @throws what the database refuses them with, as a rejection, and what it can not be reached by once the log or its client has ended
   */
  async append(entries: readonly LogEntry[]): Promise<void> {
    if (entries.length > 0) await storeDocuments(this.#documents(), documentsOf(entries), this.#ending.signal);
  }

  /**
   * Starts to tell of entries. A log has one reader.
   *
   * @returns ends it
   * @throws Error when somebody reads the log already
   */
  read(reader: DocDbLogReader): () => void {
    if (this.#reader) throw new Error('The log is read already: give each application a log of its own');
    this.#reader = reader;
    return () => {
      this.#reader = undefined;
    };
  }

  /**
   * Makes a call and its events one transaction: all of it is stored, or nothing. In a transaction of the caller it becomes part of that.
   *
   * @param context hook context of the call
   * @param work makes the call; gives its events
   */
  async transaction(context: HookContext, work: () => Promise<readonly LogEntry[]>): Promise<void> {
    const db = this.#database();
    await transactionHook(db.client)(context, async () => {
      const params = context.params as DocDbParams;
      const transaction = transactionOf(params);
      const entries = await work();
      const insert = (): Promise<void> => this.#insertIn(params.docdb?.session, entries);
      // Behind the other calls of the transaction, and not once that has ended: it would tell of what is undone.
      await (transaction?.inTurn(insert) ?? insert());
    });
  }

  /**
   * Looks whether the calls of a service can be transactions of this log, and makes its collection where there is none.
   *
   * @throws Error with what to do when they can not
   */
  async checkService(path: string, service: object): Promise<void> {
    return prepareDurable(path, service, this.#database().client);
  }

  async #insertIn(session: ClientSession | undefined, entries: readonly LogEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const log = this.#documents();
    await log.insertMany(documentsOf(entries), { ...ownOptions(log), ...(session && { session }) });
  }

  /** @returns time of the database that entries are told from: so many milliseconds ago */
  async #begin(db: Db, ago: number): Promise<Timestamp> {
    const { collection, keep } = this.#settings;
    await keepFor(db.collection(collection), keep);
    this.#epoch = await epochOf(db, collection);
    const from = await timeOf(db, ago);
    this.#changes.startAt(from);
    return from;
  }

  /** Waits until this process reads what it has written itself: it has read all that was there before, then. */
  async #caughtUp(signal: AbortSignal): Promise<void> {
    const mark = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    const read = new Promise<void>((resolve, reject) => {
      this.#marks.set(mark, resolve);
      timer = setTimeout(() => {
        reject(
          new Error(
            `The event log could not be read within ${START_TIME} ms: change streams need a replica set, and the right to read them`,
          ),
        );
      }, START_TIME);
      signal.addEventListener('abort', () => {
        reject(stoppedError());
      });
    });
    try {
      // At once: what is not to be read in time is told though the write has no answer either.
      await Promise.all([this.#write(mark), read]);
    } catch (error) {
      if (!signal.aborted) await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#marks.delete(mark);
    }
  }

  async #write(mark: string): Promise<void> {
    const log = this.#documents();
    await log.insertOne({ at: new Date(), entries: [], mark }, ownOptions(log));
  }

  #documents(): Collection<LogDocument> {
    const log = this.#database().collection<LogDocument>(this.#settings.collection);
    return inTime(log, ownOptions(log));
  }

  #database(): Db {
    if (!this.#db) throw new Error('The event log was not started: app.setup() or app.listen() starts it');
    return this.#db;
  }
}

/**
 * Makes the log of an application: `app.configure(channels({ log: eventLog(db) }))`.
 *
 * @param source the database, or what gives it; services that are `durable` need the same MongoClient
 * @param options name of the collection, and which other collections are watched
 * @throws TypeError for what is no database, and for options that are not what they have to be
 */
export function eventLog(source: DatabaseSource, options: EventLogOptions = {}): DocDbEventLog {
  return new DocDbEventLog(source, options);
}

/**
 * The log has documents removed when they are old: those of somebody else would go too.
 *
 * @throws Error where a collection holds what no log has written
 */
async function refuseForeignDocuments(db: Db, name: string): Promise<void> {
  const some = await db.collection(name).findOne();
  if (some === null || isLogDocument(some)) return;
  throw new Error(
    `The collection '${name}' holds documents that are no events of a log, which would remove them in time: give eventLog() one of its own, eventLog(db, { collection: 'event_log' })`,
  );
}

/** @throws Error */
function refuseStopped({ aborted }: AbortSignal): void {
  if (aborted) throw stoppedError();
}

function stoppedError(): Error {
  return new Error('The event log was stopped before it had started');
}

/** Another one when the collection was made anew: its identity. */
async function epochOf(db: Db, name: string): Promise<string> {
  const found = await db.listCollections<CollectionInfo>({ name }).next();
  const uuid = found?.info?.uuid;
  if (uuid === undefined)
    throw new Error(`The database does not say which collection '${name}' is: the event log needs MongoDB 4.4 or later`);
  return BigInt(`0x${uuid.toString('hex').slice(0, 30)}`).toString(36);
}

/** @returns the time of the database some milliseconds ago */
async function timeOf(db: Db, ago: number): Promise<Timestamp> {
  const { operationTime } = (await db.command({ ping: 1 })) as { readonly operationTime?: unknown };
  if (!(operationTime instanceof Timestamp)) {
    throw new Error('The event log needs a database with change streams: a replica set (one member is enough), or the embedded database');
  }
  return ago === 0 ? operationTime : new Timestamp({ t: partsOf(operationTime)[0] - Math.ceil(ago / 1000), i: 0 });
}
