import { toNumber } from '../bson/arithmetic.ts';
import { collatorFor, fullCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { type Doc, isDocument, isNumber, toDouble, type Value } from '../bson/values.ts';
import { shownValue } from '../bson/shown-value.ts';
import { isOn } from '../declarations/field.ts';
import { checkIndexSpec } from '../declarations/index-spec.ts';
import { sameProjections } from '../declarations/wildcard-projection.ts';
import { badValue, DocDbError } from '../errors.ts';
import { type Collection, idIndexSpec } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import type { Store } from '../storage/store.ts';
import type { Writer } from '../storage/writer.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { type Command, countField, documentField, listField, namespace } from './command.ts';
import { announceIndexes, buildIndexes } from './build-indexes.ts';
import { changeCatalogue } from './change-catalogue.ts';
import { collectionNow } from './query-command.ts';

/** Indexes that a collection may have. */
const MOST_INDEXES = 64;

/** `createIndexes` */
export const createIndexes: Command = async (context) => {
  const { command, server, transaction, operation } = context;
  const { store } = server;
  const ns = namespace(context);
  if (ns.slice(ns.indexOf('.') + 1).startsWith('system.'))
    throw new DocDbError(73, `cannot create an index on a collection of the system: ${ns}`);
  const specs = listField(command, 'indexes').map((spec) => checkIndexSpec(spec, isOn(command.ignoreUnknownIndexOptions)));
  if (specs.length === 0) throw badValue('Must specify at least one index to create');
  for (;;) {
    const made = await changeCatalogue(context, ns, (writer) => {
      const known = (transaction?.reader ?? writer.reader).collection(ns);
      if (known?.isView === true) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
      // No collection is made for indexes that it can not have.
      const fresh = freshSpecs(specs, ns, known);
      const created = known === undefined;
      const collection = writer.collectionFor(ns, transaction);
      const indexes = transaction ? inTransaction(store, transaction, collection, fresh) : begin(store, writer, collection, fresh);
      return { before: collection.indexCount, created, collection, indexes };
    });
    const { before, created, collection, indexes } = made;
    const unfilled = indexes.filter((index) => !index.ready);
    await buildIndexes(context, collection, unfilled);
    // One that somebody else builds is waited for, and built where that fails.
    const others = [...collection.indexes.values()].filter((index) => !index.ready && isWanted(index, specs));
    if (others.length === 0)
      return {
        numIndexesBefore: created ? 1 : before,
        numIndexesAfter: before + indexes.length,
        createdCollectionAutomatically: created,
        ...(indexes.length === 0 ? { note: 'all indexes already exist' } : {}),
      };
    await operation.until(server.builds.ended(others));
  }
};

function isWanted({ name }: IndexDefinition, specs: readonly Doc[]): boolean {
  return specs.some((spec) => spec.name === name);
}

/** @returns the descriptions of indexes that a collection does not have */
function freshSpecs(specs: readonly Doc[], ns: string, collection: Collection | undefined): Doc[] {
  const known = collection ? [...collection.indexes.values()].map(({ spec }) => spec) : [idIndexSpec({})];
  const fresh: Doc[] = [];
  for (const spec of specs) {
    // The order that listIndexes shows, however the driver wrote it.
    const first: Doc = { v: 2, key: spec.key, name: spec.name };
    const { collation, ...others } = spec;
    const full: Doc = { ...first, ...others, ...kindDetails(spec), ...collationOf(collation ?? collection?.options.collation) };
    if (!existing(known, full) && !existing(fresh, full)) fresh.push(full);
  }
  if (known.length + fresh.length > MOST_INDEXES)
    throw new DocDbError(67, `add index fails, too many indexes for ${ns}: at most ${String(MOST_INDEXES)}`);
  return fresh;
}

/** A transaction makes indexes only on what nobody else sees yet. */
function inTransaction(store: Store, transaction: Transaction, collection: Collection, specs: readonly Doc[]): IndexDefinition[] {
  if (specs.length === 0) return [];
  if (transaction.created.get(collection.ns) !== collection || transaction.overlayOf(collection) !== undefined)
    throw new DocDbError(263, `Cannot create new indexes on existing collection ${collection.ns} in a multi-document transaction.`);
  const indexes = specs.map((spec) => store.newIndex(spec));
  transaction.created.set(collection.ns, collection.with({ indexes: [...collection.indexes.values(), ...indexes] }));
  transaction.log.push(...specs.map((spec) => announceIndexes(collection, [spec])));
  return indexes;
}

/** From here on every write keeps the indexes. They are read at once where there is nothing to fill them with, and else when they are built. */
function begin(store: Store, writer: Writer, collection: Collection, specs: readonly Doc[]): IndexDefinition[] {
  if (specs.length === 0) return [];
  const ready = writer.reader.lastRecord(collection) === 0;
  const indexes = specs.map((spec) => store.newIndex(spec, ready));
  const changed = writer.collections.modify(collection, { indexes: [...collection.indexes.values(), ...indexes] });
  if (ready) for (const spec of specs) writer.publish(announceIndexes(changed, [spec]));
  return indexes;
}

/** What a server adds to the description of an index of places or of texts. */
function kindDetails(spec: Doc): Doc {
  const { key } = spec;
  if (!isDocument(key)) return {};
  const kinds = Object.values(key);
  return {
    ...(kinds.includes('2dsphere') ? { '2dsphereIndexVersion': spec['2dsphereIndexVersion'] ?? 3 } : {}),
    ...(kinds.includes('text') ? textDetails(spec, key) : {}),
  };
}

/** An index as it is listed: the bounds of a plane are doubles, however they were written. */
function listed(spec: Doc): Doc {
  const { min, max } = spec;
  if (min === undefined && max === undefined) return spec;
  return {
    ...spec,
    ...(isNumber(min) ? { min: toDouble(toNumber(min)) } : {}),
    ...(isNumber(max) ? { max: toDouble(toNumber(max)) } : {}),
  };
}

/** A text index keeps its fields with their weights, and says in its key only where the words are. */
function textDetails(spec: Doc, key: Doc): Doc {
  const names = Object.keys(key);
  const isText = (name: string): boolean => key[name] === 'text';
  const first = names.findIndex(isText);
  const beside = names.filter((name) => !isText(name));
  const weights: Doc = {
    ...Object.fromEntries(names.filter(isText).map((name) => [name, 1])),
    ...(isDocument(spec.weights) ? spec.weights : {}),
  };
  const ofNames = (list: readonly string[]): Doc => Object.fromEntries(list.map((name) => [name, key[name]]));
  return {
    key: { ...ofNames(beside.slice(0, first)), _fts: 'text', _ftsx: 1, ...ofNames(beside.slice(first)) },
    weights: Object.fromEntries(Object.entries(weights).sort(([a], [b]) => (a < b ? -1 : 1))),
    default_language: spec.default_language ?? 'english',
    language_override: spec.language_override ?? 'language',
    textIndexVersion: 3,
  };
}

/** An index has no collation where its texts are compared by their bytes, whether that was asked for or not. */
function collationOf(collation: Value): Doc {
  return isDocument(collation) && collatorFor(collation) ? { collation: fullCollation(collation) } : {};
}

/** What tells indexes apart beside their key, and what they may not differ in alone. */
const APART = ['partialFilterExpression', 'weights'];
const APART_FLAGS = ['unique', 'sparse'];
const SETTINGS = ['expireAfterSeconds', 'default_language', 'language_override', 'prepareUnique'];

function keyEntries({ key }: Doc): [string, Value][] {
  return isDocument(key) ? Object.entries(key) : [];
}

/** An index as messages show it, with its version first. */
function shownSpec(spec: Doc): string {
  return shownValue({ v: spec.v ?? 2, ...listed(spec) });
}

function shownCollations(index: Doc, collection: Doc): string {
  const [asked, own] = [index, collection].map(({ collation }) => shownValue(collation ?? { locale: 'simple' }));
  return `Index collation: ${asked}, collection collation: ${own}`;
}

/** @returns whether there is such an index already */
function existing(known: readonly Doc[], spec: Doc): boolean {
  const text = isDocument(spec.key) && '_fts' in spec.key;
  for (const other of known) {
    const alike = (name: string): boolean => equal(other[name] ?? null, spec[name] ?? null);
    const alikeFlag = (name: string): boolean => isOn(other[name]) === isOn(spec[name]);
    const sameKey = equal(keyEntries(other), keyEntries(spec));
    const sameName = other.name === spec.name;
    const sameTexts = equal(collationOf(other.collation), collationOf(spec.collation));
    const sameFields = sameProjections(other.wildcardProjection, spec.wildcardProjection);
    const same = sameKey && sameTexts && sameFields && APART.every(alike) && APART_FLAGS.every(alikeFlag);
    const sameOptions = SETTINGS.every(alike) && alikeFlag('hidden');
    if (other.name === '_id_' && sameKey) {
      if (sameTexts) return true;
      throw badValue(`The _id index must have the same collation as the collection. ${shownCollations(spec, other)}`);
    }
    const bothText = text && isDocument(other.key) && '_fts' in other.key;
    if (bothText && !sameKey)
      throw new DocDbError(67, `only one text index per collection allowed, found existing text index "${String(other.name)}"`);
    const both = `Requested index: ${shownSpec(spec)}, existing index: ${shownSpec(other)}`;
    // Whatever its weights and conditions are, a text index is the one that there is.
    if (sameName && (bothText ? !(same && sameOptions) : same && !sameOptions))
      throw new DocDbError(85, `An equivalent index already exists with the same name but different options. ${both}`);
    if (sameName && !same) {
      throw new DocDbError(
        86,
        `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${both}`,
      );
    }
    if (sameName) return true;
    if (!same && !bothText) continue;
    throw new DocDbError(
      85,
      same && sameOptions
        ? `Index already exists with a different name: ${String(other.name)}`
        : `An equivalent index already exists with a different name and options. ${both}`,
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
  // The notes of the profiler have no index.
  const isProfile = ns.slice(ns.indexOf('.') + 1) === 'system.profile';
  const specs = [...collection.indexes.values()]
    .filter((index) => index.ready && !(isProfile && index.isId))
    .map((index) =>
      index.isId && isDocument(clusteredIndex) ? { ...index.spec, unique: true, ...clusteredIndex, clustered: true } : listed(index.spec),
    );
  return context.server.cursors.firstOf(ns, specs, countField(documentField(context.command, 'cursor'), 'batchSize'));
};

/** `reIndex`: members of a replica set, as this is one, do not have it. */
export const reIndex: Command = (context) => {
  throw new DocDbError(
    20,
    `reIndex is only allowed on a standalone mongod instance. Cannot reIndex '${namespace(context)}' while replication is active`,
  );
};

/** `dropIndexes` */
export const dropIndexes: Command = (context) => {
  const { command } = context;
  const ns = namespace(context);
  const work = (writer: Writer): Doc => {
    const collection = writer.reader.collection(ns);
    if (!collection) throw new DocDbError(26, `ns not found ${ns}`);
    if (collection.isView) throw new DocDbError(166, `Namespace ${ns} is a view, not a collection`);
    const gone = new Set(chosen(collection, command.index));
    if (gone.has('_id_') && collection.isClustered) throw new DocDbError(5979800, 'It is illegal to drop the clusteredIndex');
    if (gone.has('_id_')) throw new DocDbError(72, 'cannot drop _id index');
    const all = [...collection.indexes.values()];
    writer.collections.modify(collection, { indexes: all.filter(({ name }) => !gone.has(name)) });
    for (const index of all.filter(({ name }) => gone.has(name))) {
      writer.collections.discardIndex(collection, index);
      // One that is still built was never told of.
      if (index.ready) writer.publish({ kind: 'dropIndexes', ns, uuid: collection.uuid, details: index.spec });
    }
    return { nIndexesWas: collection.indexCount };
  };
  return changeCatalogue(context, ns, work, true);
};

function chosen(collection: Collection, which: Value): string[] {
  if (which === '*') return [...collection.indexes.keys()].filter((name) => name !== '_id_');
  if (Array.isArray(which)) return (which as Value[]).flatMap((name) => chosen(collection, name));
  const fits = [...collection.indexes.values()].filter((index) =>
    isDocument(which) ? equal(keyEntries(index.spec), Object.entries(which)) : index.name === which,
  );
  const [found] = fits;
  if (fits.length > 1)
    throw new DocDbError(
      181,
      `${String(fits.length)} indexes found for key: ${fits.map(({ name }) => name).join(', ')}. Please use the name to specify the index.`,
    );
  if (!found)
    throw new DocDbError(
      27,
      isDocument(which) ? `can't find index with key: ${shownValue(which)}` : `index not found with name [${String(which)}]`,
    );
  return [found.name];
}
