import type { Doc } from '../bson/values.ts';

/** A state that a record had; kept while a transaction may still read it. */
interface Version {
  readonly doc: Doc | null;
  readonly seq: number;
  readonly prev: Version | undefined;
}

/** One stored document with the states that open snapshots may need. */
export interface StoredRecord {
  /** Hash key of the id. */
  readonly key: string;
  /** Position in the natural order. */
  readonly order: number;
  /** The committed document; `null` once it is deleted. */
  doc: Doc | null;
  /** When it was committed. */
  seq: number;
  prev: Version | undefined;
}

/** @returns the document as a snapshot sees it, `null` when there was none */
export function visibleAt(record: StoredRecord, seq: number): Doc | null {
  if (record.seq <= seq) return record.doc;
  let version = record.prev;
  while (version && version.seq > seq) version = version.prev;
  return version?.doc ?? null;
}
