import { UUID } from 'bson';
import { wholeOption } from '../bson/rounding.ts';
import { Binary, type Doc, isDocument, isNumber, type Value } from '../bson/values.ts';
import { badValue, DocDbError } from '../errors.ts';
import { filterWith } from '../aggregation/filter-with.ts';
import { commandScope } from '../aggregation/pipeline.ts';
import { isOn } from '../declarations/field.ts';
import type { Need } from '../security/roles.ts';
import { OWN_DATABASES } from '../storage/own-databases.ts';
import { checkNamespace, type Collection } from '../storage/collection.ts';
import type { Writer } from '../storage/writer.ts';
import { changeCatalogue } from './change-catalogue.ts';
import {
  checkIdIndex,
  checkOptions,
  checkOwnName,
  checkView,
  meaningful,
  OPTIONS,
  sameOptions,
  withoutNulls,
} from './collection-options.ts';
import { type Command, type CommandContext, countField, documentField, namespace } from './command.ts';
import { listedCollection, shownOf } from './listed-collection.ts';
import { collectionNow } from './query-command.ts';

/** @returns the collections of the command's database that are not on their way */
export function collectionsOf({ server, database, transaction }: CommandContext): Collection[] {
  return shownOf(transaction?.reader ?? server.store.newest, database);
}

/** `create` */
export const create: Command = async (context) => {
  const { command, server, transaction } = context;
  const ns = namespace(context);
  checkNamespace(ns);
  checkOwnName(ns);
  const options: Doc = {};
  for (const name of OPTIONS) if (command[name] !== undefined && command[name] !== null) options[name] = command[name];
  withoutNulls(options);
  if (isNumber(options.capped)) options.capped = isOn(options.capped);
  if (isOn(options.capped) && options.size === undefined) throw new DocDbError(72, "the 'size' field is required when 'capped' is true");
  if (options.viewOn === undefined && options.pipeline !== undefined)
    throw new DocDbError(72, "'pipeline' requires 'viewOn' to also be specified");
  checkOptions(options);
  if (!isOn(options.capped) && (options.size !== undefined || options.max !== undefined))
    throw new DocDbError(72, "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
  if (options.expireAfterSeconds !== undefined && !isDocument(options.clusteredIndex))
    throw new DocDbError(72, "'expireAfterSeconds' of a collection is for clustered ones; others have it in an index");
  checkIdIndex(command.idIndex, options);
  checkView(context, ns, options);
  for (const name of ['size', 'max']) if (isNumber(options[name])) options[name] = cutBound(options[name]);
  const kept = meaningful(options);
  await server.store.patiently(context.operation, (writer) => {
    const known = (transaction?.reader ?? writer.reader).collection(ns);
    if (!known) writer.collections.create(ns, kept, transaction);
    else if (!sameOptions(known.options, kept) || transaction) throw new DocDbError(48, `Collection ${ns} already exists.`);
  });
  return {};
};

/** Bounds of a capped collection are kept as whole numbers. */
function cutBound(value: Value): Value {
  const bound = isNumber(value) ? wholeOption(value) : 0;
  return Math.abs(bound) < 2 ** 31 || !Number.isFinite(bound) ? bound : BigInt(bound);
}

/** `drop` */
export const drop: Command = (context) => {
  const ns = namespace(context);
  checkNamespace(ns);
  if (ns === `${context.database}.system.profile` && context.server.profiler.settingsOf(context.database).level > 0)
    throw new DocDbError(20, 'turn off profiling before dropping system.profile collection');
  const work = (writer: Writer): Doc => {
    const collection = writer.reader.collection(ns);
    // Since 7.0 dropping what is not there succeeds.
    if (!collection) return {};
    writer.collections.drop(collection);
    return { nIndexesWas: collection.indexCount, ns };
  };
  return changeCatalogue(context, ns, work, true);
};

/** `dropDatabase` */
export const dropDatabase: Command = async (context) => {
  const { database } = context;
  if (OWN_DATABASES.has(database)) throw new DocDbError(20, `Dropping the '${database}' database is prohibited.`);
  context.server.profiler.forget(database);
  if (!context.server.store.newest.collections().some(({ ns }) => ns.startsWith(`${database}.`))) return {};
  for (const { ns } of collectionsOf(context)) {
    const work = (writer: Writer): void => {
      const collection = writer.reader.collection(ns);
      // Views go with what the database is, and are not told of one by one.
      if (collection) writer.collections.drop(collection, !collection.isView);
    };
    await changeCatalogue(context, ns, work, true);
  }
  const { store } = context.server;
  const finish = (writer: Writer): void => {
    // What was made meanwhile would be there, and those who read of changes would be told that it is not.
    for (const collection of shownOf(writer.reader, database)) writer.collections.drop(collection, !collection.isView);
    writer.publish({ kind: 'dropDatabase', ns: database });
  };
  await store.patiently(context.operation, finish, true);
  return {};
};

/** `listCollections` */
export const listCollections: Command = (context) => {
  const { command, database, server } = context;
  const filter = filterWith(documentField(command, 'filter'), commandScope(undefined, {}), {});
  const nameOnly = command.nameOnly === true;
  const rows = collectionsOf(context).map((collection): Doc => {
    const name = collection.ns.slice(database.length + 1);
    return nameOnly ? { name, type: collection.isView ? 'view' : 'collection' } : { name, ...listedCollection(collection) };
  });
  const batchSize = countField(documentField(command, 'cursor'), 'batchSize');
  return server.cursors.firstOf(`${database}.$cmd.listCollections`, rows.filter(filter), batchSize);
};

/** Bytes by which files grow. */
const PAGE = 4096;

/**
 * `listDatabases`
 *
 * @throws DocDbError (13) when databases are asked for that whoever asks may not see
 */
export const listDatabases: Command = (context) => {
  const { server, command, connection } = context;
  const nameOnly = isOn(command.nameOnly);
  const listing: Need = { action: 'listDatabases', db: undefined, collection: '' };
  if (command.authorizedDatabases === false) server.security.demand(connection, listing, 'listDatabases');
  const seesAll = command.authorizedDatabases !== true && server.security.may(connection, listing);
  const sizes = new Map([...OWN_DATABASES].map((name) => [name, PAGE]));
  const reading = server.store.read();
  for (const collection of reading.reader.collections()) {
    const name = collection.ns.slice(0, collection.ns.indexOf('.'));
    const size = nameOnly || collection.options.viewOn !== undefined ? 0 : reading.reader.sizeOf(collection).bytes;
    sizes.set(name, (sizes.get(name) ?? 0) + Math.max(PAGE, Math.ceil(size / PAGE) * PAGE));
  }
  reading.release();
  const filter = filterWith(documentField(command, 'filter'), commandScope(undefined, {}), {});
  const databases = [...sizes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, size]): Doc => (nameOnly ? { name } : { name, sizeOnDisk: BigInt(size), empty: false }))
    .filter(filter)
    .filter(({ name }) => seesAll || server.security.may(connection, { action: 'listCollections', db: name as string, collection: '' }));
  if (nameOnly) return { databases };
  const totalSize = databases.reduce((total, row) => total + (row.sizeOnDisk as bigint), 0n);
  return { databases, totalSize, totalSizeMb: totalSize / 1_048_576n };
};

