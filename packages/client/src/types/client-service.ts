import type { QueuedEvent } from '../events/event-queue.ts';
import type { ClientHookMap } from '../hooks/hook-types.ts';
import type { CallParams, Id, NullableId } from '../transport.ts';
import type {
  CustomDataOf,
  CustomResult,
  DataOf,
  FoundOf,
  MethodsOf,
  PatchOf,
  QueryOf,
  RecordOf,
  StandardMethod,
  TakesLists,
  TakesNull,
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

/** Parameters of a call to a service. */
export type ParamsOf<Q, L extends string> = Omit<CallParams<Q>, 'route'> & RouteOf<L>;

/** Values of the placeholders in a path. */
type RouteOf<L extends string> = [Placeholders<L>] extends [never] ? { route?: never } : { route: Readonly<Record<Placeholders<L>, Id>> };

type Placeholders<L extends string> = L extends `${infer Head}/${infer Tail}`
  ? Placeholders<Head> | Placeholders<Tail>
  : L extends `:${infer Name}`
    ? Name
    : never;

/** Parameters that may be left out, but for paths with placeholders. */
type Params<Q, L extends string> = [Placeholders<L>] extends [never] ? [params?: ParamsOf<Q, L>] : [params: ParamsOf<Q, L>];

/** A record with the relations that a query names: they are there, `null` for a record that the caller does not see. */
type Populated<R, Q> = Q extends { $populate: infer N } ? R & { [K in Extract<keyof R, N | ItemOf<N>>]-?: Exclude<R[K], undefined> } : R;
type ItemOf<N> = N extends readonly (infer I)[] ? I : never;

interface Reads<R, Q, Found, L extends string> {
  /** Finds records. */
  find(...params: Params<Q, L>): Promise<Found>;
  /** Reads one record. */
  get<const P extends Q>(id: Id, params: ParamsOf<P & Q, L>): Promise<Populated<R, P>>;
  get(id: Id, ...params: Params<Q, L>): Promise<R>;
}

interface Creates<R, D, Q, L extends string> {
  /** Creates a record, or sends a file or form for one. */
  create(data: D | Upload, ...params: Params<Q, L>): Promise<R>;
}

interface CreatesLists<R, D, Q, L extends string> extends Creates<R, D, Q, L> {
  /** Creates records: all or none. */
  create(data: readonly D[], ...params: Params<Q, L>): Promise<R[]>;
  /** Creates a record, or sends a file or form for one. */
  create(data: D | Upload, ...params: Params<Q, L>): Promise<R>;
}

interface Updates<R, D, Q, L extends string> {
  /** Replaces a record. */
  update(id: Id, data: D, ...params: Params<Q, L>): Promise<R>;
}

interface Patches<R, P, Q, L extends string> {
  /** Changes properties of a record. */
  patch(id: Id, data: P, ...params: Params<Q, L>): Promise<R>;
}

interface PatchesSeveral<R, P, Q, L extends string> extends Patches<R, P, Q, L> {
  /** Changes properties of all records that match. */
  patch(id: null, data: P, ...params: Params<Q, L>): Promise<R[]>;
  /** Changes properties of a record. */
  patch(id: Id, data: P, ...params: Params<Q, L>): Promise<R>;
}

interface Removes<R, Q, L extends string> {
  /** Removes a record. */
  remove(id: Id, ...params: Params<Q, L>): Promise<R>;
}

interface RemovesSeveral<R, Q, L extends string> extends Removes<R, Q, L> {
  /** Removes all records that match. */
  remove(id: null, ...params: Params<Q, L>): Promise<R[]>;
  /** Removes a record. */
  remove(id: Id, ...params: Params<Q, L>): Promise<R>;
}

/** Events that the framework sends by itself. */
export type RecordEvent = 'created' | 'updated' | 'patched' | 'removed';

/** An event of a service. `reset` says that events were missed, and what is shown has to be read again. */
export type ServiceEvent<R> =
  | { readonly type: RecordEvent; readonly data: R }
  | { readonly type: 'reset'; readonly data?: undefined }
  | (QueuedEvent & { readonly type: string & NonNullable<unknown> });

/** What every service of a client has. */
export interface ServiceTools<R> {
  /** Listens to an event; the stream of events is open while somebody listens. */
  on(event: RecordEvent, listener: (record: R) => unknown): this;
  on(event: string & NonNullable<unknown>, listener: (data: unknown) => unknown): this;
  once(event: RecordEvent, listener: (record: R) => unknown): this;
  once(event: string & NonNullable<unknown>, listener: (data: unknown) => unknown): this;
  /** Takes a listener away, or all of an event. */
  off(event: RecordEvent, listener?: (record: R) => unknown): this;
  off(event: string & NonNullable<unknown>, listener?: (data: unknown) => unknown): this;
  /**
   * The events of the service, as they come: `for await (const { type, data } of service.events({ signal }))`.
   *
   * @param options `signal` ends it; `buffer` is how many events wait for whoever takes them (1,000): beyond it they are dropped, and `reset` is told
   */
  events(options?: { readonly signal?: AbortSignal; readonly buffer?: number }): AsyncGenerator<ServiceEvent<R>, void, undefined>;
  /** Adds hooks around the calls of this service. */
  hooks(map: ClientHookMap): this;
}

type Methods<S, R, Q, L extends string> = {
  find: Pick<Reads<R, Q, FoundOf<S, R>, L>, 'find'>;
  get: Pick<Reads<R, Q, unknown, L>, 'get'>;
  create: TakesLists<S> extends true ? CreatesLists<R, DataOf<S>, Q, L> : Creates<R, DataOf<S>, Q, L>;
  update: Updates<R, DataOf<S>, Q, L>;
  patch: TakesNull<S, 'patch'> extends true ? PatchesSeveral<R, PatchOf<S>, Q, L> : Patches<R, PatchOf<S>, Q, L>;
  remove: TakesNull<S, 'remove'> extends true ? RemovesSeveral<R, Q, L> : Removes<R, Q, L>;
};

type Joined<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer I) => void ? I : never;

type Custom<S, M extends string, Q, L extends string> = {
  [K in M]: undefined extends CustomDataOf<S, K>
    ? (data?: CustomDataOf<S, K>, ...params: Params<Q, L>) => Promise<CustomResult<S, K>>
    : (data: CustomDataOf<S, K> | Upload, ...params: Params<Q, L>) => Promise<CustomResult<S, K>>;
};

/**
 * A service of the server as a client sees it.
 *
 * @typeParam S the service
 * @typeParam L its path
 */
export type ClientService<S, L extends string = string> = ServiceTools<RecordOf<S>> &
  Joined<Methods<S, RecordOf<S>, QueryOf<S>, L>[MethodsOf<S> & StandardMethod]> &
  Custom<S, Exclude<MethodsOf<S> & string, StandardMethod>, Readonly<Record<string, unknown>>, L>;

/** A service of which nothing is known. */
export interface LooseService extends ServiceTools<unknown> {
  find(params?: CallParams): Promise<unknown>;
  get(id: Id, params?: CallParams): Promise<unknown>;
  create(data: unknown, params?: CallParams): Promise<unknown>;
  update(id: NullableId, data: unknown, params?: CallParams): Promise<unknown>;
  patch(id: NullableId, data: unknown, params?: CallParams): Promise<unknown>;
  remove(id: NullableId, params?: CallParams): Promise<unknown>;
}
