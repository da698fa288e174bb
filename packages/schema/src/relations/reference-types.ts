import type { TArray, TObject, TProperties, TSchema } from '@sinclair/typebox';

/** Carries what a reference leads to through the types; there is no such property. */
export declare const REFERENCED: unique symbol;

/** A schema of ids that lead to records. */
export interface LeadsTo<As extends string, R, X = R> {
  readonly [REFERENCED]?: { readonly as: As; readonly record: R; readonly external: X };
}

/** Name of the property that a schema's reference puts a record under. */
type AsOf<S> = S extends TArray<infer Item> ? AsOf<Item> : S extends LeadsTo<infer As, unknown> ? (unknown extends As ? never : As) : never;

/** What a reference puts there: `null` for a record that the caller does not see. */
type Put<S> = S extends TArray<infer Item> ? Exclude<Put<Item>, null>[] : S extends LeadsTo<string, infer R> ? R | null : never;

/** What `$populate` may put beside the properties of a record. */
type Populated<P extends TProperties> = { [K in keyof P as AsOf<P[K]>]?: Put<P[K]> };

/** The value of a property with what may be put inside. */
type Inside<S> = S extends TArray<infer Item> ? Inside<Item>[] : S extends TSchema ? WithRelations<S> : never;

/** A record whose properties may have something put inside. */
type InsideEach<T, P> = {
  [K in keyof T]: K extends keyof P ? (AllNames<P[K]> extends never ? T[K] : Inside<P[K]> | Extract<T[K], undefined>) : T[K];
};

/** Paths of relations inside a property. */
type AllNames<S> = S extends TArray<infer Item> ? AllNames<Item> : S extends TObject<infer P> ? RelationNames<P> : never;

/** What `$populate` takes by itself: `author`, `items.product`. */
export type RelationNames<P extends TProperties> = {
  [K in keyof P & string]: AsOf<P[K]> | (AllNames<P[K]> extends never ? never : `${K}.${AllNames<P[K]>}`);
}[keyof P & string];

/** What `$populate` takes: relations of a record, and those behind them. */
export type RelatedNames<S> = S extends TObject<infer P> ? PopulateName<RelationNames<P>> : never;

type PopulateName<N extends string> = N | `${N}.${string}`;

/** A record with what `$populate` may add to it. */
export type WithRelations<S extends TSchema> =
  S extends TObject<infer P> ? (RelationNames<P> extends never ? S['static'] : InsideEach<S['static'], P> & Populated<P>) : S['static'];
