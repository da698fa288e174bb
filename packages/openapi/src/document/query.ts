import type { CollectionDescription, DescribedSchema, QueryDescription } from '@framework/core';

/** What the query of one operation may hold, written for the document. */
export interface OperationQuery {
  /** Filters such as `$limit`, by name. */
  readonly filters: Readonly<Record<string, DescribedSchema>>;
  /** Schemas of values by the property that conditions name. */
  readonly conditions: Readonly<Record<string, DescribedSchema>>;
  /** Further operators by property. */
  readonly operators: QueryDescription['operators'];
  /** Whether conditions may be joined by `$or` and `$and`. */
  readonly joins: boolean;
}

/** What an operation does with a query. */
export type QueryUse = 'find' | 'many' | 'one' | 'create';

/** What is known of a service's queries. */
export interface KnownQueries {
  readonly query: QueryDescription | undefined;
  readonly collection: CollectionDescription | undefined;
}

const COMPARING: readonly string[] = ['$gt', '$gte', '$lt', '$lte', '$ne'];
/** Operators whose operand is a list. */
export const LISTING: readonly string[] = ['$in', '$nin'];

/**
 * The query of an operation.
 *
 * @param use `find` for lists, `many` for writes to several records, `one` for one record, `create` for new ones
 */
export function operationQuery({ query, collection }: KnownQueries, use: QueryUse): OperationQuery {
  // A record that is named by its id may have to meet conditions too; clients rarely ask for that, and each would be a parameter.
  const conditions = use === 'find' || use === 'many' ? (query?.properties ?? {}) : {};
  return {
    filters: {
      ...(use === 'find' ? listFilters(collection, Object.keys(conditions), query !== undefined) : {}),
      ...(query ? selectFilters(query) : collection ? { $select: selectOf({ type: 'string' }, LISTED) } : {}),
      ...(use === 'create' ? {} : (query?.filters ?? {})),
    },
    conditions,
    operators: query?.operators ?? {},
    joins: Object.keys(conditions).length > 0,
  };
}

/** Values that a query string lists where no schema says that it is a list (interface 8), and relations that are followed at most. */
const LISTED = 20;

const SELECT = 'Properties that the answer has; it then has no others but the id, also where its schema requires more.';

function listFilters(
  collection: CollectionDescription | undefined,
  names: readonly string[],
  known: boolean,
): Record<string, DescribedSchema> {
  if (!collection && !known) return {};
  const { paginate = false, maxSkip, cursors = false } = collection ?? {};
  const most = paginate === false || paginate.max === undefined ? '' : ` At most ${String(paginate.max)} are given.`;
  const size = paginate === false ? undefined : (paginate.default ?? paginate.max);
  // Pages that fill in examples would fill in 0.
  const direction = { type: 'integer', enum: [1, -1], examples: [1] };
  const cursor = (which: string): DescribedSchema => ({ type: 'string', description: `The cursor \`${which}\` of a page.` });
  return {
    $limit: {
      type: 'integer',
      minimum: 0,
      ...(size === undefined ? {} : { default: size }),
      description: `Most records that are given.${most}`,
    },
    $skip: {
      type: 'integer',
      minimum: 0,
      ...(maxSkip === undefined ? {} : { maximum: maxSkip }),
      description: 'Records that are left out first.',
    },
    $sort: {
      type: 'object',
      ...(known
        ? { properties: Object.fromEntries(names.map((name) => [name, direction])), additionalProperties: false }
        : { additionalProperties: direction }),
      description: 'Properties to sort by: 1 for ascending, -1 for descending.',
    },
    ...(cursors ? { $after: cursor('next'), $before: cursor('previous') } : {}),
  };
}

/** Of a list that takes each name once, a client can not ask for more than the service takes. */
function selectOf(items: DescribedSchema, maxItems: number): DescribedSchema {
  return { type: 'array', items, maxItems, uniqueItems: true, description: SELECT };
}

/** A name as a regular expression has it. */
function escaped(name: string): string {
  return name.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
}

function selectFilters({ select, relations }: QueryDescription): Record<string, DescribedSchema> {
  const names = Object.keys(relations);
  return {
    ...(select.length > 0 ? { $select: selectOf({ type: 'string', enum: select }, select.length) } : {}),
    ...(names.length > 0
      ? {
          $populate: {
            type: 'array',
            // Relations of the records behind it may follow: `author.company`.
            items: {
              anyOf: [
                { type: 'string', enum: names },
                { type: 'string', pattern: `^(?:${names.map(escaped).join('|')})\\.[^.]` },
              ],
            },
            maxItems: LISTED,
            description: `Records of other services that are put beside their ids: ${names.map((name) => `\`${name}\``).join(', ')}.`,
          },
        }
      : {}),
  };
}

/**
 * @param operand what comparisons take; `undefined` where they have none
 * @returns the operators of a property but those that take lists, with the schemas of their operands
 */
export function operatorsOf(
  operand: DescribedSchema | undefined,
  further: Readonly<Record<string, DescribedSchema>> = {},
): Record<string, DescribedSchema> {
  return { ...(operand === undefined ? {} : Object.fromEntries(COMPARING.map((name) => [name, operand]))), ...further };
}

/** A condition on one property: a value, or an object of operators, where it has any. */
export function conditionSchema(value: DescribedSchema, operators: Readonly<Record<string, DescribedSchema>>): DescribedSchema {
  if (Object.keys(operators).length === 0) return value;
  return { anyOf: [value, { type: 'object', properties: operators, additionalProperties: false, minProperties: 1 }] };
}

/**
 * The whole query as one schema, as OpenAPI 3.2 describes it.
 *
 * @param self a reference to the conditions, which `$or` and `$and` hold again
 * @param own what the author says of properties
 */
export function querySchemas(
  { filters, conditions, operators, joins }: OperationQuery,
  self: DescribedSchema,
  own: Readonly<Record<string, DescribedSchema>> = {},
): { readonly conditions: DescribedSchema; readonly query: DescribedSchema } {
  const list = { type: 'array', items: self };
  const properties = {
    ...Object.fromEntries(
      Object.entries(conditions).map(([name, value]) => {
        const lists = Object.fromEntries(LISTING.map((operator) => [operator, { type: 'array', items: value }]));
        return [name, conditionSchema(value, { ...operatorsOf(value, operators[name]), ...lists })];
      }),
    ),
    ...(joins ? { $or: list, $and: list } : {}),
  };
  return {
    conditions: { type: 'object', properties, additionalProperties: false },
    query: { type: 'object', properties: { ...filters, ...properties, ...own } },
  };
}
