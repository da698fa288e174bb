import type { Readable } from 'node:stream';

/** A result that is given record by record: an async iterable, or a stream of objects. */
export type RecordSource = AsyncIterable<unknown>;

/** @returns whether a result is given record by record */
export function isRecordSource(value: unknown): value is RecordSource {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
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

/** @returns whether a source is a stream; those of other packages count too */
export function isStream(source: RecordSource): source is Readable {
  return 'destroy' in source && typeof source.destroy === 'function' && 'on' in source && typeof source.on === 'function';
}
