import type { Static, TArray, TIntersect, TObject, TProperties, TRecursive, TSchema, TThis, TTuple, TUnion } from '@sinclair/typebox';
import type { Around, InsideOf } from '../record-shape/marked-schema.ts';

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
type InsideEach<T, P, F extends Form, Self> = {
  [K in keyof T]: K extends keyof P ? (NamesIn<P[K], Self> extends never ? T[K] : Inside<P[K], F, Self> | Extract<T[K], undefined>) : T[K];
};

type Inside<S, F extends Form, Self> = S extends TSchema ? WithRelations<S, F, Self> : never;
type InsideAll<Parts, F extends Form, Self> = Parts extends readonly [infer First, ...infer Rest]
  ? Inside<First, F, Self> & InsideAll<Rest, F, Self>
  : unknown;

/** A value with what may be put inside. */
type WithInside<S extends TSchema, F extends Form, Self> =
  S extends TObject<infer P>
    ? // Of the properties, and not of the schema: TypeScript 5 and 6 would follow its type without end where it is not known yet.
      // As one object, and without a name: editors show what it has, and declarations need no name for it where it contains itself.
      InsideEach<StaticWithin<TObject<P>, Self>, P, F, Self> & Populated<P, F> extends infer Both
      ? { [K in keyof Both]: Both[K] }
      : never
    : S extends TArray<infer Item>
      ? Inside<Item, F, Self>[]
      : S extends TTuple<infer Elements>
        ? { [At in keyof Elements]: Inside<Elements[At], F, Self> }
        : S extends TIntersect<infer Parts>
          ? InsideAll<Parts, F, Self>
          : S extends TRecursive<TSchema>
            ? WithInside<InsideOf<S>, F, Around<InsideOf<S>, Static<S>>>
            : S extends TThis
              ? Self extends Around<infer Outer extends TSchema, unknown>
                ? WithInside<Outer, F, Self>
                : never
              : Inside<InPlace<S>, F, Self> | Extract<StaticWithin<S, Self>, null>;

/** What a schema describes, also within one that contains itself. */
export type StaticWithin<S extends TSchema, Self> = Self extends Around<unknown, infer T> ? Static<S, [T]> : Static<S>;

/** How many names more the path of a relation may have. */
type Levels = readonly [never, 0, 1, 2, 3, 4];
type Level = 0 | 1 | 2 | 3 | 4;

/**
 * Paths of relations inside a value.
 *
 * @typeParam Self the schema around it that contains itself, and the names of the properties that lead here: of those none leads further
 */
type AllNames<S, Self, L extends Level = 4> =
  S extends TArray<infer Item>
    ? AllNames<Item, Self, L>
    : S extends TObject<infer P>
      ? RelationNames<P, Self, L>
      : S extends TTuple<infer Elements>
        ? AllNames<NonNullable<Elements>[number], Self, L>
        : S extends TRecursive<TSchema>
          ? AllNames<InsideOf<S>, Around<InsideOf<S>, never>, L>
          : S extends TThis
            ? Self extends Around<infer Outer, unknown>
              ? AllNames<Outer, Self, L>
              : never
            : AllNames<InPlace<S>, Self, L>;

/** Paths of relations inside a value, wherever it lies in what contains itself. */
type NamesIn<S, Self> = AllNames<S, Self extends Around<infer Outer, unknown> ? Around<Outer, never> : unknown>;

/** What `$populate` takes by itself: `author`, `items.product`. */
export type RelationNames<P extends TProperties, Self = unknown, L extends Level = 4> = {
  [K in keyof P & string]:
    | AsOf<P[K]>
    | (Self extends Around<unknown, infer Seen>
        ? K extends Seen
          ? never
          : PathBelow<K, P[K], Around<Self[0], Seen | K>, L>
        : PathBelow<K, P[K], Self, L>);
}[keyof P & string];

type PathBelow<K extends string, S, Self, L extends Level> = [Levels[L]] extends [never] ? never : `${K}.${AllNames<S, Self, Levels[L]>}`;

/** What `$populate` takes: relations of a record, and those behind them. */
export type RelatedNames<S> = PopulateName<AllNames<S, unknown>>;

type PopulateName<N extends string> = N | `${N}.${string}`;

/** A record with what `$populate` may add to it. */
export type WithRelations<S extends TSchema, F extends Form = 'record', Self = unknown> = [NamesIn<S, Self>] extends [never]
  ? StaticWithin<S, Self>
  : WithInside<S, F, Self>;
