/** Databases that each MongoDB server has for itself. */
const OWN = new Set(['admin', 'config', 'local']);

/**
 * The database of a project in a MongoDB server: names of databases have no dots, and some are the server's own.
 *
 * @param name of the project
 */
export function databaseNameOf(name: string): string {
  return OWN.has(name) ? `${name}-app` : name.replaceAll('.', '-');
}
