import { selectFields } from '@framework/query';
import { ObjectId, type Document } from 'mongodb';
import { selectedNames } from '../compile/projection.ts';
import { insertDocument } from '../compile/write-data.ts';
import type { Call } from './call.ts';

/** Inserts records: one command. What is returned is what was sent, in the same order. */
export async function createRecords(call: Call, data: Document | Document[]): Promise<Document | Document[]> {
  const { collection, driver, options, query } = call;
  const createId = (): unknown =>
    options.disableObjectify === true || options.id !== '_id' ? new ObjectId().toHexString() : new ObjectId();
  const show = (record: Document): Document => (query.select ? selectFields(record, selectedNames(query.select, options)) : record);
  // Nothing is compared, and the database knows no rules for that here.
  const { collation: _collation, ...others } = driver;
  const settings = { ...others, ignoreUndefined: true };
  if (Array.isArray(data)) {
    const records = data.map((entry: Document) => insertDocument(entry, options, createId));
    if (records.length > 0) await collection.insertMany(records, settings);
    return records.map(show);
  }
  const record = insertDocument(data, options, createId);
  await collection.insertOne(record, settings);
  return show(record);
}
