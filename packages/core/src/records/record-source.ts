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
  if (!isStream(source)) await endOf(source[Symbol.asyncIterator]());
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
 * generator has not begun, and while it waits for a record that may never come.
 *
 * @param source what is let go of
 * @param make gives the generator; what it reads are the records of the source, and it ends them when it ends
 * @param read what gives the records. Default: the source
 */
export function lettingGo(
  source: RecordSource,
  make: (records: RecordSource) => AsyncGenerator,
  read: RecordSource = source,
): AsyncIterableIterator<unknown> {
  const held = new HeldRecords(read);
  const made = make(held);
  let begun = false;
  let waiting = 0;
  const waited = (): void => {
    waiting -= 1;
  };
  const records: AsyncIterableIterator<unknown> = {
    [Symbol.asyncIterator]: () => records,
    next() {
      begun = true;
      waiting += 1;
      const next = made.next();
      next.then(waited, waited);
      return next;
    },
    async return(value?: unknown) {
      try {
        if (!begun || stopsAtOnce(source)) await stopRecords(source);
        // The generator itself ends with its next record, which may come only because the source is told.
        else if (waiting > 0) await held.end();
      } finally {
        await made.return(value);
      }
      return { done: true, value };
    },
  };
  if (stopsAtOnce(source)) OF_STREAMS.add(records);
  return records;
}

/** The records of a source, which can be ended by others than who reads them, and once. */
class HeldRecords implements RecordSource {
  readonly #source: RecordSource;
  #records: AsyncIterator<unknown> | undefined;
  #ended: Promise<void> | undefined;

  constructor(source: RecordSource) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    const records = this.#source[Symbol.asyncIterator]();
    this.#records = records;
    return {
      next: () => (this.#ended ? Promise.resolve({ done: true, value: undefined }) : records.next()),
      return: async (value?: unknown) => {
        await this.end();
        return { done: true, value };
      },
    };
  }

  /** @throws what the source rejects with */
  end(): Promise<void> {
    this.#ended ??= endOf(this.#records ?? this.#source[Symbol.asyncIterator]());
    return this.#ended;
  }
}

async function endOf(records: AsyncIterator<unknown>): Promise<void> {
  await records.return?.();
}

/** @returns whether {@link stopRecords} ends a source also while somebody waits for its next record: streams, and what is made of them */
export function stopsAtOnce(source: RecordSource): boolean {
  return isStream(source) || OF_STREAMS.has(source);
}

/** @returns whether a source is a stream; those of other packages count too */
export function isStream(source: RecordSource): source is Readable {
  return 'destroy' in source && typeof source.destroy === 'function' && 'on' in source && typeof source.on === 'function';
}
