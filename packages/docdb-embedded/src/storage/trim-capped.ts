import { toNumber } from '../bson/arithmetic.ts';
import { isNumber, type Value } from '../bson/values.ts';
import type { Collection } from './collection.ts';
import type { Writer } from './writer.ts';

/**
 * A capped collection gives its oldest documents up for new ones, and keeps one at least.
 *
 * @param published whether change streams hear of it
 */
export function trimCapped(writer: Writer, collection: Collection, published: boolean): void {
  if (!collection.isCapped) return;
  const { max, size } = collection.options;
  const most = boundOf(max);
  const largest = boundOf(size);
  while (writer.countOf(collection) > 1 && (writer.countOf(collection) > most || writer.bytesOf(collection) > largest)) {
    const oldest = writer.reader.scan(collection, false).next().value?.kept();
    if (!oldest) return;
    writer.remove(collection, oldest, undefined, published);
  }
}

function boundOf(value: Value): number {
  return isNumber(value) && toNumber(value) > 0 ? toNumber(value) : Infinity;
}
