import { collatorFor, fullCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import { checkFields, type Command, countField, documentField, listField, namespace } from './command.ts';

const OPTIONS: ReadonlySet<string> = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'background',
  'partialFilterExpression',
  'collation',
  'expireAfterSeconds',
  'hidden',
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  'ns',
  'prepareUnique',
  'storageEngine',
  'clustered',
]);

/** `createIndexes` */
export const createIndexes: Command = (context) => {
  checkFields(context, ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions']);
  const { command, server } = context;
  const ns = namespace(context);
  const specs = listField(command, 'indexes').map(checkSpec);
  const created = server.store.get(ns) === undefined;
  const collection = server.store.forWrite(ns, context.transaction);
  const before = collection.indexes.size;
  for (const spec of specs) {
    const full: Doc = { v: 2, ...spec, ...inheritedCollation(spec, collection) };
    if (existing(collection, full)) continue;
    collection.buildIndex(full);
    server.store.publish([{ kind: 'createIndexes', ns, details: full }]);
  }
  return {
    numIndexesBefore: created ? 1 : before,
    numIndexesAfter: collection.indexes.size,
    createdCollectionAutomatically: created,
    ...(collection.indexes.size === before ? { note: 'all indexes already exist' } : {}),
  };
};

function inheritedCollation(spec: Doc, collection: Collection): Doc {
  if (isDocument(spec.collation)) return spec.collation.locale === 'simple' ? {} : { collation: fullCollation(spec.collation) };
  return isDocument(collection.options.collation) ? { collation: fullCollation(collection.options.collation) } : {};
}

function checkSpec(spec: Value): Doc {
  if (!isDocument(spec)) throw new DocDbError(14, 'The elements of the indexes array must be objects');
  for (const name of Object.keys(spec))
    if (!OPTIONS.has(name)) throw new DocDbError(197, `The field '${name}' is not valid for an index specification.`);
  const { key, name } = spec;
  if (!isDocument(key) || Object.keys(key).length === 0) throw new DocDbError(67, 'Index keys cannot be empty.');
  for (const field of Object.keys(key)) {
    const kind = key[field];
    if (field === '' || field.split('.').includes('') || (field.startsWith('$') && field !== '$**'))
      throw new DocDbError(67, `Index key contains an illegal field name: '${field}'`);
    if (kind === 'text' || kind === 'hashed') continue;
    if (typeof kind === 'string')
      throw new DocDbError(kind.startsWith('2d') ? 115 : 67, `Indexes of type '${kind}' are not supported by this database`);
    if (!isNumber(kind) || Number(String(kind)) === 0)
      throw new DocDbError(67, `Values in the index key pattern must be non-zero numbers or strings: ${field}`);
    if (field.includes('$**')) throw new DocDbError(115, 'Wildcard indexes are not supported by this database');
  }
  if (typeof name !== 'string' || name === '') throw new DocDbError(9, "The 'name' field is a required property of an index specification");
  if (spec.collation !== undefined) collatorFor(spec.collation);
  if (spec.sparse === true && spec.partialFilterExpression !== undefined)
    throw new DocDbError(67, 'cannot mix "partialFilterExpression" and "sparse" options');
  return spec;
}

function existing(collection: Collection, spec: Doc): boolean {
  for (const index of collection.indexes.values()) {
    const sameKey = equal(Object.entries(index.spec.key as Doc), Object.entries(spec.key as Doc));
    const sameName = index.name === spec.name;
    const sameCollation = equal(index.spec.collation ?? null, spec.collation ?? null);
    const samePartial = equal(index.spec.partialFilterExpression ?? null, spec.partialFilterExpression ?? null);
    const sameOptions =
      index.unique === (spec.unique === true) &&
      index.sparse === (spec.sparse === true) &&
      equal(index.spec.expireAfterSeconds ?? null, spec.expireAfterSeconds ?? null);
    if (index.name === '_id_' && sameKey) return true;
    if (sameName && !(sameKey && sameOptions && sameCollation && samePartial)) {
      throw new DocDbError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${String(spec.name)}`,
      );
    }
    if (sameName) return true;
    if (!sameKey || !sameCollation || !samePartial) continue;
    throw new DocDbError(
      85,
      sameOptions
        ? `Index already exists with a different name: ${index.name}`
        : `Index with name: ${index.name} already exists with different options`,
    );
  }
  return false;
}

/** `listIndexes` */
export const listIndexes: Command = (context) => {
  const ns = namespace(context);
  const collection = context.server.store.get(ns);
  if (!collection || (collection.madeBy !== undefined && collection.madeBy !== context.transaction))
    throw new DocDbError(26, `ns does not exist: ${ns}`);
  const { clusteredIndex } = collection.options;
  const specs = [...collection.indexes.values()].map((index) =>
    index.name === '_id_' && isDocument(clusteredIndex) ? { ...index.spec, unique: true, ...clusteredIndex, clustered: true } : index.spec,
  );
  return context.server.cursors.first(ns, specs, countField(documentField(context.command, 'cursor'), 'batchSize'), false);
};

/** `dropIndexes` */
export const dropIndexes: Command = (context) => {
  const { command, server } = context;
  const ns = namespace(context);
  const collection = server.store.get(ns);
  if (!collection) throw new DocDbError(26, `ns not found ${ns}`);
  const nIndexesWas = collection.indexes.size;
  for (const name of chosen(collection, command.index)) {
    if (name === '_id_') throw new DocDbError(72, 'cannot drop _id index');
    const { spec } = collection.indexes.get(name) ?? { spec: {} };
    collection.indexes.delete(name);
    server.store.publish([{ kind: 'dropIndexes', ns, details: spec }]);
  }
  return { nIndexesWas };
};

function chosen(collection: Collection, which: Value): string[] {
  if (which === '*') return [...collection.indexes.keys()].filter((name) => name !== '_id_');
  if (Array.isArray(which)) return (which as Value[]).flatMap((name) => chosen(collection, name));
  const found = [...collection.indexes.values()].find((index) =>
    isDocument(which) ? equal(Object.entries(index.spec.key as Doc), Object.entries(which)) : index.name === which,
  );
  if (!found) throw new DocDbError(27, `index not found with name [${String(which)}]`);
  return [found.name];
}
