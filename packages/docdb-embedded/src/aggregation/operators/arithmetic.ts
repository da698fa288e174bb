import { add, divide, mapNumber, multiply, numeric, remainder, subtract, toNumber, type Numeric } from '../../bson/arithmetic.ts';
import { Decimal128, Double, isDocument, isNumber, toDouble, typeName, type Value } from '../../bson/values.ts';
import { DocDbError } from '../../errors.ts';
import type { Operator } from '../operators.ts';
import { between, fixed, isNullish } from './define.ts';

function unary(name: string, of: (value: Numeric) => Value): Operator {
  return fixed(1, ([value]) => {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw new DocDbError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    return of(value);
  });
}

function float(name: string, of: (value: number) => number): Operator {
  return unary(name, (value) =>
    value instanceof Decimal128 ? Decimal128.fromString(String(of(toNumber(value)))) : toDouble(of(toNumber(value))),
  );
}

function sum(args: readonly Value[]): Value {
  let total: Numeric = 0;
  let date: Date | undefined;
  for (const value of args) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (date) throw new DocDbError(16612, 'only one date allowed in an $add expression');
      date = value;
    } else if (isNumber(value)) total = add(total, value);
    else throw new DocDbError(14, `$add only supports numeric or date types, not ${typeName(value)}`);
  }
  return date ? new Date(date.getTime() + Math.round(toNumber(total))) : total;
}

function difference([a, b]: readonly Value[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date) {
    if (b instanceof Date) return BigInt(a.getTime() - b.getTime());
    if (isNumber(b)) return new Date(a.getTime() - Math.round(toNumber(b)));
  }
  if (isNumber(a) && isNumber(b)) return subtract(a, b);
  throw new DocDbError(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function quotient([a, b]: readonly Value[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  const divisor = numeric(b, '$divide');
  if (toNumber(divisor) === 0) throw new DocDbError(2, "can't $divide by zero");
  return divide(numeric(a, '$divide'), divisor);
}

function modulo([a, b]: readonly Value[]): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumber(a) || !isNumber(b)) throw new DocDbError(16611, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  if (toNumber(b) === 0) throw new DocDbError(16610, "can't $mod by zero");
  return remainder(a, b);
}

function rounded(name: string, how: (value: number) => number): Operator {
  return between(1, 2, ([value, place]) => {
    if (isNullish(value) || (place !== undefined && isNullish(place))) return null;
    if (!isNumber(value)) throw new DocDbError(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    const digits = place === undefined ? 0 : toNumber(place);
    if (!Number.isInteger(digits) || digits < -20 || digits > 100)
      throw new DocDbError(51083, `cannot apply ${name} with precision value ${String(digits)} value must be in [-20, 100]`);
    return mapNumber(value, (number) => shift(how(shift(number, digits)), -digits));
  });
}

function shift(value: number, digits: number): number {
  if (!Number.isFinite(value) || digits === 0) return value;
  const [mantissa, exponent = '0'] = String(value).split('e');
  return Number(`${String(mantissa)}e${String(Number(exponent) + digits)}`);
}

/** Half to even, as the database rounds. */
function halfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function power([base, exponent]: readonly Value[]): Value {
  if (isNullish(base) || isNullish(exponent)) return null;
  const a = numeric(base, '$pow');
  const b = numeric(exponent, '$pow');
  const result = toNumber(a) ** toNumber(b);
  const exact = !(a instanceof Double) && !(b instanceof Double) && Number.isSafeInteger(result);
  if (exact && typeof a !== 'object' && typeof b !== 'object')
    return typeof a === 'bigint' || typeof b === 'bigint'
      ? BigInt(result)
      : typeName(a) === 'double'
        ? toDouble(result)
        : multiply(result, 1);
  return toDouble(result);
}

function bits(name: string, of: (a: bigint, b: bigint) => bigint, start: bigint): Operator {
  return between(0, Infinity, (args) => {
    let wide = false;
    let result = start;
    for (const value of args) {
      if (isNullish(value)) return null;
      if (typeName(value) !== 'int' && typeName(value) !== 'long') throw new DocDbError(14, `${name} only supports int and long operands.`);
      wide ||= typeof value === 'bigint';
      result = of(result, BigInt(value as number | bigint));
    }
    return wide ? BigInt.asIntN(64, result) : Number(BigInt.asIntN(32, result));
  });
}

function rand([operand]: readonly Value[]): Value {
  if (operand === undefined || (isDocument(operand) && Object.keys(operand).length === 0)) return Math.random();
  throw new DocDbError(Array.isArray(operand) ? 3040501 : 10065, '$rand does not currently accept arguments');
}

/** Operators on numbers. */
export const arithmeticOperators: Readonly<Record<string, Operator>> = {
  $add: between(0, Infinity, sum),
  $subtract: fixed(2, difference),
  $multiply: between(0, Infinity, (args) => {
    let product: Numeric = 1;
    for (const value of args) {
      if (isNullish(value)) return null;
      product = multiply(product, numeric(value, '$multiply'));
    }
    return product;
  }),
  $divide: fixed(2, quotient),
  $mod: fixed(2, modulo),
  $abs: unary('$abs', (value) => (typeof value === 'bigint' ? (value < 0n ? -value : value) : mapNumber(value, Math.abs))),
  $ceil: unary('$ceil', (value) => mapNumber(value, Math.ceil)),
  $floor: unary('$floor', (value) => mapNumber(value, Math.floor)),
  $round: rounded('$round', halfEven),
  $trunc: rounded('$trunc', Math.trunc),
  $sqrt: unary('$sqrt', (value) => {
    if (toNumber(value) < 0) throw new DocDbError(28714, "$sqrt's argument must be greater than or equal to 0");
    return toDouble(Math.sqrt(toNumber(value)));
  }),
  $pow: fixed(2, power),
  $exp: float('$exp', Math.exp),
  $ln: float('$ln', Math.log),
  $log10: float('$log10', Math.log10),
  $log: fixed(2, ([value, base]) =>
    isNullish(value) || isNullish(base) ? null : toDouble(Math.log(toNumber(value)) / Math.log(toNumber(base))),
  ),
  $sin: float('$sin', Math.sin),
  $cos: float('$cos', Math.cos),
  $tan: float('$tan', Math.tan),
  $asin: float('$asin', Math.asin),
  $acos: float('$acos', Math.acos),
  $atan: float('$atan', Math.atan),
  $atan2: fixed(2, ([y, x]) => (isNullish(y) || isNullish(x) ? null : toDouble(Math.atan2(toNumber(y), toNumber(x))))),
  $sinh: float('$sinh', Math.sinh),
  $cosh: float('$cosh', Math.cosh),
  $tanh: float('$tanh', Math.tanh),
  $degreesToRadians: float('$degreesToRadians', (value) => (value * Math.PI) / 180),
  $radiansToDegrees: float('$radiansToDegrees', (value) => (value * 180) / Math.PI),
  $bitAnd: bits('$bitAnd', (a, b) => a & b, -1n),
  $bitOr: bits('$bitOr', (a, b) => a | b, 0n),
  $bitXor: bits('$bitXor', (a, b) => a ^ b, 0n),
  $rand: { ...between(0, 1, rand), volatile: true },
};
