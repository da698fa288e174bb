import { Decimal as Big } from 'decimal.js';
import { negate, quantized, quotient, remainder, sum } from './decimal-arithmetic.ts';
import { DECIMAL_DIGITS, type DecimalParts, digitCount, type FiniteDecimal, LEAST_EXPONENT, rounded } from './decimal128.ts';

/** Works with more digits than a decimal has, so that its last one is right. */
const Wide = Big.clone({ precision: 60, maxE: 1e6, minE: -1e6 });

/** Below this a function that is odd has the value of its argument, to all digits that there are. */
const SMALL = new Wide('1e-20');
/** Above this one more does not change a number. */
const LARGE = new Wide('1e40');
const QUARTER_TURN = Wide.acos(0);

function widened(value: DecimalParts): Big {
  if (typeof value === 'string') return new Wide(value);
  return new Wide(`${value.negative ? '-' : ''}${String(value.coefficient)}e${String(value.exponent)}`);
}

/** Whole results are written without a point, those that are not exact (or `full`) with all their digits. */
function narrowed(value: Big, full = false): DecimalParts {
  if (value.isNaN()) return 'NaN';
  if (!value.isFinite()) return value.isNegative() ? '-Infinity' : 'Infinity';
  const near = value.toSignificantDigits(DECIMAL_DIGITS);
  const whole = !full && near.isInteger() && near.e < DECIMAL_DIGITS;
  const [mantissa = '0', exponent = '0'] = (whole ? near : value).abs().toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const written = whole ? Number(exponent) + 1 : full || digits.length > 26 ? DECIMAL_DIGITS : digits.length;
  const padded = digits.padEnd(written, '0');
  return { negative: value.isNegative(), coefficient: BigInt(padded), exponent: Number(exponent) - padded.length + 1 };
}

/** Digits of half a turn that the largest decimal needs. */
const TURN_DIGITS = 6250;
let halfTurn: bigint | undefined;

/** Half a turn as an integer, by Machin's formula; worked out when the first large angle is met. */
function pi(): bigint {
  if (halfTurn !== undefined) return halfTurn;
  const one = 10n ** BigInt(TURN_DIGITS + 10);
  const arctangent = (of: bigint): bigint => {
    let part = one / of;
    let total = part;
    for (let divisor = 3n, sign = -1n; part !== 0n; divisor += 2n, sign = -sign) {
      part /= of * of;
      total += (sign * part) / divisor;
    }
    return total;
  };
  halfTurn = (16n * arctangent(5n) - 4n * arctangent(239n)) / 10n ** 10n;
  return halfTurn;
}

/** An angle of many turns without them. */
function reduced(angle: FiniteDecimal): DecimalParts {
  if (digitCount(angle.coefficient) + angle.exponent < DECIMAL_DIGITS) return angle;
  return quantized(remainder(angle, { negative: false, coefficient: 2n * pi(), exponent: -TURN_DIGITS }), -80, 'even');
}

type Function1 = (value: Big) => Big;
type OfDecimal = (value: DecimalParts) => DecimalParts;

function applied(of: Function1): OfDecimal {
  return (value) => narrowed(of(widened(value)));
}

/** A function with f(-x) = -f(x) and f'(0) = 1. */
function odd(of: Function1): OfDecimal {
  return (value) => {
    const big = widened(value);
    if (big.isZero()) return value;
    return big.abs().lt(SMALL) ? narrowed(big, true) : narrowed(of(big));
  };
}

function ofAngle(of: OfDecimal): OfDecimal {
  return (value) => (typeof value === 'string' ? 'NaN' : of(value.coefficient === 0n ? value : reduced(value)));
}

const signed = (value: Big, of: Big): Big => (value.isNegative() ? of.neg() : of);
const sinh: Function1 = (value) => (value.abs().lte(1) ? value.sinh() : value.exp().minus(value.neg().exp()).div(2));
const cosh: Function1 = (value) => value.exp().plus(value.neg().exp()).div(2);
const tanh: Function1 = (value) => {
  if (value.abs().gt(100)) return signed(value, new Wide(1));
  return sinh(value).div(cosh(value));
};
const asinh: Function1 = (value) => (value.abs().gt(LARGE) ? signed(value, value.abs().times(2).ln()) : value.asinh());
const acosh: Function1 = (value) => (value.gt(LARGE) ? value.times(2).ln() : value.acosh());
const atan: Function1 = (value) => (value.abs().gt(LARGE) ? signed(value, QUARTER_TURN) : value.atan());

