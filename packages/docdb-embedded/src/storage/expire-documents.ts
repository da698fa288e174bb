import { isNumber } from '../bson/values.ts';
import { documentClaim } from '../transactions/transaction.ts';
import { byteRange } from './keys/index-key.ts';
import type { Store } from './store.ts';

/** Documents that one write takes away at most. */
const BATCH = 500;
/** Bytes of documents after which others get their turn. */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Removes the documents whose date is older than a time-to-live index allows: those that the index holds, so that a partial
 * one leaves the others alone. In a clustered collection the dates are the ids.
 *
 * @param now the present, in milliseconds
 */
export async function expireDocuments(store: Store, now: number = Date.now()): Promise<void> {
  for (const { ns, indexes, options, isTemporary } of store.newest.collections()) {
    // Its documents expire when it has its name.
    if (isTemporary) continue;
    if (!isNumber(options.expireAfterSeconds) && ![...indexes.values()].some((index) => isNumber(index.spec.expireAfterSeconds))) continue;
    while (await expireSome(store, ns, now));
  }
}

/** @returns whether there may be more */
function expireSome(store: Store, ns: string, now: number): Promise<boolean> {
  return store.write((writer) => {
    const collection = writer.reader.collection(ns);
    let removed = 0;
    let bytes = 0;
    for (const index of collection?.indexes.values() ?? []) {
      const seconds = index.isId ? collection?.options.expireAfterSeconds : index.spec.expireAfterSeconds;
      if (!collection || !isNumber(seconds) || !index.ready || index.fields.length !== 1) continue;
      const high = { value: new Date(now - Number(String(seconds)) * 1000), inclusive: true };
      const range = byteRange({ equal: [], low: undefined, high }, index);
      const records = new Set<number>();
      for (const record of writer.reader.recordsWith(index, range, false)) {
        // The next look finds it again.
        if (store.claims.has(documentClaim(collection, record))) continue;
        if (records.add(record).size >= BATCH) break;
      }
      for (const record of records) {
        const stored = writer.reader.at(collection, record);
        if (stored) writer.remove(collection, stored, undefined);
        removed += 1;
        bytes += stored?.bytes.length ?? 0;
        if (bytes >= BATCH_BYTES || writer.isSpent) return true;
      }
    }
    return removed >= BATCH;
  }, true);
}
