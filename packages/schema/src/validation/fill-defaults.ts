import { isPlainObject } from '@framework/query';
import type { Options } from 'ajv';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema, subschemas } from '../record-shape/keywords.ts';
import { alternativesOf, prefixOf, propertySchemas } from '../record-shape/parts.ts';
import type { References } from '../record-shape/references.ts';
import { chosenFilling, exclusion, type Alternative } from './fill-alternative.ts';
import { keep, Rewrites, type Rewrite } from './rewrites.ts';

/** What tells whether a value fits a schema as it is. */
export type Fit = (part: JSONSchema) => (value: unknown) => boolean;

/** Keywords that divide a value into parts, each of which one schema describes: whatever is filled in first, the same comes of it. */
const PLAIN: ReadonlySet<string> = new Set(['properties', 'additionalProperties', 'items', 'prefixItems']);
/** Keywords whose schemas mean something where they are referred to. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** @returns whether each default of a document stands where one schema alone describes the value: there a validator fills in what is meant, and faster */
export function isFilledByValidators(document: JSONSchema, references: References): boolean {
  const plain = new Set([document]);
  const others = new Set<JSONSchema>();
  // A set that grows while it is walked is walked to its end.
  for (const part of plain) {
    const inner = Object.entries(part).flatMap(([keyword, value]) => (DEFINITIONS.has(keyword) ? [] : subschemas(keyword, value)));
    const divided = [...PLAIN].flatMap((keyword) => subschemas(keyword, part[keyword]));
    const targets = references.of(part);
    const isPlain = inner.length === divided.length && targets.length === 0;
    for (const one of [...inner, ...targets]) (isPlain ? plain : others).add(one);
  }
  return [...reachedFrom(others, references)].every((part) => part.default === undefined);
}

/** @returns what some schemas contain, and what they lead to */
function reachedFrom(schemas: Iterable<JSONSchema>, references: References): ReadonlySet<JSONSchema> {
  const reached = new Set(schemas);
  for (const part of reached) {
    for (const [keyword, value] of Object.entries(part)) for (const inner of subschemas(keyword, value)) reached.add(inner);
    for (const target of references.of(part)) reached.add(target);
  }
  return reached;
}

/**
 * Fills in the defaults of the parts of one document, also behind references. Of several alternatives, that one fills in which a value fits: as it is, or
 * else as it becomes by its defaults. What is only tried (`not`, `if`, `contains`, names of properties) fills in nothing.
 */
export class Fillings extends Rewrites {
  readonly #references: References;
  readonly #fit: Fit;
  readonly #isMissing: (value: unknown) => boolean;
  readonly #isOn: boolean;
  readonly #saying = new Map<JSONSchema, boolean>();

  constructor(references: References, fit: Fit, useDefaults: Options['useDefaults']) {
    super();
    this.#references = references;
    this.#fit = fit;
    this.#isMissing = useDefaults === 'empty' ? isEmpty : isUndefined;
    this.#isOn = useDefaults !== undefined && useDefaults !== false;
  }

  protected override of(schema: unknown): Rewrite {
    return this.#isOn && isSchema(schema) && this.#saysDefaults(schema) ? super.of(schema) : keep;
  }

  /** @returns whether a default lies anywhere in a schema, or in what it leads to */
  #saysDefaults(schema: JSONSchema): boolean {
    const known = this.#saying.get(schema);
    if (known !== undefined) return known;
    const reached = reachedFrom([schema], this.#references);
    const says = [...reached].some((one) => one.default !== undefined);
    for (const one of says ? [schema] : reached) this.#saying.set(one, says);
    return says;
  }

