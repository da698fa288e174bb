import type { DescribedSchema } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import { ANNOTATIONS, REFERENCES } from '../record-shape/keywords.ts';
import { CONTRIBUTED } from '../record-shape/marks.ts';
import type { DescribedPlace } from './place.ts';

/** Keywords by which a property is described where something holds: validators do not agree on what is described then, and secrets keep them from being written. */
const CONDITIONS: readonly string[] = ['if', 'then', 'else', 'dependentSchemas', 'dependencies'];

/** Keywords of a schema that leaves everything to the one that it refers to. */
const LEADING: ReadonlySet<string> = new Set([...REFERENCES, ...ANNOTATIONS, '$id', '$defs', 'definitions']);

/**
 * Says of a value of data what no single schema says: that nothing may be set which none of them describes, and that an object which holds what is kept has to be
 * one again.
 *
 * @param written what a schema and its parts say
 * @param schema the schema
 * @param place the value
 */
export function wholeValue(written: DescribedSchema, schema: JSONSchema, place: DescribedPlace): DescribedSchema {
  if (typeof written === 'boolean' || place.direction === 'sent') return written;
  const whole = place.keepsParts && mayBeObject(written) ? { ...written, type: 'object' } : written;
  if ('additionalProperties' in whole || 'unevaluatedProperties' in whole || !isClosed(schema, place)) return whole;
  return { ...whole, [members(place).length === 1 ? 'additionalProperties' : 'unevaluatedProperties']: false };
}

/** From outside nothing may be set that is not described. Where other schemas describe the value besides, they say so together. */
function isClosed(schema: JSONSchema, place: DescribedPlace): boolean {
  const [location] = place.locations;
  if (location === undefined || isLeading(schema)) return false;
  const all = members(place);
  if (!all.some((member) => member.properties !== undefined)) return false;
  if (all.some((member) => CONDITIONS.some((keyword) => member[keyword] !== undefined))) return false;
  const own = location.within(schema).members;
  return all.every((member) => own.includes(member));
}

/** Schemas that say something of the value. */
function members({ locations: [location] }: DescribedPlace): readonly JSONSchema[] {
  return location === undefined
    ? []
    : location.members.filter((member) => !(CONTRIBUTED in member) && member.objectid !== true && !isLeading(member));
}

function isLeading(schema: JSONSchema): boolean {
  return REFERENCES.some((keyword) => schema[keyword] !== undefined) && Object.keys(schema).every((keyword) => LEADING.has(keyword));
}

function mayBeObject({ type }: Exclude<DescribedSchema, boolean>): boolean {
  return type === undefined || [type].flat().includes('object');
}
