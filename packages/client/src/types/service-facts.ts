import type { Sendable, Wire } from './wire.ts';

/** What the registration of a service tells of it: `unknown` where it tells nothing. */
type Registration<S> = S extends { readonly '~registration'?: infer O } ? O : unknown;

/** Types of the option `schema`; `unknown` for a service without. */
type SchemaTypes<S> = Registration<S> extends { readonly schema: { readonly types?: infer T } } ? NonNullable<T> : unknown;

/**
 * The ways in which a method may be called, four of them at most, of which TypeScript itself tells the one that is declared last: that one, and those of
 * which it does not take what they take.
 */
type WaysOf<S, M extends string> = M extends keyof S
  ? S[M] extends {
      (...args: infer A1): unknown;
      (...args: infer A2): unknown;
      (...args: infer A3): unknown;
      (...args: infer Last): infer R;
    }
    ? // Most methods may be called in one way.
      [A1 | A2 | A3] extends [Last]
      ? { args: Last; result: R }
      : { args: Last; result: R } | Beside<Signatures<S[M]>, Last>
    : never
  : never;

/** The ways before the one that is declared last. */
type Signatures<F> = F extends {
  (...args: infer A1): infer R1;
  (...args: infer A2): infer R2;
  (...args: infer A3): infer R3;
  (...args: never[]): unknown;
}
  ? { args: A1; result: R1 } | { args: A2; result: R2 } | { args: A3; result: R3 }
  : never;

type Beside<W, Last> = W extends { args: infer A } ? (A extends Last ? never : W) : never;

export type Arguments<S, M extends string> = WaysOf<S, M>['args'];
type Result<S, M extends string> = Settled<WaysOf<S, M>['result']>;

/** `Awaited`, which looks into the methods of every promise, for what is no promise of the platform alone. */
type Settled<R> = R extends Promise<infer T> ? T : Awaited<R>;

export type StandardMethod = 'find' | 'get' | 'create' | 'update' | 'patch' | 'remove';

/** Names of the methods that callers from outside have. */
export type MethodsOf<S> =
  Registration<S> extends { readonly methods: readonly (infer M extends string)[] } ? M & keyof S : StandardMethod & keyof S;

/** A record as the schema describes it, else what is said otherwise. */
type Described<S, Otherwise> =
  unknown extends SchemaTypes<S>
    ? Wire<Otherwise>
    : SchemaTypes<S> extends { readonly external: { readonly record: infer R } }
      ? Wire<R>
      : SchemaTypes<S> extends { readonly record: infer R }
        ? Wire<R>
        : Wire<Otherwise>;

/** A record as it arrives. */
export type RecordOf<S> = Described<S, 'get' extends keyof S ? Result<S, 'get'> : OneOf<Result<S, 'find'>>>;

/** What a method gives for one record: without a schema each method says it itself. */
export type GivenOf<S, M extends StandardMethod> = Described<S, Single<S, M, Result<S, M>>>;

/** Events that the framework sends by itself. */
export type RecordEvent = keyof MethodOfEvent;

interface MethodOfEvent {
  created: 'create';
  updated: 'update';
  patched: 'patch';
  removed: 'remove';
}

/** What comes with an event: what the method gives that emits it, each of a list, or a record where the service has no such method. */
export type EventRecordOf<S, E extends RecordEvent> = E extends RecordEvent
  ? MethodOfEvent[E] extends keyof S
    ? EachOf<GivenOf<S, MethodOfEvent[E]>>
    : RecordOf<S>
  : never;

type EachOf<R> = R extends readonly (infer T)[] ? T : R;

type OneOf<F> = F extends readonly (infer T)[] ? T : F extends { readonly data: readonly (infer T)[] } ? T : F;

/** What is given for one record, also by a method that gives a list for several. */
type Single<S, M, F> = F extends readonly (infer T)[] ? (TakesSeveral<S, M> extends true ? T : F) : F;

type TakesSeveral<S, M> = M extends 'create' ? TakesLists<S> : M extends 'patch' | 'remove' ? TakesNull<S, M> : false;

/** What `find` gives: page, list, or whatever the service's own `find` says. */
export type FoundOf<S> = Reshaped<Result<S, 'find'>, Described<S, OneOf<Result<S, 'find'>>>>;

type Reshaped<F, R> = unknown extends F
  ? F
  : F extends readonly unknown[]
    ? R[]
    : F extends { readonly data: readonly unknown[] }
      ? { [K in keyof F]: K extends 'data' ? R[] : Wire<F[K]> }
      : Wire<F>;

/** Data of `create`, and with a schema of `update`. */
export type DataOf<S> =
  unknown extends SchemaTypes<S>
    ? OwnDataOf<S>
    : SchemaTypes<S> extends { readonly data: infer D }
      ? Sendable<Omit2<SentOf<SchemaTypes<S>, 'data', D>, HiddenOf<S>>>
      : OwnDataOf<S>;