  protected override compile(schema: JSONSchema): Rewrite {
    const { anyOf, oneOf, allOf = [], dependentSchemas, dependencies } = schema;
    const targets = this.#references.of(schema);
    const steps = [
      // A dynamic reference means one of those that could be meant.
      targets.length > 1 ? this.#alternatives(targets, false) : this.of(targets[0]),
      ...allOf.map((part) => this.of(part)),
      this.#object(schema),
      this.#list(schema),
      ...(anyOf ? [this.#alternatives(anyOf.filter(isSchema), false)] : []),
      ...(oneOf ? [this.#alternatives(oneOf.filter(isSchema), true)] : []),
      ...[dependentSchemas, dependencies].filter(isSchema).flatMap((map) => this.#dependent(map)),
      schema.if ? this.#condition(schema.if, schema.then, schema.else) : keep,
      this.#unevaluatedProperties(schema),
      this.#unevaluatedItems(schema),
    ].filter((step) => step !== keep);
    return (value) => steps.reduce((current, step) => step(current), value);
  }

  #object({ properties = {}, patternProperties = {}, additionalProperties }: JSONSchema): Rewrite {
    const own = Object.entries(properties).map(([name, part]) => [name, standardOf(part), this.of(part)] as const);
    const patterns = Object.entries(patternProperties as object).map(([source, part]) => [new RegExp(source, 'u'), this.of(part)] as const);
    const rest = this.of(additionalProperties);
    const hasMore = rest !== keep || patterns.some(([, fill]) => fill !== keep);
    if (!hasMore && own.every(([, value, fill]) => value === undefined && fill === keep)) return keep;
    const named = new Set(Object.keys(properties));
    return (value) => {
      const isPlain = isPlainObject(value);
      if (!isPlain && (!isInstance(value) || this.unions > 0)) return value;
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
      // Also what was filled in just now.
      for (const [name, given] of hasMore ? Object.entries(copy ?? value) : []) {
        const matching = patterns.filter(([pattern]) => pattern.test(name));
        const fills = matching.length > 0 || named.has(name) ? matching.map(([, fill]) => fill) : [rest];
        const made = fills.reduce((current, fill) => fill(current), given);
        if (made !== given) set(name, made);
      }
      return copy ?? value;
    };
  }

  #list({ items, prefixItems, additionalItems }: JSONSchema): Rewrite {
    const places: readonly unknown[] = Array.isArray(items) ? items : [];
    const fills = (Array.isArray(prefixItems) ? prefixItems : places).map((part) => this.of(part));
    const rest = this.of(Array.isArray(items) ? additionalItems : items);
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

  #alternatives(schemas: readonly JSONSchema[], exclusive: boolean): Rewrite {
    const all = schemas.map((part): Alternative => {
      return { fill: this.of(part), fits: this.#fit(part), excludes: exclusion(part, (one) => this.#references.of(one)) };
    });
    if (all.every(({ fill }) => fill === keep)) return keep;
    return (value) => {
      if (!isPlainObject(value) && !Array.isArray(value)) return value;
      return this.inUnion(all, value, () => chosenFilling(all, value, exclusive));
    };
  }

  /** Properties that no part or alternative describes. */
  #unevaluatedProperties(schema: JSONSchema): Rewrite {
    const fill = this.of(schema.unevaluatedProperties);
    if (fill === keep) return keep;
    const parts = this.#partsOf(schema);
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

  /** Elements that no part or alternative describes. */
  #unevaluatedItems(schema: JSONSchema): Rewrite {
    const fill = this.of(schema.unevaluatedItems);
    if (fill === keep) return keep;
    const parts = this.#partsOf(schema);
    if (parts.some(describesRest)) return keep;
    const described = Math.max(...parts.map((part) => prefixOf(part).length));
    return (value) => {
      if (!Array.isArray(value)) return value;
      const list: readonly unknown[] = value;
      const made = list.map((given, at) => (at < described ? given : fill(given)));
      return made.every((one, at) => one === list[at]) ? list : made;
    };
  }

  #partsOf(schema: JSONSchema): readonly JSONSchema[] {
    return [...alternativesOf(schema, (one) => this.#references.of(one))];
  }

  #dependent(map: JSONSchema): Rewrite[] {
    return Object.entries(map).flatMap(([name, part]) => {
      const fill = this.of(part);
      return fill === keep ? [] : [(value: unknown) => (isPlainObject(value) && Object.hasOwn(value, name) ? fill(value) : value)];
    });
  }

  #condition(condition: JSONSchema, yes: unknown, no: unknown): Rewrite {
    const [whenTrue, whenFalse] = [this.of(yes), this.of(no)];
    if (whenTrue === keep && whenFalse === keep) return keep;
    const fits = this.#fit(condition);
    return (value) => (fits(value) ? whenTrue(value) : whenFalse(value));
  }
}

/** @returns whether a schema describes all elements of a list behind the first ones; validators take those for described among which one is looked for */
function describesRest({ items, additionalItems, contains }: JSONSchema): boolean {
  return (contains ?? (Array.isArray(items) ? additionalItems : items)) !== undefined;
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
