/** Conditions on one property. */
export type PropertyQuery<V> =
  | V
  | {
      /** Greater than. */
      $gt?: V;
      /** Greater than, or equal. */
      $gte?: V;
      /** Less than. */
      $lt?: V;
      /** Less than, or equal. */
      $lte?: V;
      /** Not equal. */
      $ne?: V;
      /** One of these. */
      $in?: readonly V[];
      /** None of these. */
      $nin?: readonly V[];
    };

/** Values that have no properties to query. */
type Leaf =
  | string
  | number
  | boolean
  | bigint
  | Date
  | RegExp
  | Uint8Array
  | null
  | undefined
  | { readonly _bsontype: string }
  | { toHexString(): string };

/** The objects of a value: those of a list are its elements, of which one may be meant. */
type ObjectIn<V> = V extends Leaf ? never : V extends readonly (infer Item)[] ? (Item extends Leaf | readonly unknown[] ? never : Item) : V;

/** How many levels a path may go further down. */
type Levels = readonly [never, 0, 1, 2];
type Level = 0 | 1 | 2;

/** Paths into the nested objects of a record and of its lists: of four names at most, so that a record may contain itself. */
type NestedPath<T, L extends Level = 2> = T extends unknown
  ? { [K in keyof T & string]: PathBelow<K, ObjectIn<NonNullable<T[K]>>, L> }[keyof T & string]
  : never;

type PathBelow<K extends string, O, L extends Level> = O extends unknown
  ? `${K}.${(keyof O & string) | ([Levels[L]] extends [never] ? never : NestedPath<O, Levels[L]>)}`
  : never;

type ValueAt<T, P> = T extends unknown
  ? P extends keyof T
    ? T[P]
    : P extends `${infer K}.${infer Rest}`
      ? K extends keyof T
        ? ValueAt<ObjectIn<NonNullable<T[K]>>, Rest>
        : never
      : never
  : never;

/** What may be asked of a property; a list may be asked for its elements too. */
type Queried<V> = null extends V ? ItemOrValue<NonNullable<V>> | null : ItemOrValue<NonNullable<V>>;
type ItemOrValue<V> = V extends readonly (infer Item)[] ? Readonly<V> | Item : V;

/**
 * Conditions on records of type `T`, of which a query, and each part of `$or` and `$and`, is made.
 *
 * @typeParam Extensions further operators by property
 */
export type QueryConditions<T, Extensions = unknown> = {
  [K in keyof T]?: PropertyQuery<Queried<T[K]>> | (K extends keyof Extensions ? Extensions[K] : never);
} & {
  [P in NestedPath<T>]?: PropertyQuery<Queried<ValueAt<T, P>>>;
} & {
  /** Conditions of which a record meets one. */
  $or?: readonly QueryConditions<T, Extensions>[];
  /** Conditions that a record meets, all of them. */
  $and?: readonly QueryConditions<T, Extensions>[];
};

/**
 * A query of records of type `T` (interface 4.6).
 *
 * @typeParam Extensions further operators by property, and further filters under `$root`
 * @typeParam Related names of relations, and paths behind them, which `$populate` and `$select` take
 */
export type QueryOf<T, Extensions = unknown, Related extends string = never> = QueryConditions<T, Extensions> & {
  /** Most records that are given; 0 for none but their count, where the service pages. */
  $limit?: number;
  /** How many records are left out in front. */
  $skip?: number;
  /** Cursor behind which the records begin, of a service that pages by cursors. */
  $after?: string;
  /** Cursor in front of which the records end, of a service that pages by cursors. */
  $before?: string;
  /** Properties that the records are sorted by: 1 for ascending, -1 for descending. */
  $sort?: { [K in (keyof T & string) | NestedPath<T>]?: 1 | -1 };
  /** Properties that the records are given with, besides the id. */
  $select?: readonly ((keyof T & string) | NestedPath<T> | Related)[];
} & (Extensions extends { readonly $root: infer Filters } ? Filters : unknown) &
  ([Related] extends [never]
    ? unknown
    : {
        /** Relations whose records are put in. */
        $populate?: Related | readonly Related[];
      });
