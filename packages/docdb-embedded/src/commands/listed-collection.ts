import { UUID } from 'bson';
import { fullCollation } from '../bson/collation.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { type Collection, idIndexSpec } from '../storage/collection.ts';
import type { Reader } from '../storage/reader.ts';

/** @returns the collections of a database that are not on their way */
export function shownOf(reader: Reader, database: string): Collection[] {
  return reader.collections().filter(({ ns, isTemporary }) => ns.startsWith(`${database}.`) && !isTemporary);
}

/** @returns what a list of collections says of one, beside its name */
export function listedCollection(collection: Collection): Doc {
  const { isView } = collection;
  const type = isView ? 'view' : 'collection';
  const options: Doc = {
    ...collection.options,
    ...(isDocument(collection.options.collation) ? { collation: fullCollation(collection.options.collation) } : {}),
  };
  if (isDocument(options.clusteredIndex))
    options.clusteredIndex = { v: 2, key: { _id: 1 }, name: '_id_', unique: true, ...options.clusteredIndex };
  if (isView) options.pipeline ??= [];
  const info = isView ? { readOnly: true } : { readOnly: false, uuid: new UUID(collection.uuid) };
  return { type, options, info, ...(isView || collection.isClustered ? {} : { idIndex: idIndexSpec(collection.options) }) };
}
