import type { Params } from '@framework/core';
import { BadRequest } from '@framework/errors';
import DataLoader from 'dataloader';
import { fetchRecords, MAX_IDS } from './fetch-records.ts';
import { keyOf, meaningOf } from './record-key.ts';

/** Loads records by their ids, those that are asked for in one turn together. */
export interface RecordLoader<T = Record<string, unknown>> {
  /**
   * Loads one record.
   *
   * @param id of a record
   * @returns resolves to the record, or to `null` when there is none that the caller sees
   * @throws BadRequest (400) for what is no id, and what the service throws; each for its own id alone
   */
  load(id: unknown): Promise<T | null>;
  /**
   * Loads several records.
   *
   * @param ids of records
   * @returns resolves to records and `null`, in the order of the ids
   */
  loadMany(ids: readonly unknown[]): Promise<(T | null)[]>;
  /** Forgets a record that has changed, by whichever form of its id. */
  clear(id: unknown): this;
}

/** A service that finds records. */
interface Finds<T> {
  find(...args: never[]): Promise<readonly T[] | { readonly data: readonly T[] }>;
}

const loaders = new WeakMap<object, WeakMap<object, RecordLoader<unknown>>>();

/**
 * The loader of a service for one call, for hooks and resolvers: what they ask for one by one is found by one `find` for each 1,000 ids,
 * and only once. Everybody who has the same parameters gets the same loader.
 *
 * @param service a registered service: `context.app.service('users')`
 * @param params of the call that is answered: its caller's restrictions and rules hold. `{}` reads as the server does
 * @throws TypeError for a service without `find`, and for a context in the place of its parameters
 */
export function loader<T = Record<string, unknown>>(service: Finds<T> | object, params: Params): RecordLoader<T> {
  // Callers without types may give anything.
  const given: unknown = service;
  if (typeof given !== 'object' || given === null || typeof Reflect.get(given, 'find') !== 'function')
    throw new TypeError("A loader needs a registered service with the method 'find': app.service('users')");
  checkParams(params);
  const ofCall = loaders.get(params) ?? new WeakMap<object, RecordLoader<unknown>>();
  loaders.set(params, ofCall);
  const known = ofCall.get(service) ?? new ServiceLoader(service, params);
  ofCall.set(service, known);
  return known as RecordLoader<T>;
}

/** A context says nothing of its caller by itself: it would read as the server does. */
function checkParams(params: unknown): void {
  const isContext = typeof params === 'object' && params !== null && 'params' in params && 'method' in params;
  if (typeof params !== 'object' || params === null || isContext)
    throw new TypeError(
      "A loader needs the parameters of the call: loader(app.service('users'), context.params), or {} to read as the server",
    );
}

class ServiceLoader implements RecordLoader<unknown> {
  readonly #loader: DataLoader<unknown, unknown, string>;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(service: object, params: Params) {
    const batch = async (ids: readonly unknown[]): Promise<unknown[]> => {
      const found = await fetchRecords(service, ids, params);
      return ids.map((id) => found.get(id) ?? null);
    };
    this.#loader = new DataLoader(batch, { maxBatchSize: MAX_IDS, cacheKeyFn: (id) => keyOf(id) ?? '', cacheMap: this.#known });
  }

  async load(id: unknown): Promise<unknown> {
    if (keyOf(id) === undefined) throw new BadRequest('A record is loaded by its id: text, a number or an object id');
    return this.#loader.load(id);
  }

  async loadMany(ids: readonly unknown[]): Promise<unknown[]> {
    return Promise.all(ids.map((id) => this.load(id)));
  }

  clear(id: unknown): this {
    const key = keyOf(id);
    const meaning = key === undefined ? undefined : meaningOf(key);
    for (const known of this.#known.keys()) if (meaningOf(known) === meaning) this.#known.delete(known);
    return this;
  }
}
