import type { JSONSchema } from '../json-schema.ts';
import type { Location } from '../record-shape/location.ts';
import { isObjectIdText, keyOf } from './record-key.ts';

/** What ids can be. */
export type IdKind = 'text' | 'number' | 'object id' | 'other';

/**
 * What the ids at a place of a record, or the ids in a list there, can be.
 *
 * @param location the place
 * @returns nothing where its schemas do not say
 */
export function idKinds(location: Location): ReadonlySet<IdKind> {
  const members = [location, ...location.elements()].flatMap((inner) => inner.members);
  return new Set(members.flatMap(kindsOf));
}

/** @returns whether a record with the one kind of id can be found by the other; the adapter reads the text of an object id */
export function idsFit(keys: ReadonlySet<IdKind>, ids: ReadonlySet<IdKind>): boolean {
  if (keys.size === 0 || ids.size === 0) return true;
  return [...keys].some((kind) => ids.has(kind) || (kind === 'text' && ids.has('object id')) || (kind === 'object id' && ids.has('text')));
}

/**
 * Brings an id that was stored into the form that records are asked for by.
 *
 * @param kinds what ids of the records can be
 * @returns `undefined` for what is no id of such a record
 */
export function suitedId(id: unknown, kinds: ReadonlySet<IdKind>): unknown {
  const key = keyOf(id);
  if (key === undefined || kinds.size === 0) return key === undefined ? undefined : id;
  if (typeof id === 'object') return kinds.has('object id') ? id : kinds.has('text') ? key.slice(key.indexOf(' ') + 1) : undefined;
  if (typeof id === 'string') return kinds.has('text') || (kinds.has('object id') && isObjectIdText(id)) ? id : undefined;
  return kinds.has('number') ? Number(id) : undefined;
}

function kindsOf({ type, enum: literals, const: literal, objectid, items, prefixItems }: JSONSchema): IdKind[] {
  if (objectid === true) return ['object id'];
  if (literals !== undefined || literal !== undefined)
    return [...(literals ?? []), literal].filter((value) => value !== undefined && value !== null).map((value) => kindOfType(typeof value));
  if (items !== undefined || prefixItems !== undefined || type === undefined) return [];
  const types = typeof type === 'string' ? [type] : type;
  return types.filter((name) => name !== 'null' && name !== 'array').map(kindOfType);
}

function kindOfType(type: string): IdKind {
  if (type === 'string') return 'text';
  return type === 'number' || type === 'integer' || type === 'bigint' ? 'number' : 'other';
}
