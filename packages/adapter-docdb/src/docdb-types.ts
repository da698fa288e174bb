import type { Id, NullableId, Paginated, Params, Query } from '@framework/core';
import type { PaginationOptions } from '@framework/query';
import type {
  Binary,
  ClientSession,
  Collection,
  CollationOptions,
  Decimal128,
  Document,
  Double,
  IndexDescription,
  Int32,
  Long,
  ObjectId,
} from 'mongodb';
import type { Feature } from './server/features.ts';

/** Id of a record in a document database. A UUID is a `Binary` of the driver. */
export type AdapterId = Id | bigint | ObjectId | Binary | Decimal128 | Double | Int32 | Long;

/** Id of a record, or `null` for several records. */
export type NullableAdapterId = AdapterId | null;

/** What a write to several records gives back. */
export type Returning = 'records' | 'ids' | 'count';

/**
 * How `total` of a page is counted: exactly, by the collection's estimate where the filter is empty, up to a number (the page then
 * says `capped` when there are more), or not at all (the total is -1).
 */
export type TotalOption = 'exact' | 'estimated' | 'none' | { readonly upTo: number };

/** A collection of the driver, of records of whatever type: a `Collection<User>` is no `Collection<Document>`. */
export type AnyCollection = Pick<Collection, 'collectionName' | 'dbName' | 'namespace'>;

/** Options of a {@link DocDbService} (interface 2.5). */
export interface DocDbServiceOptions {
  /** The collection, a promise of it, or a function that gives either. Indexes are best made before the promise resolves. */
  Model: AnyCollection | Promise<AnyCollection> | (() => AnyCollection | Promise<AnyCollection>);
  /** Name of the id property. Default: `_id`. */
  id?: string;
  /** Page sizes; `false` for no paging. Default: `false`. */
  paginate?: PaginationOptions | false;
  /** Methods that may work on several records at once: `true` for all, or a list of names. Default: `false`. */
  multi?: boolean | readonly string[];
  /** Leaves ids as they are instead of converting 24 hexadecimal digits to object ids. Default: `false`. */
  disableObjectify?: boolean;
  /** Further properties, also dotted, whose 24-digit texts become object ids, in queries and in data. Default: none. */
  objectIds?: readonly string[];
  /** Takes the collection's estimated count for `total` where the filter is empty. Default: `false`. */
  useEstimatedDocumentCount?: boolean;
  /** How `total` is counted. Default: `exact`. */
  total?: TotalOption;
  /** Query operators besides the common ones, for example `['$regex', '$options']`. Default: none. */
  operators?: readonly string[];
  /** Further top-level filters, for example `['$search']` for a full-text search. Default: none. */
  filters?: readonly string[];
  /** Update operators that callers from outside may send, for example `['$inc', '$push']`. Default: none. */
  updateOperators?: readonly string[];
  /** Dotted paths that callers from outside may query. Default: none. */
  paths?: readonly string[];
  /**
   * Properties, also dotted, that are not sent, and that nobody outside may query, sort by, select or write; the property that a strategy keeps
   * its passwords in is written all the same. Default: none.
   */
  hidden?: readonly string[];
  /**
   * Milliseconds that one database command may take. Default: 30,000; 0 for no limit. A database that has not answered 5 seconds later is given up, unless the
   * client has a `socketTimeoutMS` of its own.
   */
  maxTimeMS?: number;
  /** Most records that one patch or remove of several records touches; `Infinity` for no limit. Default: 10,000. */
  maxMulti?: number;
  /** Largest `$skip` from outside. Default: no limit. */
  maxSkip?: number;
  /** Deepest nesting of objects and lists in a query, also of calls on the server. Default: 5 below a property. */
  maxDepth?: number;
  /** Most keys of a query's conditions, each value of `$all` among them, and of its `$sort`, also of calls on the server. Default: 100. */
  maxKeys?: number;
  /**
   * Whether queries may page with `$after` and `$before`, and pages name the cursors `next` and `previous`: `true` for cursors that
   * hold in one process, or the secret that several processes share. Needs `paginate`. Default: `false`.
   */
  cursors?: boolean | { readonly secret: string | Uint8Array };
  /** What writes to several records give back. Default: `records`. */
  returning?: Returning;
  /** Update operators that `patch` leaves out. Default: `['$rename']`. */
  disabledOperators?: readonly string[];
  /**
   * Name of the property that holds the version of each record: a random text that every write replaces. With it, calls honour
   * `params.precondition`, and the REST transport can offer `ETag` and `If-Match`. Default: none.
   */
  version?: string;
  /** Events that the service emits by itself. Default: none. */
  events?: readonly string[];
  /**
   * What the server has to be able to do: with one that can not, the application does not start. Other options ask by themselves, `hidden` for updates by
   * pipelines, and the filters `$search` and `$text` for text search. Default: none.
   */
  requires?: readonly Feature[];
  /**
   * The indexes of the collection, as the driver's `createIndexes` takes them. They are compared when the application starts: what is missing, what has
   * other options and what is not declared is a warning of the process (`DOCDB_INDEXES`). Default: not compared.
   */
  indexes?: readonly IndexDescription[];
  /** Whether declared indexes that are missing are created when the application starts. None is ever changed or dropped. Default: `false`. */
  createIndexes?: boolean;
  /** Milliseconds from which on a call is told by the event `slow-call` of the application. Default: none is. */
  slowMs?: number;
}

/** Options with their defaults. */
export type ResolvedOptions = DocDbServiceOptions &
  Required<
    Pick<
      DocDbServiceOptions,
      'id' | 'paginate' | 'multi' | 'maxTimeMS' | 'maxMulti' | 'returning' | 'total' | 'disabledOperators' | 'events'
    >
  >;

/** Options that are passed on to the driver with every command of a call (interface 2.4). */
export interface DriverOptions {
  /** Session of a transaction. */
  session?: ClientSession;
  /** Makes the record when `update` or `patch` finds none. */
  upsert?: boolean;
  /** Index to use. */
  hint?: string | Document;
  /** Language rules for comparing text. */
  collation?: CollationOptions;
  [option: string]: unknown;
}

/** Parameters of a call to a {@link DocDbService}. Only `query` can be set from outside. */
export interface DocDbParams<Q = Query> extends Params<Q> {
  /** Options of the service for this call only. What a record shows is the service's own. */
  adapter?: Partial<Omit<DocDbServiceOptions, 'hidden'>>;
  /** Page sizes for this call; `false` for a plain array. */
  paginate?: PaginationOptions | false;
  /** Stages of an aggregation, in find and get; `{ $framework: {} }` marks where the query's own stages stand. */
  pipeline?: Document[];
  /** Options for the driver. */
  docdb?: DriverOptions;
  /** Language rules for comparing text, in find, get, patch and remove. */
  collation?: CollationOptions;
}

type UpdateOperator =
  | '$set'
  | '$unset'
  | '$inc'
  | '$mul'
  | '$min'
  | '$max'
  | '$currentDate'
  | '$setOnInsert'
  | '$push'
  | '$pull'
  | '$pullAll'
  | '$addToSet'
  | '$pop'
  | '$bit';

/**
 * Operators that a patch may have beside properties, each with an object of paths. `$rename` is none of them, since a patch leaves it out unless the option
 * `disabledOperators` says otherwise.
 */
export type UpdateOperators = { readonly [O in UpdateOperator]?: Readonly<Record<string, unknown>> };

/** What a call to several records with `returning: 'count'` gives. */
export interface WriteCount {
  /** Number of records that were changed. */
  readonly count: number;
}

export type { Id, NullableId, Paginated };
