import { FrameworkClientError } from '../errors/client-error.ts';
import { fieldsOf } from '../fields.ts';
import type { CallParams } from '../transport.ts';
import type { Page } from '../types/client-service.ts';

/** A service that finds. */
interface Finder {
  readonly find: (...params: never[]) => Promise<unknown>;
}

interface LooseFinder {
  readonly find: (params?: CallParams) => Promise<unknown>;
}

type FindParams<S> = S extends { find(...params: infer P): unknown } ? P : never;
type RecordFound<S> = S extends { find(...params: never[]): Promise<infer F> } ? RecordIn<F> : never;
type RecordIn<F> = F extends readonly (infer R)[]
  ? R
  : F extends { readonly data: readonly (infer R)[] }
    ? R
    : unknown extends F
      ? unknown
      : never;

/**
 * The pages of a query, one after the other: by cursors where the service has them, else by `$skip`. A service without pages gives one. Each page is asked
 * for when the one before was taken.
 *
 * @param service a service of a client
 * @param params parameters of its `find`
 * @throws what `find` throws; FrameworkClientError (502, `unexpected`) for an answer that is neither page nor list, and for pages that lead nowhere
 */
export function pages<S extends Finder>(service: S, ...params: FindParams<S>): AsyncGenerator<Page<RecordFound<S>>, void, undefined>;
export async function* pages(service: Finder, ...[given]: unknown[]): AsyncGenerator<Page<unknown>, void, undefined> {
  const params = fieldsOf(given);
  let query = fieldsOf(params.query);
  for (;;) {
    const found: unknown = await Reflect.apply(service.find, service, [{ ...params, query }]);
    const { data, next, total, capped, limit } = fieldsOf(Array.isArray(found) ? { data: found, total: found.length, next: null } : found);
    if (!Array.isArray(data)) throw new FrameworkClientError('unexpected', 'The service gave neither a page nor a list');
    yield { limit: data.length, skip: 0, ...fieldsOf(found), data, total: Number(total) };
    const skip = Number(query.$skip ?? 0) + data.length;
    // Where they are not all counted, a page that is not full is the last one.
    const isLast = Number(total) < 0 || capped === true ? data.length < Number(limit) : skip >= Number(total);
    if (next === null || (next === undefined && (isLast || data.length === 0))) return;
    if (next !== undefined && (next === query.$after || data.length === 0))
      throw new FrameworkClientError('unexpected', 'The service gave a page with a cursor that leads nowhere');
    // What was skipped lies before the cursor.
    query = { ...query, ...(next === undefined ? { $skip: skip } : { $after: next, $skip: undefined }) };
  }
}

/**
 * The records of all pages of a query, as {@link pages} has them.
 *
 * @throws as {@link pages}
 */
export function records<S extends Finder>(service: S, ...params: FindParams<S>): AsyncGenerator<RecordFound<S>, void, undefined>;
export async function* records(service: LooseFinder, ...[given]: unknown[]): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of pages(service, fieldsOf(given))) yield* data;
}
