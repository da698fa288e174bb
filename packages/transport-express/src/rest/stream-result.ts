import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from '../middleware-types.ts';

/** A result that is sent record by record: an async iterable, or a stream of objects. */
export type RecordSource = AsyncIterable<unknown>;

/** Type of answers with one JSON record in each line. */
export const NDJSON = 'application/x-ndjson';

/** Characters that are put together before they are sent. */
const CHUNK = 16_384;

/** @returns whether a result is to be sent record by record */
export function isRecordSource(value: unknown): value is RecordSource {
  return typeof value === 'object' && value !== null && typeof (value as Partial<RecordSource>)[Symbol.asyncIterator] === 'function';
}

/**
 * Sends records as they come: as a JSON array, or one in each line when the client accepts `application/x-ndjson`. Reads no
 * faster than the client takes them. A client that hangs up stops the source.
 *
 * An error before the first record is thrown, so that the error handler can answer; one after it cuts the answer off.
 *
 * @param source the records
 */
export async function sendRecords(req: Request, res: Response, source: RecordSource): Promise<void> {
  const lines = wantsLines(req);
  const encoded = encode(source, lines)[Symbol.asyncIterator]();
  const hangUp = (): void => {
    if (source instanceof Readable) source.destroy();
    else void encoded.return?.(undefined);
  };
  if (req.method === 'HEAD' || res.destroyed) {
    hangUp();
    res.end();
    return;
  }
  res.once('close', hangUp);
  const first = await encoded.next();
  res.setHeader('Content-Type', lines ? `${NDJSON}; charset=utf-8` : 'application/json; charset=utf-8');
  try {
    await pipeline(Readable.from(startingWith(first, encoded), { objectMode: true, highWaterMark: 1 }), res);
  } catch {
    // Headers are sent: the client learns of the failure by the missing end.
    res.destroy();
  } finally {
    res.off('close', hangUp);
  }
}

function wantsLines(req: Request): boolean {
  return req.headers.accept?.includes('ndjson') === true && req.accepts(['application/json', NDJSON]) === NDJSON;
}

async function* encode(source: RecordSource, lines: boolean): AsyncGenerator<string, void> {
  let text = lines ? '' : '[';
  let separator = '';
  for await (const record of source) {
    text += `${separator}${JSON.stringify(record)}${lines ? '\n' : ''}`;
    if (!lines) separator = ',';
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield lines ? text : `${text}]`;
}

async function* startingWith(first: IteratorResult<string, void>, rest: AsyncIterator<string, void>): AsyncGenerator<string, void> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) if (step.value !== '') yield step.value;
  } finally {
    await rest.return?.();
  }
}
