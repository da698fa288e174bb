import { FrameworkClientError } from '../errors/client-error.ts';
import { fieldsOf } from '../fields.ts';
import type { CallParams } from '../transport.ts';
import type { Page } from '../types/client-service.ts';

/**
 * The pages of a query, one after the other: by cursors where the service has them, else by `$skip`. A service without pages gives one. Each page is asked
 * for when the one before was taken.
 *
 * @throws what `find` throws; FrameworkClientError (502, `unexpected`) for an answer that is neither page nor list, and for pages that lead nowhere
 */
export async function* pages(
  find: (params: CallParams) => Promise<unknown>,
  params: CallParams,
): AsyncGenerator<Page<unknown>, void, undefined> {
  const { $skip = 0, $after, ...rest } = fieldsOf(params.query);
  for (let skip = Number($skip), after = $after; ;) {
    const found = await find({ ...params, query: { ...rest, ...(after ? { $after: after } : {}), ...(skip ? { $skip: skip } : {}) } });
    const page = Array.isArray(found) ? { total: found.length, limit: found.length, skip: 0, data: found, next: null } : found;
    if (!isPage(page)) throw new FrameworkClientError('unexpected', 'The service gave neither a page nor a list');
    yield page;
    const { data, next, total } = page;
    if (next === undefined) skip += data.length;
    if (next === null || (next === undefined && (skip >= total || !data.length))) return;
    if (next !== undefined && (next === after || !data.length))
      throw new FrameworkClientError('unexpected', 'The service gave a cursor that leads nowhere');
    // What was skipped lies before the cursor.
    if (next) skip = 0;
    after = next;
  }
}

/** The records of all pages of a query. */
export async function* records(all: AsyncIterable<Page<unknown>>): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of all) yield* data;
}

function isPage(value: unknown): value is Page<unknown> {
  return Array.isArray(fieldsOf(value).data);
}
