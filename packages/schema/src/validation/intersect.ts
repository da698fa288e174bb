import type { JSONSchema } from '../json-schema.ts';

/** What of an object schema is put together; anything else in a part means more than a list of properties. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', '$id', 'title', 'description', 'examples', '$schema', 'default'],
]);

/**
 * Puts an intersection of objects that closes itself (`additionalProperties: false` outside or in a part) together into one object with
 * all the properties. Read word for word such a schema takes nothing at all, since each part refuses the properties of the others.
 *
 * @returns the schema itself when it is no such intersection
 * @throws Error for one whose parts can not be put together
 */
export function closedTogether(schema: JSONSchema): JSONSchema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf) || !isIntersect(schema)) return schema;
  const parts = (allOf as readonly JSONSchema[]).map(closedTogether);
  const all = [own, ...parts];
  if (!all.some(({ additionalProperties }) => additionalProperties === false))
    return parts.every((part, at) => part === allOf[at]) ? schema : { ...own, allOf: parts };
  const odd = all.flatMap((part) =>
    Object.keys(part).filter((keyword) => !PLAIN.has(keyword) && !(part === own && keyword === 'unevaluatedProperties')),
  );
  if (odd.length > 0)
    throw new Error(
      `A Type.Intersect with additionalProperties: false has a part with '${odd[0] ?? ''}', so that its properties are not known: leave additionalProperties out and use unevaluatedProperties: false on the intersection`,
    );
  return {
    ...own,
    type: 'object',
    properties: mergedProperties(parts.concat(own)),
    required: [...new Set(all.flatMap(({ required = [] }) => required))],
    additionalProperties: false,
  };
}

/** Other schemas with `allOf` mean what JSON Schema says. */
function isIntersect(schema: JSONSchema): boolean {
  return Object.getOwnPropertySymbols(schema).some(
    (symbol) => symbol.description === 'TypeBox.Kind' && (schema as Record<symbol, unknown>)[symbol] === 'Intersect',
  );
}

/** A property of several parts has to satisfy each of them. */
function mergedProperties(parts: readonly JSONSchema[]): Record<string, JSONSchema> {
  const merged: Record<string, JSONSchema> = {};
  for (const { properties = {} } of parts)
    for (const [name, property] of Object.entries(properties)) {
      const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
      merged[name] = before === undefined ? property : { allOf: [before, property] };
    }
  return merged;
}
