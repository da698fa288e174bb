import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { Decimal128 } from 'bson';
import { Decimal as Big } from 'decimal.js';
import { add, divide, multiply, subtract } from '../../src/bson/arithmetic.ts';
import { squareRoot } from '../../src/bson/decimal-arithmetic.ts';
import { decimalFunction } from '../../src/bson/decimal-functions.ts';
import { decimalParts, parseDecimal, toDecimal128 } from '../../src/bson/decimal128.ts';

const SEED = Number(process.env.DECIMAL_SEED ?? 20261122);
const ROUNDS = Number(process.env.DECIMAL_ROUNDS ?? 1000);
/** An independent count with as many digits as a decimal has. */
const Other = Big.clone({ precision: 34, rounding: Big.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 });

function digits(random: Random): string {
  const length = 1 + random.below(random.oneIn(3) ? 34 : 6);
  return Array.from({ length }, () => String(random.below(10))).join('');
}

/** A decimal as text, near and far from one. */
function decimalText(random: Random): string {
  const exponent = random.oneIn(4) ? random.below(5000) - 2500 : random.below(40) - 20;
  return `${random.oneIn(2) ? '-' : ''}${digits(random)}E${String(exponent)}`;
}

const big = (value: unknown): Big => new Other(String(value));
const parse = (text: string): Decimal128 => Decimal128.fromString(text);

describe('decimals of 128 bits', () => {
  it('are read from their bytes and written to them as the driver writes them', () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const text = decimalText(random);
      const value = parse(text);
      expect(toDecimal128(decimalParts(value)).bytes).toEqual(value.bytes);
      expect(parseDecimal(text)?.value.bytes).toEqual(value.bytes);
      variety.tried(text);
      variety.took(text.startsWith('-') ? 'negative' : 'positive');
    }
    console.log(variety.report('DECIMAL_SEED', SEED));
    variety.expect(ROUNDS * 0.9, { negative: ROUNDS / 3, positive: ROUNDS / 3 });
    for (const text of ['NaN', 'Infinity', '-Infinity', '-0', '0E+6111', '1E-6176', '9.999999999999999999999999999999999E+6144'])
      expect(String(parseDecimal(text)?.value)).toBe(String(parse(text)));
  });

  it('are read of texts with any number of digits, of which those that do not fit are cut off', () => {
    const random = new Random(SEED + 2);
    const variety = new Variety();
    const Exact = Big.clone({ precision: 34, rounding: Big.ROUND_DOWN, toExpNeg: -9e15, toExpPos: 9e15 });
    for (let round = 0; round < ROUNDS; round++) {
      const [zeros, whole, fraction] = ['0'.repeat(random.below(4)), digits(random) + digits(random), digits(random) + digits(random)];
      const text = random.oneIn(3) ? `${zeros}.${zeros}${fraction}` : `${zeros}${whole}.${fraction}`;
      expect(big(parseDecimal(text)?.value).eq(new Exact(text).toSignificantDigits(34))).toBe(true);
      variety.tried(text);
      variety.took(text.replace('.', '').replace(/^0+/, '').length > 34 ? 'cut off' : 'whole');
    }
    console.log(variety.report('DECIMAL_SEED', SEED + 2));
    variety.expect(ROUNDS * 0.9, { 'cut off': ROUNDS / 10, whole: ROUNDS / 3 });
    expect(String(parseDecimal(`1.${'0'.repeat(40)}`)?.value)).toBe(`1.${'0'.repeat(33)}`);
    expect(String(parseDecimal(`-${'0'.repeat(40)}`)?.value)).toBe('-0');
  });

  it.each([
    ['digits behind the point', (count: number) => `1.${'3'.repeat(count)}`, `1.${'3'.repeat(33)}`],
    ['zeros before all others', (count: number) => `${'0'.repeat(count)}7`, '7'],
    ['digits before an exponent', (count: number) => `${'3'.repeat(count)}e-${String(count)}`, `0.${'3'.repeat(34)}`],
  ])('are read of a text as long as a document may be: %s', (_what, textOf, value) => {
    expect(String(parseDecimal(textOf(16_000_000))?.value)).toBe(value);
  });

  it('are added, multiplied, divided and rooted as another library does', () => {
    const random = new Random(SEED + 1);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const [left, right] = [decimalText(random), decimalText(random)];
      const [a, b] = [parse(left), parse(right)];
      expect(big(add(a, b)).eq(big(a).plus(big(b)))).toBe(true);
      expect(big(subtract(a, b)).eq(big(a).minus(big(b)))).toBe(true);
      expect(big(multiply(a, b)).eq(big(a).times(big(b)))).toBe(true);
      if (!big(b).isZero()) expect(big(divide(a, b)).eq(big(a).div(big(b)))).toBe(true);
      if (!left.startsWith('-')) expect(big(toDecimal128(squareRoot(decimalParts(a)))).eq(big(a).sqrt())).toBe(true);
      variety.tried(`${left} ${right}`);
      variety.took(big(a).plus(big(b)).eq(a.toString()) ? 'one is too small to matter' : 'both matter');
    }
    console.log(variety.report('DECIMAL_SEED', SEED + 1));
    variety.expect(ROUNDS * 0.9, { 'both matter': ROUNDS / 3, 'one is too small to matter': ROUNDS / 15 });
  });

  it('keep the exponent that both numbers ask for', () => {
    expect(String(add(parse('2.50'), parse('3.5')))).toBe('6.00');
    expect(String(multiply(parse('1.20'), parse('3')))).toBe('3.60');
    expect(String(divide(parse('1.00'), parse('8')))).toBe('0.125');
    expect(String(divide(parse('6.0'), parse('3')))).toBe('2.0');
    expect(String(multiply(parse('-0'), parse('3')))).toBe('-0');
  });

  it('have an answer for the largest and the smallest in every function', () => {
    const extremes = [
      '9.999999999999999999999999999999999E+6144',
      '-9.999999999999999999999999999999999E+6144',
      '1E-6176',
      '-0',
      'NaN',
      'Infinity',
    ];
    const names = [
      'exp',
      'ln',
      'log10',
      'sin',
      'cos',
      'tan',
      'asin',
      'acos',
      'atan',
      'sinh',
      'cosh',
      'tanh',
      'asinh',
      'acosh',
      'atanh',
    ] as const;
    for (const name of names)
      for (const text of extremes) expect(String(toDecimal128(decimalFunction(name)(decimalParts(parse(text)))))).not.toBe('');
    expect(String(toDecimal128(decimalFunction('sinh')(decimalParts(parse('1E+6144')))))).toBe('Infinity');
    expect(String(toDecimal128(decimalFunction('sin')(decimalParts(parse('1E+6144')))))).toMatch(/^-?0\.\d{34}$/);
  });
});
