import { UUID } from 'bson';
import { collatorFor, fullCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { Collection } from '../storage/collection.ts';
import type { CollectionIndex } from '../storage/collection-index.ts';
import { hashKey } from '../bson/hash-key.ts';
import { checkNamespace } from '../storage/store.ts';
import { compileSchema } from '../query/json-schema.ts';
import { checkFields, type Command, type CommandContext, countField, documentField, namespace } from './command.ts';
import { collectionSize } from './read.ts';

const CREATE_OPTIONS = [
  'capped',
  'size',
  'max',
  'validator',
  'validationLevel',
  'validationAction',
  'viewOn',
  'pipeline',
  'collation',
  'changeStreamPreAndPostImages',
  'clusteredIndex',
  'expireAfterSeconds',
  'timeseries',
  'storageEngine',
  'indexOptionDefaults',
  'autoIndexId',
  'idIndex',
  'temp',
  'flags',
  'encryptedFields',
];

function collectionsOf({ server, database, transaction }: CommandContext): Collection[] {
  return [...server.store.collections.values()].filter(
    (collection) => collection.ns.startsWith(`${database}.`) && (collection.madeBy === undefined || collection.madeBy === transaction),
  );
}

/** `create` */
export const create: Command = (context) => {
  checkFields(context, CREATE_OPTIONS);
  const { command, server } = context;
  const ns = namespace(context);
  checkNamespace(ns);
  if (command.timeseries !== undefined) throw new DocDbError(115, 'Time series collections are not supported by this database');
  const options: Doc = {};
  for (const name of [...CREATE_OPTIONS.filter((option) => option !== 'collation'), 'collation'])
    if (command[name] !== undefined) options[name] = command[name];
  if (options.capped === true && options.size === undefined) throw new DocDbError(72, "the 'size' field is required when 'capped' is true");
  checkOptions(options);
  const known = server.store.get(ns);
  if (known) {
    if (equal(known.options, options)) return {};
    throw new DocDbError(48, `Collection ${ns} already exists.`);
  }
  const collection = new Collection(ns, options);
  server.store.addCollection(collection, context.transaction);
  return {};
};

function checkOptions(options: Doc): void {
  if (options.collation !== undefined) collatorFor(options.collation);
  if (options.validator === undefined) return;
  if (!isDocument(options.validator)) throw new DocDbError(14, "BSON field 'create.validator' is the wrong type, expected type 'object'");
  compileFilter(options.validator);
  if (isDocument(options.validator.$jsonSchema)) compileSchema(options.validator.$jsonSchema);
}

/** `drop` */
export const drop: Command = (context) => {
  const ns = namespace(context);
  const collection = context.server.store.get(ns);
  // Since 7.0 dropping what is not there succeeds.
  if (!collection) return {};
  context.server.store.dropCollection(ns);
  return { nIndexesWas: collection.indexes.size, ns };
};

/** `dropDatabase` */
export const dropDatabase: Command = (context) => {
  const { database, server } = context;
  for (const collection of collectionsOf(context)) server.store.dropCollection(collection.ns);
  server.store.publish([{ kind: 'dropDatabase', ns: database }]);
  return { dropped: database };
};

/** `listCollections` */
export const listCollections: Command = (context) => {
  const { command, database, server } = context;
  const filter = compileFilter(documentField(command, 'filter'));
  const nameOnly = command.nameOnly === true;
  const rows = collectionsOf(context).map((collection): Doc => {
    const name = collection.ns.slice(database.length + 1);
    const view = collection.options.viewOn !== undefined;
    if (nameOnly) return { name, type: view ? 'view' : 'collection' };
    const options: Doc = {
      ...collection.options,
      ...(isDocument(collection.options.collation) ? { collation: fullCollation(collection.options.collation) } : {}),
    };
    if (isDocument(options.clusteredIndex))
      options.clusteredIndex = { v: 2, key: { _id: 1 }, name: '_id_', unique: true, ...options.clusteredIndex };
    const info = view ? { readOnly: true } : { readOnly: false, uuid: new UUID(collection.uuid) };
    return {
      name,
      type: view ? 'view' : 'collection',
      options,
      info,
      ...(view ? {} : { idIndex: { v: 2, key: { _id: 1 }, name: '_id_' } }),
    };
  });
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize');
  return server.cursors.first(`${database}.$cmd.listCollections`, rows.filter(filter), batchSize, false);
};

/** `listDatabases` */
export const listDatabases: Command = ({ server, command }) => {
  const sizes = new Map<string, number>();
  for (const collection of server.store.collections.values()) {
    const name = collection.ns.slice(0, collection.ns.indexOf('.'));
    sizes.set(name, (sizes.get(name) ?? 0) + (command.nameOnly === true ? 0 : collectionSize(collection)));
  }
  const filter = compileFilter(documentField(command, 'filter'));
  const all = [...sizes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, size]): Doc => (command.nameOnly === true ? { name } : { name, sizeOnDisk: size, empty: false }));
  const databases = all.filter(filter);
  if (command.nameOnly === true) return { databases };
  const totalSize = databases.reduce((total, row) => total + (row.sizeOnDisk as number), 0);
  return { databases, totalSize, totalSizeMb: Math.round(totalSize / 1_048_576) };
};

