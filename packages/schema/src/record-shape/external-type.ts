import type { Static, TArray, TObject, TProperties, TSchema } from '@sinclair/typebox';
import type { REFERENCED } from '../relations/reference-types.ts';

/** Carry marks of schemas through the types; there are no such properties. */
export declare const HIDDEN: unique symbol;
export declare const WRITE_ONLY: unique symbol;
export declare const RULED: unique symbol;
export declare const READ_ONLY: unique symbol;

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

/** A schema of what not every caller sees. */
export interface RuledMark {
  readonly [RULED]?: true;
}

/** Keys of all marks. */
export type Mark = typeof HIDDEN | typeof WRITE_ONLY | typeof RULED;

type Marked<P extends TProperties, M extends Mark> = { [K in keyof P]: M & keyof P[K] extends never ? never : K }[keyof P];

/** Names of the properties that never leave the server and that callers do not set. */
export type HiddenNames<S> = S extends TObject<infer P> ? Marked<P, typeof HIDDEN> : never;

type Unseen<P extends TProperties> = Marked<P, typeof HIDDEN | typeof WRITE_ONLY>;

/** `true` where a mark, or a reference, lies in a schema, at any depth. */
type HasMarks<S> = [keyof S & (Mark | typeof REFERENCED)] extends [never]
  ? S extends TArray<infer Item>
    ? HasMarks<Item>
    : S extends TObject<infer P>
      ? { [K in keyof P]: HasMarks<P[K]> }[keyof P]
      : never
  : true;

/**
 * A record as callers outside see it: without what is hidden or write-only, and with what depends on the caller as optional.
 *
 * @typeParam S the TypeBox schema
 * @typeParam T the record as the server has it
 */
export type ExternalType<S, T> = [HasMarks<S>] extends [never] ? T : ExternalParts<S, T>;

type ExternalParts<S, T> =
  S extends TArray<infer Item>
    ? T extends readonly (infer Value)[]
      ? ExternalType<Item, Value>[]
      : T
    : S extends TObject<infer P>
      ? T extends object
        ? {
            [K in keyof T as K extends Marked<P, Mark> ? never : K]: K extends keyof P ? ExternalType<P[K], T[K]> : T[K];
          } & { [K in keyof T as K extends Exclude<Marked<P, typeof RULED>, Unseen<P>> ? K : never]?: T[K] }
        : T
      : T;

/** What callers outside get and ask for, of a schema. */
export interface ExternalTypes<R, Q, Hidden> {
  readonly record: R;
  readonly query: Q;
  readonly hidden: Hidden;
}

/** {@link ExternalType} of what is stored. */
export type ExternalStored<S extends TSchema> = ExternalType<S, Static<S>>;
