import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from './keywords.ts';
import { propertySchemas } from './parts.ts';
import type { References } from './references.ts';

/**
 * Whether a schema describes a property whatever else is in the value: by itself, by all its parts, or by each of its alternatives. What is described
 * only where an alternative or a condition holds is left over where it does not.
 */
export function describesAlways(schema: JSONSchema, name: string, references: References): boolean {
  return describes(schema, new Set());

  function describes(part: unknown, passed: ReadonlySet<JSONSchema>): boolean {
    if (!isSchema(part) || passed.has(part)) return false;
    const within = new Set([...passed, part]);
    const inside = (other: unknown): boolean => describes(other, within);
    if (propertySchemas(part, name).length > 0) return true;
    if (listOf(part.allOf).some(inside) || references.of(part).some(inside)) return true;
    const alternatives = [listOf(part.anyOf), listOf(part.oneOf), part.if === undefined ? [] : [part.then, part.else]];
    return alternatives.some((list) => list.length > 0 && list.every(inside));
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
