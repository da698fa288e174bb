import type { QueuedEvent } from '../events/event-queue.ts';
import type { ClientHookMap } from '../hooks/hook-types.ts';
import type { CallOptions, CallParams, Id, NullableId } from '../transport.ts';
import type {
  Arguments,
  CustomWays,
  DataOf,
  EventRecordOf,
  FoundOf,
  GivenOf,
  MethodsOf,
  OneQueryOf,
  PatchOf,
  QueryOf,
  RecordEvent,
  TakesLists,
  TakesNull,
  UpdateOf,
} from './service-facts.ts';

/** One page of records. */
export interface Page<T> {
  /** Number of records that match, over all pages; -1 where the service does not count. */
  readonly total: number;
  /** Largest number of records in `data`. */
  readonly limit: number;
  /** Number of records left out before `data`. */
  readonly skip: number;
  /** The records. */
  readonly data: readonly T[];
  /** Cursor of what follows, `null` on the last page; absent for services without cursors. */
  readonly next?: string | null;
  /** Cursor of what lies before, `null` on the first page. */
  readonly previous?: string | null;
}

/** Files, forms and bytes, which are sent as they are: what the server makes of them is a matter of its body parsers. */
export type Upload = FormData | Blob | ArrayBuffer | ReadableStream<Uint8Array> | URLSearchParams;

/** Values of the placeholders in a path: `never` for one without. */
export type RouteOf<L extends string> = L extends `${string}:${string}` ? Readonly<Record<Placeholders<L>, Id>> : never;

type Placeholders<L extends string> = L extends `${infer Head}/${infer Tail}`
  ? Placeholders<Head> | Placeholders<Tail>
  : L extends `:${infer Name}`
    ? Name
    : never;

/** Parameters, which may be left out but for paths with placeholders. */
type Params<Q, V> = [V] extends [never] ? [params?: CallOptions<Q>] : [params: CallOptions<Q> & { route: V }];

/** A record with the relations that a query names: they are there, `null` for a record that the caller does not see. */
type Populated<R, N> = R & { [K in Extract<keyof R, N | ItemOf<N>>]-?: Exclude<R[K], undefined> };
type ItemOf<N> = N extends readonly (infer I)[] ? I : never;

/** Finds records. */
type Find<F, Q, V> = (...params: Params<Q, V>) => Promise<F>;

/** Reads one record. */
type Get<R, Q, V> = '$populate' extends keyof Q
  ? GetRelated<R, Q, NonNullable<Q['$populate']>, V>
  : (id: Id, ...params: Params<Q, V>) => Promise<R>;

/** Reads one record, with the relations that a query names. */
interface GetRelated<R, Q, Relations, V> {
  <const N extends Relations>(
    id: Id,
    params: CallOptions<Q & { $populate: N }> & ([V] extends [never] ? unknown : { route: V }),
  ): Promise<Populated<R, N>>;
  (id: Id, ...params: Params<Q, V>): Promise<R>;
}

/** Creates a record, or sends a file or form for one. */
type Create<R, D, Q, V> = (data: D | Upload, ...params: Params<Q, V>) => Promise<R>;

/** Creates records, all or none, or one of them. */
interface CreateSeveral<R, D, Q, V> {
  (data: readonly D[], ...params: Params<Q, V>): Promise<R[]>;
  (data: D | Upload, ...params: Params<Q, V>): Promise<R>;
}

/** Writes a record. */
type Write<R, D, Q, V> = (id: Id, data: D, ...params: Params<Q, V>) => Promise<R>;

/** Writes a record, or all that match. */
interface WriteSeveral<R, D, Q, V> {
  (id: null, data: D, ...params: Params<Q, V>): Promise<R[]>;
  (id: Id, data: D, ...params: Params<Q, V>): Promise<R>;
}

/** Removes a record. */
type Remove<R, Q, V> = (id: Id, ...params: Params<Q, V>) => Promise<R>;

/** Removes a record, or all that match. */
interface RemoveSeveral<R, Q, V> {
  (id: null, ...params: Params<Q, V>): Promise<R[]>;
  (id: Id, ...params: Params<Q, V>): Promise<R>;
}

/** An event of a service. `reset` says that events were missed, and what is shown has to be read again. */
export type ServiceEvent<R> =
  | { readonly type: RecordEvent; readonly data: R }
  | { readonly type: 'reset'; readonly data?: undefined }
  | (QueuedEvent & { readonly type: string & NonNullable<unknown> });

