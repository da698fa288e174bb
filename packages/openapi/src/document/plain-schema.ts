import { Sight, tellsName, type DescribedSchema } from '@framework/core';
import { isObject, mapSchemas, type SchemaObject } from './map-schemas.ts';
import { plainForm } from './plain-form.ts';
import { definitionName } from './rewrite.ts';

/** Keywords that say who sees and sets a value, or where its schema stands, and mean nothing to clients. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['hidden', 'readable', 'writable', 'reference', 'objectid', 'date', '$schema', '$async', '$id', '$defs', 'definitions'],
]);

/** Keywords whose schemas describe the same value. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);

/** Keywords whose values are values of what the schema describes. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'example', 'examples']);

/** Keywords that mean something else without the names of some properties. */
const BY_NAMES: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'propertyNames']);

type Names = ReadonlySet<string>;

/** Schemas that describe the same value. */
type Same = readonly SchemaObject[];

const NONE: Same = [];

/**
 * A schema that an author has written into `docs`, as plain JSON Schema 2020-12: marks and symbols of TypeBox go, and with them the properties that are
 * hidden. What it refers to stands in its `$defs`.
 *
 * @param isSent whether the server sends the value: what nobody reads is left out then
 * @param viewer parameters of a call, for whom the document is. Default: a caller of whom nothing is known
 */
export function plainSchema(schema: unknown, isSent: boolean, viewer: object = {}): DescribedSchema {
  return new PlainWriter(schema, isSent, new Sight({ params: viewer })).whole();
}

class PlainWriter {
  readonly #root: unknown;
  readonly #isSent: boolean;
  readonly #sight: Sight;
  /** Schemas that others refer to, by what they are referred to. */
  readonly #targets = new Map<string, readonly [name: string, schema: unknown]>();
  readonly #definitions = new Map<string, DescribedSchema>();

  constructor(root: unknown, isSent: boolean, sight: Sight) {
    this.#root = root;
    this.#isSent = isSent;
    this.#sight = sight;
  }

