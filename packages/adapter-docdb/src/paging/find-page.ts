import { BadRequest } from '@framework/errors';
import { cursorKeys, hasList, selectFields, type SortKey } from '@framework/query';
import type { Document } from 'mongodb';
import { selectedNames } from '../compile/projection.ts';
import type { Call } from '../operations/call.ts';
import type { CursorTokens } from './cursor-token.ts';
import { behind } from './keyset-filter.ts';

/** A page that was found by a cursor, or the first one. */
export interface CursorPage {
  readonly data: Document[];
  /** For `$after`: what follows this page; `null` for the last one. Left out where a record has a list in a sort key. */
  readonly next?: string | null;
  /** For `$before`: what lies before this page; `null` for the first one. Left out where a record has a list in a sort key. */
  readonly previous?: string | null;
}

/**
 * Reads one page by its sort keys rather than by a number of records, so that records that come or go meanwhile neither repeat nor
 * skip others. One command.
 *
 * @param read reads the records of a call
 * @throws BadRequest (400) for a cursor that is not of this service and order, and where it leads to a record with a list in a sort key
 */
export async function findPage(call: Call, tokens: CursorTokens, read: (call: Call) => Promise<Document[]>): Promise<CursorPage> {
  const { query, options } = call;
  const { $after: after, $before: before } = query.extra;
  if (after !== undefined && before !== undefined) throw new BadRequest('A query has $after or $before, not both');
  if (call.params.pipeline) throw new BadRequest('Cursors do not work with a pipeline');
  const keys = cursorKeys(query.sort, options.id);
  const backwards = before !== undefined;
  const order = backwards ? keys.map(([path, direction]): SortKey => [path, direction === 1 ? -1 : 1]) : keys;
  const purpose = JSON.stringify([call.collection.namespace, keys]);
  const name = backwards ? '$before' : '$after';
  const given = after ?? before;
  const position = given === undefined ? undefined : tokens.read(name, given, purpose);
  const { limit } = query;
  const found = await read({
    ...call,
    filter: position ? { $and: [call.filter, behind(order, position)] } : call.filter,
    query: {
      ...query,
      sort: Object.fromEntries(order),
      limit: limit === undefined || limit === 0 ? limit : limit + 1,
      select: query.select && [...new Set([...query.select, ...keys.map(([path]) => path)])],
    },
  });
  const more = limit !== undefined && limit > 0 && found.length > limit;
  const page = more ? found.slice(0, limit) : found;
  if (backwards) page.reverse();
  const cursorOf = (record: Document | undefined): string | null =>
    record === undefined
      ? null
      : tokens.write(
          keys.map(([path]) => valueAt(record, path)),
          purpose,
        );
  const data = query.select ? page.map((record) => selectFields(record, selectedNames(query.select ?? [], options))) : page;
  // A list has a place of its own for each direction, which no condition on its elements describes.
  if (page.some((record) => keys.some(([path]) => hasList(record, path.split('.'))))) {
    if (given === undefined) return { data };
    throw new BadRequest('Records with a list in a sort key can not be paged by cursors: sort by a single value, or page with $skip');
  }
  return {
    data,
    next: (backwards ? given !== undefined : more) ? cursorOf(page.at(-1)) : null,
    previous: (backwards ? more : given !== undefined) ? cursorOf(page[0]) : null,
  };
}

function valueAt(record: Document, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}
