import { isPlainObject } from '@framework/query';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from '../record-shape/keywords.ts';
import { alternativesOf } from '../record-shape/parts.ts';
import { excludedBy } from './object-test.ts';
import type { Rewrite } from './rewrites.ts';
import { typesOf } from './value-type.ts';

/** One of the schemas of a union. */
export interface Alternative {
  readonly fill: Rewrite;
  /** What a validator says of the value as it is: it looks at all of it. */
  readonly fits: (value: unknown) => boolean;
  /** Whether the value can not fit, whatever is filled in. */
  readonly excludes: (value: unknown) => boolean;
}

/**
 * What the first alternative that an object or a list fits makes of it: as it is, or else with its defaults.
 *
 * @param exclusive whether it may fit no other one, then
 * @returns the value itself where none is meant
 */
export function chosenFilling(all: readonly Alternative[], value: unknown, exclusive: boolean): unknown {
  const left = all.filter((one) => !one.excludes(value));
  const [only] = left;
  if (only && left.length === 1) {
    const filled = only.fill(value);
    // Where it does not fit, the value is refused: no other one takes it either.
    if (all.every((other) => other === only || other.excludes(filled))) return filled;
  }
  const fitting = left.filter(({ fits }) => fits(value));
  const meant = fitting.length === 0 ? left : exclusive && fitting.length > 1 ? [] : fitting.slice(0, 1);
  for (const one of meant) {
    const filled = one.fill(value);
    if (filled === value || !one.fits(filled)) continue;
    if (!exclusive || all.every((other) => other === one || !other.fits(filled))) return filled;
  }
  return value;
}

/** Keywords whose schemas may fill in more than what stands beside them. */
const CONDITIONS: readonly string[] = ['if', 'dependentSchemas', 'dependencies'];

/**
 * Tells by the type of a value, by its texts and by the names of its properties that it can not fit an alternative.
 *
 * @param targetsOf what a schema refers to
 */
export function exclusion(alternative: JSONSchema, targetsOf: (schema: JSONSchema) => readonly JSONSchema[]): Alternative['excludes'] {
  const inPlace = [...alternativesOf(alternative, targetsOf)];
  const parts = [...allOfThem(alternative, targetsOf)];
  const types = parts.map(typesOf).filter((names) => names.length > 0);
  const hasConditions = inPlace.some((part) => CONDITIONS.some((keyword) => part[keyword] !== undefined));
  const mayBeFilled = (name: string): boolean =>
    hasConditions || inPlace.some(({ properties = {} }) => Object.hasOwn(properties, name) && properties[name]?.default !== undefined);
  const needed = parts.flatMap(({ required = [] }) => required).filter((name) => !mayBeFilled(name));
  const closed = parts.flatMap(({ properties = {}, patternProperties, additionalProperties }) =>
    additionalProperties === false && patternProperties === undefined ? [new Set(Object.keys(properties))] : [],
  );
  const byText = excludedBy(parts);
  return (value) => {
    const type = Array.isArray(value) ? 'array' : 'object';
    if (types.some((names) => !names.includes(type))) return true;
    if (!isPlainObject(value)) return false;
    const names = Object.keys(value);
    return (
      needed.some((name) => !Object.hasOwn(value, name)) || closed.some((known) => !names.every((name) => known.has(name))) || byText(value)
    );
  };
}

/** The schemas that a value of a schema has to fit, each of them. */
function allOfThem(schema: JSONSchema, targetsOf: (schema: JSONSchema) => readonly JSONSchema[]): ReadonlySet<JSONSchema> {
  const found = new Set([schema]);
  // A set that grows while it is walked is walked to its end.
  for (const one of found) {
    const targets = targetsOf(one);
    for (const part of [...(one.allOf ?? []), ...(targets.length > 1 ? [] : targets)]) if (isSchema(part)) found.add(part);
  }
  return found;
}
