import { typeRank } from '../bson/compare.ts';
import { type Doc, isDocument, typeName, type Value } from '../bson/values.ts';
import { type Cap, capOfOperator } from '../geo/cells.ts';
import { placeOperators } from '../geo/geo-tests.ts';
import { equality } from '../query/any-of.ts';
import { hasOperators } from '../query/value-tests.ts';
import type { Bound } from './keys/index-key.ts';

/** What a filter demands of one field, as far as an index can use it. */
export interface Demand {
  equal: readonly Value[] | undefined;
  low: Bound | undefined;
  high: Bound | undefined;
  /** Bounds for values of all types, where a list is no such value; documents without the field may lie within them. */
  across?: { readonly low: Bound | undefined; readonly high: Bound | undefined };
  /** The part of the earth that it lies in, where that is asked. */
  place?: () => Cap | undefined;
}

/**
 * @param implied conditions on single fields that the expressions of the filter demand
 * @returns what a filter demands of each field
 */
export function readDemands(filter: Doc, implied: readonly Doc[] = []): Map<string, Demand> {
  const demands = new Map<string, Demand>();
  const visit = (part: Doc): void => {
    for (const name of Object.keys(part)) {
      if (name === '$and') for (const branch of part[name] as Doc[]) visit(branch);
      else if (name === '$or') addAlternatives(demands, part[name] as Doc[]);
      else if (!name.startsWith('$')) addDemand(demands, name, part[name]);
    }
  };
  visit(filter);
  const compared = new Map<string, Demand>();
  for (const condition of implied) for (const name of Object.keys(condition)) addDemand(compared, name, condition[name]);
  for (const [name, { equal, low, high }] of compared) {
    const demand = demands.get(name) ?? { equal: undefined, low: undefined, high: undefined };
    demand.equal ??= equal;
    const across = (bound: Bound | undefined): Bound | undefined => bound && { ...bound, across: true };
    if (excludesLists(low, high)) demand.across = { low: across(low), high: across(high) };
    demands.set(name, demand);
  }
  return demands;
}

/** Between bounds of expressions a list is above texts and below dates, whatever is in it. */
function excludesLists(low: Bound | undefined, high: Bound | undefined): boolean {
  return (high !== undefined && typeRank(high.value) < typeRank([])) || (low !== undefined && typeRank(low.value) > typeRank([]));
}

/** Branches that ask one field for values are a list of values. */
function addAlternatives(demands: Map<string, Demand>, branches: readonly Doc[]): void {
  const [name = '', ...others] = Object.keys(branches[0] ?? {});
  if (name === '' || name.startsWith('$') || others.length > 0) return;
  const isOne = (branch: Doc): boolean => Object.keys(branch).length === 1 && equality(branch[name]) !== undefined;
  if (branches.every(isOne)) addDemand(demands, name, { $in: branches.map((branch) => equality(branch[name])) });
}

function addDemand(demands: Map<string, Demand>, name: string, condition: Value): void {
  const demand = demands.get(name) ?? { equal: undefined, low: undefined, high: undefined };
  const operators: Doc = isDocument(condition) && hasOperators(condition) ? condition : { $eq: condition };
  for (const operator of Object.keys(operators)) {
    const operand = operators[operator];
    if (placeOperators.includes(operator)) demand.place ??= () => capOfOperator(operand);
    else if (operator === '$eq' && indexable(operand)) demand.equal ??= [operand];
    else if (operator === '$in' && (operand as Value[]).every(indexable)) demand.equal ??= operand as Value[];
    else if (ranged(operand)) {
      if (operator === '$gt' || operator === '$gte') demand.low ??= { value: operand, inclusive: operator === '$gte' };
      else if (operator === '$lt' || operator === '$lte') demand.high ??= { value: operand, inclusive: operator === '$lte' };
    }
  }
  demands.set(name, demand);
}

/** Arrays and patterns also match in ways that keys do not show. */
function indexable(value: Value): boolean {
  return !Array.isArray(value) && typeName(value) !== 'regex';
}

function ranged(value: Value): boolean {
  const type = typeName(value);
  return (
    !['null', 'missing', 'array', 'regex', 'minKey', 'maxKey', 'object'].includes(type) &&
    !(typeof value === 'number' && Number.isNaN(value))
  );
}
