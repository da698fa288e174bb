import { fullCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { type Doc, isDocument, type Value } from '../bson/values.ts';
import { checkIndexSpec } from '../declarations/index-spec.ts';
import { badValue, DocDbError } from '../errors.ts';
import type { Collection } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Store } from '../storage/store.ts';
import type { Writer } from '../storage/writer.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { type Command, countField, documentField, listField, namespace } from './command.ts';
import { announceIndex, buildIndexes } from './build-indexes.ts';
import { collectionNow } from './query-command.ts';

/** `createIndexes` */
export const createIndexes: Command = async (context) => {
  const { command, server, transaction, operation } = context;
  const { store } = server;
  const ns = namespace(context);
  const specs = listField(command, 'indexes').map(checkIndexSpec);
  if (specs.length === 0) throw badValue('Must specify at least one index to create');
  const made = await store.ahead(collectionNow(context, ns), () =>
    store.patiently(
      (ended) => operation.until(ended),
      (writer) => {
        const created = (transaction?.reader ?? writer.reader).collection(ns) === undefined;
        const collection = writer.collectionFor(ns, transaction);
        if (collection.isView) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
        const fresh: Doc[] = [];
        for (const spec of specs) {
          const full: Doc = { v: 2, ...spec, ...ofKind(spec), ...inheritedCollation(spec, collection) };
          if (
            !existing(
              [...collection.indexes.values()].map((index) => index.spec),
              full,
            ) &&
            !existing(fresh, full)
          )
            fresh.push(full);
        }
        const indexes = transaction ? inTransaction(store, transaction, collection, fresh) : begin(store, writer, collection, fresh);
        return { before: collection.indexes.size, created, collection, indexes };
      },
    ),
  );
  if (!transaction) await buildIndexes(context, made.collection, made.indexes);
  const { before, created, indexes } = made;
  return {
    numIndexesBefore: created ? 1 : before,
    numIndexesAfter: before + indexes.length,
    createdCollectionAutomatically: created,
    ...(indexes.length === 0 ? { note: 'all indexes already exist' } : {}),
  };
};

/** A transaction makes indexes only on what nobody else sees yet. */
function inTransaction(store: Store, transaction: Transaction, collection: Collection, specs: readonly Doc[]): IndexDefinition[] {
  if (specs.length === 0) return [];
  if (transaction.created.get(collection.ns) !== collection || transaction.overlayOf(collection) !== undefined)
    throw new DocDbError(263, `Cannot create new indexes on existing collection ${collection.ns} in a multi-document transaction.`);
  const indexes = specs.map((spec) => store.newIndex(spec));
  transaction.created.set(collection.ns, collection.with({ indexes: [...collection.indexes.values(), ...indexes] }));
  transaction.log.push(...specs.map((spec) => announceIndex(collection, spec)));
  return indexes;
}

/** From here on every write keeps the indexes, which are not read yet. */
function begin(store: Store, writer: Writer, collection: Collection, specs: readonly Doc[]): IndexDefinition[] {
  if (specs.length === 0) return [];
  const indexes = specs.map((spec) => store.newIndex(spec, false));
  writer.modify(collection, { indexes: [...collection.indexes.values(), ...indexes] });
  return indexes;
}

/** What a server adds to the description of an index of places. */
function ofKind({ key }: Doc): Doc {
  return isDocument(key) && Object.values(key).includes('2dsphere') ? { '2dsphereIndexVersion': 3 } : {};
}

function inheritedCollation(spec: Doc, collection: Collection): Doc {
  if (isDocument(spec.collation)) return spec.collation.locale === 'simple' ? {} : { collation: fullCollation(spec.collation) };
  return isDocument(collection.options.collation) ? { collation: fullCollation(collection.options.collation) } : {};
}

/** @returns whether there is such an index already */
function existing(known: readonly Doc[], spec: Doc): boolean {
  for (const other of known) {
    const sameKey = equal(Object.entries(other.key as Doc), Object.entries(spec.key as Doc));
    const sameName = other.name === spec.name;
    const sameCollation = equal(other.collation ?? null, spec.collation ?? null);
    const samePartial = equal(other.partialFilterExpression ?? null, spec.partialFilterExpression ?? null);
    const sameOptions =
      (other.unique === true) === (spec.unique === true) &&
      (other.sparse === true) === (spec.sparse === true) &&
      equal(other.expireAfterSeconds ?? null, spec.expireAfterSeconds ?? null);
    if (other.name === '_id_' && sameKey) return true;
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
        ? `Index already exists with a different name: ${String(other.name)}`
        : `Index with name: ${String(other.name)} already exists with different options`,
    );
  }
  return false;
}

/** `listIndexes` */
export const listIndexes: Command = (context) => {
  const ns = namespace(context);
  const collection = collectionNow(context, ns);
  if (!collection) throw new DocDbError(26, `ns does not exist: ${ns}`);
  if (collection.isView) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
  const { clusteredIndex } = collection.options;
  const specs = [...collection.indexes.values()]
    .filter((index) => index.ready)
    .map((index) =>
      index.isId && isDocument(clusteredIndex) ? { ...index.spec, unique: true, ...clusteredIndex, clustered: true } : index.spec,
    );
  return context.server.cursors.firstOf(ns, specs, countField(documentField(context.command, 'cursor'), 'batchSize'));
};

/** `dropIndexes` */
export const dropIndexes: Command = (context) => {
  const { command, server, operation } = context;
  const { store } = server;
  const ns = namespace(context);
  return store.ahead(collectionNow(context, ns), () =>
    store.patiently(
      (ended) => operation.until(ended),
      (writer) => {
        const collection = writer.reader.collection(ns);
        if (!collection) throw new DocDbError(26, `ns not found ${ns}`);
        if (collection.isView) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
        const gone = new Set(chosen(collection, command.index));
        if (gone.has('_id_')) throw new DocDbError(72, 'cannot drop _id index');
        const [kept, dropped] = [...collection.indexes.values()].reduce<[IndexDefinition[], IndexDefinition[]]>(
          (parts, index) => {
            parts[gone.has(index.name) ? 1 : 0].push(index);
            return parts;
          },
          [[], []],
        );
        writer.modify(collection, { indexes: kept });
        for (const index of dropped) {
          writer.discardIndex(collection, index);
          writer.publish({ kind: 'dropIndexes', ns, uuid: collection.uuid, details: index.spec });
        }
        return { nIndexesWas: collection.indexes.size };
      },
    ),
  );
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
