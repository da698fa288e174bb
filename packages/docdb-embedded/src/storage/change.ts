import type { Doc, Timestamp, Value } from '../bson/values.ts';

/** A change to one document or collection, as change streams and the journal see it. */
export interface Change {
  readonly kind:
    'insert' | 'update' | 'replace' | 'delete' | 'create' | 'drop' | 'rename' | 'dropDatabase' | 'createIndexes' | 'dropIndexes' | 'modify';
  readonly ns: string;
  /** The document after the change. */
  readonly doc?: Doc | undefined;
  /** The document before the change. */
  readonly before?: Doc | undefined;
  readonly id?: Value;
  /** Further facts: options, index specifications, target of a rename. */
  readonly details?: Doc | undefined;
  /** Session of the transaction that made it. */
  readonly transaction?: { readonly lsid: Doc; readonly number: bigint } | undefined;
}

/** A published change. */
export interface LogEntry extends Change {
  readonly seq: number;
  readonly clusterTime: Timestamp;
  readonly wallTime: Date;
  /** Identity of the collection, whatever it is called later. */
  readonly uuid: string | undefined;
}
