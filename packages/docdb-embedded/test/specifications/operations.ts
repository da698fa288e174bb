import { Collection, Db, MongoClient, type ClientSession, type Document } from 'mongodb';
import { commandCursor, createChangeStream, isReadable, onReadable } from './cursor-operations.ts';
import type { Entities } from './match.ts';
import { Unsupported } from './unsupported.ts';

/** One step of a test. */
export interface Operation {
  name: string;
  object: string;
  arguments?: Document;
  expectResult?: unknown;
  expectError?: Document;
  saveResultAsEntity?: string;
  ignoreResultAndError?: boolean;
}

export { Unsupported };

/** Runs nested steps, for `withTransaction`. */
export type RunAll = (operations: Operation[]) => Promise<void>;

/** Runs one step and gives its result in the form of the specifications. */
export async function runOperation(
  { name, object, arguments: given = {} }: Operation,
  entities: Entities,
  runAll: RunAll,
): Promise<unknown> {
  if (object === 'testRunner') return testRunner(name, given, entities);
  const target = entities.get(object);
  const { session: sessionName, ...rest } = given;
  const options: Document = sessionName === undefined ? rest : { ...rest, session: entities.get(sessionName as string) };
  if (isReadable(target)) return onReadable(name, target);
  if (name === 'createChangeStream') return createChangeStream(target as Db, options);
  if (target instanceof MongoClient) return onClient(name, target, options);
  if (target instanceof Collection) return onCollection(name, target, options);
  if (target instanceof Db) return onDatabase(name, target, options);
  if (typeof (target as ClientSession | undefined)?.startTransaction === 'function')
    return onSession(name, target as ClientSession, given, runAll);
  throw new Unsupported(`${name} on ${object}`);
}

async function testRunner(name: string, given: Document, entities: Entities): Promise<unknown> {
  const failPoint = async (client: MongoClient): Promise<void> => {
    await client.db('admin').command(given.failPoint as Document);
  };
  switch (name) {
    case 'failPoint':
      return failPoint(entities.get(given.client as string) as MongoClient);
    case 'targetedFailPoint':
      return failPoint((entities.get(given.session as string) as { client: MongoClient }).client);
    case 'assertCollectionExists':
    case 'assertCollectionNotExists':
    case 'assertIndexExists':
    case 'assertIndexNotExists':
      return assertCatalog(name, given, entities);
    default:
      if (name.startsWith('assert')) return undefined;
      throw new Unsupported(name);
  }
}

async function assertCatalog(name: string, { databaseName, collectionName, indexName }: Document, entities: Entities): Promise<void> {
  const db = (entities.get('internal client') as MongoClient).db(databaseName as string);
  const collections = (await db.listCollections({ name: collectionName as string }).toArray()).length;
  if (name === 'assertCollectionExists' && collections === 0) throw new Error(`${String(collectionName)} does not exist`);
  if (name === 'assertCollectionNotExists' && collections > 0) throw new Error(`${String(collectionName)} exists`);
  if (!name.includes('Index')) return;
  const indexes =
    collections === 0
      ? []
      : await db
          .collection(collectionName as string)
          .listIndexes()
          .toArray();
  if (indexes.some((index) => index.name === indexName) !== (name === 'assertIndexExists'))
    throw new Error(`${name}: ${String(indexName)}`);
}

async function onCollection(name: string, collection: Collection, options: Document): Promise<unknown> {
  const { filter = {}, update, replacement, document, documents, pipeline, requests, fieldName, keys, ...rest } = options;
  switch (name) {
    case 'find':
      return collection.find(filter as Document, rest).toArray();
    case 'findOne':
      return collection.findOne(filter as Document, rest);
    case 'insertOne':
      return collection.insertOne(document as Document, rest);
    case 'insertMany':
      return collection.insertMany(documents as Document[], rest);
    case 'updateOne':
      return collection.updateOne(filter as Document, update as Document, rest);
    case 'updateMany':
      return collection.updateMany(filter as Document, update as Document, rest);
    case 'replaceOne':
      return collection.replaceOne(filter as Document, replacement as Document, rest);
    case 'deleteOne':
      return collection.deleteOne(filter as Document, rest);
    case 'deleteMany':
      return collection.deleteMany(filter as Document, rest);
    case 'findOneAndUpdate':
      return collection.findOneAndUpdate(filter as Document, update as Document, lowerCase(rest));
    case 'findOneAndReplace':
      return collection.findOneAndReplace(filter as Document, replacement as Document, lowerCase(rest));
    case 'findOneAndDelete':
      return collection.findOneAndDelete(filter as Document, rest);
    case 'aggregate':
      return collection.aggregate(pipeline as Document[], rest).toArray();
    case 'countDocuments':
      return collection.countDocuments(filter as Document, rest);
    case 'estimatedDocumentCount':
      return collection.estimatedDocumentCount(rest);
    case 'distinct':
      return collection.distinct(fieldName as string, filter as Document, rest);
    case 'bulkWrite':
      return bulkWrite(collection, requests as Document[], rest);
    case 'createIndex': {
      const { session, ...index } = rest;
      return collection.createIndexes(
        [{ key: keys as Record<string, 1>, ...index }],
        session === undefined ? {} : { session: session as ClientSession },
      );
    }
    case 'dropIndex':
      return collection.dropIndex(rest.name as string, rest);
    case 'listIndexes':
      return collection.listIndexes(rest).toArray();
    case 'createSearchIndex':
      return collection.createSearchIndex(rest.model as { definition: Document });
    case 'createSearchIndexes':
      return collection.createSearchIndexes(rest.models as { definition: Document }[]);
    case 'updateSearchIndex':
      return collection.updateSearchIndex(rest.name as string, rest.definition as Document);
    case 'dropSearchIndex':
      return collection.dropSearchIndex(rest.name as string);
    case 'listSearchIndexes':
      return collection.listSearchIndexes(...((rest.name === undefined ? [] : [rest.name]) as [string])).toArray();
    case 'rename':
      await collection.rename(rest.to as string, rest.dropTarget === true ? { dropTarget: true } : {});
      return undefined;
    case 'createFindCursor': {
      const cursor = collection.find(filter as Document, rest);
      await cursor.hasNext();
      return cursor;
    }
    case 'count':
      return collection.count(filter as Document, rest);
    default:
      throw new Unsupported(name);
  }
}

