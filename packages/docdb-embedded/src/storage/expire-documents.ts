import { isNumber } from '../bson/values.ts';
import { indexValues } from '../query/path-values.ts';
import { WaitFor } from '../transactions/transaction.ts';
import type { Store } from './store.ts';

/**
 * Removes the documents whose date is older than a time-to-live index allows.
 *
 * @param now the present, in milliseconds
 */
export function expireDocuments(store: Store, now: number = Date.now()): void {
  for (const collection of store.collections.values()) {
    for (const index of collection.indexes.values()) {
      const seconds = index.spec.expireAfterSeconds;
      const [field] = index.fields;
      if (!isNumber(seconds) || !field) continue;
      const limit = now - Number(String(seconds)) * 1000;
      for (const record of [...collection.records.values()]) {
        const { doc } = record;
        const dates = doc ? indexValues(doc, field.path).filter((value) => value instanceof Date) : [];
        if (!doc || dates.length === 0 || Math.min(...dates.map(Number)) > limit) continue;
        try {
          store.remove(collection, doc, undefined);
        } catch (error) {
          // A transaction holds it: the next look finds it again.
          if (!(error instanceof WaitFor)) throw error;
        }
      }
    }
  }
}
