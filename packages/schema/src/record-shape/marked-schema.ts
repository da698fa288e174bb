import type { TArray, TIntersect, TObject, TOptional, TReadonly, TRecord, TRecursive, TSchema, TTuple, TUnion } from '@sinclair/typebox';

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

/** The schema that contains itself around another, and its value; `unknown` where there is none. */
export type Around<S, T> = readonly [schema: S, value: T];

/** `true` for what stands for the schema around it. */
export type IsAgain<Self> = Self extends Around<unknown, unknown> ? true : never;
