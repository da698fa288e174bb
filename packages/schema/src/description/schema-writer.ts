import { Redaction, tellsName, type DescribedSchema, type Viewer } from '@framework/core';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema, type Subschema } from '../record-shape/keywords.ts';
import type { Location } from '../record-shape/location.ts';
import type { References } from '../record-shape/references.ts';
import { boundsOf, COUNTS, KEPT, plainValue, typesOf } from './keywords.ts';
import type { DescribedPlace } from './place.ts';
import { wholeValue } from './whole-value.ts';

/** A record of another service that may stand beside its id. */
export interface PlacedRelation {
  readonly as: string;
  readonly service: string;
  readonly many: boolean;
}

/** What a {@link SchemaWriter} is made with. */
export interface SchemaWriterOptions {
  readonly viewer: Viewer;
  readonly references: References;
  /** Records that are populated, by the object that they are put into. */
  readonly relations: ReadonlyMap<Location, readonly PlacedRelation[]>;
  /** Names that a definition may not have, since they would tell of what is hidden. */
  readonly secretNames: ReadonlySet<string>;
  /** Takes definitions. Several writers may share them. */
  readonly definitions: Record<string, DescribedSchema>;
  /** Takes sentences about what can not be described. */
  readonly problems: string[];
}

/** Whether what is written has to hold, is one of several of which one alone may hold, so that what tells them apart is kept, or only looks at a value. */
type Force = 'asked' | 'exclusive' | 'looking';

interface Definition {
  readonly target: JSONSchema;
  readonly place: DescribedPlace;
  readonly force: Force;
  readonly name: string;
}

const DATE: DescribedSchema = { type: 'string', format: 'date-time' };
const OBJECT_ID: DescribedSchema = { type: 'string', pattern: '^[0-9a-fA-F]{24}$' };

/** Writes schemas of one document as plain JSON Schema 2020-12, without what a viewer does not see. */
export class SchemaWriter {
  readonly #options: SchemaWriterOptions;
  readonly #defined: Definition[] = [];
  #force: Force = 'asked';

  constructor(options: SchemaWriterOptions) {
    this.#options = options;
  }

  /** @param place the value that the schema describes, whole */
  write(schema: unknown, place: DescribedPlace): DescribedSchema {
    const written = this.#part(schema, place);
    return isSchema(schema) && this.#force !== 'looking' ? wholeValue(written, schema, place) : written;
  }

