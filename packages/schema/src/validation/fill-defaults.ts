import { isPlainObject } from '@framework/query';
import type { Options } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema, subschemas } from '../record-shape/keywords.ts';
import { alternativesOf, propertySchemas } from '../record-shape/parts.ts';
import type { References } from '../record-shape/references.ts';
import { chosenFilling, exclusion, type Alternative, type Filling } from './fill-alternative.ts';
import { MAX_DEPTH, tooDeep } from './too-deep.ts';

/** What tells whether a value fits a schema as it is. */
export type Fit = (part: JSONSchema) => (value: unknown) => boolean;

const keep: Filling = (value) => value;

/** Keywords whose schemas have to hold whatever a value is. */
const PLAIN: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'additionalProperties', 'items', 'prefixItems', 'allOf']);

/** @returns whether all defaults of a document stand where nothing is tried: those a validator fills in as they are meant, and faster */
export function isFilledByValidators(document: JSONSchema, references: References): boolean {
  const [plain, others] = [new Set([document]), new Set<JSONSchema>()];
  // Sets that grow while they are walked are walked to their end.
  for (const part of plain) {
    for (const [keyword, value] of Object.entries(part))
      for (const inner of subschemas(keyword, value)) (PLAIN.has(keyword) ? plain : others).add(inner);
    for (const target of references.of(part)) others.add(target);
  }
  for (const part of others) {
    if (part.default !== undefined) return false;
    for (const [keyword, value] of Object.entries(part)) for (const inner of subschemas(keyword, value)) others.add(inner);
    for (const target of references.of(part)) others.add(target);
  }
  return true;
}

/**
 * Fills in the defaults of the parts of one document, also behind references. Of several alternatives, that one fills in which a value fits: as it is, or
 * else as it becomes by its defaults. What is only tried (`not`, `if`, `contains`, names of properties) fills in nothing.
 */
export class Fillings {
  readonly #references: References;
  readonly #fit: Fit;
  readonly #isMissing: (value: unknown) => boolean;
  readonly #known = new Map<JSONSchema, Filling>();
  readonly #saying = new Map<JSONSchema, boolean>();
  /** What unions have made of objects in this call: where unions lie in each other, their alternatives ask for the same ones again. */
  #made = new Map<readonly Alternative[], Map<object, unknown>>();
  #depth = 0;
  #tried = 0;

  constructor(references: References, fit: Fit, useDefaults: Options['useDefaults']) {
    this.#references = references;
    this.#fit = fit;
    this.#isMissing = useDefaults === 'empty' ? isEmpty : isUndefined;
    if (useDefaults === undefined || useDefaults === false) this.of = () => keep;
  }

  /** The filling of a part of the document. */
  of(part: JSONSchema): Filling {
    const fill = this.#of(part);
    if (fill === keep) return keep;
    return (value) => {
      const isOuter = this.#depth === 0;
      try {
        return fill(value);
      } finally {
        if (isOuter) {
          this.#made = new Map();
          this.#depth = this.#tried = 0;
        }
      }
    };
  }

  #of(schema: unknown): Filling {
    if (!isSchema(schema) || !this.#saysDefaults(schema)) return keep;
    const known = this.#known.get(schema);
    if (known) return known;
    // A schema that contains itself finds this while it is compiled.
    let own = keep;
    this.#known.set(schema, (value) => this.#deeper(own, value));
    own = this.#compile(schema);
    this.#known.set(schema, own);
    return own;
  }

  /** @returns whether a default lies anywhere in a schema, or in what it leads to */
  #saysDefaults(schema: JSONSchema): boolean {
    const known = this.#saying.get(schema);
    if (known !== undefined) return known;
    const reached = new Set([schema]);
    let says = false;
    // A set that grows while it is walked is walked to its end.
    for (const one of reached) {
      says ||= one.default !== undefined;
      for (const [keyword, value] of Object.entries(one)) for (const part of subschemas(keyword, value)) reached.add(part);
      for (const target of this.#references.of(one)) reached.add(target);
    }
    for (const one of says ? [schema] : reached) this.#saying.set(one, says);
    return says;
  }

  /** Values are no deeper, but a default may contain itself. */
  #deeper(fill: Filling, value: unknown): unknown {
    if (this.#depth > MAX_DEPTH) throw tooDeep();
    this.#depth += 1;
    const filled = fill(value);
    this.#depth -= 1;
    return filled;
  }

