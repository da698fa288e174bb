import { kindOf, type Numeric, toNumber } from '../bson/arithmetic.ts';
import { Summation } from '../bson/summation.ts';
import { isInt32, toDouble, type Value } from '../bson/values.ts';
import { Moving } from './moving.ts';
import type { SlidingStatistic } from './sliding-statistics.ts';
import { averageOf, sumOf } from './statistics.ts';

/** Fractions below this, in steps no finer than one by {@link STEPS}, are added without rounding, thousands of them, also with whole numbers up to {@link LARGE}. */
const LARGEST_FRACTION = 2 ** 30;
const STEPS = 2 ** 66;
const LARGE = 2 ** 36;

/**
 * The sum or the mean of the numbers in a window, as that of the same numbers alone: what leaves is taken out again where nothing is rounded. Beside
 * other numbers (decimals, what is not finite, fractions that are large or fine, or among large numbers) all are added anew.
 */
export class SlidingTotal implements SlidingStatistic<Numeric> {
  readonly #isMean: boolean;
  readonly #inside = new Moving<Numeric>();
  readonly #whole = new Summation();
  readonly #fractions = new Summation();
  #longs = 0;
  #doubles = 0;
  #fractional = 0;
  #large = 0;
  #others = 0;

  constructor(isMean: boolean) {
    this.#isMean = isMean;
  }

  add(value: Numeric): void {
    this.#inside.add(value);
    this.#change(value, 1);
  }

  remove(value: Numeric): void {
    this.#inside.remove();
    this.#change(value, -1);
  }

  result(): Value {
    const count = this.#inside.size;
    if (this.#others > 0 || (this.#fractional > 0 && this.#large > 0))
      return this.#isMean ? averageOf(this.#inside.values()) : sumOf(this.#inside.values());
    if (!this.#isMean) return this.#total();
    return count === 0 ? null : toDouble(toNumber(this.#total()) / count);
  }

  #change(given: Numeric, by: 1 | -1): void {
    const kind = kindOf(given);
    const value = toNumber(given);
    if (kind === 'long') this.#longs += by;
    if (kind === 'double') this.#doubles += by;
    if (Math.abs(value) > LARGE) this.#large += by;
    if (typeof given === 'bigint') this.#whole.add(given * BigInt(by), this.#isMean);
    else if (kind !== 'decimal' && Number.isSafeInteger(value)) this.#whole.add(BigInt(value * by));
    else if (kind === 'double' && Math.abs(value) < LARGEST_FRACTION && Number.isInteger(value * STEPS)) {
      this.#fractional += by;
      this.#fractions.add(toDouble(value * by));
    } else this.#others += by;
  }

  #total(): Numeric {
    const whole = this.#whole.total();
    if (this.#doubles === 0) return this.#longs === 0 && isInt32(toNumber(whole)) ? toNumber(whole) : whole;
    if (this.#fractional === 0) return toDouble(toNumber(whole));
    const all = Summation.from(this.#fractions.state());
    all.add(whole);
    return toDouble(toNumber(all.total()));
  }
}
