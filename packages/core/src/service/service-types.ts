import type { EventEmitter } from 'node:events';
import type { HookContext, HookMap } from '../hooks/hook-types.ts';
import type { RecordDescription } from '../description/described.ts';
import type { RecordRules, Viewer } from '../records/record-rules.ts';
import type { Precondition } from './precondition.ts';
import type { ResultOf } from './signatures.ts';

/** Identifier of one record. */
export type Id = number | string;

/** Identifier of one record, or `null` for several records at once. */
export type NullableId = Id | null;

/** A query of the common syntax (interface 4.6), not yet checked. */
export type Query = Record<string, unknown>;

/** Parameters of a service call (interface 2.4). Packages and applications add their own properties to this interface. */
export interface Params<Q = Query> {
  /** Conditions and filters; the only part that a remote client can set. Values from REST are text. */
  query?: Q;
  /** Name of the transport for calls from outside, for example `rest`. Absent for calls made on the server. */
  provider?: string | undefined;
  /** Values of the placeholders in the service's path. */
  route?: Record<string, string>;
  /** Headers of the request, lower-case names. */
  headers?: Record<string, string | string[] | undefined>;
  /** The real-time connection that the call came over. */
  connection?: object;
  /** Condition on the version of the record that the call writes. */
  precondition?: Precondition;
  /** Aborted when whoever waits for the answer goes away, where the transport can tell. */
  signal?: AbortSignal | undefined;
}

/** One page of records (interface 2.3). */
export interface Paginated<T> {
  /** Number of records that match, over all pages. */
  total: number;
  /** Largest number of records in `data`. */
  limit: number;
  /** Number of records left out before `data`. */
  skip: number;
  /** The records. */
  data: T[];
  /** Whether there are more than `total` says, for services that count up to a number. */
  capped?: boolean;
  /** Cursor of what follows, for services that page by cursors; `null` on the last page. */
  next?: string | null;
  /** Cursor of what lies before; `null` on the first page. */
  previous?: string | null;
}

/** The methods that a service may have; each is optional, at least one must exist (interface 1). */
export interface ServiceMethods<T = unknown, D = Partial<T>, P extends Params = Params> {
  find(params?: P): Promise<T[] | Paginated<T>>;
  get(id: Id, params?: P): Promise<T>;
  create(data: D | D[], params?: P): Promise<T | T[]>;
  update(id: NullableId, data: D, params?: P): Promise<T | T[]>;
  patch(id: NullableId, data: Partial<D>, params?: P): Promise<T | T[]>;
  remove(id: NullableId, params?: P): Promise<T | T[]>;
}

/** Called when the application starts and stops. */
export interface ServiceLifecycle {
  /**
   * Called once by `app.setup`, or at registration when the application is already set up.
   *
   * @param app the application that the service is registered on
   * @param path the service's path without outer slashes
   */
  setup?(app: unknown, path: string): unknown;
  /** Called by `app.teardown` and by `app.unuse`. */
  teardown?(app: unknown, path: string): unknown;
}

/** A service whose record type is not known: what `app.service` gives when the application declares no services. */
export interface LooseService {
  find(params?: Params): Promise<unknown>;
  get(id: Id, params?: Params): Promise<unknown>;
  create(data: unknown, params?: Params): Promise<unknown>;
  update(id: NullableId, data: unknown, params?: Params): Promise<unknown>;
  patch(id: NullableId, data: unknown, params?: Params): Promise<unknown>;
  remove(id: NullableId, params?: Params): Promise<unknown>;
}

/** How a service is registered (`app.use(path, service, options)`). Transports add their own properties. */
export interface ServiceOptions {
  /** Methods that transports may call. Default: those of the six default methods that the service has. */
  methods?: readonly string[];
  /** Events that the service emits by itself. Default: the service's own `events`, or none. */
  events?: readonly string[];
  /** All events of the service. Default: `created`, `updated`, `patched`, `removed` and `events`. */
  serviceEvents?: readonly string[];
  /** Fixed values added to `params.route`. Default: none. */
  routeParams?: Readonly<Record<string, string>>;
  /** Hooks that come with a description of the records, made by `serviceSchema` of `@framework/schema`. Default: none. */
  schema?: ServiceExtension;
}

