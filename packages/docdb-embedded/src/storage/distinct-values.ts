import { FieldNames } from '../bson/decode-fields.ts';
import type { Value } from '../bson/values.ts';
import { firstOf } from '../query/filter-fields.ts';
import { readPath } from '../query/path-values.ts';
import type { Collection } from './collection.ts';
import { asksForAll, type CollectionQuery } from './find-documents.ts';
import type { IndexDefinition } from './index-definition.ts';
import { behind } from './keys/index-key.ts';
import type { Reader } from './reader.ts';

/** Looking for the next value in an index takes as long as looking at so many documents. */
const WORTH = 16;
const LEAST = 100;

/** What an index tells of the values of a field. */
export interface DistinctScan {
  readonly index: IndexDefinition;
  readonly values: readonly Value[];
}

/**
 * The values of a field in all documents by an index that begins with it: from each value it goes on behind all entries that have it.
 *
 * @returns `undefined` where documents are asked for, where no index has all values, or where there are so many that reading all documents is faster
 */
export function distinctByIndex(reader: Reader, collection: Collection, field: string, query: CollectionQuery): DistinctScan | undefined {
  if (!asksForAll(query) || query.collator || (query.hint ?? undefined) !== undefined) return undefined;
  const index = [...collection.indexes.values()].find((candidate) => canTell(candidate, field));
  const names = FieldNames.of([firstOf(field)]);
  if (!index || !names || reader.overlayOf(collection)) return undefined;
  const most = Math.max(LEAST, reader.sizeOf(collection).count / WORTH);
  const path = field.split('.');
  index.usage.operations += 1;
  const look = reader.lookAt(collection, index);
  const values: Value[] = [];
  for (let start: Buffer = Buffer.alloc(0); ;) {
    const record = firstRecord(reader, index, start);
    const found = record === undefined ? undefined : look(record);
    if (!found) return { index, values };
    const value = readPath(found.fields(names), path);
    // Entries of null are those of documents without the field too, and a list has those of its elements.
    if (value === undefined || value === null || Array.isArray(value) || values.length >= most) return undefined;
    values.push(value);
    start = behind(index.keyOf([value]).bytes);
    if (!index.ordered) return undefined;
  }
}

function canTell(index: IndexDefinition, field: string): boolean {
  return (
    index.ready &&
    index.spec.hidden !== true &&
    index.ordered &&
    !index.collator &&
    !index.sparse &&
    !index.partial &&
    index.fields[0]?.name === field
  );
}

function firstRecord(reader: Reader, index: IndexDefinition, start: Buffer): number | undefined {
  for (const record of reader.recordsWith(index, { start, end: Buffer.alloc(0) }, false)) return record;
  return undefined;
}
