import { isDeepStrictEqual } from 'node:util';
import type { JSONSchema } from '../json-schema.ts';
import { isSchema } from './keywords.ts';
import type { References } from './references.ts';

/** One of several kinds of records, as the schema of a change describes it. */
export interface Kind {
  readonly schema: JSONSchema;
  /** What records of this kind have at the property that tells kinds apart. */
  readonly values: readonly unknown[];
}

/** Kinds of records that the values of one property tell apart. */
export interface Kinds {
  readonly name: string;
  readonly kinds: readonly Kind[];
}

/**
 * @param isTelling whether a property may tell kinds apart. Default: one that all of them need
 * @returns the kinds of records of a schema whose root is a union, or has unions among its parts
 */
export function kindsOf(schema: JSONSchema, references: References, isTelling?: (name: string) => boolean): readonly Kinds[] {
  if (!ends(schema, references)) return [];
  const unions = partsOf(schema, references).flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]);
  return unions.flatMap((union) => toldApart(alternativesIn(union, references), references, isTelling));
}

/** @returns the alternatives of a union, and in the place of unions among them theirs */
function alternativesIn(union: readonly unknown[] | undefined, references: References): readonly JSONSchema[] {
  return (union ?? []).filter(isSchema).flatMap((schema) => {
    const parts = partsOf(schema, references);
    const [inner, another] = parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf].filter((one) => one !== undefined));
    const isUnion = inner !== undefined && another === undefined && parts.every(({ properties }) => properties === undefined);
    return isUnion ? alternativesIn(inner, references) : [schema];
  });
}

/** Of several properties that tell kinds apart one is enough. */
function toldApart(schemas: readonly JSONSchema[], references: References, isTelling?: (name: string) => boolean): Kinds[] {
  const [first] = schemas;
  if (first === undefined || schemas.length < 2) return [];
  for (const name of namesIn(first, references)) {
    if (!(isTelling?.(name) ?? schemas.every((schema) => isNeeded(schema, name, references)))) continue;
    const kinds = schemas.map((schema) => ({ schema, values: literalsAt(schema, name, references) }));
    const all = kinds.flatMap(({ values }) => values);
    const isTold =
      kinds.every(({ values }) => values.length > 0) &&
      all.every((value, at) => !all.slice(0, at).some((other) => isDeepStrictEqual(value, other)));
    if (isTold) return [{ name, kinds }];
  }
  return [];
}

/** What describes a value in any case: the schema, what it refers to, and the parts of intersections. */
function partsOf(schema: JSONSchema, references: References): readonly JSONSchema[] {
  const parts = new Set([schema]);
  // A set that grows while it is walked is walked to its end.
  for (const part of parts) {
    const targets = references.of(part);
    for (const more of [...(part.allOf ?? []), ...(targets.length === 1 ? targets : [])]) if (isSchema(more)) parts.add(more);
  }
  return [...parts];
}

/** Whether a schema is no alternative or part of itself, which says nothing of a value. */
function ends(schema: JSONSchema, references: References, around: readonly JSONSchema[] = [], known = new Set<JSONSchema>()): boolean {
  if (around.includes(schema)) return false;
  if (known.has(schema)) return true;
  known.add(schema);
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  const inner = [...allOf, ...anyOf, ...oneOf, ...references.of(schema)].filter(isSchema);
  return inner.every((one) => ends(one, references, [...around, schema], known));
}

function namesIn(schema: JSONSchema, references: References): readonly string[] {
  return partsOf(schema, references).flatMap(({ properties, anyOf, oneOf }) => [
    ...Object.keys(properties ?? {}),
    ...[anyOf?.[0], oneOf?.[0]].filter(isSchema).flatMap((inner) => namesIn(inner, references)),
  ]);
}

function isNeeded(schema: JSONSchema, name: string, references: References): boolean {
  return partsOf(schema, references).some(({ required, anyOf, oneOf }) => {
    const union = anyOf ?? oneOf ?? [];
    return (
      required?.includes(name) === true ||
      (union.length > 0 && union.every((inner) => isSchema(inner) && isNeeded(inner, name, references)))
    );
  });
}

/** @returns the literals that a property may have; none where it may have others */
function literalsAt(schema: JSONSchema, name: string, references: References): readonly unknown[] {
  for (const { properties, anyOf, oneOf } of partsOf(schema, references)) {
    const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const found = isSchema(own) ? literalsOf(own, references) : ofAll(anyOf ?? oneOf, (inner) => literalsAt(inner, name, references));
    if (found.length > 0) return found;
  }
  return [];
}

function literalsOf(schema: JSONSchema, references: References): readonly unknown[] {
  if (!ends(schema, references)) return [];
  for (const part of partsOf(schema, references)) {
    const found = 'const' in part ? [part.const] : (part.enum ?? ofAll(part.anyOf ?? part.oneOf, (inner) => literalsOf(inner, references)));
    if (found.length > 0 && found.every((value) => typeof value !== 'object')) return found;
  }
  return [];
}

/** @returns what each of some schemas gives; nothing where one gives nothing */
function ofAll(schemas: readonly unknown[] | undefined, of: (schema: JSONSchema) => readonly unknown[]): readonly unknown[] {
  const given = (schemas ?? []).map((schema) => (isSchema(schema) ? of(schema) : []));
  return given.some((values) => values.length === 0) ? [] : given.flat();
}
