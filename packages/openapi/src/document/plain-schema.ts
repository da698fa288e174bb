import type { DescribedSchema } from '@framework/core';
import { DATA, NAMED } from './schema-keywords.ts';

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
    if (keyword === 'properties') copy[keyword] = Object.fromEntries(kept.map(([name, part]) => [name, plainSchema(part, isSent)]));
    else if (NAMED.has(keyword)) copy[keyword] = Object.fromEntries(entriesOf(value).map(([name, part]) => [name, inner(part, isSent)]));
    else if (keyword === 'required' && Array.isArray(value) && schema.properties !== undefined)
      copy[keyword] = value.filter((name) => left.has(String(name)));
    else copy[keyword] = DATA.has(keyword) ? value : inner(value, isSent);
  }
  return copy;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function inner(value: unknown, isSent: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => inner(part, isSent));
  return isObject(value) ? plainSchema(value, isSent) : value;
}

function isKept(part: unknown, isSent: boolean): boolean {
  if (!isObject(part)) return false;
  return part.hidden === true || (isSent ? part.writeOnly === true : part.readOnly === true);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
