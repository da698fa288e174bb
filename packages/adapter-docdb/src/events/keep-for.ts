import { isRecord } from '@framework/query';
import type { Collection } from 'mongodb';

/** What the database says of an index that is there with other options, that is not there, and that was dropped while it was built. */
const CONFLICT = 85;
const NOT_FOUND = 27;
const ABORTED = 276;

/** More often than this, others that start are hardly in the way: each of them takes an index away once or twice. */
const ATTEMPTS = 100;

/**
 * Has the documents of a log removed when they are old, also where they were kept for another time before.
 *
 * @param seconds that they are kept
 * @throws what the database fails with
 */
export async function keepFor(log: Collection, seconds: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await log.createIndexes([{ key: { at: 1 }, expireAfterSeconds: seconds }]);
      return;
    } catch (error) {
      const code = codeOf(error);
      if (attempt === ATTEMPTS || (code !== CONFLICT && code !== ABORTED)) throw error;
      // Whoever may make an index may take it away, and need not have the right to change the collection. Where its
      // making was aborted, another process that starts took away the index, and it need only be made again.
      if (code === CONFLICT) await drop(log);
    }
  }
}

async function drop(log: Collection): Promise<void> {
  try {
    await log.dropIndex('at_1');
  } catch (error) {
    // Another process that starts was faster.
    if (codeOf(error) !== NOT_FOUND) throw error;
  }
}

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}
