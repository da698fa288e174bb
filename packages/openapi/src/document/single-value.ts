import type { DescribedSchema } from '@framework/core';

/** Types of values that are written in an address as several parameters, for which there is no standard form behind an operator. */
const OF_PARTS: ReadonlySet<unknown> = new Set(['object', 'array']);

/**
 * What of a value is one text in an address.
 *
 * @param schema describes the value
 * @returns the schema without objects and lists; `undefined` where nothing is left
 */
export function singleValue(schema: DescribedSchema): DescribedSchema | undefined {
  if (typeof schema === 'boolean') return schema ? schema : undefined;
  const { type, allOf } = schema;
  if (schemasOf(allOf).some((one) => singleValue(one) === undefined)) return undefined;
  for (const keyword of ['anyOf', 'oneOf']) {
    const all = schemasOf(schema[keyword]);
    const [only, ...more] = all.map(singleValue).filter((one) => one !== undefined);
    if (all.length === 0 || 1 + more.length === all.length) continue;
    if (only === undefined) return undefined;
    return more.length === 0 && Object.keys(schema).length === 1 ? only : { ...schema, [keyword]: [only, ...more] };
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const single = types.filter((name) => !OF_PARTS.has(name));
  if (single.length === types.length) return schema;
  return single.length === 0 ? undefined : { ...schema, type: single };
}

function schemasOf(value: unknown): readonly DescribedSchema[] {
  return Array.isArray(value) ? (value as readonly DescribedSchema[]) : [];
}