/** A result that is too small is the least zero, as the server's library writes it. */
const LEAST_ZERO: DecimalParts = { negative: false, coefficient: 0n, exponent: LEAST_EXPONENT };
const ONE: DecimalParts = { negative: false, coefficient: 1n, exponent: 0 };

/** @returns the power, with all digits; zero has the least exponent */
export function power(base: DecimalParts, exponent: DecimalParts): DecimalParts {
  const [left, right] = [widened(base), widened(exponent)];
  if (right.isZero()) return ONE;
  if (left.isZero() && !right.isNaN()) return LEAST_ZERO;
  const result = Wide.pow(left, right);
  return result.isZero() ? LEAST_ZERO : narrowed(result, true);
}

/** @returns the angle between the x axis and a point */
export function angleOf(y: DecimalParts, x: DecimalParts): DecimalParts {
  const [up, right] = [widened(y), widened(x)];
  const steep = up.isFinite() && right.isFinite() && !up.isZero() && !right.isZero() ? up.e - right.e : 0;
  if (steep > 40) return narrowed(signed(up, QUARTER_TURN));
  if (steep < -40) return narrowed(right.isNegative() ? signed(up, QUARTER_TURN.times(2)) : up.div(right), true);
  return narrowed(Wide.atan2(up, right));
}

const TWO = new Wide(2);
const HALF = new Wide('0.5');
/** What the significands of binary numbers of 128 bits are below. */
const SIGNIFICANDS = TWO.pow(113);

/** @returns the number with the 113 bits that a binary number of 128 bits keeps of it */
function asQuadruple(value: Big): Big {
  if (!value.isFinite() || value.isZero()) return value;
  const size = value.abs();
  const digits = Number(size.toSignificantDigits(16).toExponential().split('e')[0]);
  let unit = TWO.pow(Math.floor((size.e + Math.log10(digits)) * Math.LOG2E * Math.LN10) - 112);
  if (size.div(unit).gte(SIGNIFICANDS)) unit = unit.times(2);
  if (size.div(unit).times(2).lt(SIGNIFICANDS)) unit = unit.div(2);
  return value.div(unit).toDecimalPlaces(0, Big.ROUND_HALF_EVEN).times(unit);
}

/**
 * A logarithm by way of binary numbers of 128 bits, as the server's library takes it: these have hardly more digits than a decimal, which the last
 * one shows. Near one it is what is left without the one that counts.
 */
function byQuadruple(of: Function1): OfDecimal {
  return applied((value) => {
    if (!value.isFinite()) return of(value);
    const rest = value.minus(1);
    return asQuadruple(of(rest.abs().lt(HALF) ? asQuadruple(rest).plus(1) : asQuadruple(value)));
  });
}

/** Names of the functions of one decimal. */
export type DecimalFunction =
  'exp' | 'ln' | 'log10' | 'sin' | 'cos' | 'tan' | 'asin' | 'acos' | 'atan' | 'sinh' | 'cosh' | 'tanh' | 'asinh' | 'acosh' | 'atanh';

/** Functions of one decimal; all but logarithms are right to the last of its 34 digits. */
const FUNCTIONS: Readonly<Record<DecimalFunction, OfDecimal>> = {
  exp: applied((value) => value.exp()),
  ln: byQuadruple((value) => value.ln()),
  log10: byQuadruple((value) => value.log(10)),
  sin: ofAngle(odd((value) => value.sin())),
  cos: ofAngle(applied((value) => value.cos())),
  tan: ofAngle(odd((value) => value.tan())),
  asin: odd((value) => value.asin()),
  acos: applied((value) => value.acos()),
  atan: odd(atan),
  sinh: odd(sinh),
  cosh: applied(cosh),
  tanh: odd(tanh),
  asinh: odd(asinh),
  acosh: applied(acosh),
  atanh: odd((value) => value.atanh()),
};

/** @returns a function of one decimal */
export function decimalFunction(name: DecimalFunction): OfDecimal {
  return FUNCTIONS[name];
}

/** @returns 1 / (1 + e^-x), rounded after each step */
export function sigmoid(value: DecimalParts): DecimalParts {
  return quotient(ONE, rounded(sum(ONE, rounded(FUNCTIONS.exp(negate(value))))));
}
