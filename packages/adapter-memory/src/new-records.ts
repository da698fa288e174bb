import type { Id } from '@framework/core';
import { checkRecordId, type StoredRecord } from '@framework/query';
import { recordOf, storedFrom } from './copy.ts';
import type { ResolvedMemoryOptions } from './memory-types.ts';
import type { RecordStore } from './record-store.ts';

/** Makes records out of data, with what the service adds to them: ids and versions. */
export class NewRecords {
  readonly #options: ResolvedMemoryOptions;
  readonly #store: RecordStore;
  #nextId: number;

  constructor(options: ResolvedMemoryOptions, store: RecordStore) {
    this.#options = options;
    this.#store = store;
    this.#nextId = options.startId ?? 0;
  }

  /**
   * @param data of records that are made together; nothing is stored yet
   * @throws BadRequest (400) for data, or ids, that can not be stored
   */
  from(data: readonly unknown[], external: boolean): StoredRecord[] {
    const { id, createId } = this.#options;
    // Gaps in the list too.
    const records = [...data].map((entry) => storedFrom(entry, external));
    const taken = new Set(records.map((record) => record[id]));
    return records.map((record) => {
      const own = record[id];
      const isNew = own === undefined || own === null;
      const made = isNew ? (createId?.() ?? this.#number(taken)) : own;
      checkRecordId(made, external && !isNew);
      return recordOf(isNew ? { [id]: made } : {}, record, isNew ? { [id]: made } : {}, this.version());
    });
  }

  /** The version that a write gives a record: random, so that no two states of a record ever share one. */
  version(): StoredRecord {
    const { version } = this.#options;
    if (version === undefined) return {};
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return { [version]: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  }

  /** The next number that no record has: some came with ids of their own. */
  #number(taken: ReadonlySet<unknown>): Id {
    let id = this.#nextId++;
    while (this.#store.has(id) || taken.has(id) || taken.has(String(id))) id = this.#nextId++;
    return id;
  }
}
