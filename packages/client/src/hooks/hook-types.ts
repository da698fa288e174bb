import type { ResponseFacts } from '../errors/response-facts.ts';
import type { CallParams, NullableId } from '../transport.ts';

/** What a hook of the client gets: the call and its result. */
export interface ClientContext {
  /** The client. */
  readonly app: object;
  /** The service, as `client.service` gives it. */
  readonly service: object;
  /** Its path, as it was asked for. */
  readonly path: string;
  /** Name of the method. */
  readonly method: string;
  /** Kind of the hook that runs now. */
  type: 'before' | 'after' | 'error' | 'around';
  /** The record; assigning changes the call. */
  id?: NullableId | undefined;
  /** The data; assigning changes the call. */
  data?: unknown;
  /** Parameters of the call, never `undefined`; assigning changes the call. */
  params: CallParams;
  /** The result. Set before the call it takes the place of the call. */
  result?: unknown;
  /** What came with the answer, over REST. */
  response?: ResponseFacts;
  /** What went wrong; in error hooks. A `result` that an error hook sets takes its place. */
  error?: unknown;
}

/** A before, after or error hook. A returned object is assigned to the context. */
export type ClientHook = (context: ClientContext) => unknown;

/** An around hook: what stands before `await next()` runs before the call. */
export type ClientAroundHook = (context: ClientContext, next: () => Promise<void>) => unknown;

type OneOrMany<T> = T | readonly T[];
type ByMethod<T> = Readonly<Record<string, OneOrMany<T>>>;

/** Hooks by kind and method (`all` for each), or around hooks by method, or a list of around hooks for all methods. */
export type ClientHookMap =
  | {
      readonly around?: OneOrMany<ClientAroundHook> | ByMethod<ClientAroundHook>;
      readonly before?: OneOrMany<ClientHook> | ByMethod<ClientHook>;
      readonly after?: OneOrMany<ClientHook> | ByMethod<ClientHook>;
      readonly error?: OneOrMany<ClientHook> | ByMethod<ClientHook>;
    }
  | ByMethod<ClientAroundHook>
  | readonly ClientAroundHook[];
