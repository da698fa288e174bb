import type { Encoded } from '../bson/encode.ts';
import type { Doc } from '../bson/values.ts';
import { framed } from '../errors.ts';
import type { Transaction } from '../transactions/transaction.ts';
import type { Opener } from './cursor-reader.ts';
import type { Operation } from './operation.ts';

/** Bytes of documents in one answer. */
export const BATCH_BYTES: number = 16 * 1024 * 1024 - 64 * 1024;

/** Documents that come a step at a time, in bytes. */
export interface DocumentSource {
  /** The next documents; maybe none in a step. */
  readonly steps: AsyncIterator<readonly Encoded[]>;
  /** Gives back what it reads from. */
  readonly release: () => void;
  /** Whether it costs nothing to see that it has come to its end. */
  readonly peek?: boolean;
  /** Whose time the steps take. */
  readonly operation?: Operation;
  /** What is going on where a step of its first batch fails. */
  readonly frame?: string;
  /** Throws when what is read is not there any more. */
  readonly check?: () => void;
}

/** Gives further documents of a cursor that has no end. */
export interface LiveSource {
  /** Whether it waits at its end for something new. */
  readonly waits: boolean;
  /** @returns what is there, waiting at most `waitMs` for something; at most `limit` documents */
  next(waitMs: number, limit: number): Promise<readonly (Doc | Encoded)[]>;
  /** Fields beside the batch, for example the resume token. */
  extra(): Doc;
  /** Whether there will be nothing more. */
  readonly ended: boolean;
  /** Ends it, and what waits for something. */
  stop(): void;
}

/** A cursor that a client may read on in. */
export interface Cursor {
  readonly id: bigint;
  readonly ns: string;
  readonly lifetime: number;
  readonly transaction: Transaction | undefined;
  readonly live: LiveSource | undefined;
  readonly source: DocumentSource | undefined;
  /** Documents that were read and did not fit. */
  waiting: readonly Encoded[];
  lastUse: number;
  busy: boolean;
  opener: Opener;
  ended: boolean;
  closed: boolean;
}

/** Gives back what a cursor reads from. */
export async function close(cursor: Cursor): Promise<void> {
  cursor.ended = true;
  if (cursor.closed) return;
  cursor.closed = true;
  cursor.live?.stop();
  await cursor.source?.steps.return?.();
  cursor.source?.release();
}

/**
 * Takes the next documents of a cursor, as many as an answer has room for.
 *
 * @param most how many there may be
 * @param frame what is going on, for its errors
 * @param caller what asks for them
 */
export async function takeBatch(cursor: Cursor, most: number, frame?: string, caller?: Operation): Promise<Encoded[]> {
  const batch: Encoded[] = [];
  const { source } = cursor;
  let bytes = 0;
  source?.operation?.goOn(caller);
  try {
    for (;;) {
      let taken = 0;
      for (const doc of cursor.waiting) {
        if (batch.length >= most || (batch.length > 0 && bytes + doc.bytes.length > BATCH_BYTES)) break;
        batch.push(doc);
        bytes += doc.bytes.length;
        taken += 1;
      }
      cursor.waiting = taken === 0 ? cursor.waiting : cursor.waiting.slice(taken);
      if (cursor.waiting.length > 0 || (batch.length >= most && !(source?.peek === true && most > 0))) return batch;
      const step = await source?.steps.next();
      if (!step || step.done === true) {
        cursor.ended = true;
        return batch;
      }
      cursor.waiting = step.value;
    }
  } catch (error) {
    await close(cursor);
    throw frame === undefined ? error : framed(error, frame);
  } finally {
    source?.operation?.rest();
  }
}
