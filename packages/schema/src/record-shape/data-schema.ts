import type { JSONSchema } from '../json-schema.ts';
import { isSchema, mapSchemas, subschemas } from './keywords.ts';
import { leadsThroughLoose, Loosening } from './loosening.ts';
import { locationOf, reachable, type Location } from './location.ts';
import { References } from './references.ts';

/** Tells by the marks of a value whether somebody can not set it. */
export type Unset = (marks: Location['marks']) => boolean;

/** What the schema of a record asks for less of in data. */
export interface Relaxation {
  /** Whether a change is meant, which names what it changes and gets no defaults. */
  readonly partial: boolean;
  /** Properties of the record that data need not have, whatever they are marked as. Default: none. */
  readonly optional?: readonly string[];
  /** Schemas of what was added to the rules of the record. Default: none. */
  readonly added?: readonly JSONSchema[];
  /**
   * Tells whether a caller can not set what has such marks, where the service keeps that, and what can not be replaced without it. Default: nothing is kept.
   */
  readonly kept?: Unset;
  /** The location of a whole record, where the schema is one of data that was written apart: what callers can not replace is said there. Default: the schema is that of the record. */
  readonly record?: Location;
}

/** Keywords whose schemas are tried, and ask for nothing. */
const TRIED: ReadonlySet<string> = new Set(['if', 'not']);

/** Keywords whose schemas mean something where they are referred to. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/**
 * The schema of data, made of that of a record: what callers can not set is not asked for, and a change needs nothing at all. Conditions on what data
 * lack are not asked either: whatever is left of a record that is right is right.
 * Which of it a caller may set is no question of types, and is decided by the record's shape.
 *
 * @param schema schema of the record
 */
export function dataSchemaOf(
  schema: JSONSchema,
  { partial, optional = [], added = [], kept = NOTHING_KEPT, record }: Relaxation,
): JSONSchema {
  const references = new References(schema);
  const root = locationOf(schema, references, added);
  const whole = new Set(root.members);
  const asked = askedBy(schema, references);
  const isKept = record === undefined ? keptFromCallers(root, kept) : keptInRecords(root, record, kept);
  const loosening = leadsThroughLoose(schema) ? undefined : new Loosening(references);
  return relaxed(schema);

  /** @returns the schema itself where it asks for nothing less */
  function relaxed(part: JSONSchema): JSONSchema {
    const mapped = mapSchemas(part, (inner, keyword) => (TRIED.has(keyword) ? inner : relaxed(inner)));
    if (!asked.has(part)) return mapped;
    const isTop = whole.has(part);
    const isChange = isTop && partial;
    const isLacking = (name: string): boolean => (isTop && optional.includes(name)) || isKept(part, name);
    const copy: JSONSchema = { ...mapped };
    // Below keywords that are not known it may be anything.
    if (Array.isArray(part.required)) copy.required = left(part.required, (name) => !isChange && !isLacking(name));
    for (const keyword of ['dependentRequired', 'dependencies'])
      if (isSchema(copy[keyword])) copy[keyword] = needed(copy[keyword], (name) => !isChange && !isLacking(name));
    if (isChange) {
      delete copy.minProperties;
      if (copy.properties) copy.properties = withoutDefaults(copy.properties);
    }
    const loose = loosening?.of(copy, part, { isChange, isLacking }) ?? copy;
    return isSame(loose, part) ? part : loose;
  }
}

/** What a property needs beside it; that of a change may be stored. Schemas among it have been made of theirs. */
function needed(dependencies: JSONSchema, isAsked: (name: string) => boolean): JSONSchema {
  const entries = Object.entries(dependencies);
  const made = entries.map(([name, others]) => [name, Array.isArray(others) ? left(others, isAsked) : others] as const);
  return made.every(([, others], at) => others === entries[at]?.[1]) ? dependencies : Object.fromEntries(made);
}

/** @returns the list itself where nothing is left out */
function left(names: readonly string[], isLeft: (name: string) => boolean): readonly string[] {
  const kept = names.filter(isLeft);
  return kept.length === names.length ? names : kept;
}

function isSame(one: JSONSchema, other: JSONSchema): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** Schemas that data have to fit. Definitions are so where something leads to them, and conditions only look. */
function askedBy(schema: JSONSchema, references: References): ReadonlySet<JSONSchema> {
  const found = new Set([schema]);
  // A set that grows while it is walked is walked to its end.
  for (const part of found) {
    for (const [keyword, value] of Object.entries(part))
      if (!TRIED.has(keyword) && !DEFINITIONS.has(keyword)) for (const inner of subschemas(keyword, value)) found.add(inner);
    for (const target of references.of(part)) found.add(target);
  }
  return found;
}

/**
 * Whether something that somebody can not set lies in elements of a list, or under names that are not listed: what is around it can not be replaced then.
 *
 * @param unset Default: what nobody outside can set
 */
export function isIrreplaceable(location: Location, unset: Unset = isUnset): boolean {
  const hasUnset = (one: Location): boolean => one.some(({ marks }) => unset(marks));
  return (location.listed && hasUnset(location)) || location.unlisted().some(hasUnset);
}

/** @returns whether nobody outside can set what has such marks */
export function isUnset({ readOnly, sealed }: Location['marks']): boolean {
  return readOnly || sealed;
}

const NOTHING_KEPT: Unset = () => false;

/** @returns tells whether callers can not set a property that a schema names */
function keptFromCallers(root: Location, kept: Unset): (part: JSONSchema, name: string) => boolean {
  const locations = new Map<JSONSchema, Location[]>();
  for (const location of reachable(root))
    for (const part of location.members) locations.set(part, [...(locations.get(part) ?? []), location]);
  return (part, name) =>
    locations.get(part)?.some((location) => {
      const inner = location.step(name);
      return inner !== undefined && (isUnset(inner.marks) || kept(inner.marks) || isIrreplaceable(inner, kept));
    }) === true;
}

/**
 * @param data the location of whole data that were written apart
 * @param record that of a whole record
 * @returns tells whether a schema of the data names a property that callers can not set or replace in a record
 */
function keptInRecords(data: Location, record: Location, unset: Unset): (part: JSONSchema, name: string) => boolean {
  const kept = new Map<JSONSchema, Set<string>>();
  const passed = new Map<Location, Set<Location>>();
  walk(data, record);
  return (part, name) => kept.get(part)?.has(name) === true;

  function walk(location: Location, stored: Location): void {
    const beside = passed.get(location) ?? new Set();
    if (beside.has(stored)) return;
    passed.set(location, beside.add(stored));
    for (const name of location.names) {
      const [inner, other] = [location.step(name), stored.step(name)];
      if (other === undefined) continue;
      if (unset(other.marks) || isIrreplaceable(other, unset))
        for (const part of location.members) kept.set(part, (kept.get(part) ?? new Set()).add(name));
      else if (inner !== undefined) walk(inner, other);
    }
  }
}

/** A change sets what it names, and nothing else. */
function withoutDefaults(properties: Readonly<Record<string, JSONSchema>>): Readonly<Record<string, JSONSchema>> {
  if (Object.values(properties).every((property) => !isSchema(property) || property.default === undefined)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, withoutDefault(property)]));
}

function withoutDefault(property: JSONSchema): JSONSchema {
  if (!isSchema(property) || property.default === undefined) return property;
  const { default: _default, ...rest } = property;
  return rest;
}
