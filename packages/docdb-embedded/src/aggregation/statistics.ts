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

/** A standard deviation of the numbers so far. */
export class RunningDeviation {
  readonly #sample: boolean;
  #count = 0;
  #mean = 0;
  #squares = 0;

  constructor(sample: boolean) {
    this.#sample = sample;
  }

  /** Takes a value in, if it is a number. */
  add(value: Value): void {
    if (!isNumber(value)) return;
    this.#count += 1;
    const distance = toNumber(value) - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (toNumber(value) - this.#mean);
  }

  /** @returns the deviation, or null */
  result(): Value {
    const divisor = this.#count - (this.#sample ? 1 : 0);
    return divisor < 1 ? null : toDouble(Math.sqrt(this.#squares / divisor));
  }
}

/** @returns the standard deviation of the numbers among the values, or null */
export function deviation(values: readonly Value[], sample: boolean): Value {
  const running = new RunningDeviation(sample);
  for (const value of values) running.add(value);
  return running.result();
}
