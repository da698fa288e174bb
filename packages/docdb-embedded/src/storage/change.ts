import type { Doc, Timestamp, Value } from '../bson/values.ts';

/** A change to one document or collection, as change streams see it. */
export interface Change {
  readonly kind:
    'insert' | 'update' | 'replace' | 'delete' | 'create' | 'drop' | 'rename' | 'dropDatabase' | 'createIndexes' | 'dropIndexes' | 'modify';
  readonly ns: string;
  /** Identity of the collection, whatever it is called later. */
  readonly uuid?: string | undefined;
  readonly id?: Value;
  /** BSON of the document after the change. */
  readonly after?: Buffer | undefined;
  /** BSON of the document before the change. */
  readonly before?: Buffer | undefined;
  /** Whether change streams may show the document as it was before and after. */
  readonly images?: boolean;
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
}