  /** @param place the value that the schema describes, which others may describe besides */
  #part(schema: unknown, place: DescribedPlace): DescribedSchema {
    if (typeof schema === 'boolean') return schema;
    if (!isSchema(schema)) return {};
    if (schema.date === true || schema.type === 'Date') return annotated(DATE, schema);
    if (schema.objectid === true) return annotated(OBJECT_ID, schema);
    const { type, unknown } = typesOf(schema);
    if (unknown.length > 0) this.#options.problems.push(`has a value of the type ${unknown.join(', ')}, which JSON does not have`);
    return {
      ...this.#reference(schema, place),
      ...(type === undefined ? {} : { type }),
      ...picked(schema, KEPT),
      ...(place.hasSecrets ? {} : picked(schema, COUNTS)),
      ...boundsOf(schema),
      ...this.#values(schema, place),
      ...this.#properties(schema, place),
      ...this.#elements(schema, place),
      ...this.#combined(schema, place),
    };
  }

  #reference(schema: JSONSchema, place: DescribedPlace): object {
    const [first, ...others] = this.#options.references
      .of(schema)
      .map((target) => ({ $ref: `#/$defs/${this.#named(schema, target, place)}` }));
    if (first === undefined) return {};
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }

  #named(schema: JSONSchema, target: JSONSchema, place: DescribedPlace): string {
    const known = this.#defined.find((one) => one.target === target && one.force === this.#force && one.place.isSame(place));
    if (known) return known.name;
    const { definitions, secretNames } = this.#options;
    const wanted = String(target.$id ?? target.title ?? schema.$ref ?? 'Part')
      .replace(/^.*[/#]/, '')
      .replace(/[^\w.-]/g, '');
    const base = wanted === '' || wanted === '__proto__' || secretNames.has(wanted) ? 'Part' : wanted;
    let name = base;
    for (let count = 2; Object.hasOwn(definitions, name); count++) name = `${base}${String(count)}`;
    // Known before it is written: it may contain itself.
    definitions[name] = {};
    this.#defined.push({ target, place, force: this.#force, name });
    definitions[name] = this.write(target, place);
    return name;
  }

  /** Values may be objects that hold what is kept from callers. */
  #values(schema: JSONSchema, place: DescribedPlace): object {
    const shown = (value: unknown): unknown => plainValue(this.#redacted(value, place));
    const written: Record<string, unknown> = {};
    if (schema.const !== undefined) {
      const value = shown(schema.const);
      if (value !== undefined) written.const = value;
    }
    // What is sent has no defaults, and generators take what has one for what is always there: it is told in words.
    const otherwise = schema.default === undefined || place.direction !== 'created' ? undefined : shown(schema.default);
    if (otherwise !== undefined) {
      const before = typeof schema.description === 'string' ? `${schema.description} ` : '';
      written.description = `${before}Default: \`${JSON.stringify(otherwise)}\`.`;
    }
    const { examples, example, enum: literals } = schema;
    if (Array.isArray(literals)) written.enum = literals.map(shown).filter((value) => value !== undefined);
    const samples = Array.isArray(examples) ? (examples as readonly unknown[]) : example === undefined ? [] : [example];
    const values = samples.map(shown).filter((value) => value !== undefined);
    return values.length > 0 ? { ...written, examples: values } : written;
  }

  #redacted(value: unknown, { locations }: DescribedPlace): unknown {
    return locations.reduce<unknown>((rest, location) => new Redaction(this.#options.viewer, location).of(rest, location), value);
  }

  #properties(schema: JSONSchema, place: DescribedPlace): object {
    const { properties, patternProperties, required = [] } = schema;
    const written = Object.entries((properties ?? {}) as Readonly<Record<string, Subschema>>).flatMap(([name, property]) => {
      const inner = place.property(name);
      return inner.shown ? [[name, this.write(property, inner)] as const] : [];
    });
    const isNeeded = (name: string): boolean => {
      const part: unknown = properties?.[name];
      if (this.#force !== 'looking' && place.property(name).isKept) return false;
      // Data need not have what it is given where it is missing.
      return place.direction === 'sent' || this.#force !== 'asked' || !isSchema(part) || part.default === undefined;
    };
    const needed = required.filter((name) => place.property(name).shown && isNeeded(name));
    const kept = place.locations.flatMap(({ names }) => names).filter((name) => !place.property(name).shown);
    const patterns = Object.entries(isSchema(patternProperties) ? patternProperties : {}).flatMap(([pattern, part]) => {
      const inner = isSchema(part) ? place.within(part) : place;
      return inner.shown && !kept.some((name) => tellsName(pattern, name)) ? [[pattern, this.write(part, inner)] as const] : [];
    });
    return {
      ...(properties ? { properties: Object.fromEntries([...written, ...this.#populated(schema, place)]) } : {}),
      ...(needed.length > 0 ? { required: needed } : {}),
      ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
      ...this.#others(schema, place),
      ...this.#aboutNames(schema, place),
    };
  }

  /** What is put beside ids when a caller asks for it. */
  #populated({ properties }: JSONSchema, { locations, direction }: DescribedPlace): (readonly [string, DescribedSchema])[] {
    if (direction !== 'sent' || properties === undefined || this.#force === 'looking') return [];
    const relations = locations.flatMap((location) => this.#options.relations.get(location) ?? []);
    return relations.map(({ as, service, many }) => {
      const record = { $ref: `service:${service}` };
      const description = 'Only with `$populate`.';
      return [as, many ? { type: 'array', items: record, description } : { anyOf: [record, { type: 'null' }], description }];
    });
  }

  /** Properties whose names are not listed. */
  #others(schema: JSONSchema, place: DescribedPlace): object {
    const written: Record<string, DescribedSchema> = {};
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      const value = schema[keyword];
      if (value === false) {
        // What others see, and this viewer is not told of, may be there.
        if (place.direction !== 'sent' || !place.hasMoreForOthers) written[keyword] = false;
      } else if (isSchema(value)) {
        const inner = place.within(value);
        if (inner.shown) written[keyword] = this.write(value, inner);
        else if (place.direction !== 'sent') written[keyword] = false;
      } else if (value === true) written[keyword] = true;
    }
    return written;
  }

  /** Facts that name properties beside their schemas. */
  #aboutNames(schema: JSONSchema, place: DescribedPlace): object {
    if (place.hasSecrets) return {};
    const { propertyNames, dependentRequired, dependentSchemas, dependencies } = schema;
    const before = Object.entries(isSchema(dependencies) ? dependencies : {});
    const names = {
      ...(isSchema(dependentRequired) ? dependentRequired : {}),
      ...Object.fromEntries(before.filter(([, part]) => Array.isArray(part))),
    };
    const needed = Object.entries(names).filter(([, others]) => !Array.isArray(others) || others.length > 0);
    const parts = {
      ...(isSchema(dependentSchemas) ? dependentSchemas : {}),
      ...Object.fromEntries(before.filter(([, part]) => !Array.isArray(part))),
    };
    return {
      ...(isSchema(propertyNames) ? { propertyNames: this.write(propertyNames, place.within(propertyNames)) } : {}),
      ...(needed.length > 0 ? { dependentRequired: Object.fromEntries(needed) } : {}),
      ...(Object.keys(parts).length > 0
        ? { dependentSchemas: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, this.#part(part, place)])) }
        : {}),
    };
  }

  #elements(schema: JSONSchema, place: DescribedPlace): object {
    const { items, prefixItems, additionalItems, unevaluatedItems, contains } = schema;
    const first: unknown = Array.isArray(prefixItems) ? prefixItems : items;
    const prefix: readonly unknown[] = Array.isArray(first) ? first : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    const all = place.element();
    const shownAt = (part: unknown, inner: DescribedPlace): DescribedSchema => (inner.shown ? this.write(part, inner) : {});
    return {
      ...(prefix.length > 0 ? { prefixItems: prefix.map((part, index) => shownAt(part, place.element(index))) } : {}),
      ...(rest === undefined ? {} : { items: shownAt(rest, isSchema(rest) && prefix.length > 0 ? place.within(rest) : all) }),
      ...(unevaluatedItems === undefined ? {} : { unevaluatedItems: shownAt(unevaluatedItems, all) }),
      ...(contains === undefined || place.hasSecrets ? {} : { contains: this.write(contains, all) }),
    };
  }

  #combined(schema: JSONSchema, place: DescribedPlace): object {
    const written: Record<string, unknown> = {};
    const besides: DescribedSchema[] = [];
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const parts = schema[keyword];
      if (!Array.isArray(parts)) continue;
      const kept = (parts as readonly unknown[])
        .filter((part) => !isIdObject(part))
        .map((part) => (keyword === 'oneOf' ? this.#by('exclusive', part, place) : this.#part(part, place)));
      const [only] = kept;
      // Without what tells them apart, several may fit.
      const name = keyword === 'oneOf' && place.hasSecrets ? 'anyOf' : keyword;
      if (kept.length === 1 && parts.length > 1 && typeof only === 'object') Object.assign(written, only);
      else if (name in written) besides.push({ [name]: kept });
      else written[name] = kept;
    }
    if (besides.length > 0) written.allOf = [...(Array.isArray(written.allOf) ? (written.allOf as DescribedSchema[]) : []), ...besides];
    if (place.hasSecrets) return written;
    if (schema.not !== undefined) written.not = this.#by('looking', schema.not, isSchema(schema.not) ? place.within(schema.not) : place);
    if (schema.if !== undefined) written.if = this.#by('looking', schema.if, place.whole);
    for (const keyword of ['then', 'else']) if (schema[keyword] !== undefined) written[keyword] = this.#part(schema[keyword], place);
    return written;
  }

  #by(force: Force, schema: unknown, place: DescribedPlace): DescribedSchema {
    const before = this.#force;
    // What lies in something that only looks does no more.
    if (before !== 'looking') this.#force = force;
    try {
      return this.#part(schema, place);
    } finally {
      this.#force = before;
    }
  }
}

function picked(schema: JSONSchema, keywords: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])));
}

/** Object ids travel as text. */
function isIdObject(part: unknown): boolean {
  return isSchema(part) && part.objectid === true && part.type === 'object';
}

function annotated(schema: DescribedSchema, { title, description, deprecated }: JSONSchema): DescribedSchema {
  return { ...(schema as object), ...picked({ title, description, deprecated }, ['title', 'description', 'deprecated']) };
}
