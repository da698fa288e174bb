import { isDocument, typeName, type Doc, type Value } from '../bson/values.ts';
import type { SortKey } from './sort.ts';
import { asksForElement } from './element-tests.ts';
import { hasOperators } from './value-tests.ts';

/** What of a query decides which plan it may get: its values do not. */
export interface ShapedQuery {
  readonly filter: Doc;
  readonly sort: readonly SortKey[];
  /** What is sent of each document; undefined for all of it. */
  readonly projection?: Doc | undefined;
}

/** @returns a text that queries share when they differ in the values that they compare with alone */
export function queryShape({ filter, sort, projection }: ShapedQuery): string {
  const order = sort.map(({ name, direction, meta }) => [name, meta ?? direction]);
  return JSON.stringify([partsOf(filter), order, projection ? valueShape(projection) : {}]);
}

/** The conditions of a filter, `$and` laid open, in an order of their own. */
function partsOf(filter: Doc): string[] {
  return Object.keys(filter)
    .flatMap((name) => {
      const condition = filter[name];
      if (name === '$and' && Array.isArray(condition))
        return (condition as Value[]).flatMap((part) => (isDocument(part) ? partsOf(part) : []));
      if (Array.isArray(condition) && (name === '$or' || name === '$nor')) return [`${name}${branches(condition as Value[])}`];
      if (name.startsWith('$')) return [`${name}${JSON.stringify(valueShape(condition))}`];
      return conditionsOf(condition).map((text) => `${JSON.stringify(name)}${text}`);
    })
    .sort();
}

function branches(list: readonly Value[]): string {
  return JSON.stringify(list.map((part) => (isDocument(part) ? partsOf(part) : [])).sort());
}

/** The operators that one field is asked for. */
function conditionsOf(condition: Value): string[] {
  if (typeName(condition) === 'regex') return ['$regex'];
  if (!isDocument(condition) || !hasOperators(condition)) return ['$eq'];
  return Object.keys(condition).map((operator) => {
    const operand = condition[operator];
    if (operator === '$not') return `$not${JSON.stringify(conditionsOf(operand))}`;
    if (operator === '$elemMatch' && isDocument(operand))
      return `$elemMatch${JSON.stringify(asksForElement(operand) ? conditionsOf(operand) : partsOf(operand))}`;
    return operator;
  });
}

/** Expressions and projections keep names and operators, and lose nothing but plain values. */
function valueShape(value: Value): unknown {
  if (Array.isArray(value)) return (value as Value[]).map(valueShape);
  if (isDocument(value)) return Object.fromEntries(Object.keys(value).map((name) => [name, valueShape(value[name])]));
  if (typeof value === 'string' && value.startsWith('$')) return value;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) !== 0 : typeName(value);
}
