import { lettingGo } from '@framework/core';

/** Most records that wait for each other. */
const MAX_BATCH = 100;

/**
 * Works on the records of a stream together: as many as have come by the time that the source lets wait, and at most 100.
 *
 * @param source ends when the loop over the result ends
 * @param work gives as many records as it gets
 */
export function inBatches(
  source: AsyncIterable<unknown>,
  work: (records: readonly unknown[]) => Promise<readonly unknown[]>,
): AsyncIterableIterator<unknown> {
  return lettingGo(source, (held) => batches(held, work));
}

async function* batches(
  source: AsyncIterable<unknown>,
  work: (records: readonly unknown[]) => Promise<readonly unknown[]>,
): AsyncGenerator {
  const records = source[Symbol.asyncIterator]();
  let pending: Promise<IteratorResult<unknown>> | undefined;
  let ended = false;
  try {
    while (!ended) {
      const batch: unknown[] = [];
      for (;;) {
        pending ??= records.next();
        const next = batch.length === 0 ? await pending : await Promise.race([pending, turn()]);
        if (next === undefined) break;
        pending = undefined;
        ended = next.done === true;
        if (!ended) batch.push(next.value);
        if (ended || batch.length >= MAX_BATCH) break;
      }
      yield* await work(batch);
    }
  } finally {
    if (!ended) await ending(records, pending !== undefined);
  }
}

/** What a source was asked for already it may give late, or never: it ends then, and whoever ends the loop does not wait for it. */
async function ending(records: AsyncIterator<unknown>, isAsked: boolean): Promise<void> {
  const ended = records.return?.();
  if (isAsked) void Promise.resolve(ended).catch(() => undefined);
  else await ended;
}

/** One turn of the event loop. */
function turn(): Promise<undefined> {
  return new Promise((resolve) => {
    setImmediate(resolve, undefined);
  });
}
