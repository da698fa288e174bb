import { copyParams } from '@framework/core';
import type { ParsedQuery } from '@framework/query';
import type { MemoryParams, ResolvedMemoryOptions } from './memory-types.ts';

/** One call, its query checked. */
export interface Call {
  readonly options: ResolvedMemoryOptions;
  readonly params: MemoryParams;
  readonly query: ParsedQuery;
  readonly external: boolean;
}

/** Writes to several records are not limited by a page. */
export function withoutLimit<P extends MemoryParams>(params: P | undefined): P | undefined {
  if (!params) return params;
  const { $limit: _limit, ...query } = params.query ?? {};
  return copyParams(params, { query, paginate: false });
}
