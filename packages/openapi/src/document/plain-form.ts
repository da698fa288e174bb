import type { SchemaObject } from './map-schemas.ts';

const TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Bounds that older drafts write as `true` beside another keyword. */
const BOUNDS = { exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' } as const;

/** @returns a schema in the words of JSON Schema 2020-12, without types that JSON does not have */
export function plainForm({ type, nullable, items, additionalItems, ...others }: SchemaObject): SchemaObject {
  const given: readonly unknown[] = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const known = given.filter((name) => TYPES.has(name));
  const types = nullable === true && known.length > 0 && !known.includes('null') ? [...known, 'null'] : known;
  const isPlain = known.length === given.length && types.length > 0;
  const tuple = Array.isArray(items);
  const rest = tuple ? additionalItems : items;
  const made: Record<string, unknown> = {
    ...(isPlain ? { type: types.length === 1 ? types[0] : types } : {}),
    ...others,
    ...(tuple ? { prefixItems: items } : {}),
    ...(rest === undefined ? {} : { items: rest }),
  };
  for (const [open, closed] of Object.entries(BOUNDS)) {
    if (typeof made[open] !== 'boolean') continue;
    if (made[open] && made[closed] !== undefined) {
      made[open] = made[closed];
      Reflect.deleteProperty(made, closed);
    } else Reflect.deleteProperty(made, open);
  }
  return made;
}
