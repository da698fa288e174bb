import { MongoServerError, type MongoClient } from 'mongodb';

/** What of a collection of the driver is needed here. */
interface Model {
  readonly dbName: string;
  readonly collectionName: string;
  readonly client?: unknown;
}

/** What the database says of a collection that is there already. */
const NAMESPACE_EXISTS = 48;

/**
 * Looks whether writes of a service can be in transactions of a client, and makes its collection where there is none. Made within a transaction, its name
 * would be kept from all other processes until that ends: a minute, where the process is killed that has begun it.
 *
 * @throws Error with what to do when they can not, and what the database fails with
 */
export async function prepareDurable(path: string, service: object, client: MongoClient): Promise<void> {
  const model = hasModel(service) ? await service.getModel() : undefined;
  if (!isModel(model) || model.client !== client) {
    throw new Error(
      `'${path}' can not be durable: its records have to be in the database of the log, by the same MongoClient. Register a DocDbService there, or ` +
        "leave out 'durable'",
    );
  }
  const db = client.db(model.dbName);
  const known = await db.listCollections({ name: model.collectionName }, { nameOnly: true }).toArray();
  if (known.length > 0) return;
  try {
    await db.createCollection(model.collectionName);
  } catch (error) {
    // Another process starts as well.
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
  }
}

function hasModel(service: object): service is { getModel(): unknown } {
  return 'getModel' in service && typeof service.getModel === 'function';
}

function isModel(value: unknown): value is Model {
  return typeof value === 'object' && value !== null && 'dbName' in value && 'collectionName' in value;
}
