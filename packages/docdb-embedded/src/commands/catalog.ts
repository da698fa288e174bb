import { UUID } from 'bson';
import { collatorFor, fullCollation } from '../bson/collation.ts';
import { equal } from '../bson/compare.ts';
import { type Doc, isDocument } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { compileFilter } from '../query/matcher.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import { byteRange } from '../storage/keys/index-key.ts';
import type { Reader } from '../storage/reader.ts';
import type { Writer } from '../storage/writer.ts';
import { hashKey } from '../bson/hash-key.ts';
import { compileSchema } from '../query/json-schema.ts';
import { checkFields, type Command, type CommandContext, countField, documentField, namespace } from './command.ts';
import { TEMPORARY } from './output.ts';
import { collectionNow, readingOf } from './query-command.ts';

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
  return (transaction?.reader ?? server.store.newest)
    .collections()
    .filter(({ ns }) => ns.startsWith(`${database}.`) && !ns.startsWith(`${database}.${TEMPORARY}`));
}

/** `create` */
export const create: Command = async (context) => {
  checkFields(context, CREATE_OPTIONS);
  const { command, server, transaction } = context;
  const ns = namespace(context);
  checkNamespace(ns);
  if (command.timeseries !== undefined) throw new DocDbError(115, 'Time series collections are not supported by this database');
  const options: Doc = {};
  for (const name of [...CREATE_OPTIONS.filter((option) => option !== 'collation'), 'collation'])
    if (command[name] !== undefined) options[name] = command[name];
  if (options.capped === true && options.size === undefined) throw new DocDbError(72, "the 'size' field is required when 'capped' is true");
  checkOptions(options);
  await server.store.patiently(
    (ended) => context.operation.until(ended),
    (writer) => {
      const known = (transaction?.reader ?? writer.reader).collection(ns);
      if (!known) writer.create(ns, options, transaction);
      else if (!equal(known.options, options) || transaction) throw new DocDbError(48, `Collection ${ns} already exists.`);
    },
  );
  return {};
};

function checkOptions(options: Doc): void {
  if (options.collation !== undefined) collatorFor(options.collation);
  if (options.validator === undefined) return;
  if (!isDocument(options.validator)) throw new DocDbError(14, "BSON field 'create.validator' is the wrong type, expected type 'object'");
  compileFilter(options.validator);
  if (isDocument(options.validator.$jsonSchema)) compileSchema(options.validator.$jsonSchema);
}

/** Changes the catalogue when no transaction uses the collection; transactions that come later do not get ahead. */
function change<T>(context: CommandContext, ns: string, work: (writer: Writer) => T, frees = false): Promise<T> {
  const { server, operation } = context;
  return server.store.ahead(collectionNow(context, ns), () => server.store.patiently((ended) => operation.until(ended), work, frees));
}

/** `drop` */
export const drop: Command = (context) => {
  const ns = namespace(context);
  const work = (writer: Writer): Doc => {
    const collection = writer.reader.collection(ns);
    // Since 7.0 dropping what is not there succeeds.
    if (!collection) return {};
    writer.drop(collection);
    return { nIndexesWas: collection.indexes.size, ns };
  };
  return change(context, ns, work, true);
};

/** `dropDatabase` */
export const dropDatabase: Command = async (context) => {
  const { database } = context;
  for (const { ns } of collectionsOf(context)) {
    const work = (writer: Writer): void => {
      const collection = writer.reader.collection(ns);
      if (collection) writer.drop(collection);
    };
    await change(context, ns, work, true);
  }
  await context.server.store.write((writer) => {
    writer.publish({ kind: 'dropDatabase', ns: database });
  });
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
  return server.cursors.firstOf(`${database}.$cmd.listCollections`, rows.filter(filter), batchSize);
};

