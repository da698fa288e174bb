import type { CollectionDescription } from '@framework/core';
import type { ResolvedMemoryOptions } from './memory-types.ts';

/** @returns what a service with these options does, for tools that describe applications */
export function describeCollection(options: ResolvedMemoryOptions): CollectionDescription {
  const { id, paginate, multi, cursors, operators = [], maxSkip, version } = options;
  return {
    id,
    paginate,
    multi,
    cursors: Boolean(cursors),
    operators,
    filters: [],
    maxSkip,
    returning: 'records',
    version,
  };
}
