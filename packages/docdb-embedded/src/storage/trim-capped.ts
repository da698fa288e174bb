import { toNumber } from '../bson/arithmetic.ts';
import { MAX_DOCUMENT_SIZE } from '../bson/limits.ts';
import { isNumber, type Value } from '../bson/values.ts';
import type { Collection } from './collection.ts';
import type { Writer } from './writer.ts';

/** Documents that one insert removes at most, and their bytes: where `collMod` has made a bound smaller there are more of them. */
const MOST = 5000;
const MOST_BYTES = 2 * MAX_DOCUMENT_SIZE;

/**
 * A capped collection gives its oldest documents up for new ones, and keeps one at least. Of many too many the next inserts
 * remove the rest, each more than it adds.
 *
 * @param published whether change streams hear of it
 */
export function trimCapped(writer: Writer, collection: Collection, published: boolean): void {
  if (!collection.isCapped) return;
  const { max, size } = collection.options;
  const most = boundOf(max);
  const largest = boundOf(size);
  const isOver = (): boolean => writer.countOf(collection) > most || writer.bytesOf(collection) > largest;
  const before = writer.bytesOf(collection);
  for (let removed = 0; removed < MOST && before - writer.bytesOf(collection) < MOST_BYTES; removed++) {
    // Each insert removes more than it adds, whatever others have removed.
    if (removed > 1 && writer.isSpent) return;
    if (writer.countOf(collection) <= 1 || !isOver()) return;
    const oldest = writer.reader.scan(collection, false).next().value?.kept();
    if (!oldest) return;
    writer.remove(collection, oldest, undefined, published);
  }
}

function boundOf(value: Value): number {
  return isNumber(value) && toNumber(value) > 0 ? toNumber(value) : Infinity;
}
