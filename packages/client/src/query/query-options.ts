import { withoutSlashes } from '../service/service-path.ts';
import { checkCall } from './check-arguments.ts';
import type { CallParams, Id } from '../transport.ts';

/** First part of all keys. */
export const KEY = 'framework';

/** What identifies a call in a cache. */
export type CallKey = readonly [
  typeof KEY,
  path: string,
  method: string,
  id: Id | null,
  asked: { readonly query: object; readonly route: object },
];

/** Options of a query of TanStack Query. */
export interface CallOptions<R> {
  readonly queryKey: CallKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<R>;
}

type ResultOf<F> = F extends (...args: never[]) => Promise<infer R> ? R : never;
type FindParams<F> = F extends (...args: infer A) => unknown ? A : never;
type GetParams<F> = F extends (id: Id, params?: infer P extends CallParams) => unknown ? P : CallParams;

/**
 * Options for `useQuery`, `fetchQuery` and their like, of a `find`. The key is the same for the same question, in whatever order its parts stand.
 *
 * @param service `client.service('messages')`
 * @param path its path
 * @param params parameters of the call
 * @throws TypeError for what is none of these
 */
export function findOptions<S extends { find(...params: never[]): Promise<unknown> }>(
  path: string,
  service: S,
  ...params: FindParams<S['find']>
): CallOptions<ResultOf<S['find']>>;
export function findOptions(
  path: string,
  service: { readonly find: (params: never) => Promise<unknown> },
  ...[given]: unknown[]
): CallOptions<unknown> {
  checkCall('find', path, service, given);
  const params: CallParams = { ...(given as CallParams | undefined) };
  return {
    queryKey: keyOf(path, 'find', null, params),
    queryFn: ({ signal }) => service.find({ ...params, signal } as never),
  };
}

/**
 * {@link findOptions} of a `get`.
 *
 * @param id of the record
 * @throws TypeError as {@link findOptions}
 */
export function getOptions<S extends { get(id: Id, ...params: never[]): Promise<unknown> }>(
  path: string,
  service: S,
  id: Id,
  params?: GetParams<S['get']>,
): CallOptions<ResultOf<S['get']>>;
export function getOptions(
  path: string,
  service: { readonly get: (id: Id, params: never) => Promise<unknown> },
  id: Id,
  params: CallParams = {},
): CallOptions<unknown> {
  checkCall('get', path, service, params);
  return {
    queryKey: keyOf(path, 'get', id, params),
    queryFn: ({ signal }) => service.get(id, { ...params, signal } as never),
  };
}

function keyOf(path: string, method: string, id: Id | null, { query = {}, route = {} }: CallParams): CallKey {
  return [KEY, withoutSlashes(path), method, id, { query, route }];
}
