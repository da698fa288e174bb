import type { Document } from 'mongodb';

/**
 * The projection of a `$select`; the id is always there.
 *
 * @param select checked property names
 * @param id name of the id property
 * @returns `undefined` when all properties are wanted
 */
export function compileProjection(select: readonly string[] | undefined, id: string): Document | undefined {
  if (!select) return undefined;
  const names = withoutChildren([...new Set([...select, id])]);
  const projection: Document = Object.fromEntries(names.map((name) => [name, 1]));
  return id === '_id' || names.includes('_id') ? projection : { ...projection, _id: 0 };
}

/** The database refuses a path together with one below it. */
function withoutChildren(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));
}
