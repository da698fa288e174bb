import { selectFields } from '@framework/query';
import type { BulkWriteOptions, Document } from 'mongodb';
import { selectedNames } from '../compile/projection.ts';
import { insertDocument, newId } from '../compile/write-data.ts';
import { isUnconfirmed } from '../driver-error.ts';
import { asStored } from './as-stored.ts';
import type { Call } from './call.ts';

/** Ids that are taken back with one command. */
const MANY = 10_000;

/** Inserts records: one command. What is returned is what is stored, in the same order. Of several all are stored, or none. */
export async function createRecords(call: Call, data: Document | Document[]): Promise<Document | Document[]> {
  const { collection, driver, options, query } = call;
  const createId = (): unknown => newId(options);
  const show = (record: Document): Document => {
    const stored = asStored(record, call);
    return query.select ? selectFields(stored, selectedNames(query.select, options)) : stored;
  };
  // An insert compares nothing, and the database refuses a collation.
  const { collation: _collation, ...passed } = driver;
  const settings = { ...passed, ignoreUndefined: true };
  if (Array.isArray(data)) {
    const records = data.map((entry: Document) => insertDocument(entry, options, createId));
    if (records.length > 0) await insertAll(call, records, settings);
    return records.map(show);
  }
  const record = insertDocument(data, options, createId);
  await collection.insertOne(record, settings);
  return show(record);
}

/**
 * The database keeps what it inserted before the document that it refuses. That is taken back: the caller has an error, and nobody is told of an event. In a
 * transaction the error has undone it already, with `ordered: false` the caller wants what can be stored, and what is not confirmed is stored as one record is.
 */
async function insertAll({ collection, driver }: Call, records: Document[], settings: BulkWriteOptions): Promise<void> {
  try {
    await collection.insertMany(records, settings);
  } catch (error) {
    const { session, writeConcern, maxTimeMS }: BulkWriteOptions = driver;
    if (isUnconfirmed(error) && insertedCount(error) === records.length) throw error;
    if (settings.ordered !== false && session?.inTransaction() !== true) {
      const ids = records.slice(0, insertedCount(error)).map(({ _id }) => _id as unknown);
      // Not by the collation of the call, by which these ids might be those of other records too.
      const options = { ...(session && { session }), ...(writeConcern && { writeConcern }), ...(maxTimeMS !== undefined && { maxTimeMS }) };
      for (let start = 0; start < ids.length; start += MANY)
        await collection.deleteMany({ _id: { $in: ids.slice(start, start + MANY) } } as Document, options).catch(unlessUnconfirmed);
    }
    throw error;
  }
}

/** What is taken back, though not confirmed, leaves the caller with the error for which it was. */
function unlessUnconfirmed(error: unknown): void {
  if (!isUnconfirmed(error)) throw error;
}

/**
 * How many documents an insert has stored before it failed, as the database said: of what it could not say nothing is taken back, since ids of the caller may be
 * those of records that were there before.
 */
function insertedCount(error: unknown): number {
  // The driver may be another copy of it.
  return error instanceof Error && error.name === 'MongoBulkWriteError' && 'insertedCount' in error ? Number(error.insertedCount) : 0;
}
