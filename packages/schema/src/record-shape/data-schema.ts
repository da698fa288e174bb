import type { JSONSchema } from '../json-schema.ts';
import { DATA, isSchema, NAMED } from './keywords.ts';
import { Locations } from './location.ts';
import type { Marks } from '@framework/core';
import { References } from './references.ts';

/** What the schema of a record asks for less of in data. */
export interface Relaxation {
  /** Whether a change is meant, which names what it changes and gets no defaults. */
  readonly partial: boolean;
  /** Properties of the record that data need not have, whatever they are marked as. Default: none. */
  readonly optional?: readonly string[];
}

/**
 * The schema of data, made of that of a record: what callers can not set is not asked for, and a change needs nothing at all.
 * Which of it a caller may set is no question of types, and is decided by the record's shape.
 *
 * @param schema schema of the record
 */
export function dataSchemaOf(schema: JSONSchema, { partial, optional = [] }: Relaxation): JSONSchema {
  const locations = new Locations(new References(schema));
  const whole = new Set(locations.of([schema]).members);
  const isSet = (property: unknown): boolean => !isSchema(property) || canBeSet(locations.of([property]).marks);
  return relaxed(schema) as JSONSchema;

  function relaxed(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(relaxed);
    if (!isSchema(part)) return part;
    const copy: JSONSchema = { ...part };
    for (const [keyword, value] of Object.entries(part)) {
      if (DATA.has(keyword)) continue;
      copy[keyword] = NAMED.has(keyword) && isSchema(value) ? mapped(value, relaxed) : relaxed(value);
    }
    const atTop = whole.has(part);
    if (part.required) copy.required = atTop && partial ? [] : part.required.filter((name) => isAsked(part, name, atTop));
    if (atTop && partial && copy.properties) copy.properties = mapped(copy.properties, withoutDefault) as Record<string, JSONSchema>;
    return copy;
  }

  function isAsked({ properties = {} }: JSONSchema, name: string, atTop: boolean): boolean {
    return !(atTop && optional.includes(name)) && (!Object.hasOwn(properties, name) || isSet(properties[name]));
  }
}

function canBeSet({ readOnly, sealed }: Marks): boolean {
  return !readOnly && !sealed;
}

/** A change sets what it names, and nothing else. */
function withoutDefault(property: unknown): unknown {
  if (!isSchema(property) || property.default === undefined) return property;
  const { default: _default, ...rest } = property;
  return rest;
}

function mapped(schemas: object, of: (schema: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, of(schema)]));
}