/** `listDatabases` */
export const listDatabases: Command = (context) => {
  const { server, command } = context;
  const sizes = new Map<string, number>();
  const reading = server.store.read();
  for (const collection of reading.reader.collections()) {
    const name = collection.ns.slice(0, collection.ns.indexOf('.'));
    sizes.set(name, (sizes.get(name) ?? 0) + (command.nameOnly === true ? 0 : reading.reader.sizeOf(collection).bytes));
  }
  reading.release();
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
export const renameCollection: Command = (context) => {
  const { renameCollection: from, to, dropTarget } = context.command;
  if (typeof from !== 'string' || typeof to !== 'string') throw badValue('renameCollection needs two names');
  checkNamespace(to);
  return change(context, from, (writer) => {
    const collection = writer.reader.collection(from);
    if (!collection) throw new DocDbError(26, `Source collection ${from} does not exist`);
    if (from === to) throw new DocDbError(20, "Can't rename a collection to itself");
    const target = writer.reader.collection(to);
    if (target && dropTarget !== true) throw new DocDbError(48, 'target namespace exists');
    writer.rename(collection, to, target);
    return {};
  });
};

/** `collMod` */
export const collMod: Command = (context) => {
  const { command } = context;
  const ns = namespace(context);
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
  return change(context, ns, (writer) => {
    const collection = writer.reader.collection(ns);
    if (!collection) throw new DocDbError(26, `ns does not exist: ${ns}`);
    const indexed = isDocument(command.index) ? modifyIndex(writer, collection, command.index) : collection;
    const options = { ...collection.options, ...changes };
    writer.modify(indexed, { options }, { kind: 'modify', ns, uuid: collection.uuid, details: { options } });
    return {};
  });
};

function modifyIndex(writer: Writer, collection: Collection, wanted: Doc): Collection {
  const index = [...collection.indexes.values()].find((entry) => entry.name === wanted.name || equal(entry.spec.key, wanted.keyPattern));
  if (!index) throw new DocDbError(27, `cannot find index ${String(wanted.name)} for ns ${collection.ns}`);
  const { name: _name, keyPattern: _key, ...options } = wanted;
  if (options.unique === true) checkConvertible(writer.reader, collection, index);
  const spec = { ...index.spec, ...options };
  const indexes = [...collection.indexes.values()].map((entry) => (entry === index ? index.with(spec) : entry));
  return writer.modify(collection, { indexes }, { kind: 'createIndexes', ns: collection.ns, uuid: collection.uuid, details: spec });
}

/** An index becomes unique only when no two documents share a key. */
function checkConvertible(reader: Reader, collection: Collection, index: IndexDefinition): void {
  const violations = new Map<string, Doc[]>();
  for (const { doc } of reader.scan(collection, false)) {
    for (const key of index.valuesOf(doc)) {
      const text = hashKey(key.map((value) => (typeof value === 'symbol' ? [] : value)));
      violations.set(text, [...(violations.get(text) ?? []), doc]);
    }
  }
  const shared = [...violations.values()].filter((docs) => docs.length > 1).map((docs) => ({ ids: docs.map((doc) => doc._id) }));
  if (shared.length > 0)
    throw new DocDbError(359, 'Cannot convert the index to unique. Please resolve conflicting documents before running collMod again.', {
      violations: shared,
    });
}

/** What is counted of some collections. */
function sizes(
  context: CommandContext,
  collections: readonly (Collection | undefined)[],
): { readonly count: number; readonly bytes: number } {
  const reading = context.server.store.read();
  const all = collections.map((collection) => (collection ? reading.reader.sizeOf(collection) : { count: 0, bytes: 0 }));
  reading.release();
  return {
    count: all.reduce((total, { count }) => total + count, 0),
    bytes: all.reduce((total, { bytes }) => total + bytes, 0),
  };
}

/** `collStats` */
export const collStats: Command = (context) => {
  const ns = namespace(context);
  const collection = collectionNow(context, ns);
  const { count, bytes } = sizes(context, [collection]);
  return {
    ns,
    count,
    size: bytes,
    avgObjSize: count === 0 ? 0 : Math.round(bytes / count),
    storageSize: bytes,
    nindexes: collection?.indexes.size ?? 0,
    capped: collection?.options.capped === true,
  };
};

/** `dbStats` */
export const dbStats: Command = (context) => {
  const collections = collectionsOf(context);
  const { count, bytes } = sizes(context, collections);
  return {
    db: context.database,
    collections: collections.length,
    objects: count,
    dataSize: bytes,
    storageSize: bytes,
    indexes: collections.reduce((total, collection) => total + collection.indexes.size, 0),
  };
};

/** `validate`: looks whether each index leads to the documents and to nothing else. */
export const validate: Command = async (context) => {
  const ns = namespace(context);
  const reading = readingOf(context);
  try {
    const collection = reading.reader.collection(ns);
    if (!collection) throw new DocDbError(26, `Collection '${ns}' does not exist to validate.`);
    const errors: string[] = [];
    const wanted = new Map<IndexDefinition, number>();
    let count = 0;
    for (const { doc, record } of reading.reader.scan(collection, false)) {
      count += 1;
      for (const index of collection.indexes.values()) {
        const keys = index.ready ? index.valuesOf(doc) : [];
        wanted.set(index, (wanted.get(index) ?? 0) + keys.length);
        for (const key of keys) {
          const found = [...reading.reader.recordsWith(index, byteRange({ equal: key, low: undefined, high: undefined }, index), false)];
          if (!found.includes(record)) errors.push(`${index.name} does not lead to ${String(doc._id)}`);
        }
      }
      await context.operation.turn();
    }
    for (const [index, keys] of wanted) {
      const entries = [...reading.reader.recordsWith(index, EVERYTHING, false)].length;
      if (entries !== keys) errors.push(`${index.name} has ${String(entries)} entries for ${String(keys)} keys`);
    }
    const { count: nrecords } = reading.reader.sizeOf(collection);
    if (count !== nrecords) errors.push(`there are ${String(count)} documents, and ${String(nrecords)} were counted`);
    return { ns, valid: errors.length === 0, nrecords, nIndexes: collection.indexes.size, errors: errors.slice(0, 100), warnings: [] };
  } finally {
    reading.release();
  }
};

const EVERYTHING = { start: Buffer.alloc(0), end: Buffer.alloc(0) };
