import type {
  Static,
  TArray,
  TIntersect,
  TObject,
  TOptional,
  TProperties,
  TReadonly,
  TRecord,
  TRecursive,
  TSchema,
  TThis,
  TTuple,
  TUnion,
} from '@sinclair/typebox';
import type { REFERENCED, WithRelations } from '../relations/reference-types.ts';

/** Carries the mark of `Hidden` through the types; there is no such property. */
export declare const HIDDEN: unique symbol;
/** Carries the mark of `WriteOnly` through the types; there is no such property. */
export declare const WRITE_ONLY: unique symbol;
/** Carries the mark of properties with rules by role through the types; there is no such property. */
export declare const RULED: unique symbol;
/** Carries the mark of `ReadOnly` through the types; there is no such property. */
export declare const READ_ONLY: unique symbol;

/** Carries the mark of `Default` through the types; there is no such property. */
export declare const DEFAULTED: unique symbol;

/** A schema of what never leaves the server, and that callers do not set. */
export interface HiddenMark {
  readonly [HIDDEN]?: true;
}

/** A schema of what callers set and never get. */
export interface WriteOnlyMark {
  readonly [WRITE_ONLY]?: true;
}

/** A schema of what callers get and do not set. */
export interface ReadOnlyMark {
  readonly [READ_ONLY]?: true;
}

/** A schema of what has a default: callers may leave it out, and records have it. */
export interface DefaultMark {
  readonly [DEFAULTED]?: true;
}

/** A schema of what not every caller sees. */
export interface RuledMark {
  readonly [RULED]?: true;
}

/** A schema without one of its marks, which are types beside it. */
type Without<S, M> = S extends M & infer Rest ? Rest : S;

/** The schema itself of one with marks. What has none is not looked at: it would be what is left of itself without end. */
type Unmarked<S> =
  S extends TOptional<infer Rest>
    ? Unmarked<Rest>
    : S extends TReadonly<infer Rest>
      ? Unmarked<Rest>
      : typeof READ_ONLY extends keyof S
        ? Unmarked<Without<S, ReadOnlyMark>>
        : typeof DEFAULTED extends keyof S
          ? Unmarked<Without<S, DefaultMark>>
          : typeof RULED extends keyof S
            ? Unmarked<Without<S, RuledMark>>
            : typeof HIDDEN extends keyof S
              ? Unmarked<Without<S, HiddenMark>>
              : typeof WRITE_ONLY extends keyof S
                ? Unmarked<Without<S, WriteOnlyMark>>
                : S;

/** What is in a schema that contains itself: its type is nowhere in its properties, so that it is found in the schema itself alone. */
export type InsideOf<S> = S extends TRecursive<TSchema> ? (Unmarked<S> extends TRecursive<infer Inner> ? Inner : never) : never;

/** Schemas of what lies in the values of a schema, and of its alternatives. */
export type PartsOf<S> =
  S extends TArray<infer Item>
    ? Item
    : S extends TObject<infer P>
      ? P[keyof P]
      : S extends TUnion<infer Parts> | TIntersect<infer Parts> | TTuple<infer Parts>
        ? Parts[number]
        : S extends TRecord<TSchema, infer Value>
          ? Value
          : S extends TRecursive<TSchema>
            ? InsideOf<S>
            : never;

/** Keys of all marks. */
export type Mark = typeof HIDDEN | typeof WRITE_ONLY | typeof RULED;

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

/** The schema that contains itself around another, and its value; `unknown` where there is none. */
export type Around<S, T> = readonly [schema: S, value: T];

/** What a schema describes, also within one that contains itself. */
export type StaticWithin<S extends TSchema, Self> = Self extends Around<unknown, infer T> ? Static<S, [T]> : Static<S>;

/** `true` for what stands for the schema around it. */
export type IsAgain<Self> = Self extends Around<unknown, unknown> ? true : never;

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
  ? ExternalType<
      S,
      Self extends Around<unknown, unknown> ? StaticWithin<S, Self> : Related extends true ? WithRelations<S, 'external'> : Static<S>,
      Related,
      Self
    >
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