/** What a package adds to one service at its registration, by the stage of a call that it belongs to (decisions 0014). */
export interface ServiceExtension {
  /** Hooks around all others, those of the application too: they see everything that leaves. Default: none. */
  readonly outerHooks?: object;
  /** Hooks behind the guards and before the user's before hooks: they check and convert what came in. Default: none. */
  readonly inputHooks?: object;
  /** Hooks inside all others, next to the method. Default: none. */
  readonly innerHooks?: object;
  /** What the records show and take; the hooks apply it. Default: what is added to the service, applied by the framework. */
  readonly rules?: RecordRules;
  /**
   * Called with the application and the service's path once all services are set up: refuses, by throwing, what does not fit the other
   * services. Default: nothing is checked.
   */
  readonly check?: (app: object, path: string) => void;
  /**
   * Describes the records as a viewer may know them; `exposed` tells which services, by their paths, records that are populated may come from, and `keeps`
   * whether the service keeps what callers can not send ({@link keepsPaths}). Default: nothing is known of them.
   */
  readonly describe?: (viewer: Viewer, exposed: (path: string) => boolean, keeps: boolean) => RecordDescription;
}

/** Options with their defaults filled in. */
export type NormalizedServiceOptions = ServiceOptions &
  Required<Pick<ServiceOptions, 'methods' | 'events' | 'serviceEvents' | 'routeParams'>>;

/** What registration adds to a service. */
export interface ServiceAddons<A, S> extends Pick<EventEmitter, 'emit' | 'listenerCount' | 'removeAllListeners'> {
  /**
   * Adds hooks to the methods of this service, after those that are there already.
   *
   * @param map hooks by type and method, or around hooks by method, or one list of around hooks for all methods
   */
  hooks(map: HookMap<A, S>): this;
  /** Listens to an event of the service; the listener gets the record and the hook context, or what the service emits by itself. */
  on<E extends RecordEvent>(event: E, listener: ServiceListener<A, S, E>): this;
  on<E extends string>(event: E & OtherEvent<E>, listener: EventListener<A, S>): this;
  once<E extends RecordEvent>(event: E, listener: ServiceListener<A, S, E>): this;
  once<E extends string>(event: E & OtherEvent<E>, listener: EventListener<A, S>): this;
  off<E extends RecordEvent>(event: E, listener: ServiceListener<A, S, E>): this;
  off<E extends string>(event: E & OtherEvent<E>, listener: EventListener<A, S>): this;
  addListener<E extends RecordEvent>(event: E, listener: ServiceListener<A, S, E>): this;
  addListener<E extends string>(event: E & OtherEvent<E>, listener: EventListener<A, S>): this;
  removeListener<E extends RecordEvent>(event: E, listener: ServiceListener<A, S, E>): this;
  removeListener<E extends string>(event: E & OtherEvent<E>, listener: EventListener<A, S>): this;
}

/**
 * Listens to an event of a service. An error in it is reported and does not fail the call that emitted.
 *
 * @typeParam E the event; of those that the framework sends itself it is known what comes with them
 */
export type ServiceListener<A, S, E extends RecordEvent = RecordEvent> = (
  record: EventRecordOf<S, E>,
  context: HookContext<A, S>,
) => unknown;

/** Listens to an event whose data is no record of the service: it says what it is. */
export type EventListener<A, S> = {
  // Method form: it may say so of any data.
  bivariant(data: unknown, context: HookContext<A, S>): unknown;
}['bivariant'];

/** A registered service: its own methods, with hooks and events. */
export type FrameworkService<S, A = unknown> = S & ServiceAddons<A, S>;

/** The record type of a service: what `get` resolves with. */
export type RecordOf<S> = S extends { get(...args: never[]): Promise<infer T> } ? T : unknown;

interface MethodOfEvent {
  created: 'create';
  updated: 'update';
  patched: 'patch';
  removed: 'remove';
}

/** Events that the framework sends itself, by the methods that have them. */
export type RecordEvent = keyof MethodOfEvent;

/** What comes with an event: what the method gives that has it, one of them where that is a list; a record where the service has no such method. */
export type EventRecordOf<S, E extends RecordEvent> = E extends RecordEvent
  ? MethodOfEvent[E] extends keyof S
    ? EachOf<Awaited<ResultOf<S[MethodOfEvent[E]]>>>
    : RecordOf<S>
  : never;

/** Of the events, those that the framework does not send itself. */
type OtherEvent<E extends string> = E extends RecordEvent ? never : E;

type EachOf<R> = R extends readonly (infer T)[] ? T : R;
