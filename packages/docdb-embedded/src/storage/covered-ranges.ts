import { Decimal128, type Doc, isDocument, isNumber, typeName, type Value } from '../bson/values.ts';
import { hasOperators } from '../query/value-tests.ts';
import type { CollectionQuery } from './find-documents.ts';
import type { IndexDefinition } from './index-definition.ts';
import { byteRange, type ByteRange } from './keys/index-key.ts';
import type { IndexRange, Plan } from './plan.ts';

/** Types whose keys say exactly what a filter asks; of others documents decide. */
const EXACT: ReadonlySet<string> = new Set(['int', 'long', 'double', 'decimal', 'string', 'date', 'objectId', 'bool']);
const EQUALITIES: ReadonlySet<string> = new Set(['$eq', '$in']);
const BOUNDS: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);

/**
 * The ranges of an index that hold an entry for each document of a query and no other, so that they can be counted.
 *
 * @returns `undefined` where the documents have to be looked at
 */
export function coveredRanges(plan: Plan, { filter, collator, score }: CollectionQuery): ByteRange[] | undefined {
  if (plan.kind !== 'index' || collator || score) return undefined;
  const { index, ranges } = plan;
  if (!index.ordered || index.collator || index.sparse || index.partial) return undefined;
  const demanded = demandedFields(filter);
  if (!demanded || !isPrefix(demanded, index)) return undefined;
  const [first] = ranges;
  const bound = first && (first.low ?? first.high) ? 1 : 0;
  if (!first || first.equal.length + bound !== demanded.size) return undefined;
  const exact = ranges.map((range) => byteRange(aboveNaN(range), index));
  const seen = new Set<string>();
  // A list may have a value twice.
  return exact.filter(({ start }) => !seen.has(start.toString('latin1')) && seen.add(start.toString('latin1')));
}

/** @returns the fields of a filter that asks for equal values, or for values between bounds, and for nothing else */
function demandedFields(filter: Doc): ReadonlySet<string> | undefined {
  const names = Object.keys(filter);
  return names.every((name) => !name.startsWith('$') && isPlain(filter[name])) ? new Set(names) : undefined;
}

function isPlain(condition: Value): boolean {
  if (!isDocument(condition)) return isExact(condition);
  if (!hasOperators(condition)) return false;
  const operators = Object.keys(condition);
  if (operators.length === 1 && EQUALITIES.has(operators[0] as string)) {
    const wanted = condition[operators[0] as string];
    return Array.isArray(wanted) ? operators[0] === '$in' && (wanted as Value[]).every(isExact) : isExact(wanted);
  }
  const bounds = operators.map((name) => condition[name]);
  const brackets = new Set(bounds.map((bound) => (isNumber(bound) ? 'number' : typeName(bound))));
  const sides = new Set(operators.map((name) => name.slice(0, 3)));
  return operators.every((name) => BOUNDS.has(name)) && bounds.every(isExact) && brackets.size === 1 && sides.size === operators.length;
}

function isExact(value: Value): boolean {
  return EXACT.has(typeName(value)) && !(isNumber(value) && isNaNValue(value));
}

function isNaNValue(value: Value): boolean {
  return value instanceof Decimal128 ? value.toString() === 'NaN' : Number.isNaN(Number(String(value)));
}

function isPrefix(names: ReadonlySet<string>, { fields }: IndexDefinition): boolean {
  return names.size <= fields.length && fields.slice(0, names.size).every(({ name }) => names.has(name));
}

/** Not-a-number has a key below all numbers, and is below none of them. */
function aboveNaN(range: IndexRange): IndexRange {
  if (range.low || !range.high || !isNumber(range.high.value)) return range;
  return { ...range, low: { value: -Infinity, inclusive: true } };
}
