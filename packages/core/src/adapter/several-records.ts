import { BadRequest } from '@framework/errors';
import { copyParams } from '../service/copy-params.ts';
import type { Params } from '../service/service-types.ts';
import type { AdapterOptions } from './adapter-options.ts';

/**
 * The parameters of a write to several records, which is not limited by a page.
 *
 * @param params parameters of the call; not changed
 * @returns a copy without `$limit` and without page sizes
 */
export function withoutLimit<P extends Params>(params: P | undefined): P | undefined {
  // A copy of what is no plain object, such as a map, would be a query without conditions: the check of the query has to see it.
  if (!params?.query || !Object.hasOwn(params.query, '$limit')) return params && copyParams(params, { paginate: false });
  const { $limit: _limit, ...query } = params.query;
  return copyParams(params, { query, paginate: false });
}

/**
 * Checks how many records a write to several of them is about to touch.
 *
 * @throws BadRequest (400) for more than the service's `maxMulti`
 */
export function checkMany(count: number, { maxMulti }: Pick<AdapterOptions, 'maxMulti'>): void {
  if (count > maxMulti)
    throw new BadRequest(`More than ${String(maxMulti)} records match. Narrow the query, or raise the service's 'maxMulti' option`);
}
