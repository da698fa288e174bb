import { add, divide, type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { compare, equal } from '../../bson/compare.ts';
import { type Doc, isDocument, isNumber, setOwn, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { between, fixed, isNullish, named } from './define.ts';

function arrayOf(name: string, value: Value, code = 28651): Value[] {
  if (!Array.isArray(value)) throw new DocDbError(code, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`);
  return value as Value[];
}

function integer(name: string, value: Value): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!Number.isInteger(number)) throw new DocDbError(28690, `${name} requires an integer, found a value of type: ${typeName(value)}`);
  return number;
}

function elementAt([list, index]: readonly Value[]): Value {
  if (isNullish(list) || isNullish(index)) return null;
  const entries = arrayOf('$arrayElemAt', list, 28689);
  const at = integer('$arrayElemAt', index);
  return entries.at(at);
}

function slice([list, second, third]: readonly Value[]): Value {
  if (isNullish(list) || isNullish(second)) return null;
  const entries = arrayOf('$slice', list, 28724);
  const n = integer('$slice', second);
  if (third === undefined) return n < 0 ? entries.slice(n) : entries.slice(0, n);
  if (third === null) return null;
  const count = integer('$slice', third);
  if (count <= 0) throw new DocDbError(28729, `Third argument to $slice must be positive: ${String(count)}`);
  const from = n < 0 ? Math.max(0, entries.length + n) : n;
  return entries.slice(from, from + count);
}

function range([start, end, step = 1]: readonly Value[]): Value {
  const from = integer('$range', start);
  const to = integer('$range', end);
  const by = integer('$range', step);
  if (by === 0) throw new DocDbError(34449, '$range requires a non-zero step value');
  if (Math.abs((to - from) / by) > 1_000_000) throw new DocDbError(146, '$range would use too much memory');
  const result: number[] = [];
  for (let value = from; by > 0 ? value < to : value > to; value += by) result.push(value);
  return result;
}

function indexOfArray([list, value, start, end]: readonly Value[], ...rest: unknown[]): Value {
  const [collator] = rest as [Parameters<typeof equal>[2]];
  if (isNullish(list)) return null;
  const entries = arrayOf('$indexOfArray', list, 40090);
  const from = start === undefined ? 0 : integer('$indexOfArray', start);
  const to = end === undefined ? entries.length : integer('$indexOfArray', end);
  for (let index = from; index < Math.min(to, entries.length); index++) if (equal(entries[index], value, collator)) return index;
  return -1;
}

function zip([inputs, longest, defaults]: readonly Value[]): Value {
  const lists = arrayOf('$zip', inputs);
  if (lists.some(isNullish)) return null;
  const columns = lists.map((list) => arrayOf('$zip', list));
  const lengths = columns.map((column) => column.length);
  const length = longest === true ? Math.max(...lengths) : Math.min(...lengths);
  const fill = Array.isArray(defaults) ? (defaults as Value[]) : [];
  return Array.from({ length }, (_unused, row) =>
    columns.map((column, index) => (row < column.length ? column[row] : (fill[index] ?? null))),
  );
}

function arrayToObject([list]: readonly Value[]): Value {
  if (isNullish(list)) return null;
  const result: Doc = {};
  for (const entry of arrayOf('$arrayToObject', list, 40386)) {
    const [key, value]: readonly Value[] = Array.isArray(entry) ? (entry as Value[]) : isDocument(entry) ? [entry.k, entry.v] : [];
    if (typeof key !== 'string') throw new DocDbError(40394, '$arrayToObject requires keys of type string');
    setOwn(result, key, value);
  }
  return result;
}

function objectToArray([doc]: readonly Value[]): Value {
  if (isNullish(doc)) return null;
  if (!isDocument(doc)) throw new DocDbError(40390, `$objectToArray requires a document input, found: ${typeName(doc)}`);
  return Object.keys(doc).map((name) => ({ k: name, v: doc[name] }));
}

function mergeObjects(args: readonly Value[]): Value {
  const parts = args.length === 1 && Array.isArray(args[0]) ? (args[0] as Value[]) : args;
  const result: Doc = {};
  for (const part of parts) {
    if (isNullish(part)) continue;
    if (!isDocument(part)) throw new DocDbError(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(part)}`);
    for (const name of Object.keys(part)) setOwn(result, name, part[name]);
  }
  return result;
}

/** As expressions, accumulators take a list, or several arguments. */
function overList(of: (values: Value[]) => Value): Operator {
  return between(1, Infinity, (args) => of(args.length === 1 && Array.isArray(args[0]) ? (args[0] as Value[]) : [...args]));
}

function numbers(values: readonly Value[]): Numeric[] {
  return values.filter(isNumber);
}

/** @returns the sum of the numbers among the values */
export function sumOf(values: readonly Value[]): Numeric {
  return numbers(values).reduce<Numeric>((total, value) => add(total, value), 0);
}

/** @returns the mean of the numbers among the values, or null */
export function averageOf(values: readonly Value[]): Value {
  const all = numbers(values);
  return all.length === 0 ? null : divide(sumOf(all), all.length);
}

/** @returns the smallest (-1) or largest (1) of the values that are not null */
export function extreme(values: readonly Value[], direction: 1 | -1, collator?: Parameters<typeof compare>[2]): Value {
  let best: Value = null;
  for (const value of values) {
    if (isNullish(value)) continue;
    if (best === null || compare(value, best, collator) * direction > 0) best = value;
  }
  return best;
}

/** @returns the standard deviation of the numbers among the values, or null */
export function deviation(values: readonly Value[], sample: boolean): Value {
  const all = numbers(values).map(toNumber);
  if (all.length <= (sample ? 1 : 0)) return null;
  const mean = all.reduce((total, value) => total + value, 0) / all.length;
  const squares = all.reduce((total, value) => total + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (all.length - (sample ? 1 : 0)));
}

function firstN(name: string, pick: (list: Value[], n: number) => Value[]): Operator {
  return named(['input', 'n'], ([input, n]) => {
    if (isNullish(input)) return null;
    return pick(arrayOf(name, input, 5788200), integer(name, n));
  });
}

/** Operators on arrays and documents. */
export const arrayOperators: Readonly<Record<string, Operator>> = {
  $arrayElemAt: fixed(2, elementAt),
  $first: fixed(1, ([list]) => (isNullish(list) ? null : arrayOf('$first', list, 28689)[0])),
  $last: fixed(1, ([list]) => (isNullish(list) ? null : arrayOf('$last', list, 28689).at(-1))),
  $size: fixed(1, ([list]) => arrayOf('$size', list, 17124).length),
  $slice: between(2, 3, slice),
  $isArray: fixed(1, ([value]) => Array.isArray(value)),
  $in: fixed(2, ([value, list], collator) =>
    arrayOf('$in', list, 40081).some((entry) => equal(entry, value ?? undefined, collator) || (isNullish(value) && isNullish(entry))),
  ),
  $concatArrays: between(0, Infinity, (args) =>
    args.some(isNullish) ? null : args.flatMap((list) => arrayOf('$concatArrays', list, 28664)),
  ),
  $reverseArray: fixed(1, ([list]) => (isNullish(list) ? null : [...arrayOf('$reverseArray', list, 34435)].reverse())),
  $range: between(2, 3, range),
  $indexOfArray: between(2, 4, indexOfArray),
  $zip: named(['inputs', 'useLongestLength', 'defaults'], zip),
  $arrayToObject: fixed(1, arrayToObject),
  $objectToArray: fixed(1, objectToArray),
  $mergeObjects: between(1, Infinity, mergeObjects),
  $sum: overList(sumOf),
  $avg: overList(averageOf),
  $min: overList((values) => extreme(values, -1)),
  $max: overList((values) => extreme(values, 1)),
  $stdDevPop: overList((values) => deviation(values, false)),
  $stdDevSamp: overList((values) => deviation(values, true)),
  $firstN: firstN('$firstN', (list, n) => list.slice(0, n)),
  $lastN: firstN('$lastN', (list, n) => list.slice(-n)),
  $minN: firstN('$minN', (list, n) =>
    list
      .filter((value) => !isNullish(value))
      .sort((a, b) => compare(a, b))
      .slice(0, n),
  ),
  $maxN: firstN('$maxN', (list, n) =>
    list
      .filter((value) => !isNullish(value))
      .sort((a, b) => compare(b, a))
      .slice(0, n),
  ),
};
