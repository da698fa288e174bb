import { describe, expect, it } from '@jest/globals';
import { Random, Variety } from '@framework-internal/random';
import { exactDecimal } from '../../src/bson/decimal.ts';
import { quantized } from '../../src/bson/decimal-arithmetic.ts';
import { decimalParts, toDecimal128 } from '../../src/bson/decimal128.ts';
import { exactText } from '../../src/bson/number-text.ts';
import { roundedAt } from '../../src/bson/rounding.ts';
import { toDouble } from '../../src/bson/values.ts';

const SEED = Number(process.env.ROUNDING_SEED ?? 20261122);
const ROUNDS = Number(process.env.ROUNDING_ROUNDS ?? 4000);

/** From the exact value alone. */
function slowly(value: number, place: number, how: 'even' | 'cut'): number {
  const exact = exactDecimal(value);
  if (!exact || value === 0) return value;
  const coefficient = exact.coefficient < 0n ? -exact.coefficient : exact.coefficient;
  const short = decimalParts(toDecimal128({ negative: value < 0, coefficient, exponent: exact.exponent }));
  const parts = quantized(short, -place, how);
  return typeof parts === 'string' ? value : Number(`${parts.negative ? '-' : ''}${String(parts.coefficient)}e${String(parts.exponent)}`);
}

describe('rounding a double quickly', () => {
  it('gives what its exact value gives', () => {
    const random = new Random(SEED);
    const variety = new Variety();
    for (let round = 0; round < ROUNDS; round++) {
      const size = 10 ** (random.below(20) - 6);
      const drawn = (random.below(2 ** 30) / 2 ** 30 - 0.5) * size;
      const shape = random.pick(['any', 'half', 'cents', 'whole']);
      const value =
        shape === 'half'
          ? Math.floor(drawn) + 0.5
          : shape === 'cents'
            ? Math.round(drawn * 100) / 100 + 0.005
            : shape === 'whole'
              ? Math.round(drawn)
              : drawn;
      const place = random.below(6);
      const how = random.pick(['even', 'cut'] as const);
      expect([value, place, how, Number(roundedAt('$round', toDouble(value), place, how))]).toEqual([
        value,
        place,
        how,
        slowly(value, place, how),
      ]);
      variety.tried(`${String(value)} ${String(place)}`);
      variety.took(shape);
    }
    console.log(variety.report('rounded doubles', SEED));
    variety.expect(ROUNDS * 0.6, { half: ROUNDS / 6, cents: ROUNDS / 6, whole: ROUNDS / 6 });
  });

  it('writes a double as its digits are, quickly or not', () => {
    expect([0.1, 1e15, 123456789012345.6, 0.00001, -0, 1e-4, 999999999999999.9].map(exactText)).toEqual([
      '0.1',
      '1000000000000000',
      '123456789012345.6',
      '1e-05',
      '-0',
      '0.0001',
      '999999999999999.9',
    ]);
  });
});
