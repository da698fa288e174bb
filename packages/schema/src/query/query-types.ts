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

/** A query of records of type `T` (interface 4.6). */
export type QueryOf<T, Extensions = unknown> = {
  [K in keyof T]?: PropertyQuery<NonNullable<T[K]>> | (K extends keyof Extensions ? Extensions[K] : never);
} & {
  $limit?: number;
  $skip?: number;
  $sort?: { [K in keyof T]?: 1 | -1 };
  $select?: (keyof T & string)[];
  $or?: QueryOf<T, Extensions>[];
  $and?: QueryOf<T, Extensions>[];
};
