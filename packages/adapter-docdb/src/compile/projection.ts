import type { Document } from 'mongodb';
import type { ResolvedOptions } from '../docdb-types.ts';

/**
 * The projection of a `$select`; the id and the version are always there.
 *
 * @param select checked property names
 * @returns `undefined` when all properties are wanted
 */
export function compileProjection(select: readonly string[] | undefined, options: ResolvedOptions): Document | undefined {
  if (!select) return undefined;
  const names = withoutChildren(selectedNames(select, options));
  const projection: Document = Object.fromEntries(names.map((name) => [name, 1]));
  return options.id === '_id' || names.includes('_id') ? projection : { ...projection, _id: 0 };
}

/** @returns the names of a `$select` with the id and the version */
export function selectedNames(select: readonly string[], { id, version }: ResolvedOptions): string[] {
  return [...new Set([...select, id, ...(version === undefined ? [] : [version])])];
}

/** The database refuses a path together with one below it. */
function withoutChildren(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));
}
