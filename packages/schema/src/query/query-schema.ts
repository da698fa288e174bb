import { checkOptionNames, checkOptionValues, type OptionKind } from '@framework/core';
import { Type, type Static, type TObject, type TSchema, type TUnsafe } from '@sinclair/typebox';
import type { JSONSchema } from '../json-schema.ts';
import { RecordShape } from '../record-shape/record-shape.ts';
import { closedTogether } from '../validation/intersect.ts';
import { Definitions, withoutDefaults } from './definitions.ts';
import { elementSchemas } from './element-schemas.ts';
import type { QueryProperties } from './query-properties.ts';
import type { QueryOf } from './query-types.ts';
import { refuseNoObject } from '../refuse-nothing.ts';
import { PROPERTIES_ONLY } from './properties-only.ts';
import { queryable } from './queryable.ts';

/** Further operators by property, as schemas. */
export type QueryExtensions = Readonly<Record<string, Readonly<Record<string, JSONSchema>>>>;

/** Options of {@link querySyntax}. */
export interface QuerySyntaxOptions {
  /** Whether properties that the record does not have may be queried. Default: `false`. */
  additionalProperties?: boolean;
  /** Whether properties that the record hides may be queried: for calls on the server alone. Default: `false`. */
  hidden?: boolean;
}

const NOTHING: JSONSchema = Object.freeze({ not: Object.freeze({}) });

const KINDS: Readonly<Record<keyof QuerySyntaxOptions, OptionKind>> = { additionalProperties: 'flag', hidden: 'flag' };
const OPTIONS: ReadonlySet<string> = new Set(Object.keys(KINDS));

/**
 * Makes the schema of queries from the schema of a record: filters and operators with the right types of values, nested
 * `$or` and `$and`, paths into nested objects. Hidden properties are left out. Other operators, for example `$regex`, exist only where they are added.
 *
 * @param record TypeBox object, JSON schema of an object, or the `properties` of one
 * @param extensions further operators by property: `{ name: { $regex: { type: 'string' } } }`
 * @returns a schema; for `properties` the properties of a query, to be put into a schema of one's own
 * @throws TypeError for an option that is unknown or can not be meant, and for extensions of what the record does not have, Error for a record that can not be seen through
 * @see interface 4.6
 */
export function querySyntax<T extends TObject>(
  record: T,
  extensions?: QueryExtensions,
  options?: QuerySyntaxOptions,
): TUnsafe<QueryOf<Static<T>>>;
export function querySyntax<T extends TSchema>(
  record: T,
  extensions?: QueryExtensions,
  options?: QuerySyntaxOptions,
): TUnsafe<QueryOf<Static<T>>>;
export function querySyntax<const P extends Readonly<Record<string, JSONSchema>>>(
  properties: P,
  extensions?: QueryExtensions,
  options?: QuerySyntaxOptions,
): QueryProperties<P>;
export function querySyntax(record: JSONSchema, extensions?: QueryExtensions, options?: QuerySyntaxOptions): JSONSchema;
export function querySyntax(
  record: JSONSchema | Readonly<Record<string, JSONSchema>>,
  extensions: QueryExtensions = {},
  options: QuerySyntaxOptions = {},
): JSONSchema | Record<string, JSONSchema> {
  checkOptionNames('querySyntax()', options, OPTIONS);
  checkOptionValues('querySyntax()', options, KINDS);
  refuseNoObject('querySyntax() takes the schema of a record, or its properties', record);
  if (isRecordSchema(record)) return Type.Unsafe(querySchemaOf(new RecordShape(closedTogether(record)), extensions, options));
  const { properties = {} } = querySchemaOf(new RecordShape({ type: 'object', properties: record }), extensions, options);
  return Object.defineProperty({ ...properties }, PROPERTIES_ONLY, { value: true });
}

/**
 * @param document whether the schema stands alone: what it says more than once then stands in its `$defs`, which takes a validator a small part of the
 *   time to compile. One that is put into another schema has to do without pointers. Default: `false`
 * @returns the schema of queries of a record whose shape is known
 */
export function querySchemaOf(
  { root, referenced }: Pick<RecordShape, 'root' | 'referenced'>,
  extensions: QueryExtensions,
  { additionalProperties = false, hidden = false }: QuerySyntaxOptions,
  document = false,
): JSONSchema {
  const { conditions: schemas, select } = queryable(root, hidden);
  checkExtensions(extensions, new Set([...schemas.keys(), ...root.names]));
  const definitions = new Definitions(referenced, true);
  const askedOf = (schema: JSONSchema): JSONSchema =>
    withElements(
      definitions.taken(schema),
      elementSchemas(schema, (one) => referenced.of(one)).map((element) => definitions.taken(element)),
    );
  const names = [...schemas.keys()];
  const conditions = Object.fromEntries(
    names.map((name) => [
      name,
      propertyCondition(askedOf(schemas.get(name) ?? {}), extensions[name], document ? (value) => definitions.shared(value) : keep),
    ]),
  );
  // What the record has, and nobody may ask about, is none of what it does not have.
  const kept =
    additionalProperties && !hidden ? Object.fromEntries(root.names.flatMap((name) => (schemas.has(name) ? [] : [[name, NOTHING]]))) : {};
  // Code on the server sorts by, and selects, what it may query.
  const open = additionalProperties && hidden;
  const direction: JSONSchema = { type: 'integer', enum: [1, -1] };
  const once = document ? (schema: JSONSchema): JSONSchema => definitions.shared(schema) : keep;
  const base = { type: 'object', properties: { ...conditions, ...kept }, additionalProperties };
  const innermost = logical(base, once(base));
  const nested = logical(innermost, once(innermost));
  const filters: Record<string, JSONSchema> = {
    $limit: { type: 'integer', minimum: 0 },
    $skip: { type: 'integer', minimum: 0 },
    // Cursors are opaque; a service that does not page by them refuses them.
    $after: { type: 'string' },
    $before: { type: 'string' },
    $sort: {
      type: 'object',
      additionalProperties: open ? direction : false,
      properties: Object.fromEntries(names.map((name) => [name, { ...direction }])),
    },
    $select: open
      ? { type: 'array', items: { type: 'string' } }
      : { type: 'array', maxItems: select.length, items: { type: 'string', ...(select.length > 0 ? { enum: select } : {}) } },
  };
  return {
    ...nested,
    properties: { ...nested.properties, ...filters, ...(extensions.$root ?? {}) },
    ...(Object.keys(definitions.parts).length > 0 ? { $defs: definitions.parts } : {}),
  };
}

