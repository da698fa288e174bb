import type { DescribedSchema } from '@framework/core';
import type { Components } from './components.ts';
import { singleValue } from './single-value.ts';
import { conditionSchema, LISTING, operatorsOf, querySchemas, type OperationQuery } from './query.ts';
import type { OpenApiVersion, ParameterObject } from './types.ts';

const FORM = { style: 'form', explode: true } as const;
const DEEP = { style: 'deepObject', explode: true } as const;

/** Content of the parameter that is the whole query. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A query of which nothing is known. */
const NOTHING: OperationQuery = { filters: {}, conditions: {}, operators: {}, joins: false };

/**
 * The parameters of a query. In OpenAPI 3.1 each property has one for a value and for operators with one value, and one for each operator with a list: what
 * is nested deeper has no standard form there, and neither have objects and lists behind an operator. In OpenAPI 3.2 the whole query is one parameter, beside which there is none of a part.
 *
 * @param known what is known; `undefined` for nothing
 * @param own what the service or its author says of properties, which counts more than what is known
 * @param components takes what the query refers to
 * @param name begins the names of components
 */
export function queryParameters(
  known: OperationQuery | undefined,
  own: Readonly<Record<string, DescribedSchema>>,
  version: OpenApiVersion,
  components: Components,
  name: string,
): readonly ParameterObject[] {
  const query = known ?? NOTHING;
  if ([query.filters, query.conditions, own].every((part) => Object.keys(part).length === 0)) return [];
  if (version === '3.2') return [wholeQuery(query, own, components, name)];
  const others = [...filterParameters(query), ...conditionParameters(query)].filter((one) => !Object.hasOwn(own, one.name));
  return [...others, ...Object.entries(own).map(([property, schema]): ParameterObject => ({ name: property, in: 'query', schema }))];
}

function filterParameters({ filters }: OperationQuery): ParameterObject[] {
  return Object.entries(filters).map(([name, schema]) => parameter(name, schema, isObject(schema) ? DEEP : FORM));
}

function conditionParameters({ conditions, operators }: OperationQuery): ParameterObject[] {
  return Object.entries(conditions).flatMap(([name, value]) => {
    const single = singleValue(value);
    const lists = single === undefined ? [] : LISTING;
    return [
      parameter(name, conditionSchema(value, operatorsOf(single, operators[name])), DEEP),
      ...lists.map((operator) => parameter(`${name}[${operator}]`, { type: 'array', items: single }, FORM)),
    ];
  });
}

function parameter(name: string, schema: DescribedSchema, form: typeof FORM | typeof DEEP): ParameterObject {
  const { description, ...rest } = typeof schema === 'boolean' ? { description: undefined } : schema;
  return {
    name,
    in: 'query',
    ...(typeof description === 'string' ? { description } : {}),
    ...form,
    schema: typeof schema === 'boolean' ? schema : rest,
  };
}

function wholeQuery(
  query: OperationQuery,
  own: Readonly<Record<string, DescribedSchema>>,
  components: Components,
  name: string,
): ParameterObject {
  const self = query.joins ? components.addRecursive(`${name}Conditions`, (reference) => querySchemas(query, reference).conditions) : {};
  const schema = querySchemas(query, self, own).query;
  const encoded = [...Object.keys(query.conditions), ...(query.filters.$sort === undefined ? [] : ['$sort'])].filter(
    (property) => !Object.hasOwn(own, property),
  );
  const encoding = Object.fromEntries(encoded.map((property) => [property, DEEP]));
  return {
    name: 'query',
    in: 'querystring',
    content: { [FORM_TYPE]: { schema, ...(encoded.length > 0 ? { encoding } : {}) } },
  };
}

function isObject(schema: DescribedSchema): boolean {
  return typeof schema === 'object' && schema.type === 'object';
}
