import type { RecordRules } from './record-rules.ts';
import { isStream, lettingGo } from './record-source.ts';

/**
 * Sees to it that the records of a stream remember their rules when they are read: it is still the same stream, which may be a cursor of a database.
 *
 * @throws Error for a stream that can not be seen through
 */
export function rememberRead(stream: AsyncIterable<unknown>, rules: RecordRules): void {
  const iterate = stream[Symbol.asyncIterator];
  const read = { [Symbol.asyncIterator]: () => iterate.call(stream) };
  const value = (): AsyncIterator<unknown> => lettingGo(isStream(stream) ? stream : read, (held) => remembering(held, rules), read);
  if (!Reflect.defineProperty(stream, Symbol.asyncIterator, { value, configurable: true, writable: true }))
    throw new Error('The records of a frozen stream can not be kept together with their rules: give a stream that takes properties');
}

/** Ending the loop early ends the source too. */
async function* remembering(source: AsyncIterable<unknown>, rules: RecordRules): AsyncGenerator {
  for await (const record of source) {
    rules.remember(record);
    yield record;
  }
}
