import { isRecordSource, isStream, stopRecords as letGo, stopsAtOnce, type RecordSource } from '@framework/core';
import type { NextFunction, Request, Response } from '../middleware-types.ts';
import { passError } from '../pass-error.ts';
import { ClientSignal } from '../tracing/client-signal.ts';
import type { Answer, Content } from './answer.ts';
import type { JsonSettings } from './json-text.ts';
import { recordText } from './record-text.ts';
import { show } from './show.ts';

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
 * Sends records as they come, no faster than the client takes them. A client that hangs up stops the source; `HEAD` does not read it.
 *
 * @param next gets every failure, of the source and of stopping it: one before the first record for an answer, one later when the
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
  send(recordText(source, type, settings), { source, begin, res, signal }).catch(fail);
}

/** Where records go. */
interface Sending {
  readonly source: RecordSource;
  /** Begins the answer. */
  readonly begin: () => void;
  readonly res: Response;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

async function send(pieces: AsyncGenerator<string, void>, { source, begin, res, signal }: Sending): Promise<void> {
  const gone: { stopping?: Promise<unknown> } = {};
  const onClose = (): void => {
    if (gone.stopping) return;
    gone.stopping = stopsAtOnce(source) ? stopRecords(source) : pieces.return();
    // It is waited for below, as soon as the source lets go.
    gone.stopping.catch(() => undefined);
  };
  res.once('close', onClose);
  signal.addEventListener('abort', onClose);
  const room = roomIn(res, signal);
  try {
    let piece = await pieces.next();
    if (!gone.stopping) begin();
    for (; piece.done !== true && !gone.stopping; piece = await pieces.next()) {
      if (!res.write(piece.value)) await room.more();
    }
  } catch (error) {
    // The head of the answer may have failed, while the records still wait. Nobody waits for what they do at their end.
    if (!gone.stopping) pieces.return().catch(() => undefined);
    // A stream that was stopped says that it was.
    if (!gone.stopping || !isPrematureClose(error)) throw error;
  } finally {
    res.off('close', onClose);
    signal.removeEventListener('abort', onClose);
    room.leave();
  }
  if (gone.stopping) await gone.stopping;
  else res.end();
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
 * Tells when a response takes more, or takes nothing any more. It listens once for all: middleware such as `compression` hands listeners on to a stream of its
 * own, which `off` does not take them from.
 */
function roomIn(res: Response, signal: AbortSignal): { more(): Promise<void>; leave(): void } {
  let wake: () => void = () => undefined;
  const told = (): void => {
    wake();
  };
  // Not in a chain, since what is handed on gives the other stream.
  res.on('drain', told);
  res.on('close', told);
  signal.addEventListener('abort', told);
  return {
    more: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (res.destroyed) resolve();
      }),
    leave: () => {
      res.off('drain', told);
      res.off('close', told);
      signal.removeEventListener('abort', told);
    },
  };
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
