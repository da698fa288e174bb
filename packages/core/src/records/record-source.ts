import type { Readable } from 'node:stream';

/** A result that is given record by record: an async iterable, or a stream of objects. */
export type RecordSource = AsyncIterable<unknown>;

/** @returns whether a result is given record by record; what throws when it is looked at is not */
export function isRecordSource(value: unknown): value is RecordSource {
  try {
    return (
      typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function'
    );
  } catch {
    return false;
  }
}

/**
 * Lets go of records that nobody has begun to read: a stream that nobody reads keeps its file, its cursor or its connection open.
 *
 * @throws what the source throws or rejects with; a stream says it by its event `error`
 */
export async function stopRecords(source: RecordSource): Promise<void> {
  if (!isStream(source)) await source[Symbol.asyncIterator]().return?.();
  else {
    // A stream that fails while nobody listens would end the process.
    if (source.listenerCount('error') === 0) source.on('error', () => undefined);
    source.destroy();
  }
}

/** Records that {@link lettingGo} has made of a stream. */
const OF_STREAMS = new WeakSet<RecordSource>();

/**
 * Records that are made of those of a source by a generator. Whoever lets go of them lets go of the source, also before the first is read, when the
 * generator has not begun, and while it waits for a stream that may never give another.
 *
 * @param source what the generator reads, and ends when it ends
 * @param made the generator
 */
export function lettingGo(source: RecordSource, made: AsyncGenerator): AsyncIterableIterator<unknown> {
  let begun = false;
  const records: AsyncIterableIterator<unknown> = {
    [Symbol.asyncIterator]: () => records,
    next() {
      begun = true;
      return made.next();
    },
    async return(value?: unknown) {
      try {
        if (!begun || stopsAtOnce(source)) await stopRecords(source);
      } finally {
        await made.return(value);
      }
      return { done: true, value };
    },
  };
  if (stopsAtOnce(source)) OF_STREAMS.add(records);
  return records;
}

/** @returns whether {@link stopRecords} ends a source also while somebody waits for its next record: streams, and what is made of them */
export function stopsAtOnce(source: RecordSource): boolean {
  return isStream(source) || OF_STREAMS.has(source);
}

/** @returns whether a source is a stream; those of other packages count too */
export function isStream(source: RecordSource): source is Readable {
  return 'destroy' in source && typeof source.destroy === 'function' && 'on' in source && typeof source.on === 'function';
}
