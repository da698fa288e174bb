import { type Numeric, toNumber } from '../bson/arithmetic.ts';
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