/** `renameCollection` */
export const renameCollection: Command = (context) => {
  const { renameCollection: from, to, dropTarget } = context.command;
  if (typeof from !== 'string' || typeof to !== 'string') throw badValue('renameCollection needs two names');
  if (dropTarget instanceof Binary && dropTarget.sub_type !== 4) throw new DocDbError(207, "'dropTarget' has to be a boolean or a UUID");
  checkNamespace(from);
  checkNamespace(to);
  checkRenamed(from, to, dropTarget);
  const rename = (writer: Writer): Doc => {
    const collection = writer.reader.collection(from);
    const target = writer.reader.collection(to);
    const wanted = dropTarget instanceof Binary ? new UUID(dropTarget.value()).toString() : undefined;
    if (wanted !== undefined && target?.uuid !== wanted) throw new DocDbError(361, `the collection ${to} is not the one of 'dropTarget'`);
    if (!collection) throw new DocDbError(26, `Source collection ${from} does not exist`);
    if (collection.isView) throw new DocDbError(166, `Namespace ${from} is a view, not a collection`);
    if (from === to) throw new DocDbError(20, "Can't rename a collection to itself");
    if (target?.isView === true) throw new DocDbError(48, `a view already exists with that name: ${to}`);
    if (target && dropTarget !== true && wanted === undefined) throw new DocDbError(48, 'target namespace exists');
    writer.collections.rename(collection, to, target);
    return {};
  };
  // The collection whose name it gets goes with it.
  return context.server.store.ahead(collectionNow(context, to), () => changeCatalogue(context, from, rename));
};

/** @throws DocDbError (20, 73, 207, 361) for names that no collection may get or lose */
function checkRenamed(from: string, to: string, dropTarget: Value): void {
  const [source, target] = [from, to].map((ns) => ns.slice(ns.indexOf('.') + 1));
  if (source?.startsWith('system.') === true || target?.startsWith('system.') === true || to.startsWith('local.oplog.'))
    throw new DocDbError(20, `renaming a collection of the system is not allowed: ${from} to ${to}`);
  if (Buffer.byteLength(from) > MOST_NAME || Buffer.byteLength(to) > MOST_NAME)
    throw new DocDbError(20, `the name of a collection that is renamed may have ${String(MOST_NAME)} bytes`);
  if (dropTarget instanceof Binary && dropTarget.length() !== 16)
    throw new DocDbError(207, "'dropTarget' has to be a boolean or a UUID of 16 bytes");
  if (dropTarget instanceof Binary && from.slice(0, from.indexOf('.')) !== to.slice(0, to.indexOf('.')))
    throw new DocDbError(72, "'dropTarget' is a UUID only where a collection stays in its database");
}

/** Bytes of a name with its database. */
const MOST_NAME = 255;
