import type { HookContext } from '@framework/core';

/** A service whose writes to several records may give less than records; a call may change that for itself. */
interface Returns {
  readonly returning?: unknown;
}

/**
 * Tells whether a write to several records has given their number, or their ids alone, as the option `returning` of adapters says: there is nothing to
 * resolve then, and resolvers would miss the rest of the records.
 *
 * @param value the result, or what is sent instead. What a hook has put in its place is looked at as any result is
 */
export function givesNoRecords({ method, id, params, service }: HookContext, value: unknown): boolean {
  if (id !== null || (method !== 'patch' && method !== 'remove')) return false;
  const { options, id: idName = 'id' } = service as { readonly options?: Returns; readonly id?: string };
  const { returning = options?.returning } = (params as { readonly adapter?: Returns }).adapter ?? {};
  if (returning === 'count') return hasOnly(value, ['count']);
  return returning === 'ids' && Array.isArray(value) && value.every((entry) => hasOnly(entry, ['_id', idName]));
}

function hasOnly(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).every((name) => names.includes(name));
}
