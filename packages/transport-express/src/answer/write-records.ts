import { isRecordSource, isStream, stopRecords as letGo, stopsAtOnce, type RecordSource } from '@framework/core';
import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';
import { ClientSignal } from '../tracing/client-signal.ts';
import type { Answer, Content } from './answer.ts';
import type { JsonSettings } from './json-text.ts';
import { RecordText } from './record-text.ts';
import { show } from './show.ts';

/** Characters that are put together before they are sent, where the source gives them at once. */
const CHUNK = 16_384;

/** Records that are sent, or were let go of. */
const TAKEN = new WeakSet<RecordSource>();

/** Records on their way out. */
export interface OutgoingRecords {
  /** Status and headers. */
  readonly answer: Answer;
  /** The records and their form. */
  readonly content: Extract<Content, { kind: 'records' }>;
  /** Settings of the application. */
  readonly settings: JsonSettings;
}

/**
 * Sends records as they come, no faster than the client takes them: those that the source gives without waiting for anything go together. A client that hangs up
 * stops the source; `HEAD` does not read it.
 *
 * @param next gets every failure, of the source and of stopping it: one before anything is sent for an answer, one later when the
 *   connection is closed, so that it is logged
 */
export function writeRecords({ answer, content, settings }: OutgoingRecords, req: Request, res: Response, next: NextFunction): void {
  const { source, type } = content;
  TAKEN.add(source);
  const fail = onlyOnce((error) => {
    // The client learns of a failure by the missing end.
    if (res.headersSent && !res.writableEnded) res.destroy();
    passError(next)(error);
  });
  if (isStream(source)) source.on('error', fail);
  const begin = (): void => {
    show(answer, res);
    if (!res.hasHeader('Content-Type')) res.setHeader('Content-Type', type);
  };
  // The response alone does not say it while it waits behind another one of its connection.
  const { signal } = new ClientSignal(req, res);
  const isGone = res.destroyed || signal.aborted;
  if (req.method === 'HEAD' || isGone) {
    stopRecords(source)
      .then(() => {
        if (isGone || res.destroyed) return;
        begin();
        res.end();
      })
      .catch(fail);
    return;
  }
  send(new RecordText(type, settings), { source, begin, fail, res, signal }).catch(fail);
}

/** Where records go. */
interface Sending {
  readonly source: RecordSource;
  /** Begins the answer. */
  readonly begin: () => void;
  /** Gets what fails while the source is waited for. */
  readonly fail: (error: unknown) => void;
  readonly res: Response;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

async function send(text: RecordText, { source, begin, fail, res, signal }: Sending): Promise<void> {
  const records = source[Symbol.asyncIterator]();
  const gone: { stopping?: Promise<unknown> } = {};
  const stop = (): void => {
    if (gone.stopping) return;
    gone.stopping = stopsAtOnce(source) ? stopRecords(source) : endOf(records);
    // It is waited for below, as soon as the source lets go.
    gone.stopping.catch(() => undefined);
  };
  res.once('close', stop);
  signal.addEventListener('abort', stop);
  const room = new Room(res, signal);
  let hasBegun = false;
  const write = (piece: string): void => {
    if (!hasBegun) begin();
    hasBegun = true;
    if (piece !== '') room.note(res.write(piece));
  };
  let waiting: NodeJS.Immediate | undefined;
  const writeSoon = (): void => {
    waiting ??= setImmediate(() => {
      waiting = undefined;
      if (gone.stopping || text.length === 0) return;
      try {
        write(text.take());
        flushed(res);
      } catch (error) {
        fail(error);
        stop();
      }
    });
  };
  let isReading = true;
  try {
    for (;;) {
      const step: IteratorResult<unknown, unknown> = await records.next();
      if (gone.stopping) break;
      isReading = false;
      if (step.done === true) {
        write(text.takeLast());
        break;
      }
      text.add(step.value);
      if (text.length >= CHUNK) write(text.take());
      // The source comes to what it waits for, if to anything, before this does.
      else writeSoon();
      if (room.isFull) await room.more();
      if (gone.stopping) break;
      isReading = true;
    }
  } catch (error) {
    // Of what the source itself throws it is at its end. Nobody waits for what it does otherwise.
    if (!gone.stopping && !isReading) endOf(records).catch(() => undefined);
    // A stream that was stopped says that it was.
    if (!gone.stopping || !isPrematureClose(error)) throw error;
  } finally {
    clearImmediate(waiting);
    res.off('close', stop);
    signal.removeEventListener('abort', stop);
    room.leave();
  }
  if (gone.stopping) await gone.stopping;
  else res.end();
}

/** Middleware that compresses keeps what it gets until it is much, unless it is told; `compression` takes this name for it. */
function flushed(res: Response & { readonly flush?: unknown }): void {
  if (typeof res.flush === 'function') res.flush();
}

/** A generator ends when it comes to its next record; other iterators may at once, also while somebody waits for one. */
async function endOf(records: AsyncIterator<unknown>): Promise<void> {
  await records.return?.();
}

/**
 * Lets go of the records of a call whose answer is an error: nobody will read them. What comes of that is told to nobody, since the error is.
 *
 * @param values what the answer would have been made of
 */
export function dropRecords(...values: readonly unknown[]): void {
  for (const value of values) if (isRecordSource(value) && !TAKEN.has(value)) stopRecords(value).catch(() => undefined);
}

/**
 * Lets go of records that nobody has begun to read.
 *
 * @throws what the source throws or rejects with; a stream says it by its event `error`
 */
export function stopRecords(source: RecordSource): Promise<void> {
  TAKEN.add(source);
  return letGo(source);
}

/**
 * Tells whether a response takes more, or takes nothing any more. It listens once for all: middleware such as `compression` hands listeners on to a stream of its
 * own, which `off` does not take them from.
 */
class Room {
  readonly #res: Response;
  readonly #signal: AbortSignal;
  #isFull = false;
  #wake: () => void = () => undefined;

  constructor(res: Response, signal: AbortSignal) {
    this.#res = res;
    this.#signal = signal;
    // Not in a chain, since what is handed on gives the other stream.
    res.on('drain', this.#told);
    res.on('close', this.#told);
    signal.addEventListener('abort', this.#told);
  }

  readonly #told = (): void => {
    this.#isFull = false;
    this.#wake();
  };

  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param isLeft what the response said to what was written last */
  note(isLeft: boolean): void {
    this.#isFull = !isLeft;
  }

  /** Waits until there is room, or the client has gone. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#res.destroyed || this.#signal.aborted) resolve();
    });
  }

  leave(): void {
    this.#res.off('drain', this.#told);
    this.#res.off('close', this.#told);
    this.#signal.removeEventListener('abort', this.#told);
  }
}

function isPrematureClose(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ABORT_ERR';
}

function onlyOnce(run: (error: unknown) => void): (error: unknown) => void {
  let done = false;
  return (error) => {
    if (done) return;
    done = true;
    run(error);
  };
}
