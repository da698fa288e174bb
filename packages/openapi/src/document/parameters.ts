import type { DescribedSchema } from '@framework/core';
import type { Components } from './components.ts';
import { conditionSchema, LISTING, operatorsOf, querySchemas, type OperationQuery } from './query.ts';
import type { OpenApiVersion, ParameterObject } from './types.ts';

const FORM = { style: 'form', explode: true } as const;
const DEEP = { style: 'deepObject', explode: true } as const;

/**
 * The parameters of a query. In OpenAPI 3.1 each property has one for a value and for operators with one value, and one for each operator with a list: what
 * is nested deeper has no standard form there. In OpenAPI 3.2 the whole query is one parameter.
 *
 * @param components takes what the query refers to
 * @param name begins the names of components
 */
export function queryParameters(
  query: OperationQuery,
  version: OpenApiVersion,
  components: Components,
  name: string,
): readonly ParameterObject[] {
  const isEmpty = Object.keys(query.filters).length === 0 && Object.keys(query.conditions).length === 0;
  if (isEmpty) return [];
  return version === '3.2' ? [wholeQuery(query, components, name)] : [...filterParameters(query), ...conditionParameters(query)];
}

function filterParameters({ filters }: OperationQuery): ParameterObject[] {
  return Object.entries(filters).map(([name, schema]) => parameter(name, schema, isObject(schema) ? DEEP : FORM));
}

function conditionParameters({ conditions, operators }: OperationQuery): ParameterObject[] {
  return Object.entries(conditions).flatMap(([name, value]) => [
    parameter(name, conditionSchema(value, operatorsOf(value, operators[name])), DEEP),
    ...LISTING.map((operator) => parameter(`${name}[${operator}]`, { type: 'array', items: value }, FORM)),
  ]);
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

function wholeQuery(query: OperationQuery, components: Components, name: string): ParameterObject {
  const self = query.joins ? components.addRecursive(`${name}Conditions`, (reference) => querySchemas(query, reference).conditions) : {};
  const { query: schema } = querySchemas(query, self);
  const encoded = [...Object.keys(query.conditions), ...(query.filters.$sort === undefined ? [] : ['$sort'])];
  const encoding = Object.fromEntries(encoded.map((property) => [property, DEEP]));
  return {
    name: 'query',
    in: 'querystring',
    content: { 'application/x-www-form-urlencoded': { schema, ...(encoded.length > 0 ? { encoding } : {}) } },
  };
}

function isObject(schema: DescribedSchema): boolean {
  return typeof schema === 'object' && schema.type === 'object';
}