  whole(): DescribedSchema {
    const root = this.#root;
    if (!isObject(root)) return typeof root === 'boolean' ? root : {};
    const references = new Set<string>();
    const ids = new Map<string, SchemaObject>();
    const look = (part: SchemaObject): SchemaObject => {
      if (typeof part.$ref === 'string') references.add(part.$ref);
      if (typeof part.$id === 'string') ids.set(part.$id, part);
      for (const [keyword, value] of Object.entries(part)) mapSchemas(keyword, value, look);
      return part;
    };
    look(root);
    for (const keyword of ['definitions', '$defs'])
      for (const [name, part] of entriesOf(root[keyword])) {
        this.#definitions.set(name, {});
        this.#targets.set(`#/$defs/${name}`, [name, part]);
        if (isObject(part) && typeof part.$id === 'string') this.#targets.set(part.$id, [name, part]);
      }
    for (const reference of references) {
      const target = reference === '#' ? root : ids.get(reference);
      if (target !== undefined && !this.#targets.has(reference)) this.#targets.set(reference, [this.#free(target), target]);
    }
    for (const [name, target] of this.#targets.values()) this.#definitions.set(name, this.#written(target, NONE));
    const written = this.#placed(root, NONE);
    const schema = typeof written === 'boolean' ? {} : written;
    return this.#definitions.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(this.#definitions) };
  }

  #target(reference: string): readonly [name: string, schema: unknown] | undefined {
    return this.#targets.get(reference) ?? this.#targets.get(`#/$defs/${definitionName(reference)}`);
  }

  #free({ $id }: SchemaObject): string {
    const wanted = String($id ?? 'Part').replace(/^.*[/#]/, '') || 'Part';
    let name = wanted;
    for (let count = 2; this.#definitions.has(name); count++) name = `${wanted}${String(count)}`;
    this.#definitions.set(name, {});
    return name;
  }

  /** What others refer to stands in the definitions. */
  #placed(schema: unknown, around: Same): DescribedSchema {
    const named = [...this.#targets.values()].find(([, target]) => target === schema);
    return named ? { $ref: pointerTo(named[0]) } : this.#written(schema, around);
  }

  /** @param around schemas of the same value, which may keep some of its properties to themselves */
  #written(schema: unknown, around: Same): DescribedSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) return {};
    if (schema.date === true || schema.type === 'Date') return { type: 'string', format: 'date-time' };
    if (schema.objectid === true) return { type: 'string', pattern: '^[0-9a-fA-F]{24}$' };
    const same = [...around, schema];
    const kept = new Set(same.flatMap((one) => this.#keptNames(one)));
    const copy: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (LEFT_OUT.has(keyword) || typeof value === 'function') continue;
      const shown = VALUES.has(keyword) ? this.#values(keyword, value, same) : this.#shown(keyword, value, kept);
      if (shown !== undefined)
        copy[keyword] = mapSchemas(keyword, shown, (part) => this.#placed(part, IN_PLACE.has(keyword) ? same : NONE));
    }
    if (typeof copy.$ref === 'string') {
      const target = this.#target(copy.$ref);
      if (target) copy.$ref = pointerTo(target[0]);
    }
    return plainForm(copy);
  }

  /** What of a keyword's value is told; `undefined` for nothing. */
  #shown(keyword: string, value: unknown, kept: Names): unknown {
    const without = (map: unknown): unknown => Object.fromEntries(entriesOf(map).filter(([name]) => !kept.has(name)));
    const left = (names: unknown): unknown => (Array.isArray(names) ? names.filter((name) => !kept.has(String(name))) : names);
    if (kept.size > 0 && BY_NAMES.has(keyword)) return undefined;
    if (keyword === 'properties' || keyword === 'dependentSchemas') return isObject(value) ? without(value) : value;
    if (keyword === 'dependentRequired' || keyword === 'dependencies')
      return Object.fromEntries(entriesOf(without(value)).map(([name, needed]) => [name, left(needed)]));
    if (keyword === 'required') return left(value);
    if (keyword === 'patternProperties') {
      const tells = (pattern: string): boolean => [...kept].some((name) => tellsName(pattern, name));
      return Object.fromEntries(entriesOf(value).filter(([pattern, part]) => !this.#isKept(part) && !tells(pattern)));
    }
    if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return this.#isKept(value) ? undefined : value;
    return value;
  }

  /** What of a value, or of several, is told. */
  #values(keyword: string, value: unknown, same: Same): unknown {
    const all = same.flatMap((one) => [...this.#inPlace(one)]);
    const several = keyword !== 'default' && keyword !== 'const' && Array.isArray(value);
    return several ? value.map((one) => this.#value(one, all)) : this.#value(value, all);
  }

  /** @param all schemas that describe the value */
  #value(value: unknown, all: Same): unknown {
    const inside = (parts: readonly unknown[]): Same => parts.filter(isObject).flatMap((part) => [...this.#inPlace(part)]);
    if (Array.isArray(value)) {
      const elements = inside(all.flatMap((one) => ELEMENTS.flatMap((keyword) => one[keyword])));
      return value.map((entry) => this.#value(entry, elements));
    }
    // Dates, for example, are values.
    if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
    const told = Object.entries(value).flatMap(([name, entry]) => {
      const parts = all.flatMap((one) => partsNamed(one, name));
      return parts.some((part) => this.#isKept(part)) ? [] : [[name, this.#value(entry, inside(parts))] as const];
    });
    return Object.fromEntries(told);
  }

  /** Names of properties that some schema of the value keeps from callers. */
  #keptNames(schema: SchemaObject): string[] {
    return [...this.#inPlace(schema)].flatMap(({ properties }) =>
      entriesOf(properties).flatMap(([name, part]) => (this.#isKept(part) ? [name] : [])),
    );
  }

  /** A schema with its parts, alternatives and what it refers to. */
  #inPlace(schema: SchemaObject): ReadonlySet<SchemaObject> {
    const found = new Set([schema]);
    const add = (part: SchemaObject): SchemaObject => {
      found.add(part);
      return part;
    };
    // A set that grows while it is walked is walked to its end.
    for (const part of found) {
      for (const [keyword, value] of Object.entries(part)) if (IN_PLACE.has(keyword)) mapSchemas(keyword, value, add);
      const target: unknown = typeof part.$ref === 'string' ? this.#target(part.$ref)?.[1] : undefined;
      if (isObject(target)) found.add(target);
    }
    return found;
  }

  #isKept(part: unknown): boolean {
    return isObject(part) && [...this.#inPlace(part)].some((one) => this.#keeps(one));
  }

  #keeps(part: SchemaObject): boolean {
    const { hidden, readOnly, writeOnly, readable } = part;
    if (hidden === true || (this.#isSent ? writeOnly === true : readOnly === true || isReadOnly(part))) return true;
    const rules = typeof readable === 'function' ? [readable as () => boolean] : [];
    return !this.#sight.sees({ hidden: false, writeOnly: false, readOnly: false, sealed: false, readable: rules, writable: [] });
  }
}

function pointerTo(name: string): string {
  return `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

function isReadOnly(part: SchemaObject): boolean {
  return Object.getOwnPropertySymbols(part).some((symbol) => symbol.description === 'TypeBox.Readonly');
}

/** Keywords with schemas of elements. */
const ELEMENTS: readonly string[] = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'];

/** What a schema says of a property: by its name, by patterns, or of all others. */
function partsNamed({ properties, patternProperties, additionalProperties, unevaluatedProperties }: SchemaObject, name: string): unknown[] {
  const matching = entriesOf(patternProperties).flatMap(([pattern, part]) => (mayMatch(pattern, name) ? [part] : []));
  const found = [...entriesOf(properties).flatMap(([own, part]) => (own === name ? [part] : [])), ...matching];
  return found.length > 0 ? found : [additionalProperties, unevaluatedProperties];
}

/** A pattern that can not be read here may match. */
function mayMatch(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