/** What every service of a client has, by the service of the server. */
interface ToolsOf<S> {
  /** Listens to an event; the stream of events is open while somebody listens. */
  on<E extends RecordEvent>(event: E, listener: (record: EventRecordOf<S, E>) => unknown): this;
  on(event: string & NonNullable<unknown>, listener: (data: unknown) => unknown): this;
  once<E extends RecordEvent>(event: E, listener: (record: EventRecordOf<S, E>) => unknown): this;
  once(event: string & NonNullable<unknown>, listener: (data: unknown) => unknown): this;
  /** Takes a listener away, or all of an event. */
  off<E extends RecordEvent>(event: E, listener?: (record: EventRecordOf<S, E>) => unknown): this;
  off(event: string & NonNullable<unknown>, listener?: (data: unknown) => unknown): this;
  /**
   * The events of the service, as they come: `for await (const { type, data } of service.events({ signal }))`.
   *
   * @param options `signal` ends it, as does `close` of the client; `buffer` is how many events wait for whoever takes them (1,000): beyond it they are dropped, and `reset` is told
   */
  events(options?: {
    readonly signal?: AbortSignal;
    readonly buffer?: number;
  }): AsyncGenerator<ServiceEvent<EventRecordOf<S, RecordEvent>>, void, undefined>;
  /** Adds hooks around the calls of this service. */
  hooks(map: ClientHookMap): this;
}

/**
 * What every service of a client has.
 *
 * @typeParam R a record as it arrives
 */
export type ServiceTools<R> = ToolsOf<{ get(): Promise<R> }>;

/** One method; each is worked out when it is used. */
type MethodOf<S, M, V> = M extends 'find'
  ? Find<FoundOf<S>, QueryOf<S, Arguments<S, 'find'>[0]>, V>
  : M extends 'get'
    ? Get<GivenOf<S, 'get'>, OneQueryOf<S, Arguments<S, 'get'>[1]>, V>
    : M extends 'create'
      ? TakesLists<S> extends true
        ? CreateSeveral<GivenOf<S, 'create'>, DataOf<S>, OneQueryOf<S, Arguments<S, 'create'>[1]>, V>
        : Create<GivenOf<S, 'create'>, DataOf<S>, OneQueryOf<S, Arguments<S, 'create'>[1]>, V>
      : M extends 'update'
        ? Write<GivenOf<S, 'update'>, UpdateOf<S>, OneQueryOf<S, Arguments<S, 'update'>[2]>, V>
        : M extends 'patch'
          ? TakesNull<S, 'patch'> extends true
            ? WriteSeveral<GivenOf<S, 'patch'>, PatchOf<S>, OneQueryOf<S, Arguments<S, 'patch'>[2]>, V>
            : Write<GivenOf<S, 'patch'>, PatchOf<S>, OneQueryOf<S, Arguments<S, 'patch'>[2]>, V>
          : M extends 'remove'
            ? TakesNull<S, 'remove'> extends true
              ? RemoveSeveral<GivenOf<S, 'remove'>, OneQueryOf<S, Arguments<S, 'remove'>[1]>, V>
              : Remove<GivenOf<S, 'remove'>, OneQueryOf<S, Arguments<S, 'remove'>[1]>, V>
            : Overloaded<CustomWays<S, M & string>, V>;

/** A custom method, in each of the ways in which it may be called. */
type Overloaded<W, V> = (W extends unknown ? (way: Custom<W, V>) => void : never) extends (way: infer F) => void ? F : never;

type Custom<W, V> = W extends { data: infer D; result: infer R }
  ? undefined extends D
    ? (data?: D, ...params: Params<Readonly<Record<string, unknown>>, V>) => Promise<R>
    : (data: D | Upload, ...params: Params<Readonly<Record<string, unknown>>, V>) => Promise<R>
  : never;

/**
 * A service of the server as a client sees it.
 *
 * @typeParam S the service
 * @typeParam V values of the placeholders in its path
 */
export type ClientService<S, V = never> = ToolsOf<S> & { readonly [M in MethodsOf<S>]: MethodOf<S, M, V> };

/** A service of which nothing is known. */
export interface LooseService extends ServiceTools<unknown> {
  find(params?: CallParams): Promise<unknown>;
  get(id: Id, params?: CallParams): Promise<unknown>;
  create(data: unknown, params?: CallParams): Promise<unknown>;
  update(id: NullableId, data: unknown, params?: CallParams): Promise<unknown>;
  patch(id: NullableId, data: unknown, params?: CallParams): Promise<unknown>;
  remove(id: NullableId, params?: CallParams): Promise<unknown>;
}
