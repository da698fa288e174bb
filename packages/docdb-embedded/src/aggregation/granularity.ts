import { divide, isZero, multiply, type Numeric, toNumber } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { decimalParts, digitCount } from '../bson/decimal128.ts';
import { Decimal128, Double, toDouble } from '../bson/values.ts';
import { DocDbError } from '../errors.ts';
import { power } from './operators/transcendental.ts';

/** Rounds numbers above zero to numbers that people prefer: to the next one above, or below, which is never the number itself. */
export interface Granularity {
  readonly up: (value: Numeric) => Numeric;
  readonly down: (value: Numeric) => Numeric;
}

/** The numbers of one step of ten of each series, as MongoDB has them. */
const SERIES: Readonly<Record<string, readonly number[]>> = {
  R5: [10, 16, 25, 40, 63],
  R10: [100, 125, 160, 200, 250, 315, 400, 500, 630, 800],
  R20: [100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800, 900],
  R40: [
    100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250, 265, 280, 300, 315, 355, 375, 400, 425, 450, 475,
    500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900, 950,
  ],
  R80: [
    103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258, 272, 290, 307, 325, 345, 365, 387, 412, 437, 462,
    487, 515, 545, 575, 615, 650, 690, 730, 775, 825, 875, 925, 975,
  ],
  '1-2-5': [10, 20, 50],
  E6: [10, 15, 22, 33, 47, 68],
  E12: [10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82],
  E24: [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91],
  E48: [
    100, 105, 110, 115, 121, 127, 133, 140, 147, 154, 162, 169, 178, 187, 196, 205, 215, 226, 237, 249, 261, 274, 287, 301, 316, 332, 348,
    365, 383, 402, 422, 442, 464, 487, 511, 536, 562, 590, 619, 649, 681, 715, 750, 787, 825, 866, 909, 953,
  ],
  E96: [
    100, 102, 105, 107, 110, 113, 115, 118, 121, 124, 127, 130, 133, 137, 140, 143, 147, 150, 154, 158, 162, 165, 169, 174, 178, 182, 187,
    191, 196, 200, 205, 210, 215, 221, 226, 232, 237, 243, 249, 255, 261, 267, 274, 280, 287, 294, 301, 309, 316, 324, 332, 340, 348, 357,
    365, 374, 383, 392, 402, 412, 422, 432, 442, 453, 464, 475, 487, 499, 511, 523, 536, 549, 562, 576, 590, 604, 619, 634, 649, 665, 681,
    698, 715, 732, 750, 768, 787, 806, 825, 845, 866, 887, 909, 931, 953, 976,
  ],
  E192: [
    100, 101, 102, 104, 105, 106, 107, 109, 110, 111, 113, 114, 115, 117, 118, 120, 121, 123, 124, 126, 127, 129, 130, 132, 133, 135, 137,
    138, 140, 142, 143, 145, 147, 149, 150, 152, 154, 156, 158, 160, 162, 164, 165, 167, 169, 172, 174, 176, 178, 180, 182, 184, 187, 189,
    191, 193, 196, 198, 200, 203, 205, 208, 210, 213, 215, 218, 221, 223, 226, 229, 232, 234, 237, 240, 243, 246, 249, 252, 255, 258, 261,
    264, 267, 271, 274, 277, 280, 284, 287, 291, 294, 298, 301, 305, 309, 312, 316, 320, 324, 328, 332, 336, 340, 344, 348, 352, 357, 361,
    365, 370, 374, 379, 383, 388, 392, 397, 402, 407, 412, 417, 422, 427, 432, 437, 442, 448, 453, 459, 464, 470, 475, 481, 487, 493, 499,
    505, 511, 517, 523, 530, 536, 542, 549, 556, 562, 569, 576, 583, 590, 597, 604, 612, 619, 626, 634, 642, 649, 657, 665, 673, 681, 690,
    698, 706, 715, 723, 732, 741, 750, 759, 768, 777, 787, 796, 806, 816, 825, 835, 845, 856, 866, 876, 887, 898, 909, 920, 931, 942, 953,
    965, 976, 988,
  ],
};

/** Exponents that powers of ten of decimals have. */
const [LEAST_POWER, GREATEST_POWER] = [-6176, 6111];

