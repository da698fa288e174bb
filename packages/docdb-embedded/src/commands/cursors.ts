import { Long } from 'bson';
import { sizeOf } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';

/** Documents of a first batch when the client names no size. */
const FIRST_BATCH = 101;
/** Bytes of documents in one answer. */
const BATCH_BYTES: number = 16 * 1024 * 1024 - 64 * 1024;
/** Milliseconds that a cursor is kept without use. */
const CURSOR_LIFETIME: number = 10 * 60_000;

/** Gives further documents of a cursor that has no end. */
export interface LiveSource {
  /** @returns what is there, waiting at most `waitMs` for something */
  next(waitMs: number, limit: number): Promise<Doc[]>;
  /** Fields beside the batch, for example the resume token. */
  extra(): Doc;
  /** Whether there will be nothing more. */
  readonly ended: boolean;
}

interface Cursor {
  readonly id: bigint;
  readonly ns: string;
  docs: readonly Doc[];
  position: number;
  readonly live: LiveSource | undefined;
  readonly noTimeout: boolean;
  lastUse: number;
}

/** The open cursors of a server. */
export class Cursors {
  readonly #cursors = new Map<bigint, Cursor>();
  #nextId = BigInt(Math.floor(Math.random() * 2 ** 40)) + 1n;

  /** Number of open cursors. */
  get open(): number {
    return this.#cursors.size;
  }

  /**
   * The answer of a command that gives a cursor.
   *
   * @param batchSize documents in the first batch; 0 for none
   */
  first(ns: string, docs: readonly Doc[], batchSize: number | undefined, single: boolean, noTimeout = false): Doc {
    const cursor: Cursor = { id: this.#nextId, ns, docs, position: 0, live: undefined, noTimeout, lastUse: Date.now() };
    const firstBatch = takeBatch(cursor, batchSize ?? FIRST_BATCH);
    const open = !single && cursor.position < docs.length;
    if (open) this.#keep(cursor);
    return { cursor: { firstBatch, id: toLong(open ? cursor.id : 0n), ns } };
  }

  /** The answer of a command that opens a cursor without end. */
  live(ns: string, source: LiveSource, firstBatch: Doc[]): Doc {
    const cursor: Cursor = { id: this.#nextId, ns, docs: [], position: 0, live: source, noTimeout: false, lastUse: Date.now() };
    this.#keep(cursor);
    return { cursor: { firstBatch, id: toLong(cursor.id), ns, ...source.extra() } };
  }

  #keep(cursor: Cursor): void {
    this.#cursors.set(cursor.id, cursor);
    this.#nextId += 1n;
  }

  /**
   * The next batch of a cursor.
   *
   * @throws DocDbError (43) when there is no such cursor
   */
  async more(id: bigint, ns: string, batchSize: number | undefined, waitMs: number): Promise<Doc> {
    const cursor = this.#cursors.get(id);
    if (!cursor) throw new DocDbError(43, `cursor id ${String(id)} not found`);
    if (cursor.ns !== ns)
      throw new DocDbError(13, `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.ns}`);
    cursor.lastUse = Date.now();
    if (cursor.live) return this.#moreLive(cursor, cursor.live, batchSize, waitMs);
    const nextBatch = takeBatch(cursor, batchSize ?? Infinity);
    const open = cursor.position < cursor.docs.length;
    if (!open) this.#cursors.delete(id);
    return { cursor: { nextBatch, id: toLong(open ? id : 0n), ns } };
  }

  async #moreLive(cursor: Cursor, live: LiveSource, batchSize: number | undefined, waitMs: number): Promise<Doc> {
    const nextBatch = await live.next(waitMs, batchSize ?? Infinity);
    if (!this.#cursors.has(cursor.id)) throw new DocDbError(237, `cursor id ${String(cursor.id)} was killed`);
    cursor.lastUse = Date.now();
    if (live.ended) this.#cursors.delete(cursor.id);
    return { cursor: { nextBatch, id: toLong(live.ended ? 0n : cursor.id), ns: cursor.ns, ...live.extra() } };
  }

  /** @returns whether there was such a cursor */
  kill(id: bigint): boolean {
    return this.#cursors.delete(id);
  }

  /** Closes cursors that nobody reads. */
  sweep(now: number = Date.now()): void {
    for (const [id, cursor] of this.#cursors) {
      if (!cursor.noTimeout && now - cursor.lastUse > CURSOR_LIFETIME) this.#cursors.delete(id);
    }
  }
}

function takeBatch(cursor: Cursor, most: number): Doc[] {
  const batch: Doc[] = [];
  let bytes = 0;
  while (batch.length < most && cursor.position < cursor.docs.length) {
    const doc = cursor.docs[cursor.position] as Doc;
    bytes += sizeOf(doc);
    if (batch.length > 0 && bytes > BATCH_BYTES) break;
    batch.push(doc);
    cursor.position += 1;
  }
  return batch;
}

/** @returns a 64-bit integer, whatever its value */
function toLong(value: bigint): Long {
  return Long.fromBigInt(value);
}
