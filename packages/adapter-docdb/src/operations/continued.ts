import type { ParsedQuery } from '@framework/query';
import type { CompiledFilter } from '../compile/criteria.ts';
import type { Call } from './call.ts';

/** What the database is asked for. */
export interface Asked {
  readonly filter: CompiledFilter;
  readonly query: ParsedQuery;
}

/**
 * What a call asks for whose parameters were changed on the way, by a class that hands on a copy of them: conditions, order and number that the call has set
 * by itself, such as the id of a record or the place of a page, hold for what the copy asks for.
 *
 * @param changed what the copy asks for
 * @param call the call, which knows what its own parameters ask for
 */
export function continued(changed: Asked, { filter, query, asked }: Call): Asked {
  const own = <N extends 'sort' | 'skip' | 'limit' | 'select'>(name: N): ParsedQuery[N] =>
    query[name] === asked.query[name] ? changed.query[name] : query[name];
  return {
    filter: filter === asked.filter ? changed.filter : { $and: [changed.filter, filter] },
    query: { ...changed.query, sort: own('sort'), skip: own('skip'), limit: own('limit'), select: own('select') },
  };
}
