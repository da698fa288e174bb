import type { DescribedSchema } from '@framework/core';
import { isObject, mapSchemas } from './map-schemas.ts';

/** Keywords that say who sees and sets a value, and mean nothing to clients. */
const MARKS: ReadonlySet<string> = new Set(['hidden', 'readable', 'writable', 'reference', 'objectid', 'date', '$schema', '$async']);

/**
 * A schema that an author has written into `docs`, as plain JSON Schema: marks and symbols of TypeBox go, and with them the properties that are hidden.
 *
 * @param isSent whether the server sends the value: what nobody reads is left out then
 */
export function plainSchema(schema: unknown, isSent: boolean): DescribedSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return {};
  if (schema.date === true) return { type: 'string', format: 'date-time' };
  if (schema.objectid === true) return { type: 'string', pattern: '^[0-9a-fA-F]{24}$' };
  const kept = entriesOf(schema.properties).filter(([, part]) => !isKept(part, isSent));
  const left = new Set(kept.map(([name]) => name));
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (MARKS.has(keyword) || typeof value === 'function') continue;
    if (keyword === 'required' && Array.isArray(value) && schema.properties !== undefined)
      copy[keyword] = value.filter((name) => left.has(String(name)));
    else {
      const shown = keyword === 'properties' ? Object.fromEntries(kept) : value;
      copy[keyword] = mapSchemas(keyword, shown, (part) => plainSchema(part, isSent));
    }
  }
  return copy;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function isKept(part: unknown, isSent: boolean): boolean {
  if (!isObject(part)) return false;
  return part.hidden === true || (isSent ? part.writeOnly === true : part.readOnly === true);
}
