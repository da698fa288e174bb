import { asDecimal, toNumber } from '../../bson/arithmetic.ts';
import { compare } from '../../bson/compare.ts';
import { product as decimalProduct, quotient as decimalQuotient, negate, sum as decimalSum } from '../../bson/decimal-arithmetic.ts';
import { type DecimalParts, rounded, toDecimal128 } from '../../bson/decimal128.ts';
import { Decimal128, isNumber, toDouble, typeName, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { compileExpression, type Env, type Evaluate } from '../expression.ts';
import { difference, product, quotient, sum } from '../operators/arithmetic.ts';
import { momentOf } from '../operators/date-arguments.ts';
import { isNullish } from '../operators/define.ts';
import { forEach, type InTurns } from './in-turns.ts';
import { optionsOf } from './window-bounds.ts';
import type { Compiler } from './window-functions.ts';

const ONE = asDecimal(1);

/** `$expMovingAvg`: worked out in decimals, and a double as long as no decimal was among the values. */
export const movingAverage: Compiler = (operand, window, { scope, sorted }) => {
  if (window !== undefined) throw failedToParse("$expMovingAvg does not accept a 'window' field");
  if (sorted.length === 0) throw failedToParse('$expMovingAvg requires an explicit sortBy');
  const { input, N: count, alpha } = optionsOf(operand, '$expMovingAvg', ['input', 'N', 'alpha']);
  if (input === undefined || (count === undefined) === (alpha === undefined))
    throw failedToParse("$expMovingAvg needs 'input' and either 'N' or 'alpha'");
  const share = count === undefined ? shareOf(alpha) : shareOfCount(count);
  const rest = decimalSum(ONE, negate(share));
  const of = compileExpression(input, scope);
  return ({ envs }) => {
    let average: DecimalParts | undefined;
    let decimal = false;
    return forEach(envs, (env) => {
      const value = of(env);
      if (isNumber(value)) {
        decimal ||= value instanceof Decimal128;
        const next = asDecimal(value);
        average = average ? times(next, share, average, rest) : next;
      }
      if (!average) return null;
      return decimal ? toDecimal128(average) : toDouble(toNumber(toDecimal128(average)));
    });
  };
};

function times(a: DecimalParts, ofA: DecimalParts, b: DecimalParts, ofB: DecimalParts): DecimalParts {
  return rounded(decimalSum(rounded(decimalProduct(a, ofA)), rounded(decimalProduct(b, ofB))));
}

function shareOf(alpha: Value): DecimalParts {
  if (isNumber(alpha) && toNumber(alpha) > 0 && toNumber(alpha) < 1) return asDecimal(alpha);
  throw failedToParse("'alpha' must be between 0 and 1 (exclusive)");
}

function shareOfCount(count: Value): DecimalParts {
  if (!isNumber(count) || !Number.isInteger(toNumber(count)) || toNumber(count) <= 0)
    throw failedToParse("'N' has to be a positive integer");
  return rounded(decimalQuotient(asDecimal(2), decimalSum(asDecimal(count), ONE)));
}

/** `$locf`: the value, or the last one that there was. */
export const lastKnown: Compiler = (operand, window, { scope }) => {
  if (window !== undefined) throw failedToParse("'window' field is not allowed in $locf");
  const of = compileExpression(operand, scope);
  return ({ envs }) => carryForward(envs, of);
};

/** @returns the values, each missing one replaced by the one before it */
export function carryForward(envs: readonly Env[], of: Evaluate): InTurns<Value[]> {
  let last: Value = null;
  return forEach(envs, (env) => {
    const value = of(env);
    if (value !== undefined && value !== null) last = value;
    return last;
  });
}

/** `$linearFill` */
export const linearFill: Compiler = (operand, window, { scope, sorted }) => {
  if (window !== undefined) throw failedToParse("'window' field is not allowed in $linearFill");
  if (sorted.length !== 1)
    throw new DocDbError(605001, '$linearFill must be specified with a top level sortBy expression with exactly one element');
  const of = compileExpression(operand, scope);
  return ({ envs, sortValues }) => interpolate(envs, of, sortValues);
};

/**
 * @returns the values, each missing one between two known ones in proportion to its place
 * @throws DocDbError (14, 6050106) for values that are no numbers, and for places that are none or that repeat
 */
export function* interpolate(envs: readonly Env[], of: Evaluate, places: readonly Value[]): InTurns<Value[]> {
  const values = yield* forEach(envs, of);
  const result: Value[] = values.map((value) => value ?? null);
  let before = -1;
  for (const [index, value] of values.entries()) {
    yield;
    checkPoint(value, places, index);
    if (!isNumber(value)) continue;
    if (before >= 0 && index > before + 1) {
      const slope = quotient([difference([value, values[before]]), difference([places[index], places[before]])]);
      for (let at = before + 1; at < index; at++)
        result[at] = sum([values[before], product([difference([places[at], places[before]]), slope])]);
    }
    before = index;
  }
  return result;
}

function checkPoint(value: Value, places: readonly Value[], index: number): void {
  if (!isNullish(value) && !isNumber(value))
    throw new DocDbError(14, `Value to be filled must be numeric or nullish, but found ${typeName(value)}`);
  const [before, place] = [places[index - 1], places[index]];
  if (!isNumber(place) && momentOf(place) === undefined)
    throw new DocDbError(14, `Value of the sortBy field must be numeric or a date, but found ${typeName(place)}`);
  if (index === 0) return;
  if (compare(place ?? null, before ?? null) === 0) throw new DocDbError(6050106, 'There can be no repeated values in the sort field');
  if (isNumber(place) !== isNumber(before))
    throw new DocDbError(14, `Conflicting sort value types, ${typeName(place)} behind ${typeName(before)}`);
}
