import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { alternativesOf, prefixOf } from '../record-shape/parts.ts';
import { typesOf } from '../validation/value-type.ts';

/**
 * The schemas of the elements of a value that may be a list, as a whole or by one of its alternatives: lists are asked for their elements too.
 *
 * @param schema of the value
 * @param targetsOf what a schema refers to
 */
export function elementSchemas(schema: JSONSchema, targetsOf: (schema: JSONSchema) => readonly JSONSchema[]): JSONSchema[] {
  const found = new Set<JSONSchema>();
  for (const one of alternativesOf(schema, targetsOf)) {
    if (!typesOf(one).includes('array')) continue;
    const { items, additionalItems } = one;
    for (const element of [...prefixOf(one), Array.isArray(items) ? additionalItems : items]) if (isSchema(element)) found.add(element);
  }
  return [...found];
}
