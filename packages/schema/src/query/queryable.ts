import { hidingOf } from '../hidden/hidden-fields.ts';
import type { JSONSchema } from '../json-schema.ts';

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
 * Works out which properties and dotted paths of a record may be queried (security S3, S7).
 *
 * @param properties properties of the record
 * @param withHidden whether hidden properties count too: for calls on the server
 */
export function queryable(properties: Readonly<Record<string, JSONSchema>>, withHidden: boolean): Queryable {
  const conditions = new Map<string, JSONSchema>();
  const select: string[] = [];
  collect(properties, '', 1);
  return { conditions, select };

  function collect(level: Readonly<Record<string, JSONSchema>>, prefix: string, depth: number): void {
    for (const [name, schema] of Object.entries(level)) {
      if (schema.hidden === true && !withHidden) continue;
      const path = prefix + name;
      select.push(path);
      // A whole value is compared with everything inside it, so none that hides something may be named.
      if (withHidden || !hidingOf(schema)) conditions.set(path, schema);
      if (depth < MAX_DEPTH) collect(nestedProperties(schema), `${path}.`, depth + 1);
    }
  }
}

function nestedProperties({ properties, items }: JSONSchema): Readonly<Record<string, JSONSchema>> {
  if (properties) return properties;
  return items !== undefined && !Array.isArray(items) ? ((items as JSONSchema).properties ?? {}) : {};
}
