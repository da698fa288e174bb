import { BadRequest } from '@framework/errors';
import { cursorKeys, hasList, selectFields, type SortKey } from '@framework/query';
import type { Document } from 'mongodb';
import { selectedNames } from '../compile/projection.ts';
import type { Call } from '../operations/call.ts';
import { isCollated } from '../operations/collated.ts';
import { holdsText, textOfId } from '../operations/record-ids.ts';
import type { CursorTokens } from './cursor-token.ts';
import { at, behind } from './keyset-filter.ts';
import { hasPattern, positionOf, readPlace, writePlace, type Landmark } from './place.ts';

/** A page that was found by a cursor, or the first one. */
export interface CursorPage {
  readonly data: Document[];
  /** For `$after`: what follows this page; `null` for the last one. Left out where a record can not be paged by cursors: with a list or a pattern in a sort key, an id of thousands of characters, or one that by a collation is that of a record of another page too. */
  readonly next?: string | null;
  /** For `$before`: what lies before this page; `null` for the first one. Left out where a record can not be paged by cursors: with a list or a pattern in a sort key, an id of thousands of characters, or one that by a collation is that of a record of another page too. */
  readonly previous?: string | null;
}

/**
 * Reads one page by its sort keys rather than by a number of records, so that records that come or go meanwhile neither repeat nor
 * skip others. One command, and one before it where the cursor names records since their sort keys are too long for it; by a collation
 * one behind it for each end of the page where ids are texts.
 *
 * @param read reads the records of a call
 * @throws BadRequest (400) for a cursor that is not of this service and order, where it leads to a record with a list or a pattern in a sort key or an id that is
 * too long or by a collation that of a record of another page too, and where the records that it names are not where they were
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
  const place = given === undefined ? undefined : await readPlace(tokens.read(name, given, purpose), keys, call, read);
  const { limit } = query;
  const found = await read({
    ...call,
    // A record on the far side of the place is itself among those that are wanted.
    filter: place ? { $and: [call.filter, behind(order, place.position, place.side === (backwards ? -1 : 1))] } : call.filter,
    query: {
      ...query,
      sort: Object.fromEntries(order),
      limit: limit === undefined || limit === 0 ? limit : limit + 1,
      select: query.select && [...new Set([...query.select, ...keys.map(([path]) => path)])],
    },
  });
  const more = limit !== undefined && limit > 0 && found.length > limit;
  const page = more ? found.slice(0, limit) : found;
  const outside = more ? found[limit] : undefined;
  if (backwards) page.reverse();
  const data = query.select ? page.map((record) => selectFields(record, selectedNames(query.select ?? [], options))) : page;
  const next = (backwards ? given !== undefined : more) ? cursorOf(page.at(-1), page.at(-2), backwards ? undefined : outside, -1) : null;
  const previous = (backwards ? more : given !== undefined) ? cursorOf(page[0], page[1], backwards ? outside : undefined, 1) : null;
  const ends = [...(previous === null ? [] : page.slice(0, 1)), ...(next === null ? [] : page.slice(-1))];
  const reason = page.map(unpaged).find((found) => found !== undefined) ?? (await torn(ends));
  if (reason === undefined && next !== undefined && previous !== undefined) return { data, next, previous };
  if (given === undefined) return { data };
  throw new BadRequest(
    `Records with ${reason ?? 'an id of thousands of characters'} can not be paged by cursors: sort by other values, or page with $skip`,
  );

  /** What keeps a record from having a place: a list has one of its own for each direction, which no condition on its elements describes. */
  function unpaged(record: Document): string | undefined {
    if (keys.some(([path]) => hasList(record, path.split('.')))) return 'a list in a sort key';
    return hasPattern(record, keys) ? 'a pattern in a sort key' : undefined;
  }

  /** What keeps a page from ending where it does: of records at one place, which a collation makes of different ids, all have to be in it. */
  async function torn(ends: readonly Document[]): Promise<string | undefined> {
    const shown = new Set(page.map(({ [options.id]: id }) => textOfId(id)));
    for (const end of ends) {
      if (!holdsText(end[options.id]) || !(await isCollated(call))) continue;
      const filter = { $and: [call.filter, at(keys, positionOf(end, keys))] };
      const own = { sort: undefined, skip: undefined, limit: page.length + 1, select: [options.id] };
      const tied = await read({ ...call, filter, query: { ...query, ...own } });
      if (tied.some(({ [options.id]: id }) => !shown.has(textOfId(id))))
        return 'an id that differs from that of another one by nothing but what the collation ignores';
    }
    return undefined;
  }

  /**
   * @param inside the record beside it in the page, which stands in for it
   * @param beyond the one on the other side, where it is known
   * @param side of the one in the page
   */
  function cursorOf(
    record: Document | undefined,
    inside: Document | undefined,
    beyond: Document | undefined,
    side: 1 | -1,
  ): string | null | undefined {
    if (record === undefined) return null;
    const landmarks: Landmark[] = [{ record, side: 0 }];
    if (inside) landmarks.push({ record: inside, side });
    if (beyond) landmarks.push({ record: beyond, side: side === 1 ? -1 : 1 });
    return writePlace(tokens, landmarks, keys, purpose);
  }
}
