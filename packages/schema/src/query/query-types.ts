/** Conditions on one property. */
export type PropertyQuery<V> =
  | V
  | {
      $gt?: V;
      $gte?: V;
      $lt?: V;
      $lte?: V;
      $ne?: V;
      $in?: V[];
      $nin?: V[];
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
type ItemOrValue<V> = V extends readonly (infer Item)[] ? V | Item : V;

/**
 * A query of records of type `T` (interface 4.6).
 *
 * @typeParam Extensions further operators by property, and further filters under `$root`
 * @typeParam Related names of relations, and paths behind them, which `$populate` and `$select` take
 */
export type QueryOf<T, Extensions = unknown, Related extends string = never> = {
  [K in keyof T]?: PropertyQuery<Queried<T[K]>> | (K extends keyof Extensions ? Extensions[K] : never);
} & {
  [P in NestedPath<T>]?: PropertyQuery<Queried<ValueAt<T, P>>>;
} & {
  $limit?: number;
  $skip?: number;
  $after?: string;
  $before?: string;
  $sort?: { [K in (keyof T & string) | NestedPath<T>]?: 1 | -1 };
  $select?: ((keyof T & string) | NestedPath<T> | Related)[];
  $or?: QueryOf<T, Extensions>[];
  $and?: QueryOf<T, Extensions>[];
} & (Extensions extends { readonly $root: infer Filters } ? Filters : unknown) &
  ([Related] extends [never] ? unknown : { $populate?: Related | Related[] });
