import type { JSONSchema } from '../json-schema.ts';

/** Deepest nesting that is looked into. */
const MAX_DEPTH = 5;

/** Takes the hidden properties out of a record; the record is not changed. */
export type HideFields = (record: unknown) => unknown;

/**
 * Works out how the properties that a schema marks `hidden` are taken out of its records, also nested ones and those of lists.
 *
 * @returns `undefined` when nothing is hidden
 */
export function hidingOf(schema: JSONSchema, depth = 0): HideFields | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const steps = [listHiding(schema, depth), objectHiding(schema, depth), ...branches.map((branch) => hidingOf(branch, depth + 1))];
  const found = steps.filter((step) => step !== undefined);
  return found.length === 0 ? undefined : (record) => found.reduce<unknown>((current, hide) => hide(current), record);
}

function listHiding({ items }: JSONSchema, depth: number): HideFields | undefined {
  const hide = items === undefined || Array.isArray(items) ? undefined : hidingOf(items as JSONSchema, depth + 1);
  return hide && ((list) => (Array.isArray(list) ? list.map(hide) : list));
}

function objectHiding({ properties = {} }: JSONSchema, depth: number): HideFields | undefined {
  const hidden = Object.keys(properties).filter((name) => properties[name]?.hidden === true);
  const nested = Object.entries(properties).flatMap(([name, property]) => {
    const hide = property.hidden === true ? undefined : hidingOf(property, depth + 1);
    return hide ? [[name, hide] as const] : [];
  });
  if (hidden.length === 0 && nested.length === 0) return undefined;
  return (record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
    const copy = { ...record } as Record<string, unknown>;
    for (const name of hidden) Reflect.deleteProperty(copy, name);
    for (const [name, hide] of nested) if (name in copy) copy[name] = hide(copy[name]);
    return copy;
  };
}
