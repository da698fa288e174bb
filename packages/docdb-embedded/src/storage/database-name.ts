import { DocDbError } from '../errors.ts';

/** Bytes of a database's name. */
const MOST = 63;

/**
 * A name ends at the first point of a namespace: one with a point in it would be another database than the one that roles speak of.
 *
 * @throws DocDbError (73) for a name that no database has
 */
export function checkDatabaseName(name: string): void {
  if (name === '' || /[ ./\\"\0]/.test(name)) throw new DocDbError(73, `Invalid database name: '${name.slice(0, MOST)}'`);
  if (Buffer.byteLength(name) > MOST)
    throw new DocDbError(73, `The name of a database has at most ${String(MOST)} bytes: '${name.slice(0, MOST)}…'`);
}