  #compile(schema: JSONSchema): Filling {
    const { anyOf, oneOf, allOf = [], dependentSchemas, dependencies } = schema;
    const targets = this.#references.of(schema);
    const steps = [
      ...allOf.map((part) => this.#of(part)),
      // A dynamic reference means one of those that could be meant.
      targets.length > 1 ? this.#alternatives(targets, false) : this.#of(targets[0]),
      this.#object(schema),
      this.#list(schema),
      ...(anyOf ? [this.#alternatives(anyOf.filter(isSchema), false)] : []),
      ...(oneOf ? [this.#alternatives(oneOf.filter(isSchema), true)] : []),
      ...[dependentSchemas, dependencies].filter(isSchema).flatMap((map) => this.#dependent(map)),
      schema.if ? this.#condition(schema.if, schema.then, schema.else) : keep,
      this.#unevaluated(schema),
    ].filter((step) => step !== keep);
    return (value) => steps.reduce((current, step) => step(current), value);
  }

  #object({ properties = {}, patternProperties = {}, additionalProperties }: JSONSchema): Filling {
    const own = Object.entries(properties).map(([name, part]) => [name, standardOf(part), this.#of(part)] as const);
    const patterns = Object.entries(patternProperties as object).map(
      ([source, part]) => [new RegExp(source, 'u'), this.#of(part)] as const,
    );
    const rest = this.#of(additionalProperties);
    const hasMore = rest !== keep || patterns.some(([, fill]) => fill !== keep);
    if (!hasMore && own.every(([, value, fill]) => value === undefined && fill === keep)) return keep;
    const named = new Set(Object.keys(properties));
    return (value) => {
      const isPlain = isPlainObject(value);
      if (!isPlain && (!isInstance(value) || this.#tried > 0)) return value;
      let copy: Record<string, unknown> | undefined;
      const set = (name: string, made: unknown): void => {
        // An instance of a class can not be copied.
        copy ??= isPlain ? { ...value } : value;
        copy[name] = made;
      };
      for (const [name, standard, fill] of own) {
        const given = Object.hasOwn(value, name) ? value[name] : undefined;
        const isFilled = standard !== undefined && this.#isMissing(given);
        if (given === undefined && !isFilled) continue;
        const made = fill(isFilled ? standard() : given);
        if (made !== given) set(name, made);
      }
      for (const [name, given] of hasMore ? Object.entries(value) : []) {
        const matching = patterns.filter(([pattern]) => pattern.test(name));
        const fills = matching.length > 0 || named.has(name) ? matching.map(([, fill]) => fill) : [rest];
        const made = fills.reduce((current, fill) => fill(current), copy?.[name] ?? given);
        if (made !== given) set(name, made);
      }
      return copy ?? value;
    };
  }

  #list({ items, prefixItems, additionalItems }: JSONSchema): Filling {
    const places: readonly unknown[] = Array.isArray(items) ? items : [];
    const fills = (Array.isArray(prefixItems) ? prefixItems : places).map((part) => this.#of(part));
    const rest = this.#of(Array.isArray(items) ? additionalItems : items);
    if (rest === keep && fills.every((fill) => fill === keep)) return keep;
    const standards = places.map(standardOf);
    const known = standards.findLastIndex((standard) => standard !== undefined) + 1;
    return (value) => {
      if (!Array.isArray(value)) return value;
      const list: readonly unknown[] = value;
      let copy: unknown[] | undefined;
      for (let at = 0; at < Math.max(list.length, known); at++) {
        const given = list[at];
        const standard = this.#isMissing(given) ? standards[at] : undefined;
        const made = (fills[at] ?? rest)(standard === undefined ? given : standard());
        if (made === given) continue;
        copy ??= [...list];
        copy[at] = made;
      }
      return copy ?? list;
    };
  }

  #alternatives(schemas: readonly JSONSchema[], exclusive: boolean): Filling {
    const all = schemas.map((part): Alternative => {
      return { fill: this.#of(part), fits: this.#fit(part), excludes: exclusion(part, (one) => this.#references.of(one)) };
    });
    if (all.every(({ fill }) => fill === keep)) return keep;
    return (value) => {
      if (!isPlainObject(value) && !Array.isArray(value)) return value;
      const known = this.#made.get(all) ?? new Map<object, unknown>();
      this.#made.set(all, known);
      if (known.has(value)) return known.get(value);
      // An alternative that is the union itself adds nothing.
      known.set(value, value);
      this.#tried += 1;
      const filled = chosenFilling(all, value, exclusive);
      this.#tried -= 1;
      known.set(value, filled);
      return filled;
    };
  }

  /** What no part or alternative describes. */
  #unevaluated(schema: JSONSchema): Filling {
    const fill = this.#of(schema.unevaluatedProperties);
    if (fill === keep) return keep;
    const parts = [...alternativesOf(schema, (one) => this.#references.of(one))];
    return (value) => {
      if (!isPlainObject(value)) return value;
      const entries = Object.entries(value).map(([name, given]) => {
        const isDescribed = parts.some((part) => propertySchemas(part, name).length > 0);
        return [name, given, isDescribed ? given : fill(given)] as const;
      });
      const isSame = entries.every(([, given, made]) => made === given);
      return isSame ? value : Object.fromEntries(entries.map(([name, , made]) => [name, made]));
    };
  }

  #dependent(map: JSONSchema): Filling[] {
    return Object.entries(map).flatMap(([name, part]) => {
      const fill = this.#of(part);
      return fill === keep ? [] : [(value: unknown) => (isPlainObject(value) && Object.hasOwn(value, name) ? fill(value) : value)];
    });
  }

  #condition(condition: JSONSchema, yes: unknown, no: unknown): Filling {
    const [whenTrue, whenFalse] = [this.#of(yes), this.#of(no)];
    if (whenTrue === keep && whenFalse === keep) return keep;
    const fits = this.#fit(condition);
    return (value) => (fits(value) ? whenTrue(value) : whenFalse(value));
  }
}

/** @returns what gives the default of a schema, each time one of its own; `undefined` where there is none */
function standardOf(part: unknown): (() => unknown) | undefined {
  const standard: unknown = isSchema(part) ? part.default : undefined;
  if (standard === undefined) return undefined;
  return typeof standard === 'object' ? () => structuredClone(standard) : () => standard;
}

function isUndefined(value: unknown): boolean {
  return value === undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isInstance(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
