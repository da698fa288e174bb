import { DocDbError } from '../errors.ts';

/**
 * Databases differ in more than the case of their names, since their files could not on every system.
 *
 * @param ns a collection that is to be
 * @param others all that there are
 * @throws DocDbError (13297) when there is a database whose name is the same but for its case
 */
export function checkDatabaseCase(ns: string, others: readonly { readonly ns: string }[]): void {
  const database = ns.slice(0, ns.indexOf('.') + 1);
  const folded = database.toLowerCase();
  for (const { ns: other } of others) {
    if (other.startsWith(database)) return;
    const known = other.slice(0, database.length);
    if (known.toLowerCase() === folded)
      throw new DocDbError(
        13297,
        `db already exists with different case already have: [${known.slice(0, -1)}] trying to create [${database.slice(0, -1)}]`,
      );
  }
}
