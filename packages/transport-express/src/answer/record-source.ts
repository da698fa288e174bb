/** A result that is sent record by record: an async iterable, or a stream of objects. */
export type RecordSource = AsyncIterable<unknown>;

/** Type of answers with one JSON record in each line. */
export const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8';

/** @returns whether a result is to be sent record by record */
export function isRecordSource(value: unknown): value is RecordSource {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function';
}
