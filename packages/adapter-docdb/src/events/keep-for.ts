import { isRecord } from '@framework/query';
import type { Collection } from 'mongodb';

/** What the database says of an index that is there with other options, and of one that is not there. */
const CONFLICT = 85;
const NOT_FOUND = 27;

/**
 * Has the documents of a log removed when they are old, also where they were kept for another time before.
 *
 * @param seconds that they are kept
 * @throws what the database fails with
 */
export async function keepFor(log: Collection, seconds: number): Promise<void> {
  const make = (): Promise<unknown> => log.createIndexes([{ key: { at: 1 }, expireAfterSeconds: seconds }]);
  try {
    await make();
  } catch (error) {
    if (codeOf(error) !== CONFLICT) throw error;
    // Whoever may make an index may take it away, and need not have the right to change the collection.
    await log.dropIndex('at_1').catch((reason: unknown) => {
      // Another process that starts was faster.
      if (codeOf(reason) !== NOT_FOUND) throw reason;
    });
    await make();
  }
}

function codeOf(error: unknown): unknown {
  return isRecord(error) ? error.code : undefined;
}