function lowerCase(options: Document): Document {
  return typeof options.returnDocument === 'string' ? { ...options, returnDocument: options.returnDocument.toLowerCase() } : options;
}

async function bulkWrite(collection: Collection, requests: Document[], options: Document): Promise<unknown> {
  const result = await collection.bulkWrite(requests as unknown as Parameters<Collection['bulkWrite']>[0], options);
  const { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount, upsertedIds, insertedIds } = result;
  return { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount, upsertedIds, insertedIds };
}

async function onDatabase(name: string, db: Db, options: Document): Promise<unknown> {
  const { collection, command, commandName: _name, pipeline, ...rest } = options;
  switch (name) {
    case 'runCommand':
      return db.command(command as Document, rest);
    case 'aggregate':
      return db.aggregate(pipeline as Document[], rest).toArray();
    case 'runCursorCommand':
      return commandCursor(db, options).toArray();
    case 'createCommandCursor': {
      const cursor = commandCursor(db, options);
      await (cursor as unknown as { cursorInit(): Promise<unknown> }).cursorInit();
      return cursor;
    }
    case 'createCollection':
      return db.createCollection(collection as string, rest);
    case 'dropCollection':
      return db.dropCollection(collection as string, rest);
    case 'listCollections':
      return db.listCollections((rest.filter ?? {}) as Document, rest).toArray();
    case 'listCollectionNames':
      return (await db.listCollections((rest.filter ?? {}) as Document, { nameOnly: true }).toArray()).map((row) => row.name);
    case 'modifyCollection':
      await db.command({ collMod: collection as string, ...rest });
      return undefined;
    default:
      throw new Unsupported(name);
  }
}

async function onClient(name: string, client: MongoClient, options: Document): Promise<unknown> {
  switch (name) {
    case 'clientBulkWrite':
      return clientBulkWrite(client, options);
    case 'listDatabases':
      return (await client.db('admin').admin().listDatabases(options)).databases;
    default:
      throw new Unsupported(`${name} on a client`);
  }
}

async function clientBulkWrite(client: MongoClient, { models, ...options }: Document): Promise<unknown> {
  const flat = (models as Document[]).map((model) => {
    const [name = ''] = Object.keys(model);
    return { name, ...(model[name] as Document) };
  });
  const result = await client.bulkWrite(flat as unknown as Parameters<MongoClient['bulkWrite']>[0], options);
  if (!options.verboseResults) return result;
  const byIndex = (map: ReadonlyMap<number, object> | undefined): Document =>
    // The driver's own: what the server says is that there is an id.
    Object.fromEntries([...(map ?? [])].map(([index, { didUpsert: _own, ...told }]: readonly [number, Document]) => [index, told]));
  return {
    ...result,
    insertResults: byIndex(result.insertResults),
    updateResults: byIndex(result.updateResults),
    deleteResults: byIndex(result.deleteResults),
  };
}

async function onSession(name: string, session: ClientSession, given: Document, runAll: RunAll): Promise<unknown> {
  switch (name) {
    case 'startTransaction':
      session.startTransaction(given);
      return undefined;
    case 'commitTransaction':
      await session.commitTransaction(given);
      return undefined;
    case 'abortTransaction':
      await session.abortTransaction(given);
      return undefined;
    case 'endSession':
      await session.endSession();
      return undefined;
    case 'getSnapshotTime':
      return (session as { readonly snapshotTime?: unknown }).snapshotTime;
    case 'withTransaction': {
      const { callback, ...options } = given;
      await session.withTransaction(() => runAll(callback as Operation[]), options);
      return undefined;
    }
    default:
      throw new Unsupported(name);
  }
}
