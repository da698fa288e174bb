import { encode, Encoded } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { checkReader, NOBODY, type Opener, type Reader } from './cursor-reader.ts';
import { type Operation, overTime } from './operation.ts';
import { close, type Cursor, type DocumentSource, type LiveSource, takeBatch } from './open-cursor.ts';
import type { Transaction } from '../transactions/transaction.ts';

/** Documents of a first batch when the client names no size. */
const FIRST_BATCH = 101;
/** The name that the results of a bulkWrite have as a collection of `admin`. */
export const BULK_RESULTS = '$cmd.bulkWrite';
/** Milliseconds that a cursor is kept without use. */
const CURSOR_LIFETIME: number = 10 * 60_000;
/** The same for one that was asked to stay: its state can not be held for ever. */
const LONG_LIFETIME: number = 60 * 60_000;

/** Cursors that are open at once; of more those go that were not read for the longest time. */
const MOST_OPEN = 5000;

/** Milliseconds that a cursor without end waits for something new, where nothing else is asked for. */
const WAIT = 1000;

/** How a cursor begins. */
export interface CursorOptions {
  /** Documents in the first batch; 0 for none. */
  readonly batchSize?: number | undefined;
  /** Whether there is one batch only. */
  readonly single?: boolean;
  readonly noTimeout?: boolean;
  readonly transaction?: Transaction | undefined;
  /** Whose time the first batch takes, of a cursor without end. */
  readonly operation?: Operation;
}

/** What is asked of an open cursor. */
export interface NextBatch extends Reader {
  readonly batchSize: number | undefined;
  /** Milliseconds to wait for something new. */
  readonly waitMs: number | undefined;
  /** What asks. */
  readonly operation: Operation;
  /** Whether a fail point says that its time is over to what has a limit. */
  readonly isMadeLate: () => boolean;
}

function lifetimeOf(noTimeout: boolean | undefined): number {
  return noTimeout === true ? LONG_LIFETIME : CURSOR_LIFETIME;
}

/** The open cursors of a server. */
export class Cursors {
  readonly #cursors = new Map<bigint, Cursor>();
  /** More than a double holds, as MongoDB's are: clients that take numbers apart by their size send them back as they came. */
  #nextId = 2n ** 60n + BigInt(Math.floor(Math.random() * 2 ** 40));
  readonly #most: number;

  /** @param most cursors that hold a state at once, but for those of transactions */
  constructor(most: number = MOST_OPEN) {
    this.#most = most;
  }

  /** Number of open cursors. */
  get open(): number {
    return this.#cursors.size;
  }