/** `renameCollection` */
export const renameCollection: Command = ({ command, server }) => {
  const { renameCollection: from, to } = command;
  if (typeof from !== 'string' || typeof to !== 'string') throw badValue('renameCollection needs two names');
  checkNamespace(to);
  const { store } = server;
  const collection = store.get(from);
  if (!collection) throw new DocDbError(26, `Source collection ${from} does not exist`);
  if (from === to) throw new DocDbError(20, "Can't rename a collection to itself");
  const target = store.get(to);
  if (target) {
    if (command.dropTarget !== true) throw new DocDbError(48, 'target namespace exists');
    store.dropCollection(to);
  }
  store.renameCollection(collection, to, target?.uuid);
  return {};
};

/** `collMod` */
export const collMod: Command = (context) => {
  const { command, server } = context;
  const ns = namespace(context);
  const collection = server.store.get(ns);
  if (!collection) throw new DocDbError(26, `ns does not exist: ${ns}`);
  const allowed = [
    'validator',
    'validationLevel',
    'validationAction',
    'changeStreamPreAndPostImages',
    'viewOn',
    'pipeline',
    'index',
    'expireAfterSeconds',
    'cappedSize',
    'cappedMax',
  ];
  checkFields(context, allowed);
  const changes = Object.fromEntries(
    allowed.filter((name) => name !== 'index' && command[name] !== undefined).map((name) => [name, command[name]]),
  );
  checkOptions(changes);
  if (isDocument(command.index)) modifyIndex(context, collection, command.index);
  Object.assign(collection.options, changes);
  server.store.publish([{ kind: 'modify', ns, details: { options: collection.options } }]);
  return {};
};

function modifyIndex({ server }: CommandContext, collection: Collection, change: Doc): void {
  const index = [...collection.indexes.values()].find((entry) => entry.name === change.name || equal(entry.spec.key, change.keyPattern));
  if (!index) throw new DocDbError(27, `cannot find index ${String(change.name)} for ns ${collection.ns}`);
  const { name: _name, keyPattern: _key, ...options } = change;
  if (options.unique === true) checkConvertible(collection, index);
  Object.assign(index.spec, options);
  server.store.publish([{ kind: 'createIndexes', ns: collection.ns, details: index.spec }]);
}

/** An index becomes unique only when no two documents share a key. */
function checkConvertible(collection: Collection, index: CollectionIndex): void {
  const violations = new Map<string, Doc[]>();
  for (const record of collection.records.values()) {
    for (const key of record.doc ? index.keysOf(record.doc) : []) {
      const text = hashKey(key.map((value) => (typeof value === 'symbol' ? [] : value)));
      violations.set(text, [...(violations.get(text) ?? []), record.doc as Doc]);
    }
  }
  const shared = [...violations.values()].filter((docs) => docs.length > 1).map((docs) => ({ ids: docs.map((doc) => doc._id) }));
  if (shared.length > 0)
    throw new DocDbError(359, 'Cannot convert the index to unique. Please resolve conflicting documents before running collMod again.', {
      violations: shared,
    });
}

/** `collStats` */
export const collStats: Command = (context) => {
  const ns = namespace(context);
  const collection = context.server.store.get(ns);
  const size = collection ? collectionSize(collection) : 0;
  const count = collection?.count ?? 0;
  return {
    ns,
    count,
    size,
    avgObjSize: count === 0 ? 0 : Math.round(size / count),
    storageSize: size,
    nindexes: collection?.indexes.size ?? 0,
    capped: collection?.options.capped === true,
  };
};

/** `dbStats` */
export const dbStats: Command = (context) => {
  const collections = collectionsOf(context);
  const dataSize = collections.reduce((total, collection) => total + collectionSize(collection), 0);
  return {
    db: context.database,
    collections: collections.length,
    objects: collections.reduce((total, collection) => total + collection.count, 0),
    dataSize,
    storageSize: dataSize,
    indexes: collections.reduce((total, collection) => total + collection.indexes.size, 0),
  };
};

/** `validate`: says that the collection is sound; indexes hold what the documents say by construction. */
export const validate: Command = (context) => {
  const ns = namespace(context);
  const collection = context.server.store.get(ns);
  if (!collection) throw new DocDbError(26, `Collection '${ns}' does not exist to validate.`);
  return { ns, valid: true, nrecords: collection.count, nIndexes: collection.indexes.size, errors: [], warnings: [] };
};
