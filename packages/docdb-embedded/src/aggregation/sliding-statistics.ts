import { asDecimal, divide, kindOf, multiply, type Numeric, subtract, toNumber } from '../bson/arithmetic.ts';
import { Summation } from '../bson/summation.ts';
import { Decimal128, toDouble, type Value } from '../bson/values.ts';

/** Two numbers that belong together. */
export type Pair = readonly [Numeric, Numeric];

/**
 * A statistic of the values in a window. What leaves the window is taken out of it again, so that it holds what rounding left of values that
 * are gone, as that of a server does.
 */
export interface SlidingStatistic<T> {
  add(value: T): void;
  remove(value: T): void;
  result(): Value;
}

/** A sum of finite numbers that can leave it again; its type is that of the numbers that are still in it. */
export class SlidingSum {
  #sum = new Summation();
  #decimals = 0;

  change(value: Numeric, by: 1 | -1): void {
    if (kindOf(value) === 'decimal') this.#decimals += by;
    this.#sum.add(by === 1 ? value : multiply(value, -1));
  }

  total(): Numeric {
    const total = this.#sum.total();
    return total instanceof Decimal128 && this.#decimals === 0 ? toDouble(toNumber(total)) : total;
  }

  mean(count: number): Numeric {
    return divide(this.total(), count);
  }
}

/** How many values of a window are no finite numbers: they decide the result while they are inside. */
export class NonFinite {
  #nan = 0;
  #above = 0;
  #below = 0;

  change(value: number, by: 1 | -1): void {
    if (Number.isNaN(value)) this.#nan += by;
    else if (value > 0) this.#above += by;
    else this.#below += by;
  }

  get some(): boolean {
    return this.#nan + this.#above + this.#below > 0;
  }

  total(): number {
    if (this.#nan > 0 || (this.#above > 0 && this.#below > 0)) return Number.NaN;
    return this.#above > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
}

/** The covariance of pairs: pairs that are not finite do not count among them, and decide the result where two others are. */
export class SlidingCovariance implements SlidingStatistic<Pair> {
  readonly #sample: boolean;
  readonly #nonFinite = new NonFinite();
  #count = 0;
  #left = new SlidingSum();
  #right = new SlidingSum();
  #products = new SlidingSum();

  constructor(sample: boolean) {
    this.#sample = sample;
  }

  add(pair: Pair): void {
    if (this.#outside(pair, 1)) return;
    const [x, y] = pair;
    const distance = this.#count === 0 ? x : subtract(x, this.#left.mean(this.#count));
    this.#change(pair, 1);
    this.#products.change(multiply(distance, subtract(y, this.#right.mean(this.#count))), 1);
  }

  remove(pair: Pair): void {
    if (this.#outside(pair, -1)) return;
    const [x, y] = pair;
    if (this.#count === 1) {
      [this.#left, this.#right, this.#products, this.#count] = [new SlidingSum(), new SlidingSum(), new SlidingSum(), 0];
      return;
    }
    const distance = subtract(y, this.#right.mean(this.#count));
    this.#change(pair, -1);
    this.#products.change(multiply(subtract(x, this.#left.mean(this.#count)), distance), -1);
  }

  result(): Value {
    if (this.#count < (this.#sample ? 2 : 1)) return null;
    if (this.#count === 1) return toDouble(0);
    if (this.#nonFinite.some) return toDouble(this.#nonFinite.total());
    return divide(this.#products.total(), toDouble(this.#count - (this.#sample ? 1 : 0)));
  }

  #change([x, y]: Pair, by: 1 | -1): void {
    this.#left.change(x, by);
    this.#right.change(y, by);
    this.#count += by;
  }

  #outside(pair: Pair, by: 1 | -1): boolean {
    const outside = pair.filter((value) => !isFiniteNumber(value));
    for (const value of outside) this.#nonFinite.change(toNumber(value), by);
    return outside.length > 0;
  }
}

/** A large decimal is finite where its double is not. */
export function isFiniteNumber(value: Numeric): boolean {
  return value instanceof Decimal128 ? typeof asDecimal(value) !== 'string' : Number.isFinite(toNumber(value));
}

/** The standard deviation: null beside what is no finite number, a whole 0 for one number. */
export class SlidingDeviation implements SlidingStatistic<Numeric> {
  readonly #sample: boolean;
  #nonFinite = 0;
  #count = 0;
  #sum = new Summation();
  #squares = new Summation();

  constructor(sample: boolean) {
    this.#sample = sample;
  }

  add(value: Numeric): void {
    this.#change(toNumber(value), 1);
  }

  remove(value: Numeric): void {
    this.#change(toNumber(value), -1);
  }

  result(): Value {
    const divisor = this.#count - (this.#sample ? 1 : 0);
    if (this.#nonFinite > 0 || divisor < 1) return null;
    const squares = toNumber(this.#squares.total());
    if (squares < 0) this.#squares = new Summation();
    return squares < 0 || this.#count === 1 ? 0 : toDouble(Math.sqrt(squares / divisor));
  }

  #change(value: number, by: 1 | -1): void {
    if (!Number.isFinite(value)) {
      this.#nonFinite += by;
      return;
    }
    const count = this.#count + by;
    if (this.#count === 0 || count === 0) [this.#sum, this.#squares] = [new Summation(), new Summation()];
    const distance = this.#count * value - toNumber(this.#sum.total());
    if (this.#count > 0 && count > 0) this.#squares.add(toDouble((distance * distance * by) / (count * this.#count)));
    if (count > 0) this.#sum.add(toDouble(value * by));
    this.#count = count;
  }
}
