import { asDecimal, fitsLong, kindOf, type Kind, type Numeric, widerKind } from './arithmetic.ts';
import { exactDecimal, trimmed } from './decimal.ts';
import { quotient, sum } from './decimal-arithmetic.ts';
import { type DecimalParts, rounded, toDecimal128 } from './decimal128.ts';
import { Decimal128, isInt32, toDouble, type Value } from './values.ts';

/** A sum that can be kept, written and taken up again: values of BSON only. */
export type SumState = [kind: Value, high: Value, low: Value, special: Value, decimal: Value, count: Value];

const KINDS: readonly Kind[] = ['int', 'long', 'double', 'decimal'];
const ZERO: DecimalParts = { negative: false, coefficient: 0n, exponent: 0 };
const LOW_BITS = 0xffffffffn;

/**
 * A sum of numbers of all types: doubles with what rounding loses beside them, so that integers of 64 bits are exact, and
 * decimals on their own.
 */
export class Summation {
  #kind: Kind = 'int';
  #high = 0;
  #low = 0;
  /** Decides when the sum is no finite number. */
  #special = 0;
  #decimal: DecimalParts = ZERO;
  /** How many numbers were added. */
  count = 0;

  /** Adds a number. With `asDoubles` a long counts as the double next to it. */
  add(value: Numeric, asDoubles = false): void {
    const kind = kindOf(value);
    this.#kind = widerKind(this.#kind, kind);
    this.count += 1;
    if (value instanceof Decimal128) this.#decimal = rounded(sum(this.#decimal, asDecimal(value)));
    else if (typeof value === 'bigint' && !asDoubles) {
      this.#addDouble(Number(value & ~LOW_BITS));
      this.#addDouble(Number(value & LOW_BITS));
    } else this.#addDouble(Number(value));
  }

  #addDouble(value: number): void {
    this.#special += value;
    const total = this.#high + value;
    const part = total - this.#high;
    this.#low += this.#high - (total - part) + (value - part);
    this.#high = total;
  }

  /** Adds all that another sum has. */
  addAll(other: Summation): void {
    this.#kind = widerKind(this.#kind, other.#kind);
    this.count += other.count;
    this.#decimal = rounded(sum(this.#decimal, other.#decimal));
    const special = this.#special + other.#special;
    this.#addDouble(other.#high);
    this.#addDouble(other.#low);
    this.#special = special;
  }

  #double(): number {
    const total = this.#high + this.#low;
    return Number.isNaN(total) || !Number.isFinite(this.#high) ? this.#special : total;
  }

  /** The sum as an integer of any size, where it is one. */
  #whole(): bigint | undefined {
    if (!Number.isFinite(this.#high) || !Number.isFinite(this.#low)) return undefined;
    const [high, low] = [exactDecimal(this.#high), exactDecimal(this.#low)];
    return high?.exponent === 0 && low?.exponent === 0 ? high.coefficient + low.coefficient : undefined;
  }

  #asDecimal(): DecimalParts {
    const exact = (value: number): DecimalParts => {
      const decimal = exactDecimal(value);
      if (!decimal) return asDecimal(value);
      const { coefficient, exponent } = decimal.exponent < 0 ? trimmed(decimal) : decimal;
      return { negative: coefficient < 0n, coefficient: coefficient < 0n ? -coefficient : coefficient, exponent };
    };
    const whole = this.#whole();
    const others = whole === undefined ? sum(exact(this.#high), exact(this.#low)) : asDecimal(whole);
    return rounded(sum(Number.isFinite(this.#high) ? others : asDecimal(this.#special), this.#decimal));
  }

  /** @returns the sum: of the widest type that was added, a double where 64 bits do not hold it */
  total(): Numeric {
    if (this.#kind === 'decimal') return toDecimal128(this.#asDecimal());
    const whole = this.#kind === 'double' ? undefined : this.#whole();
    if (whole === undefined || !fitsLong(whole)) return toDouble(this.#double());
    return this.#kind === 'int' && isInt32(Number(whole)) ? Number(whole) : whole;
  }

  /** @returns the mean: a decimal when one was added, else a double; null without numbers */
  mean(): Value {
    if (this.count === 0) return null;
    if (this.#kind === 'decimal')
      return toDecimal128(quotient(this.#asDecimal(), { negative: false, coefficient: BigInt(this.count), exponent: 0 }));
    return toDouble(this.#double() / this.count);
  }

  /** @returns what can be kept of the sum */
  state(): SumState {
    const decimal = this.#kind === 'decimal' ? toDecimal128(this.#decimal) : null;
    return [KINDS.indexOf(this.#kind), toDouble(this.#high), toDouble(this.#low), toDouble(this.#special), decimal, this.count];
  }

  /** @returns the sum that a state was of */
  static from(state: readonly Value[]): Summation {
    const [kind, high, low, special, decimal, count] = state;
    const made = new Summation();
    made.#kind = KINDS[Number(kind)] ?? 'int';
    made.#high = Number(high);
    made.#low = Number(low);
    made.#special = Number(special);
    if (decimal instanceof Decimal128) made.#decimal = asDecimal(decimal);
    made.count = Number(count);
    return made;
  }
}
