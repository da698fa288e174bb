import { asDecimal, divide, fitsLong, isBelowZero, isZero, kindOf, multiply, type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { compare } from '../../bson/compare.ts';
import { squareRoot } from '../../bson/decimal-arithmetic.ts';
import { angleOf, decimalFunction, power as decimalPower, sigmoid } from '../../bson/decimal-functions.ts';
import { decimalParts, type DecimalParts, toDecimal128 } from '../../bson/decimal128.ts';
import { Decimal128, isInt32, isNumber, toDouble, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { fixed, isNullish } from './define.ts';

/** Looks at a number before a function is applied. */
type Check = (value: Numeric) => void;

function numberOf(value: Value, name: string, code: number): Numeric {
  if (isNumber(value)) return value;
  throw new DocDbError(code, `${name} only supports numeric types, not ${typeName(value)}`);
}

function functionOf(
  name: string,
  float: (value: number) => number,
  decimal: (value: DecimalParts) => DecimalParts,
  check?: Check,
  type = 28765,
): Operator {
  return fixed(1, ([given]) => {
    if (isNullish(given)) return null;
    const value = numberOf(given, name, type);
    check?.(value);
    return value instanceof Decimal128 ? toDecimal128(decimal(decimalParts(value))) : toDouble(float(toNumber(value)));
  });
}

function above(name: string, code: number): Check {
  return (value) => {
    if (isZero(value) || isBelowZero(value))
      throw new DocDbError(code, `${name}'s argument must be a positive number, but is ${String(value)}`);
  };
}

function outside(name: string, value: Numeric, bounds: string): DocDbError {
  return new DocDbError(50989, `cannot apply ${name} to ${String(value)}, value must be in ${bounds}`);
}

function within(name: string, least: number, greatest: number): Check {
  return (value) => {
    if (!Number.isNaN(toNumber(value)) && (compare(value, least) < 0 || compare(value, greatest) > 0))
      throw outside(name, value, `[${String(least)},${String(greatest)}]`);
  };
}

/** An angle must be finite. */
function angle(name: string): Check {
  return (value) => {
    const infinite = value instanceof Decimal128 ? String(value).endsWith('Infinity') : Math.abs(toNumber(value)) === Infinity;
    if (infinite) throw outside(name, value, '(-inf,inf)');
  };
}

function logarithm([given, givenBase]: readonly Value[]): Value {
  if (isNullish(given) || isNullish(givenBase)) return null;
  const value = numberOf(given, "$log's argument", 28756);
  const base = numberOf(givenBase, "$log's base", 28757);
  above('$log', 28758)(value);
  if (isZero(base) || isBelowZero(base) || compare(base, 1) === 0)
    throw new DocDbError(28759, `$log's base must be a positive number not equal to 1, but is ${String(base)}`);
  if (!(value instanceof Decimal128 || base instanceof Decimal128)) return toDouble(Math.log(toNumber(value)) / Math.log(toNumber(base)));
  const ln = (of: Numeric): Decimal128 => toDecimal128(decimalFunction('ln')(asDecimal(of)));
  return divide(ln(value), ln(base));
}

/** As in C, where one to the power of anything is one. */
function floatPower(base: number, exponent: number): number {
  return base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : base ** exponent;
}

/** @returns a power of integers, `undefined` where it is none or does not fit 64 bits */
function wholePower(base: bigint, exponent: bigint): bigint | undefined {
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent < 0n || exponent > 63n) return undefined;
  const result = base ** exponent;
  return fitsLong(result) ? result : undefined;
}

function powerOf([givenBase, givenExponent]: readonly Value[]): Value {
  if (isNullish(givenBase) || isNullish(givenExponent)) return null;
  const base = numberOf(givenBase, "$pow's base", 28762);
  const exponent = numberOf(givenExponent, "$pow's exponent", 28763);
  return power(base, exponent);
}

/** @returns a power: a decimal when either number is one, an integer where both are and one can hold it, else a double */
export function power(base: Numeric, exponent: Numeric): Numeric {
  if (isZero(base) && isBelowZero(exponent)) throw new DocDbError(28764, '$pow cannot take a base of 0 and a negative exponent');
  if (base instanceof Decimal128 || exponent instanceof Decimal128) return toDecimal128(decimalPower(asDecimal(base), asDecimal(exponent)));
  const [a, b] = [toNumber(base), toNumber(exponent)];
  if (kindOf(base) === 'double' || kindOf(exponent) === 'double') return toDouble(floatPower(a, b));
  const long = typeof base === 'bigint' || typeof exponent === 'bigint';
  const result = wholePower(BigInt(String(base)), BigInt(String(exponent)));
  if (result === undefined) return toDouble(a ** b);
  return !long && isInt32(Number(result)) ? Number(result) : result;
}

function root(value: Numeric): void {
  if (isBelowZero(value)) throw new DocDbError(28714, "$sqrt's argument must be greater than or equal to 0");
}

function direction([y, x]: readonly Value[]): Value {
  if (isNullish(y) || isNullish(x)) return null;
  const [up, right] = [numberOf(y, '$atan2', 51044), numberOf(x, '$atan2', 51045)];
  if (up instanceof Decimal128 || right instanceof Decimal128) return toDecimal128(angleOf(asDecimal(up), asDecimal(right)));
  return toDouble(Math.atan2(toNumber(up), toNumber(right)));
}

const RADIANS_PER_DEGREE = Decimal128.fromString('0.01745329251994329576923690768488613');
const DEGREES_PER_RADIAN = Decimal128.fromString('57.29577951308232087679815481410517');

function measure(name: string, factor: Decimal128, float: (value: number) => number): Operator {
  return functionOf(name, float, (value) => asDecimal(multiply(toDecimal128(value), factor)));
}

/** A function that takes every number. */
function everywhere(key: 'sinh' | 'cosh' | 'tanh' | 'asinh' | 'atan' | 'exp'): Operator {
  return functionOf(`$${key}`, (value) => Math[key](value), decimalFunction(key));
}

/** Roots, powers, logarithms and angles. */
export const transcendentalOperators: Readonly<Record<string, Operator>> = {
  $sqrt: functionOf('$sqrt', Math.sqrt, squareRoot, root),
  $pow: fixed(2, powerOf),
  $exp: everywhere('exp'),
  $ln: functionOf('$ln', Math.log, decimalFunction('ln'), above('$ln', 28766)),
  $log10: functionOf('$log10', Math.log10, decimalFunction('log10'), above('$log10', 28761)),
  $log: fixed(2, logarithm),
  $sigmoid: { ...functionOf('$sigmoid', (value) => 1 / (1 + Math.exp(-value)), sigmoid, undefined, 14), alone: true },
  $sin: functionOf('$sin', Math.sin, decimalFunction('sin'), angle('$sin')),
  $cos: functionOf('$cos', Math.cos, decimalFunction('cos'), angle('$cos')),
  $tan: functionOf('$tan', Math.tan, decimalFunction('tan'), angle('$tan')),
  $asin: functionOf('$asin', Math.asin, decimalFunction('asin'), within('$asin', -1, 1)),
  $acos: functionOf('$acos', Math.acos, decimalFunction('acos'), within('$acos', -1, 1)),
  $atan: everywhere('atan'),
  $atan2: fixed(2, direction),
  $sinh: everywhere('sinh'),
  $cosh: everywhere('cosh'),
  $tanh: everywhere('tanh'),
  $asinh: everywhere('asinh'),
  $acosh: functionOf('$acosh', Math.acosh, decimalFunction('acosh'), within('$acosh', 1, Infinity)),
  $atanh: functionOf('$atanh', Math.atanh, decimalFunction('atanh'), within('$atanh', -1, 1)),
  $degreesToRadians: measure('$degreesToRadians', RADIANS_PER_DEGREE, (value) => (value * Math.PI) / 180),
  $radiansToDegrees: measure('$radiansToDegrees', DEGREES_PER_RADIAN, (value) => (value * 180) / Math.PI),
};
