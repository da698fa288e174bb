import type { CollectionDescription } from '@framework/core';
import type { ResolvedOptions } from './docdb-types.ts';

/** @returns what a service with these options does, for tools that describe applications */
export function describeCollection(options: ResolvedOptions): CollectionDescription {
  const { id, paginate, multi, cursors, operators = [], maxSkip, version } = options;
  return {
    id,
    paginate,
    multi,
    cursors: Boolean(cursors),
    operators,
    filters: options.filters ?? [],
    maxSkip,
    returning: options.returning,
    version,
  };
}