/** What callers send, where the schema tells it apart from what code on the server does. */
type SentOf<T, Name extends 'data' | 'patch', Otherwise> = T extends { readonly external: { readonly [N in Name]: infer D } }
  ? D
  : Otherwise;

type OwnDataOf<S> = Sendable<Exclude<Arguments<S, 'create'>[0], readonly unknown[]>>;

/** Data of `update`. */
export type UpdateOf<S> = SchemaTypes<S> extends { readonly data: unknown } ? DataOf<S> : Sendable<Arguments<S, 'update'>[1]>;

/** Data of `patch`. */
export type PatchOf<S> =
  SchemaTypes<S> extends { readonly patch: infer P }
    ? Sendable<Omit2<SentOf<SchemaTypes<S>, 'patch', P>, HiddenOf<S>>>
    : Sendable<Arguments<S, 'patch'>[1]>;

type HiddenOf<S> = SchemaTypes<S> extends { readonly external: { readonly hidden: infer H } } ? H : never;

/** `Omit` that leaves a type without anything to leave out as it is. */
type Omit2<T, K> = [K] extends [never] ? T : { [N in keyof T as N extends K ? never : N]: T[N] };

/** Whether `create` takes lists. */
export type TakesLists<S> = Extract<Arguments<S, 'create'>[0], readonly unknown[]> extends never ? false : true;

/** Whether a method takes `null` for several records. */
export type TakesNull<S, M extends 'patch' | 'remove' | 'update'> = null extends Arguments<S, M>[0] ? true : false;

/** Conditions and filters that callers from outside may send to `find`: those of the schema, else what the parameters of the method say. */
export type QueryOf<S, P> = unknown extends SchemaTypes<S> ? QueryIn<P> : DescribedQuery<SchemaTypes<S>, P>;

/** The same for methods that give no pages: what pages are made of is not for them. */
export type OneQueryOf<S, P> = unknown extends SchemaTypes<S> ? QueryIn<P> : Omit2<DescribedQuery<SchemaTypes<S>, P>, PageFilter>;

type PageFilter = '$limit' | '$skip' | '$sort' | '$after' | '$before';

type DescribedQuery<T, P> = T extends { readonly external: { readonly query: infer Q } }
  ? Sendable<Q>
  : T extends { readonly query: infer Q }
    ? Sendable<Q>
    : QueryIn<P>;

type QueryIn<P> = NonNullable<P> extends { query?: infer Q } ? Sendable<NonNullable<Q>> : Readonly<Record<string, unknown>>;

/** Data of a custom method. */
export type CustomDataOf<S, M extends string> = DataIn<Arguments<S, M>>;

type DataIn<A extends readonly unknown[]> = A extends [] ? undefined : Sendable<A[0]>;

/** What a custom method gives. */
export type CustomResult<S, M extends string> = Wire<Result<S, M>>;

/** What a custom method takes and gives, for each of the ways in which it may be called. */
export type CustomWays<S, M extends string> =
  WaysOf<S, M> extends infer W
    ? W extends { args: infer A extends readonly unknown[]; result: infer R }
      ? { data: DataIn<A>; result: Wire<Settled<R>> }
      : never
    : never;

/** Names of the methods that a service of its own has. */
type CustomOf<S> = Exclude<MethodsOf<S>, StandardMethod> & string;

/** Which argument of a method has its parameters. */
interface PlaceOfParams {
  find: 0;
  get: 1;
  create: 1;
  update: 2;
  patch: 2;
  remove: 1;
}

/** All that a client makes of a service, for tools that write it down: what nothing is known of is `never`. */
export interface ServiceFacts<S> {
  readonly methods: MethodsOf<S>;
  readonly record: RecordOf<S>;
  readonly found: 'find' extends MethodsOf<S> ? FoundOf<S> : never;
  /** What the methods give for one record. */
  readonly given: { readonly [M in Exclude<StandardMethod, 'find'>]: M extends MethodsOf<S> ? GivenOf<S, M> : never };
  readonly data: 'create' extends MethodsOf<S> ? DataOf<S> : never;
  readonly update: 'update' extends MethodsOf<S> ? UpdateOf<S> : never;
  readonly patch: 'patch' extends MethodsOf<S> ? PatchOf<S> : never;
  /** What the methods are asked. */
  readonly queries: {
    readonly [M in StandardMethod]: M extends MethodsOf<S>
      ? M extends 'find'
        ? QueryOf<S, Arguments<S, M>[PlaceOfParams[M]]>
        : OneQueryOf<S, Arguments<S, M>[PlaceOfParams[M]]>
      : never;
  };
  readonly lists: TakesLists<S>;
  readonly patchesAll: TakesNull<S, 'patch'>;
  readonly removesAll: TakesNull<S, 'remove'>;
  readonly customData: { readonly [M in CustomOf<S>]: CustomDataOf<S, M> };
  readonly customResults: { readonly [M in CustomOf<S>]: CustomResult<S, M> };
}
