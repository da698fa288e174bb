import type { TArray, TIntersect, TObject, TProperties, TRecord, TRecursive, TSchema, TThis, TTuple, TUnion } from '@sinclair/typebox';
import type { REFERENCED, StaticWithin, WithRelations } from '../relations/reference-types.ts';
import type { Around, HIDDEN, InsideOf, IsAgain, Mark, PartsOf, RULED, WRITE_ONLY } from './marked-schema.ts';

type Marked<P extends TProperties, M extends Mark> = { [K in keyof P]: M & keyof P[K] extends never ? never : K }[keyof P];

/** Names of the properties that never leave the server and that callers do not set. */
export type HiddenNames<S> =
  S extends TObject<infer P>
    ? Marked<P, typeof HIDDEN>
    : S extends TIntersect<infer Parts> | TUnion<infer Parts>
      ? HiddenNames<Parts[number]>
      : S extends TRecursive<TSchema>
        ? HiddenNames<InsideOf<S>>
        : never;

type Unseen<P extends TProperties> = Marked<P, typeof HIDDEN | typeof WRITE_ONLY>;

/** `true` where a mark, or a reference, lies in a schema, at any depth. */
type HasMarks<S, Self> = S extends TThis
  ? IsAgain<Self>
  : [keyof S & (Mark | typeof REFERENCED)] extends [never]
    ? HasMarksInside<PartsOf<S>, Self>
    : true;
type HasMarksInside<Part, Self> = Part extends unknown ? HasMarks<Part, Self> : never;

/**
 * A record as callers outside see it: without what is hidden or write-only, and with what depends on the caller as optional.
 *
 * @typeParam S the TypeBox schema
 * @typeParam T the record as the server has it
 * @typeParam Related whether it has what `$populate` may add to it
 * @typeParam Self the schema around it that contains itself
 */
type ExternalType<S, T, Related extends boolean, Self = unknown> = [HasMarks<S, Self>] extends [never]
  ? T
  : ExternalParts<S, T, Related, Self>;

type ExternalProperty<P extends TProperties, K, T, Related extends boolean, Self> = K extends keyof P
  ? ExternalType<P[K], T, Related, Self>
  : T;

type ExternalParts<S, T, Related extends boolean, Self> =
  S extends TArray<infer Item>
    ? T extends readonly (infer Value)[]
      ? ExternalType<Item, Value, Related, Self>[]
      : T
    : S extends TObject<infer P>
      ? T extends object
        ? {
            [K in keyof T as K extends Marked<P, Mark> ? never : K]: ExternalProperty<P, K, T[K], Related, Self>;
          } & {
            [K in keyof T as K extends Exclude<Marked<P, typeof RULED>, Unseen<P>> ? K : never]?: ExternalProperty<
              P,
              K,
              T[K],
              Related,
              Self
            >;
          }
        : T
      : ExternalUnion<S, T, Related, Self>;

/** Values of which schemas describe parts, or alternatives; one that may be left out is a value too. */
type ExternalUnion<S, T, Related extends boolean, Self> =
  S extends TUnion<infer Alternatives>
    ? ExternalOf<Alternatives[number], Related, Self> | Extract<T, undefined>
    : S extends TIntersect<infer Parts>
      ? ExternalOfAll<Parts, Related, Self> | Extract<T, undefined>
      : S extends TTuple<infer Elements>
        ? { [At in keyof Elements]: ExternalOf<Elements[At], Related, Self> } | Extract<T, undefined>
        : S extends TRecord<TSchema, infer Value>
          ? { [K in keyof T]: ExternalType<Value, T[K], Related, Self> }
          : ExternalAgain<S, T, Related, Self>;

type ExternalAgain<S, T, Related extends boolean, Self> =
  S extends TRecursive<TSchema>
    ? ExternalType<InsideOf<S>, T, Related, Around<InsideOf<S>, Exclude<T, undefined>>>
    : S extends TThis
      ? Self extends Around<infer Outer, unknown>
        ? ExternalType<Outer, T, Related, Self>
        : T
      : T;

type ExternalOf<S, Related extends boolean, Self = unknown> = S extends TSchema
  ? ExternalType<S, Related extends true ? WithRelations<S, 'external', Self> : StaticWithin<S, Self>, Related, Self>
  : never;
type ExternalOfAll<Parts, Related extends boolean, Self> = Parts extends readonly [infer First, ...infer Rest]
  ? ExternalOf<First, Related, Self> & ExternalOfAll<Rest, Related, Self>
  : unknown;

/** What callers outside get, ask for and send, of a schema. */
export interface ExternalTypes<R, Q, Hidden, Data = unknown, Patch = unknown> {
  readonly record: R;
  readonly query: Q;
  readonly hidden: Hidden;
  readonly data: Data;
  readonly patch: Patch;
}

/** A record as callers outside see it, with what `$populate` may add to it. */
export type ExternalRecord<S extends TSchema> = ExternalOf<S, true>;

/** What callers outside see of what is stored. */
export type ExternalStored<S extends TSchema> = ExternalOf<S, false>;
