import { partsOf, type RecordRules, type Viewer } from '@framework/core';
import { BadRequest } from '@framework/errors';
import { indexesOf } from '../server/indexes.ts';
import { limitsOf, type Call } from './call.ts';

/** Filters that look into all that the text index of a collection has, and name none of it. */
const SEARCHES: readonly string[] = ['$search', '$text'];

/** How an index names all texts of a value. */
const ALL_TEXTS = /(?:^|\.)\$\*\*$/;

/**
 * Refuses a full-text search by a caller who does not see all of what is searched: what is found tells of it. That is asked of the database each time, since an index may
 * be made anew while services run.
 *
 * @param rules of the records of the service
 * @throws BadRequest (400), and what the driver throws
 * @see security S7
 */
export async function checkSearched(
  { collection, query, driver }: Pick<Call, 'collection' | 'query' | 'driver'>,
  rules: RecordRules,
  viewer: Viewer,
): Promise<void> {
  const name = SEARCHES.find((search) => query.extra[search] !== undefined);
  if (name === undefined || viewer === 'internal' || rules.unseenBy(viewer).length === 0) return;
  const searched = (await indexesOf(collection, limitsOf(driver))).flatMap((index) =>
    Object.keys((Reflect.get(index, 'weights') ?? {}) as object),
  );
  if (searched.every((path) => isOpen(path, rules, viewer))) return;
  throw new BadRequest(`${name} looks into properties that can not be asked for: the text index of the collection has to leave them out`, {
    parameter: name,
  });
}

/** All texts of a record have those in them that are kept. What nothing describes is kept from nobody. */
function isOpen(path: string, rules: RecordRules, viewer: Viewer): boolean {
  const within = path.replace(ALL_TEXTS, '');
  return within !== '' && rules.property(partsOf(within), viewer)?.queryable !== false;
}
