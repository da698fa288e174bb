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
type Leaf = string | number | boolean | bigint | Date | null | undefined | readonly unknown[] | { readonly _bsontype: string };

/** Paths into the nested objects of a record, one level deep. */
type NestedPath<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends Leaf ? never : `${K}.${keyof NonNullable<T[K]> & string}`;
}[keyof T & string];

type ValueAt<T, P> = P extends `${infer K}.${infer Rest}`
  ? K extends keyof T
    ? Rest extends keyof NonNullable<T[K]>
      ? NonNullable<T[K]>[Rest]
      : never
    : never
  : never;

/** What may be asked of a property; a list may be asked for its elements too. */
type Queried<V> = null extends V ? ItemOrValue<NonNullable<V>> | null : ItemOrValue<NonNullable<V>>;
type ItemOrValue<V> = V extends readonly (infer Item)[] ? V | Item : V;

/**
 * A query of records of type `T` (interface 4.6).
 *
 * @typeParam Extensions further operators by property
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
} & ([Related] extends [never] ? unknown : { $populate?: Related | Related[] });
