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
    for (const keyword of ['dependentRequired', 'dependencies'])
      if (isSchema(part[keyword])) copy[keyword] = needed(copy[keyword] as JSONSchema, part, atTop);
    if (!atTop || !partial) return copy;
    delete copy.minProperties;
    if (copy.properties)
      copy.properties = Object.fromEntries(Object.entries(copy.properties).map(([name, property]) => [name, withoutDefault(property)]));
    return copy;
  }

  /** What a property needs beside it; that of a change may be stored. Schemas among it have been made of theirs. */
  function needed(dependencies: JSONSchema, part: JSONSchema, atTop: boolean): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(dependencies).map(([name, others]: [string, unknown]) => [
        name,
        Array.isArray(others) ? others.filter((other: string) => !(atTop && partial) && isAsked(part, other, atTop)) : others,
      ]),
    );
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
      for (const name of namesAskedFor(part)) {
        const marks = location.step(name)?.marks;
        if (marks !== undefined && (marks.readOnly || marks.sealed)) kept.set(part, (kept.get(part) ?? new Set()).add(name));
      }
  return kept;
}

/** Names that a schema requires, always or beside another one. */
function namesAskedFor({ required = [], dependentRequired, dependencies }: JSONSchema): readonly string[] {
  const dependent = [dependentRequired, dependencies].flatMap((value) => (isSchema(value) ? Object.values(value) : []));
  return [required, ...dependent].flatMap((names: unknown) => (Array.isArray(names) ? (names as string[]) : []));
}

/** A change sets what it names, and nothing else. */
function withoutDefault(property: JSONSchema): JSONSchema {
  if (!isSchema(property) || property.default === undefined) return property;
  const { default: _default, ...rest } = property;
  return rest;
}
