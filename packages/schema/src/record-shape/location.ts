import type { Marks } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import { IN_PLACE, subschemas } from './keywords.ts';
import { describesAlways } from './describes-always.ts';
import { CONTRIBUTED, mergedMarks } from './marks.ts';
import { asSchemas, elementsOf, mayBeObject, prefixOf, propertySchemas, restOf, saysProperties } from './parts.ts';
import type { References } from './references.ts';

/** Most locations that one record may have: more come only of references that multiply. */
const MAX_LOCATIONS = 10_000;

/** Steps that a location remembers for names that its schemas do not list. */
const MAX_REMEMBERED = 1000;

/** Longest of them, in characters: one of a caller may be as long as a request. */
const MAX_NAME = 100;

const POSITION = /^(?:\d+|\$|\$\[[^\]]*\])$/;

/** Keywords that lead to further schemas of the same value; `$ref` stands for all references. */
export const FOLLOWED_IN_PLACE: readonly string[] = [...IN_PLACE, '$ref'];

/** All locations of one record. Each is the set of the schemas that may describe the value there, so that no combination is lost. */
export class Locations {
  readonly references: References;
  readonly #added: ReadonlyMap<JSONSchema, readonly JSONSchema[]>;
  readonly #followed: readonly string[];
  readonly #numbers = new Map<JSONSchema, number>();
  readonly #known = new Map<string, Location>();

  /**
   * @param added schemas that describe a value wherever another schema does. Default: none
   * @param followed keywords whose schemas describe the same value. Default: all that do
   */
  constructor(
    references: References,
    added: ReadonlyMap<JSONSchema, readonly JSONSchema[]> = new Map(),
    followed: readonly string[] = FOLLOWED_IN_PLACE,
  ) {
    this.references = references;
    this.#added = added;
    this.#followed = followed;
  }