/** What the record does not have, and what is no operator, would be in no query, and nobody would be told. */
function checkExtensions(extensions: QueryExtensions, names: ReadonlySet<string>): void {
  for (const [name, operators] of Object.entries(extensions)) {
    if (name !== '$root' && !names.has(name))
      throw new TypeError(
        `The extensions of a query schema are for '${name}', and the record has no such property. It has ${[...names].join(', ')}`,
      );
    const operator = Object.keys(operators).find((each) => !each.startsWith('$'));
    if (operator !== undefined)
      throw new TypeError(
        `The extensions of '${name}' in a query schema have '${operator}': operators and filters begin with a $, as '$${operator}' does`,
      );
  }
}

/**
 * The schema of conditions on one property, to be put into a query schema of one's own.
 *
 * @param schema schema of the property
 * @param extensions further operators: `{ $regex: { type: 'string' } }`. Default: none
 */
export function queryProperty(schema: JSONSchema, extensions: Readonly<Record<string, JSONSchema>> = {}): JSONSchema {
  refuseNoObject('queryProperty() takes the schema of a property', schema);
  return propertyCondition(askedAlone(schema), extensions);
}

/**
 * The schemas of conditions on several properties.
 *
 * @param properties schemas by property
 * @param extensions further operators by property. Default: none
 */
export function queryProperties(
  properties: Readonly<Record<string, JSONSchema>>,
  extensions: QueryExtensions = {},
): Record<string, JSONSchema> {
  refuseNoObject('queryProperties() takes schemas by property', properties);
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, queryProperty(schema, extensions[name])]));
}

/** What it refers to stands in the schema that it is put into. */
function askedAlone(schema: JSONSchema): JSONSchema {
  const asked = withoutDefaults(schema);
  return withElements(
    asked,
    elementSchemas(asked, () => []),
  );
}

/** The elements of a list may be asked for as well. */
function withElements(value: JSONSchema, elements: readonly JSONSchema[]): JSONSchema {
  return elements.length === 0 ? value : { anyOf: [...elements, value] };
}

/** Properties alone have no keyword of a schema whose value fits it. */
function isRecordSchema(record: JSONSchema | Readonly<Record<string, JSONSchema>>): record is JSONSchema {
  const { type, $ref, allOf, anyOf, oneOf } = record as JSONSchema;
  return typeof type === 'string' || typeof $ref === 'string' || [allOf, anyOf, oneOf].some(Array.isArray);
}

/** The same conditions with `$or` and `$and` of the given ones. */
function logical(base: JSONSchema, inner: JSONSchema): JSONSchema {
  const list: JSONSchema = { type: 'array', items: inner };
  return { ...base, properties: { ...base.properties, $or: list, $and: list } };
}

/**
 * The schema of a condition on one property: a value, or an object of operators.
 *
 * @param whole schema of what is asked for
 * @param extensions further operators of this property. Default: none
 * @param once gives what stands for a schema that is said more than once. Default: the schema
 */
function propertyCondition(
  whole: JSONSchema,
  extensions: Readonly<Record<string, JSONSchema>> = {},
  once: (schema: JSONSchema) => JSONSchema = keep,
): JSONSchema {
  const single = once(whole);
  const list: JSONSchema = { type: 'array', items: single };
  const operators: JSONSchema = {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    properties: { $gt: single, $gte: single, $lt: single, $lte: single, $ne: single, $in: list, $nin: list, ...extensions },
  };
  // A value that is never an object needs no second try: that is faster, and its errors say what is meant.
  return isNeverObject(whole) ? { if: { type: 'object' }, then: operators, else: single } : { anyOf: [single, operators] };
}

function keep(schema: JSONSchema): JSONSchema {
  return schema;
}

function isNeverObject({ type, enum: literals, const: literal, anyOf, ...rest }: JSONSchema): boolean {
  if (anyOf) return anyOf.every(isNeverObject);
  if (literals ?? literal) return [...(literals ?? []), literal].every((value) => typeof value !== 'object' || value === null);
  const types = typeof type === 'string' ? [type] : (type ?? []);
  return types.length > 0 && !types.includes('object') && rest.oneOf === undefined && rest.allOf === undefined;
}
