import { toNumber } from '../../bson/arithmetic.ts';
import type { Collator } from '../../bson/collation.ts';
import { compare, equal } from '../../bson/compare.ts';
import { isInt32, isNumber, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { countOf } from '../count-of.ts';
import { checkPercentile, percentilePlaces, percentilesOf, valuesOfInput } from '../percentile.ts';
import { spend, tick } from '../../interrupt.ts';
import { averageOf, deviation, sumOf } from '../statistics.ts';
import { LastList } from '../last-list.ts';
import { between, fixed, isNullish, keeping, named } from './define.ts';

function arrayOf(name: string, value: Value, code = 28651): Value[] {
  if (!Array.isArray(value)) throw new DocDbError(code, `The argument to ${name} must be an array, but was of type: ${typeName(value)}`);
  return value as Value[];
}

/** @throws DocDbError (`code`) for what is no number, (`code` + 1) for one that is no integer of 32 bits */
function integer(name: string, value: Value, code: number): number {
  if (!isNumber(value)) throw new DocDbError(code, `${name} requires an integer, found a value of type: ${typeName(value)}`);
  const number = toNumber(value) + 0;
  if (!isInt32(number)) throw new DocDbError(code + 1, `${name} requires an integer of 32 bits, found: ${String(value)}`);
  return number;
}

function elementAt([list, index]: readonly Value[]): Value {
  if (isNullish(list) || isNullish(index)) return null;
  const entries = arrayOf('$arrayElemAt', list, 28689);
  return entries.at(integer('$arrayElemAt', index, 28690));
}

function slice(args: readonly Value[]): Value {
  const [list, second, third] = args;
  if (isNullish(list) || isNullish(second)) return null;
  const entries = arrayOf('$slice', list, 28724);
  const n = integer('$slice', second, 28725);
  if (args.length < 3) return n < 0 ? entries.slice(n) : entries.slice(0, n);
  if (isNullish(third)) return null;
  const count = integer('$slice', third, 28727);
  if (count <= 0) throw new DocDbError(28729, `Third argument to $slice must be positive: ${String(count)}`);
  const from = n < 0 ? Math.max(0, entries.length + n) : n;
  return entries.slice(from, from + count);
}

/** Numbers that a `$range` makes between two looks at the time. */
const SHARE = 1024;
/** Bytes that a `$range` may make. */
const MOST_BYTES = 100 * 1024 * 1024;
/** Bytes that one number counts for. */
const ENTRY_BYTES = 16;

function rangeBound(value: Value, type: number, integral: number): number {
  if (!isNumber(value)) throw new DocDbError(type, `$range requires a numeric value, found value of type: ${typeName(value)}`);
  const given = toNumber(value);
  if (!isInt32(given + 0))
    throw new DocDbError(integral, `$range requires a value that can be represented as a 32-bit integer, found: ${String(given)}`);
  return given + 0;
}

function range(args: readonly Value[]): Value {
  const from = rangeBound(args[0], 34443, 34444);
  const to = rangeBound(args[1], 34445, 34446);
  const by = args.length < 3 ? 1 : rangeBound(args[2], 34447, 34448);
  if (by === 0) throw new DocDbError(34449, '$range requires a non-zero step value');
  const length = Math.max(0, Math.ceil((to - from) / by));
  if (length * ENTRY_BYTES > MOST_BYTES)
    throw new DocDbError(146, `$range would use too much memory and cannot spill: ${String(length)} numbers`);
  spend(length * ENTRY_BYTES);
  const list: Value[] = [];
  for (let index = 0; index < length; index++) {
    list.push(from + index * by);
    if (index % SHARE === SHARE - 1) tick(SHARE);
  }
  return list;
}

function searchBound(value: Value): number {
  const given = isNumber(value) ? toNumber(value) : Number.NaN;
  if (!isInt32(given + 0))
    throw new DocDbError(9711600, `$indexOfArray requires an integral index, found a value of type: ${typeName(value)}`);
  if (given < 0) throw new DocDbError(9711601, `$indexOfArray requires a nonnegative index, found: ${String(given)}`);
  return given + 0;
}

function indexOfArray(args: readonly Value[], collator: Collator | undefined): Value {
  const [list, value] = args;
  if (isNullish(list)) return null;
  const entries = arrayOf('$indexOfArray', list, 40090);
  const from = args.length < 3 ? 0 : searchBound(args[2]);
  const to = args.length < 4 ? entries.length : Math.min(searchBound(args[3]), entries.length);
  for (let index = from; index < to; index++) if (equal(entries[index], value, collator)) return index;
  return -1;
}

/** As expressions, accumulators take a list, or several arguments. */
function overList(of: (values: Value[], collator: Collator | undefined) => Value): Operator {
  return between(0, Infinity, (args, collator) =>
    of(args.length === 1 && Array.isArray(args[0]) ? (args[0] as Value[]) : [...args], collator),
  );
}

/** @returns the smallest (-1) or largest (1) of the values that are not null */
export function extreme(values: readonly Value[], direction: 1 | -1, collator: Collator | undefined): Value {
  let best: Value = null;
  for (const value of values) {
    if (isNullish(value)) continue;
    if (best === null || compare(value, best, collator) * direction > 0) best = value;
  }
  return best;
}

function firstN(name: string, pick: (list: Value[], n: number, collator: Collator | undefined) => Value[]): Operator {
  return named(['input', 'n'], ([input, n], collator) => {
    const most = countOf(n, 5787902, 5787908);
    return isNullish(input) ? null : pick(arrayOf(name, input, 5788200), most, collator);
  });
}

const median = named(
  ['input', 'method'],
  ([input, method]) => {
    checkPercentile('$median', { input, method });
    return percentilesOf(valuesOfInput(input), [0.5])[0];
  },
  { shape: 7436100, unknown: 40415, missing: { input: 40414, method: 40414 } },
);

const percentile = named(
  ['input', 'p', 'method'],
  ([input, p, method]) => {
    checkPercentile('$percentile', { input, p, method });
    return percentilesOf(valuesOfInput(input), percentilePlaces(p));
  },
  { shape: 7429703, unknown: 40415, missing: { input: 40414, p: 40414, method: 40414 } },
);

/** Operators on arrays and documents. */
export const arrayOperators: Readonly<Record<string, Operator>> = {
  $median: median,
  $percentile: percentile,
  $arrayElemAt: { ...fixed(2, elementAt), shares: true },
  $first: { ...fixed(1, ([list]) => (isNullish(list) ? null : arrayOf('$first', list, 28689)[0])), shares: true },
  $last: { ...fixed(1, ([list]) => (isNullish(list) ? null : arrayOf('$last', list, 28689).at(-1))), shares: true },
  $size: fixed(1, ([list]) => arrayOf('$size', list, 17124).length),
  $slice: between(2, 3, slice),
  $isArray: fixed(1, ([value]) => Array.isArray(value)),
  $in: keeping(2, () => {
    const last = new LastList();
    return ([value, list], collator) => last.has(arrayOf('$in', list, 40081), value, collator);
  }),
  $concatArrays: between(0, Infinity, (args) => {
    if (args.some(isNullish)) return null;
    const lists = args.map((list) => arrayOf('$concatArrays', list, 28664));
    spend(lists.reduce((total, list) => total + list.length, 0) * ENTRY_BYTES);
    return lists.flat();
  }),
  $reverseArray: fixed(1, ([list]) => (isNullish(list) ? null : [...arrayOf('$reverseArray', list, 34435)].reverse())),
  $range: between(2, 3, range),
  $indexOfArray: between(2, 4, indexOfArray),
  $sum: overList(sumOf),
  $avg: overList(averageOf),
  $min: { ...overList((values, collator) => extreme(values, -1, collator)), shares: true },
  $max: { ...overList((values, collator) => extreme(values, 1, collator)), shares: true },
  $stdDevPop: overList((values) => deviation(values, false)),
  $stdDevSamp: overList((values) => deviation(values, true)),
  $firstN: firstN('$firstN', (list, n) => list.slice(0, n)),
  $lastN: firstN('$lastN', (list, n) => list.slice(-n)),
  $minN: firstN('$minN', (list, n, collator) =>
    list
      .filter((value) => !isNullish(value))
      .sort((a, b) => compare(a, b, collator))
      .slice(0, n),
  ),
  $maxN: firstN('$maxN', (list, n, collator) =>
    list
      .filter((value) => !isNullish(value))
      .sort((a, b) => compare(b, a, collator))
      .slice(0, n),
  ),
};