  /** @returns the cursors of somebody, or of everybody, that wait, as `$currentOp` shows them */
  describeIdle(host: string, by: string): Doc[] {
    return [...this.#cursors.values()]
      .filter(({ busy, opener }) => !busy && (by === '' || by === opener.owner))
      .map(({ id, ns, lastUse }) => ({ type: 'idleCursor', host, ns, cursor: { cursorId: id, lastAccessDate: new Date(lastUse) } }));
  }

  /** @returns to whom a cursor belongs; an empty text until somebody is said, `undefined` when there is no such cursor */
  ownerOf(id: bigint): string | undefined {
    return this.#cursors.get(id)?.opener.owner;
  }

  /** Says to whom a cursor belongs. */
  give(id: bigint, opener: Opener): void {
    const cursor = this.#cursors.get(id);
    if (cursor) cursor.opener = opener;
  }

  /** Ends the cursors of sessions that have ended. */
  async killOfEnded(): Promise<void> {
    for (const cursor of [...this.#cursors.values()]) if (cursor.opener.session?.ended === true) await this.kill(cursor.id);
  }

  /** Ends the cursors of somebody. */
  async killOf(owner: string): Promise<void> {
    for (const cursor of [...this.#cursors.values()]) if (cursor.opener.owner === owner) await this.kill(cursor.id);
  }

  /** The answer of a command that gives a cursor. */
  async first(ns: string, source: DocumentSource, { batchSize, single, noTimeout, transaction }: CursorOptions): Promise<Doc> {
    const cursor = this.#cursor({ ns, source, live: undefined, lifetime: lifetimeOf(noTimeout), transaction });
    const size = batchSize ?? (single === true ? Infinity : FIRST_BATCH);
    const firstBatch = await takeBatch(cursor, size, source.frame);
    if (single === true || cursor.ended) await close(cursor);
    else {
      if (this.#cursors.size >= this.#most) await this.#endLeastUsed();
      this.#cursors.set(cursor.id, cursor);
    }
    return { cursor: { firstBatch, id: cursor.ended ? 0n : cursor.id, ns } };
  }

  /** Each holds a state of the data: who leaves cursors open that are not read would leave none to others. Those that were asked to stay go last. */
  async #endLeastUsed(): Promise<void> {
    const holding = [...this.#cursors.values()].filter(({ source, transaction }) => source && !transaction);
    if (holding.length < this.#most) return;
    const idle = holding.filter(({ busy }) => !busy);
    const usual = idle.filter(({ lifetime }) => lifetime === CURSOR_LIFETIME);
    const [first, ...others] = usual.length > 0 ? usual : idle;
    if (first) await this.#remove(others.reduce((least, cursor) => (cursor.lastUse < least.lastUse ? cursor : least), first));
  }

  /** The answer of a command that has all its documents. */
  firstOf(ns: string, docs: readonly Doc[], batchSize: number | undefined, transaction?: Transaction): Promise<Doc> {
    return this.first(ns, sourceOf(docs), { batchSize, transaction });
  }

  /** The answer of a command that opens a cursor without end. */
  async live(ns: string, source: LiveSource, { batchSize = FIRST_BATCH, noTimeout, operation }: CursorOptions): Promise<Doc> {
    const firstBatch = await awaited(source.next(0, batchSize), operation).catch((error: unknown) => {
      source.stop();
      throw error;
    });
    const cursor = this.#cursor({ ns, source: undefined, live: source, lifetime: lifetimeOf(noTimeout), transaction: undefined });
    if (!source.ended) this.#cursors.set(cursor.id, cursor);
    return { cursor: { firstBatch, id: source.ended ? 0n : cursor.id, ns, ...source.extra() } };
  }

  #cursor(given: Pick<Cursor, 'ns' | 'source' | 'live' | 'lifetime' | 'transaction'>): Cursor {
    this.#nextId += 1n;
    const state = { waiting: [], busy: false, opener: NOBODY, ended: false, closed: false };
    return { ...given, ...state, id: this.#nextId, lastUse: Date.now() };
  }

  /**
   * The next batch of a cursor.
   *
   * @throws DocDbError (2, 13, 43, 50, 50736–50741, 12051) for a cursor that there is not, or that is not to be read so
   */
  async more(id: bigint, ns: string, next: NextBatch): Promise<Doc> {
    const cursor = this.#cursors.get(id);
    if (!cursor) throw new DocDbError(43, `cursor id ${String(id)} not found`);
    const { batchSize, waitMs, operation } = next;
    checkReader(cursor, next);
    if (cursor.ns !== ns)
      throw new DocDbError(13, `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`);
    if (waitMs !== undefined && cursor.live?.waits !== true)
      throw badValue('cannot set maxTimeMS on getMore command for a non-awaitData cursor');
    if (cursor.busy) throw new DocDbError(12051, `cursor id ${String(id)} is already in use`);
    cursor.lastUse = Date.now();
    cursor.busy = true;
    try {
      if (cursor.live) return await this.#moreLive(cursor, cursor.live, batchSize, waitMs, operation);
      cursor.source?.check?.();
      if (cursor.source?.operation?.isLimited === true && next.isMadeLate()) throw overTime();
      const nextBatch = await takeBatch(cursor, batchSize ?? Infinity, 'Executor error during getMore', operation);
      if (!this.#cursors.has(id)) throw new DocDbError(237, `cursor id ${String(id)} was killed`);
      if (cursor.ended) await this.#remove(cursor);
      return { cursor: { nextBatch, id: cursor.ended ? 0n : id, ns } };
    } catch (error) {
      cursor.busy = false;
      await this.#remove(cursor);
      throw error;
    } finally {
      cursor.busy = false;
      cursor.lastUse = Date.now();
    }
  }

  async #moreLive(
    cursor: Cursor,
    live: LiveSource,
    batchSize: number | undefined,
    waitMs: number | undefined,
    operation: Operation,
  ): Promise<Doc> {
    const nextBatch = await awaited(live.next(live.waits ? (waitMs ?? WAIT) : 0, batchSize ?? Infinity), operation);
    if (!this.#cursors.has(cursor.id)) throw new DocDbError(237, `cursor id ${String(cursor.id)} was killed`);
    if (live.ended) await this.#remove(cursor);
    return { cursor: { nextBatch, id: live.ended ? 0n : cursor.id, ns: cursor.ns, ...live.extra() } };
  }

  async #remove(cursor: Cursor): Promise<void> {
    this.#cursors.delete(cursor.id);
    await close(cursor);
  }

  /** @returns whether there was such a cursor */
  async kill(id: bigint): Promise<boolean> {
    const cursor = this.#cursors.get(id);
    if (!cursor) return false;
    this.#cursors.delete(id);
    // One that reads is closed where it notices, and one that waits does not wait any longer.
    if (cursor.busy) cursor.live?.stop();
    else await close(cursor);
    return true;
  }

  /** Closes cursors that nobody reads, and those of transactions that have ended. */
  async sweep(now: number = Date.now()): Promise<void> {
    for (const cursor of [...this.#cursors.values()]) {
      const late = now - cursor.lastUse > cursor.lifetime || (cursor.transaction && cursor.transaction.state !== 'open');
      if (late && !cursor.busy) await this.#remove(cursor);
    }
  }

  /** Closes all cursors. */
  async close(): Promise<void> {
    for (const cursor of [...this.#cursors.values()]) await this.#remove(cursor);
  }
}

/** @returns a source of documents that are there already */
export function sourceOf(docs: readonly Doc[]): DocumentSource {
  return { steps: onlyStep(docs), release: () => undefined, peek: true };
}

async function* onlyStep(docs: readonly Doc[]): AsyncGenerator<readonly Encoded[], void> {
  await Promise.resolve();
  yield docs.map((doc) => new Encoded(encode(doc)));
}

/** Waits for as long as somebody asks: what comes of it later is of no use. */
async function awaited<T>(next: Promise<T>, operation: Operation | undefined): Promise<T> {
  next.catch(() => undefined);
  await operation?.until(next);
  return next;
}
