import type { DescribedSchema } from '@framework/core';

/** Properties of an object, all of which have to be there. */
interface RequiredProperties {
  readonly properties: Readonly<Record<string, DescribedSchema>>;
  readonly required: readonly string[];
}

/**
 * Describes objects in objects.
 *
 * @param fields paths that are not empty, with the schemas of what is there
 */
export function nested(fields: readonly (readonly [path: readonly string[], schema: DescribedSchema])[]): RequiredProperties {
  const names = [...new Set(fields.flatMap(([[name = '']]) => [name]))];
  const properties = names.map((name): [string, DescribedSchema] => {
    const own = fields.filter(([[first]]) => first === name);
    const leaf = own.find(([path]) => path.length === 1);
    return [name, leaf?.[1] ?? { type: 'object', ...nested(own.map(([path, schema]) => [path.slice(1), schema])) }];
  });
  return { properties: Object.fromEntries(properties), required: names };
}
