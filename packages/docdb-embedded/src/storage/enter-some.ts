import type { Collection } from './collection.ts';
import type { Reader } from './reader.ts';
import type { Stored } from './stored.ts';

/** Documents that one write enters into indexes at most, and their bytes: others wait for as long as it takes. */
const STEP = 200;
const STEP_BYTES = 4 * 1024 * 1024;

/**
 * Enters documents into indexes, as many as one write has room for.
 *
 * @param from the place of the first one that was not entered yet
 * @returns the place of the next one
 */
export function enterSome(
  reader: Reader,
  collection: Collection,
  records: readonly number[],
  from: number,
  enter: (stored: Stored) => void,
): number {
  let bytes = 0;
  let at = from;
  for (; at < records.length && at - from < STEP && bytes < STEP_BYTES; at++) {
    const stored = reader.at(collection, records[at] as number);
    if (!stored) continue;
    enter(stored);
    bytes += stored.size;
  }
  return at;
}
