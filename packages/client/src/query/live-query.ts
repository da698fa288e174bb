import type { Query, QueryClient } from '@tanstack/query-core';
import type { ClientEvents } from '../client.ts';
import { withoutSlashes } from '../service/service-path.ts';
import { checkLiveQuery } from './check-arguments.ts';
import { hasParts } from './has-parts.ts';
import { listChange, plainRecords, type RecordChange } from './list-change.ts';
import { KEY, type CallKey } from './query-options.ts';
import { replaces, Untold } from './untold.ts';

/** A client whose events keep a cache right. */
export interface LiveClient {
  on<E extends keyof ClientEvents>(event: E, listener: (...args: ClientEvents[E]) => unknown): unknown;
  off<E extends keyof ClientEvents>(event: E, listener?: (...args: ClientEvents[E]) => unknown): unknown;
}

/** A service whose events are followed. */
export interface LiveService {
  on(event: 'created' | 'updated' | 'patched' | 'removed', listener: (record: unknown) => unknown): unknown;
  off(event: 'created' | 'updated' | 'patched' | 'removed', listener?: (record: unknown) => unknown): unknown;
}

/** Options of {@link liveQuery}. */
export interface LiveQueryOptions {
  /** Services by their paths, as `findOptions` was given them. */
  readonly services: Readonly<Record<string, LiveService>>;
  /** Name of the id property of a service's records, by path. Default: `_id` where records have it, else `id`. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Milliseconds in which questions to the server are gathered. Default: 50. */
  readonly gather?: number;
}

const EVENTS = ['created', 'updated', 'patched', 'removed'] as const;

/**
 * Keeps what a cache holds of services right: an event changes each list and record that it concerns, and what can not be told from it alone is asked for
 * again: pages and lists that do not hold all, `$select`, `$populate`, cursors, operators of the service's own, and records of which answers have shown more than
 * events, as those do of which only some callers may see all. Lists of a path with placeholders are too, since events do not say what stands for those.
 * After `reset`, and once events come for the first time, all is asked for again, and with a login or logout it goes.
 *
 * @returns ends it
 * @throws TypeError for what is none of these, and for an option that there is not, or that is not what it has to be
 */
export function liveQuery(client: LiveClient, queryClient: QueryClient, options: LiveQueryOptions): () => void {
  checkLiveQuery(client, queryClient, options);
  const { services, ids = {}, gather = 50 } = options;
  const refetch = refetching(queryClient, gather);
  const ends: (() => unknown)[] = [refetch.stop];
  const listen = (to: LiveClient | LiveService, event: never, listener: (record?: unknown) => void): void => {
    to.on(event, listener);
    ends.push(() => to.off(event, listener));
  };
  const idNames = new Map(Object.entries(ids).map(([path, name]) => [withoutSlashes(path), name]));
  for (const [given, service] of Object.entries(services)) {
    const path = withoutSlashes(given);
    const untold = new Untold();
    for (const type of EVENTS) {
      listen(service, type as never, (record) => {
        if (!hasParts(record)) return;
        const id = idNames.get(path) ?? ('_id' in record ? '_id' : 'id');
        const queries = queryClient.getQueryCache().findAll({ queryKey: [KEY, path] });
        queries.flatMap(shownBy).forEach((shown) => untold.show(shown));
        const isWhole = untold.isWhole(record);
        // Which one has changed an event without it, as of what a publisher has put in the place of the record, does not say.
        queries.forEach(id in record ? (query) => apply(query, { type, record, id, isWhole }, refetch, queryClient) : refetch.add);
      });
    }
  }
  const reset = (): void =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey: [KEY] })
      .forEach(refetch.add);
  const forget = (): void => {
    queryClient.removeQueries({ type: 'inactive', queryKey: [KEY] });
    // Who shows a query that is removed goes on showing what it had.
    void queryClient.resetQueries({ queryKey: [KEY] });
  };
  // What was asked for before events came may be older than they are.
  const connect = (): void => {
    client.off('connect', connect);
    reset();
  };
  listen(client, 'reset' as never, reset);
  listen(client, 'connect' as never, connect);
  listen(client, 'login' as never, forget);
  listen(client, 'logout' as never, forget);
  return () => ends.forEach((end) => end());
}

interface Refetch {
  readonly add: (query: Query) => void;
  readonly stop: () => void;
}

/** Asks for queries again, once for several reasons. */
function refetching(queryClient: QueryClient, gather: number): Refetch {
  let waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const add: Refetch['add'] = ({ queryHash }) => {
    waiting.add(queryHash);
    timer ??= setTimeout(ask, gather);
  };
  function ask(): void {
    const due = waiting;
    waiting = new Set();
    timer = undefined;
    const predicate = ({ queryHash }: Query): boolean => due.has(queryHash) && !waiting.has(queryHash);
    // With an answer that is on its way a query counts as new: the question would be forgotten, or the answer given up for each event.
    queryClient.getQueryCache().findAll({ predicate }).filter(isOnItsWay).forEach(add);
    void queryClient.invalidateQueries({ predicate });
  }
  return { add, stop: () => clearTimeout(timer) };
}

function isOnItsWay({ state }: Query): boolean {
  return state.fetchStatus === 'fetching';
}

/** The records that a query has, as they are without anything that was asked for besides. */
function shownBy({ queryKey, state: { data } }: Query): readonly object[] {
  const [, , method, , { query }] = queryKey as CallKey;
  if (method !== 'get') return plainRecords(data, query);
  return hasParts(data) && Object.keys(query).length === 0 ? [data] : [];
}

function apply(query: Query, change: RecordChange, refetch: Refetch, queryClient: QueryClient): void {
  const [, , method, id, { query: asked, route }] = query.queryKey as CallKey;
  const { data } = query.state;
  if (method === 'get' && String(Reflect.get(change.record, change.id)) !== String(id)) return;
  // What is on its way may be older than the event, and for which values of placeholders that is it does not say.
  if (data === undefined || isOnItsWay(query) || Object.keys(route).length > 0) refetch.add(query);
  else if (method === 'get') {
    const [held] = shownBy(query);
    if (change.type === 'removed' || !held || !change.isWhole || !replaces(held, change.record)) refetch.add(query);
    else queryClient.setQueryData(query.queryKey, change.record);
  } else {
    const result = listChange(data, asked, change);
    if (result.kind === 'refetch') refetch.add(query);
    else if (result.kind === 'changed') queryClient.setQueryData(query.queryKey, result.found);
  }
}
