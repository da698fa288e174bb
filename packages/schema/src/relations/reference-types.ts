import type { Static, TArray, TIntersect, TObject, TProperties, TSchema, TTuple, TUnion } from '@sinclair/typebox';

/** Carries what a reference leads to through the types; there is no such property. */
export declare const REFERENCED: unique symbol;

/** A schema of ids that lead to records. */
export interface LeadsTo<As extends string, R, X = R> {
  readonly [REFERENCED]?: { readonly as: As; readonly record: R; readonly external: X };
}

/** For whom a record is: code of the server, or callers outside. */
type Form = 'record' | 'external';

/** Schemas that describe the same value as a schema does. */
type InPlace<S> = S extends TUnion<infer Parts> ? Parts[number] : S extends TIntersect<infer Parts> ? Parts[number] : never;

/** Name of the property that a schema's reference puts a record under. */
type AsOf<S> =
  S extends TArray<infer Item>
    ? AsOf<Item>
    : [typeof REFERENCED & keyof S] extends [never]
      ? AsOf<InPlace<S>>
      : S extends LeadsTo<infer As, unknown, unknown>
        ? unknown extends As
          ? never
          : As
        : never;

/** What a reference puts there: `null` for a record that the caller does not see. */
type Put<S, F extends Form> =
  S extends TArray<infer Item>
    ? Exclude<Put<Item, F>, null>[]
    : [typeof REFERENCED & keyof S] extends [never]
      ? Put<InPlace<S>, F> | (S extends TSchema ? Extract<S['static'], null> : never)
      : S extends LeadsTo<string, infer R, infer X>
        ? (F extends 'record' ? R : X) | null
        : never;

/** What `$populate` may put beside the properties of a record. */
type Populated<P extends TProperties, F extends Form> = { [K in keyof P as AsOf<P[K]>]?: Put<P[K], F> };

/** A record whose properties may have something put inside. */
type InsideEach<T, P, F extends Form> = {
  [K in keyof T]: K extends keyof P ? (AllNames<P[K]> extends never ? T[K] : Inside<P[K], F> | Extract<T[K], undefined>) : T[K];
};

type Inside<S, F extends Form> = S extends TSchema ? WithRelations<S, F> : never;
type InsideAll<Parts, F extends Form> = Parts extends readonly [infer First, ...infer Rest]
  ? Inside<First, F> & InsideAll<Rest, F>
  : unknown;

/** A value with what may be put inside. */
type WithInside<S extends TSchema, F extends Form> =
  S extends TObject<infer P>
    ? // Of the properties, and not of the schema: TypeScript 5 and 6 would follow its type without end where it is not known yet.
      InsideEach<Static<TObject<P>>, P, F> & Populated<P, F>
    : S extends TArray<infer Item>
      ? Inside<Item, F>[]
      : S extends TTuple<infer Elements>
        ? { [At in keyof Elements]: Inside<Elements[At], F> }
        : S extends TIntersect<infer Parts>
          ? InsideAll<Parts, F>
          : Inside<InPlace<S>, F> | Extract<Static<S>, null>;

/** Paths of relations inside a value. */
type AllNames<S> =
  S extends TArray<infer Item>
    ? AllNames<Item>
    : S extends TObject<infer P>
      ? RelationNames<P>
      : S extends TTuple<infer Elements>
        ? AllNames<NonNullable<Elements>[number]>
        : AllNames<InPlace<S>>;

/** What `$populate` takes by itself: `author`, `items.product`. */
export type RelationNames<P extends TProperties> = {
  [K in keyof P & string]: AsOf<P[K]> | (AllNames<P[K]> extends never ? never : `${K}.${AllNames<P[K]>}`);
}[keyof P & string];

/** What `$populate` takes: relations of a record, and those behind them. */
export type RelatedNames<S> = PopulateName<AllNames<S>>;

type PopulateName<N extends string> = N | `${N}.${string}`;

/** A record with what `$populate` may add to it. */
export type WithRelations<S extends TSchema, F extends Form = 'record'> = [AllNames<S>] extends [never] ? Static<S> : WithInside<S, F>;
