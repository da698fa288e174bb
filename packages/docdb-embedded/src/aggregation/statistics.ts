import { add, divide, multiply, type Numeric, subtract, toNumber } from '../bson/arithmetic.ts';
import { Summation } from '../bson/summation.ts';
import { isNumber, toDouble, type Value } from '../bson/values.ts';

/** @returns the sum of the numbers among the values */
export function sumOf(values: readonly Value[]): Numeric {
  const sum = new Summation();
  for (const value of values) if (isNumber(value)) sum.add(value);
  return sum.total();
}

/** @returns the mean of the numbers among the values, or null */
export function averageOf(values: readonly Value[]): Value {
  const sum = new Summation();
  for (const value of values) if (isNumber(value)) sum.add(value, true);
  return sum.mean();
}

/** @returns the standard deviation of the numbers among the values, or null */
export function deviation(values: readonly Value[], sample: boolean): Value {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const value of values) {
    if (!isNumber(value)) continue;
    count += 1;
    const distance = toNumber(value) - mean;
    mean += distance / count;
    squares += distance * (toNumber(value) - mean);
  }
  const divisor = count - (sample ? 1 : 0);
  return divisor < 1 ? null : toDouble(Math.sqrt(squares / divisor));
}

/** @returns the standard deviation as windows with two ends have it: null beside what is no finite number, a whole 0 for one number */
export function slidingDeviation(values: readonly Value[], sample: boolean): Value {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const given of values) {
    if (!isNumber(given)) continue;
    const value = toNumber(given);
    if (!Number.isFinite(value)) return null;
    const distance = count * value - sum;
    count += 1;
    sum += value;
    if (count > 1) squares += (distance * distance) / (count * (count - 1));
  }
  const divisor = count - (sample ? 1 : 0);
  if (divisor < 1) return null;
  return count === 1 ? 0 : toDouble(Math.sqrt(squares / divisor));
}

/** Two numbers that belong together. */
export type Pair = readonly [Numeric, Numeric];

/** @returns the covariance of pairs, or null; pairs that are not finite do not count among them, and decide the result where two others are */
export function covarianceOf(pairs: readonly Pair[], sample: boolean): Value {
  const [left, right] = [new Summation(), new Summation()];
  let products: Numeric = 0;
  let infinite: number | undefined;
  for (const [x, y] of pairs) {
    const outside = [toNumber(x), toNumber(y)].filter((value) => !isFiniteNumber(value, x, y));
    if (outside.length > 0) {
      infinite = outside.reduce((total, value) => total + value, infinite ?? 0);
      continue;
    }
    if (left.count === 0) {
      left.add(x);
      right.add(y);
      continue;
    }
    const distance = subtract(x, divide(left.total(), left.count));
    left.add(x);
    right.add(y);
    products = add(products, multiply(distance, subtract(y, divide(right.total(), right.count))));
  }
  const { count } = left;
  if (count < (sample ? 2 : 1)) return null;
  if (count === 1) return toDouble(0);
  if (infinite !== undefined) return infinite;
  return divide(products, count - (sample ? 1 : 0));
}

/** A large decimal is finite where its double is not. */
function isFiniteNumber(double: number, ...of: readonly Numeric[]): boolean {
  if (Number.isFinite(double)) return true;
  return !Number.isNaN(double) && of.some((value) => toNumber(value) === double && /\d/.test(String(value)));
}
