import type { JSONSchema } from '../json-schema.ts';
import { isSchema, mapSchemas } from './keywords.ts';
import { locationOf, reachable, type Location } from './location.ts';
import { References } from './references.ts';

/** What the schema of a record asks for less of in data. */
export interface Relaxation {
  /** Whether a change is meant, which names what it changes and gets no defaults. */
  readonly partial: boolean;
  /** Properties of the record that data need not have, whatever they are marked as. Default: none. */
  readonly optional?: readonly string[];
  /** Schemas of what was added to the rules of the record. Default: none. */
  readonly added?: readonly JSONSchema[];
}

/**
 * The schema of data, made of that of a record: what callers can not set is not asked for, and a change needs nothing at all.
 * Which of it a caller may set is no question of types, and is decided by the record's shape.
 *
 * @param schema schema of the record
 */
export function dataSchemaOf(schema: JSONSchema, { partial, optional = [], added = [] }: Relaxation): JSONSchema {
  const root = locationOf(schema, new References(schema), added);
  const whole = new Set(root.members);
  const kept = keptFromCallers(root);
  return relaxed(schema);

  function relaxed(part: JSONSchema): JSONSchema {
    const copy: JSONSchema = { ...mapSchemas(part, relaxed) };
    const atTop = whole.has(part);
    // Below keywords that are not known it may be anything.
    if (Array.isArray(part.required))
      copy.required = atTop && partial ? [] : part.required.filter((name: string) => isAsked(part, name, atTop));
    if (atTop && partial && copy.properties)
      copy.properties = Object.fromEntries(Object.entries(copy.properties).map(([name, property]) => [name, withoutDefault(property)]));
    return copy;
  }

  function isAsked(part: JSONSchema, name: string, atTop: boolean): boolean {
    return !(atTop && optional.includes(name)) && kept.get(part)?.has(name) !== true;
  }
}

/** Names that schemas require and callers can not set, by schema. */
function keptFromCallers(root: Location): ReadonlyMap<JSONSchema, ReadonlySet<string>> {
  const kept = new Map<JSONSchema, Set<string>>();
  for (const location of reachable(root))
    for (const part of location.members)
      for (const name of part.required ?? []) {
        const marks = location.step(name)?.marks;
        if (marks !== undefined && (marks.readOnly || marks.sealed)) kept.set(part, (kept.get(part) ?? new Set()).add(name));
      }
  return kept;
}

/** A change sets what it names, and nothing else. */
function withoutDefault(property: JSONSchema): JSONSchema {
  if (!isSchema(property) || property.default === undefined) return property;
  const { default: _default, ...rest } = property;
  return rest;
}