  /** @returns the location that the schemas describe; the same one for the same schemas */
  of(schemas: readonly JSONSchema[]): Location {
    const members = this.#members(schemas);
    const key = [...members]
      .map((schema) => this.#number(schema))
      .sort((a, b) => a - b)
      .join();
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#known.size >= MAX_LOCATIONS)
      throw new Error(
        `The record has more than ${String(MAX_LOCATIONS)} locations: its references multiply. Describe it with fewer unions of references`,
      );
    const made = new Location(this, [...members]);
    this.#known.set(key, made);
    return made;
  }

  /** Every schema that describes the same value. */
  #members(schemas: readonly JSONSchema[]): ReadonlySet<JSONSchema> {
    const members = new Set<JSONSchema>(schemas);
    // A set that grows while it is walked is walked to its end.
    for (const schema of members) {
      for (const keyword of this.#followed) for (const part of subschemas(keyword, schema[keyword])) members.add(part);
      if (this.#followed.includes('$ref')) for (const target of this.references.of(schema)) members.add(target);
      for (const more of this.#added.get(schema) ?? []) members.add(more);
    }
    return members;
  }

  #number(schema: JSONSchema): number {
    const known = this.#numbers.get(schema);
    if (known !== undefined) return known;
    this.#numbers.set(schema, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/**
 * The location of a whole record.
 *
 * @param added schemas that describe the record beside its own, and each record of its kind inside it
 * @param followed keywords whose schemas describe the same value. Default: all that do
 */
export function locationOf(
  schema: JSONSchema,
  references: References,
  added: readonly JSONSchema[] = [],
  followed: readonly string[] = FOLLOWED_IN_PLACE,
): Location {
  const everywhere = new Map([schema, ...references.of(schema)].map((own) => [own, added]));
  return new Locations(references, everywhere, followed).of([schema]);
}

/** A place in a record. */
export class Location {
  /** Every schema that may describe the value. */
  readonly members: readonly JSONSchema[];
  readonly marks: Marks;
  /** Names of the properties that are described one by one. */
  readonly names: readonly string[];
  /** Whether the value may have any property: nothing is said about its properties. */
  readonly open: boolean;
  /** Whether elements are described by their position. */
  readonly tuple: boolean;
  readonly #all: Locations;
  readonly #steps = new Map<string, Location | undefined>();
  #element: Location | undefined;
  #secret: boolean | undefined;

  constructor(all: Locations, members: readonly JSONSchema[]) {
    this.#all = all;
    this.members = members;
    this.marks = mergedMarks(members);
    this.names = [...new Set(members.flatMap(({ properties }) => Object.keys(properties ?? {})))];
    this.tuple = members.some(({ items, prefixItems }) => Array.isArray(items) || Array.isArray(prefixItems));
    const own = members.filter((schema) => !(CONTRIBUTED in schema));
    this.open = own.length > 0 && mayBeObject(own) && !own.some(saysProperties);
  }

  /**
   * The location of a property, of an element by its position, or of a property of the elements: one step of a dotted path.
   *
   * @returns `undefined` when nothing describes it
   */
  step(name: string): Location | undefined {
    if (this.#steps.has(name)) return this.#steps.get(name);
    const schemas = this.schemasOf(name, new Set());
    const location = schemas.length === 0 ? undefined : this.#all.of(schemas);
    // Names that callers choose are without bound.
    if ((this.#steps.size < MAX_REMEMBERED && name.length <= MAX_NAME) || this.names.includes(name)) this.#steps.set(name, location);
    return location;
  }

  /** The location of the elements of a list, or of the one at an index. A value that is described as no list is taken as its own element. */
  element(index?: number): Location {
    if (index === undefined || !this.tuple) return (this.#element ??= this.#all.of(this.#elementsOf(undefined)));
    return this.#all.of(this.#elementsOf(index));
  }

  /** Locations of the elements, of the elements of those, and so on. */
  elements(): ReadonlySet<Location> {
    const found = new Set<Location>();
    for (let inner = this.element(); inner !== this && !found.has(inner); inner = inner.element()) found.add(inner);
    return found;
  }

  /** Whether something at this location or below it is kept from some caller. */
  get secret(): boolean {
    return (this.#secret ??= [...reachable(this)].some(({ marks }) => isSecret(marks)));
  }

  /** Locations of properties whose names are not listed. */
  unlisted(): readonly Location[] {
    return this.members.flatMap((schema) => restOf(schema).map((part) => this.#all.of([part])));
  }

  /** @returns whether a condition holds here or somewhere below */
  some(holds: (location: Location) => boolean): boolean {
    return [...reachable(this)].some(holds);
  }

  /** What is described below, by how it is named: `name`, `*` for names that are not listed, `[]` and `[0]` for elements. */
  *children(): Generator<readonly [label: string, location: Location | undefined]> {
    for (const name of this.names) yield [name, this.step(name)];
    for (const location of this.unlisted()) yield ['*', location];
    if (!this.listed) return;
    yield ['[]', this.element()];
    const count = Math.max(...this.members.map((schema) => prefixOf(schema).length));
    for (let index = 0; index < count; index++) yield [`[${String(index)}]`, this.element(index)];
  }

  /** The location that a part of a schema here describes alone. */
  within(part: JSONSchema): Location {
    return this.#all.of([part]);
  }

  /** Whether the value may be a list whose elements are described. */
  get listed(): boolean {
    return this.members.some((schema) => elementsOf(schema, undefined).length > 0);
  }

  /**
   * The schemas of a step, as they are written.
   *
   * @param passed locations whose elements were looked into: lists of lists may contain themselves
   */
  schemasOf(name: string, passed: Set<Location> = new Set()): JSONSchema[] {
    const own = this.#propertySchemas(name);
    if (!this.listed || passed.has(this)) return own;
    passed.add(this);
    if (POSITION.test(name)) return [...own, ...this.#elementsOf(/^\d+$/.test(name) ? Number(name) : undefined)];
    return [...own, ...this.element().schemasOf(name, passed)];
  }

  #propertySchemas(name: string): JSONSchema[] {
    const found = this.members.flatMap((schema) => propertySchemas(schema, name));
    // What a schema leaves over is what it does not describe itself; other schemas of the same value do not count.
    const leaving = this.members.filter(({ unevaluatedProperties }) => asSchemas(unevaluatedProperties).length > 0);
    const left = leaving.filter((schema) => !describesAlways(schema, name, this.#all.references));
    return [...found, ...left.flatMap(({ unevaluatedProperties }) => asSchemas(unevaluatedProperties))];
  }

  #elementsOf(index: number | undefined): JSONSchema[] {
    const found = this.members.flatMap((schema) => elementsOf(schema, index));
    // A path that was added goes through lists.
    const added = this.members.filter((schema) => CONTRIBUTED in schema && schema.properties !== undefined);
    return found.length > 0 ? [...found, ...added] : [...this.members];
  }
}

const reached = new WeakMap<Location, ReadonlySet<Location>>();

/** @returns every location that can be reached, the given one included */
export function reachable(from: Location): ReadonlySet<Location> {
  const known = reached.get(from);
  if (known) return known;
  const found = new Set([from]);
  for (const location of found) for (const [, next] of location.children()) if (next) found.add(next);
  reached.set(from, found);
  return found;
}

/** @returns whether marks keep a value from some caller */
export function isSecret({ hidden, writeOnly, readable }: Marks): boolean {
  return hidden || writeOnly || readable.length > 0;
}