/** @returns a power of ten that is near to a decimal */
function magnitude(value: Decimal128): Decimal128 {
  const parts = decimalParts(value);
  const exponent = typeof parts === 'string' ? 0 : digitCount(parts.coefficient) + parts.exponent;
  return Decimal128.fromString(`1E${String(Math.max(LEAST_POWER, Math.min(GREATEST_POWER, exponent)))}`);
}

/** A series at a scale: each number times a power of ten. */
class Scaled {
  readonly #series: readonly number[];
  #scale: Numeric;

  constructor(series: readonly number[], value: Numeric) {
    this.#series = series;
    this.#scale = value instanceof Decimal128 ? magnitude(value) : toDouble(1);
  }

  #at(index: number): Numeric {
    return multiply(this.#series.at(index) ?? 0, this.#scale);
  }

  get least(): Numeric {
    return this.#at(0);
  }

  get greatest(): Numeric {
    return this.#at(-1);
  }

  grow(): void {
    this.#scale = multiply(this.#scale, 10);
  }

  /** @returns whether there is a smaller scale */
  shrink(): boolean {
    const smaller = divide(this.#scale, 10);
    if (isZero(smaller)) return false;
    this.#scale = smaller;
    return true;
  }

  first(accept: (number: Numeric) => boolean): Numeric {
    const index = this.#series.findIndex((_number, at) => accept(this.#at(at)));
    return this.#at(index);
  }

  last(accept: (number: Numeric) => boolean): Numeric | undefined {
    const index = this.#series.findLastIndex((_number, at) => accept(this.#at(at)));
    return index < 0 ? undefined : this.#at(index);
  }
}

function preferred(series: readonly number[]): Granularity {
  return {
    up(value) {
      const scaled = new Scaled(series, value);
      while (compare(value, scaled.greatest) >= 0) scaled.grow();
      while (compare(value, scaled.least) < 0) {
        const above = scaled.least;
        if (!scaled.shrink() || compare(value, scaled.greatest) >= 0) return above;
      }
      return scaled.first((number) => compare(value, number) < 0);
    },
    down(value) {
      const scaled = new Scaled(series, value);
      while (compare(value, scaled.least) <= 0 && scaled.shrink());
      while (compare(value, scaled.greatest) > 0) {
        const below = scaled.greatest;
        scaled.grow();
        if (compare(value, scaled.least) <= 0) return below;
      }
      return scaled.last((number) => compare(number, value) < 0) ?? toDouble(0);
    },
  };
}

const LOG2_OF_10 = Math.log2(10);

/** @returns the exponents of the power of two that is not above a number, and of the one that is not below it */
function exponents(value: Numeric): readonly [down: number, up: number] {
  if (value instanceof Decimal128) {
    const parts = decimalParts(value);
    if (typeof parts === 'string') return [0, 0];
    const digits = digitCount(parts.coefficient);
    const leading = Number(parts.coefficient) / 10 ** (digits - 1);
    let down = Math.floor((digits - 1 + parts.exponent + Math.log10(leading)) * LOG2_OF_10);
    while (compare(raised(value, down), value) > 0) down -= 1;
    while (compare(raised(value, down + 1), value) <= 0) down += 1;
    return [down, compare(raised(value, down), value) === 0 ? down : down + 1];
  }
  if (value instanceof Double || !Number.isInteger(Number(value))) {
    const exponent = Math.log2(toNumber(value));
    return [Math.floor(exponent), Math.ceil(exponent)];
  }
  const bits = (whole: bigint): number => (whole === 0n ? 0 : whole.toString(2).length);
  const whole = BigInt(value);
  return [bits(whole) - 1, bits(whole - 1n)];
}

/** @returns a power of two: a decimal for decimals, else a number of the least type that has it */
function raised(value: Numeric, exponent: number): Numeric {
  return power(2, value instanceof Decimal128 ? Decimal128.fromString(String(exponent)) : exponent);
}

const POWERS_OF_TWO: Granularity = {
  up: (value) => raised(value, exponents(value)[0] + 1),
  down: (value) => raised(value, exponents(value)[1] - 1),
};

/** @throws DocDbError (40257) for a granularity that there is not */
export function granularityNamed(name: string): Granularity {
  if (name === 'POWERSOF2') return POWERS_OF_TWO;
  const series = Object.hasOwn(SERIES, name) ? SERIES[name] : undefined;
  if (!series)
    throw new DocDbError(40257, `Unknown rounding granularity '${name}'. There are POWERSOF2, ${Object.keys(SERIES).join(', ')}`);
  return preferred(series);
}
