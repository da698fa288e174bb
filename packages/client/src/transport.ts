import type { EventTransport } from './events/events.ts';
import type { ResponseFacts } from './errors/response-facts.ts';

/** Identifier of one record. */
export type Id = number | string;

/** Identifier of one record, or `null` for several records at once. */
export type NullableId = Id | null;

/** How often and when a call is made again. */
export interface RetryOptions {
  /** Most times that a call is made, the first included. `1` for no repetition. Default: 3. */
  readonly attempts?: number;
  /** Milliseconds before the second time; they double each time, and each wait is a random part of that. Default: 300. */
  readonly delay?: number;
  /** Longest wait in milliseconds. A server that asks for more by `Retry-After` gets no second call. Default: 10,000. */
  readonly maxDelay?: number;
}

/** What holds for one call alone. */
export interface CallOptions<Q = object> {
  /** Conditions and filters. */
  query?: Q;
  /** Headers of the request; over a socket there are none. */
  headers?: Readonly<Record<string, string>>;
  /** Aborts the call: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds after which the call fails, with all its repetitions. Default: that of the transport. */
  timeout?: number;
  /** Repetitions of this call; `false` for none. Default: those of the transport. */
  retry?: RetryOptions | false;
  /**
   * Makes a write one that may be repeated: sent as `Idempotency-Key`, for servers that keep the answers of such keys, as those with the hook `idempotent()`
   * of `@framework/transport-express` do. 16 to 255 letters, another one for each write: `crypto.randomUUID()`. Over a socket it is refused.
   */
  idempotencyKey?: string;
  /**
   * Writes only while the record is as it was read: `true` for the version that this client has seen last, a record that `get` or a write gave, or
   * an entity tag. Otherwise the call fails with `PreconditionFailed` (412).
   */
  ifMatch?: true | string | object;
}

/** What holds for one call alone, at any path. */
export interface CallParams<Q = object> extends CallOptions<Q> {
  /** Values of the placeholders in the service's path. */
  route?: Readonly<Record<string, Id>>;
}

/** One call, as a transport gets it. */
export interface TransportCall {
  /** Path of the service, placeholders filled in. */
  readonly path: string;
  /** Name of the method. */
  readonly method: string;
  /** The record; `null` for several. Absent for methods without one. */
  readonly id?: NullableId | undefined;
  /** The data; absent for methods without. */
  readonly data?: unknown;
  /** Parameters of the call. Its `signal` ends with the time that the call has, too. */
  readonly params: CallParams & { readonly signal: AbortSignal };
  /** Headers beside those of the parameters. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a transport gives for a call. */
export interface TransportAnswer {
  readonly result: unknown;
  /** What came with it; over a socket nothing does. */
  readonly response?: ResponseFacts;
}

/** Arguments of a call; what its method does not take is not there. */
export interface CallArguments {
  readonly id?: NullableId | undefined;
  readonly data?: unknown;
  readonly params: CallParams;
}

/** A way to a server. */
export interface Transport {
  /**
   * Makes a call.
   *
   * @throws FrameworkClientError what the server answered, or that there was no proper answer; the reason of `params.signal`
   */
  call(call: TransportCall): Promise<TransportAnswer>;
  /** Milliseconds after which calls fail that do not say how many; `0` for never. The client keeps it, by `params.signal`. Default: 0. */
  readonly timeout?: number;
  /** Where the server is: what belongs together in several tabs. */
  readonly name: string;
  /** Events that come the same way, without a transport of their own. */
  readonly events?: EventTransport['events'];
  /**
   * Where a login is for the connection: takes what is to be called each time that a connection is made, and settles when it is logged in, or with the
   * error by which it is not.
   *
   * @returns what the client calls when it is closed: from then on the connection is left alone. `undefined` where there is nothing to end
   */
  readonly onConnect?: (login: () => Promise<unknown>) => (() => void) | undefined;
}
