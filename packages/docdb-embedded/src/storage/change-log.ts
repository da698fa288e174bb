import { compare } from '../bson/compare.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc, Timestamp } from '../bson/values.ts';
import type { Change, LogEntry } from './change.ts';
import type { Engine } from './engine.ts';

/** Bytes of changes that are kept. */
const MAX_BYTES: number = 128 * 1024 * 1024;
/** Milliseconds that changes are kept at least where the whole has a largest size, of which they take no more than a part. */
const LEAST_AGE = 60_000;
const PART = 1 / 4;
/** Milliseconds that changes are kept. */
const MAX_AGE: number = 24 * 3_600_000;
/** Changes that one write takes away at most, or twice as many as it has added where these are more. */
const TRIM = 200;
/** Bytes after which one write takes no more away: what LMDB keeps in mind of a write is bounded (`write-memory.ts`). The next ones go on. */
const TRIM_BYTES: number = 16 * 1024 * 1024;
/** Changes that are read at once to be taken away. */
const LOOK = 20;

function keyOf(seq: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeDoubleBE(seq);
  return key;
}

/** The changes of the last hours in their order, on disk: resume tokens outlive a restart. */
export class ChangeLog {
  readonly #engine: Engine;
  readonly #maxBytes: number;
  /** Bytes above which it keeps what is new. */
  readonly #room: number;
  /** Changes that were added since it was last trimmed. */
  #added = 0;

  /** @param maxBytes bytes of changes that are kept */
  constructor(engine: Engine, maxBytes: number = MAX_BYTES) {
    this.#engine = engine;
    this.#maxBytes = maxBytes;
    this.#room = (engine.maxSize ?? Infinity) * PART;
  }

  /**
   * Adds a change; in a write only.
   *
   * @returns its bytes
   */
  append(change: Change, seq: number, clusterTime: Timestamp): number {
    const { after, before, kind, ns, uuid, id, images, details, transaction } = change;
    const head = encode({ kind, ns, uuid, id, images, details, transaction, clusterTime, wallTime: new Date() });
    const sizes = Buffer.allocUnsafe(8);
    sizes.writeUInt32BE(head.length, 0);
    sizes.writeUInt32BE(after?.length ?? 0, 4);
    const value = Buffer.concat([sizes, head, after ?? EMPTY, before ?? EMPTY]);
    void this.#engine.log.put(keyOf(seq), value);
    this.#added += 1;
    return value.length;
  }

  /**
   * Takes the oldest changes away while there is too much; in a write only.
   *
   * @returns what is left: bytes, and the last change that is gone
   */
  trim(bytes: number, start: number, now: number = Date.now()): { readonly bytes: number; readonly start: number } {
    let left = bytes;
    let gone = start;
    const most = Math.max(TRIM, 2 * this.#added);
    this.#added = 0;
    for (let looked = 0; looked < most;) {
      if (bytes - left >= TRIM_BYTES || this.#engine.memory.isFull) {
        this.#added = Math.ceil((most - looked) / 2);
        break;
      }
      const limit = left > this.#maxBytes ? LOOK : 1;
      const oldest = [...this.#engine.log.getRange({ limit })];
      for (const { key, value } of oldest) {
        if (left <= this.#maxBytes && now - wallTimeOf(value) <= (left > this.#room ? LEAST_AGE : MAX_AGE))
          return { bytes: left, start: gone };
        void this.#engine.log.remove(key);
        this.#engine.memory.gaveUp(value.length);
        left -= value.length;
        gone = key.readDoubleBE(0);
      }
      if (oldest.length < limit) break;
      looked += limit;
    }
    return { bytes: left, start: gone };
  }

  /** The changes behind a number, in their order. */
  *after(seq: number): Generator<LogEntry, void> {
    for (const { key, value } of this.#engine.log.getRange({ start: keyOf(seq + 1) })) yield entryOf(key.readDoubleBE(0), value);
  }

  /**
   * Times follow the numbers: of all changes between two numbers few have to be read.
   *
   * @param from a number that is given where none of the changes behind it is from before the time
   * @param to the number of the last change
   * @returns the number of the last change before a time
   */
  lastBefore(time: Timestamp, from: number, to: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = low + Math.ceil((high - low) / 2);
      const [next] = this.#engine.log.getRange({ start: keyOf(middle), end: keyOf(high + 1), limit: 1 });
      if (next && compare(headOf(next.value).clusterTime, time) < 0) low = next.key.readDoubleBE(0);
      else high = middle - 1;
    }
    return low;
  }
}

const EMPTY = Buffer.alloc(0);

function headOf(value: Buffer): Doc {
  return decode(value, 8);
}

function wallTimeOf(value: Buffer): number {
  return (headOf(value).wallTime as Date).getTime();
}

function entryOf(seq: number, value: Buffer): LogEntry {
  const head = value.readUInt32BE(0);
  const after = value.readUInt32BE(4);
  const documents = 8 + head;
  return {
    ...(headOf(value) as unknown as LogEntry),
    seq,
    after: after === 0 ? undefined : value.subarray(documents, documents + after),
    before: documents + after === value.length ? undefined : value.subarray(documents + after),
  };
}
