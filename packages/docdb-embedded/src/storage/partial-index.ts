import { toNumber } from '../bson/arithmetic.ts';
import type { Collator } from '../bson/collation.ts';
import { compare } from '../bson/compare.ts';
import { type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { hasOperators } from '../query/value-tests.ts';

/** The collation by which texts are compared; none for their bytes. */
interface Texts {
  readonly collator: Collator | undefined;
}

/** A condition on one field. */
type Condition = readonly [operator: string, operand: Value];

/**
 * Whether every document that a query finds is in a partial index: the query asks for no less than the index does.
 *
 * @param texts how both compare texts; `undefined` where they do so differently: a condition with texts says nothing of another one then
 */
export function isWithin(filter: Doc, expression: Doc, texts: Texts | undefined): boolean {
  return Object.keys(expression).every((name) => {
    const wanted = expression[name];
    if (name === '$and') return branches(wanted).every((branch) => isWithin(filter, branch, texts));
    if (name === '$or') return branches(wanted).some((branch) => isWithin(filter, branch, texts)) || repeats(filter, name, wanted, texts);
    return (
      repeats(filter, name, wanted, texts) ||
      conditionsOf(wanted).every((condition) => conditionsIn(filter, name).some((given) => implies(given, condition, texts)))
    );
  });
}

function branches(value: Value): readonly Doc[] {
  return Array.isArray(value) ? (value as readonly Value[]).filter(isDocument) : [];
}

function repeats(filter: Doc, name: string, wanted: Value, texts: Texts | undefined): boolean {
  return Object.hasOwn(filter, name) && compare(filter[name], wanted) === 0 && (texts !== undefined || !hasText(wanted));
}

/** @returns the conditions on a field that all documents of a query meet, each by one of the field's values */
function conditionsIn(filter: Doc, name: string): readonly Condition[] {
  const own = Object.hasOwn(filter, name) ? conditionsOf(filter[name]) : [];
  return [...own, ...branches(filter.$and).flatMap((branch) => conditionsIn(branch, name))];
}

function conditionsOf(condition: Value): readonly Condition[] {
  if (typeName(condition) === 'regex') return [['$regex', condition]];
  return isDocument(condition) && hasOperators(condition) ? Object.entries(condition) : [['$eq', condition]];
}

/** Operators that no document without the field meets. */
const OF_PRESENT: ReadonlySet<string> = new Set(['$type', '$regex', '$size', '$mod', '$elemMatch']);

function implies([operator, operand]: Condition, [wanted, bound]: Condition, texts: Texts | undefined): boolean {
  if (operator === '$in')
    return (
      Array.isArray(operand) && (operand as readonly Value[]).every((value) => implies(conditionOfElement(value), [wanted, bound], texts))
    );
  if (wanted === '$exists') return isPresent(operator, operand);
  if (wanted === '$in')
    return Array.isArray(bound) && (bound as readonly Value[]).some((value) => implies([operator, operand], ['$eq', value], texts));
  if (!texts && (hasText(operand) || hasText(bound))) return false;
  if (operator === wanted && compare(operand, bound) === 0) return true;
  if (!isOrdered(operand) || !isOrdered(bound) || !isSameKind(operand, bound)) return false;
  const order = compare(operand, bound, texts?.collator);
  if (wanted === '$gt') return operator === '$gt' ? order >= 0 : isLow(operator) && order > 0;
  if (wanted === '$gte') return (operator === '$gt' || isLow(operator)) && order >= 0;
  if (wanted === '$lt') return operator === '$lt' ? order <= 0 : isHigh(operator) && order < 0;
  return wanted === '$lte' && (operator === '$lt' || isHigh(operator)) && order <= 0;
}

/** A regular expression in a list is one that texts match. */
function conditionOfElement(value: Value): Condition {
  return typeName(value) === 'regex' ? ['$regex', value] : ['$eq', value];
}

const isLow = (operator: string): boolean => operator === '$eq' || operator === '$gte';
const isHigh = (operator: string): boolean => operator === '$eq' || operator === '$lte';

function isPresent(operator: string, operand: Value): boolean {
  if (operator === '$exists') return operand === true;
  if (OF_PRESENT.has(operator)) return true;
  if (operator === '$eq') return !['null', 'undefined', 'missing'].includes(typeName(operand));
  return ['$gt', '$gte', '$lt', '$lte'].includes(operator) && isOrdered(operand);
}

/** Kinds whose values are compared with values of their kind alone. */
const ORDERED: ReadonlySet<string> = new Set(['string', 'date', 'timestamp', 'objectId', 'bool']);

/** @returns whether what is greater or less than a value is of its kind, and ordered */
function isOrdered(value: Value): boolean {
  return isNumber(value) ? !Number.isNaN(toNumber(value)) : ORDERED.has(typeName(value));
}

function isSameKind(a: Value, b: Value): boolean {
  return isNumber(a) ? isNumber(b) : typeName(a) === typeName(b);
}

/** @returns whether a collation may decide about a condition */
function hasText(condition: Value): boolean {
  if (Array.isArray(condition)) return (condition as Value[]).some(hasText);
  if (isDocument(condition)) return Object.values(condition).some(hasText);
  return ['string', 'symbol'].includes(typeName(condition));
}
