import { locationsOn, partsOf } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import { reachable, type Location } from '../record-shape/location.ts';
import { CONTRIBUTED } from '../record-shape/marks.ts';

/** Deepest path that is declared, in names. */
const MAX_DEPTH = 5;

/** What of a record may be queried. */
export interface Queryable {
  /** Schemas of what conditions may name: properties, and paths into nested objects and lists of objects. */
  readonly conditions: ReadonlyMap<string, JSONSchema>;
  /** Names for `$sort`: those of the conditions. For `$select` also nested values that are hidden in part. */
  readonly select: readonly string[];
}

/**
 * Works out which properties and dotted paths of a record may be queried (security S3, S7). What only some callers may see is
 * declared, and checked for each call.
 *
 * @param root the location of a whole record
 * @param withHidden whether hidden properties count too: for calls on the server
 */
export function queryable(root: Location, withHidden: boolean): Queryable {
  const conditions = new Map<string, JSONSchema>();
  const select = new Set<string>();
  collect(root, '', [root]);
  return { conditions, select: [...select] };

  function collect(parent: Location, prefix: string, on: readonly Location[]): void {
    for (const name of namesIn(parent)) {
      const location = parent.step(name);
      if (!location || (isKept(parent, location, name) && !withHidden)) continue;
      const schemas = parent.schemasOf(name).filter((schema) => !(CONTRIBUTED in schema));
      const [only = {}] = schemas;
      if (schemas.length === 0) continue;
      const path = prefix + name;
      select.add(path);
      // A whole value is compared with everything inside it, so none that hides something may be named.
      if (withHidden || ![...reachable(location)].some(isHidden)) conditions.set(path, schemas.length === 1 ? only : { anyOf: schemas });
      if (on.length < MAX_DEPTH && !on.includes(location)) collect(location, `${path}.`, [...on, location]);
    }
  }
}

/** A name with dots also means the path that it could be. */
function isKept(parent: Location, location: Location, name: string): boolean {
  return isHidden(location) || (name.includes('.') && locationsOn(parent, partsOf(name)).some(isHidden));
}

function isHidden({ marks }: Location): boolean {
  return marks.hidden || marks.writeOnly;
}

/** Names of a value's properties, and of those of its elements. */
function namesIn(location: Location): ReadonlySet<string> {
  return new Set([location, ...location.elements()].flatMap(({ names }) => names));
}
