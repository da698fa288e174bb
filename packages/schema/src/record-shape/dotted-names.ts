import type { Location } from './location.ts';
import { seeThrough } from './seen-through.ts';

/**
 * Refuses properties whose names have dots: queries, rules, operators and problems name what lies in an object by such a path, so that
 * the one could not be told from the other.
 *
 * @param root the location of a whole record. Schemas of queries and data may declare paths
 * @throws Error that names the property and the cure
 */
export function refuseDottedNames(root: Location): void {
  for (const [location, path] of seeThrough(root))
    for (const name of location.names) {
      if (!name.includes('.')) continue;
      const place = path === '' ? 'The record' : `'${path}' of the record`;
      const at = name.indexOf('.');
      throw new Error(
        `${place} has a property '${name}', which can not be told from the path to '${name.slice(at + 1)}' in '${name.slice(0, at)}': describe an object '${name.slice(0, at)}', or give it a name without a dot`,
      );
    }
}
