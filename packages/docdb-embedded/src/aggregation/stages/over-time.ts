import { isZero, multiply, type Numeric } from '../../bson/arithmetic.ts';
import { isNumber, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { compileExpression, type Evaluate } from '../expression.ts';
import { difference, quotient } from '../operators/arithmetic.ts';
import { timeUnit, unitMilliseconds } from '../operators/date-arguments.ts';
import { isNullish } from '../operators/define.ts';
import { type Point, SlidingIntegral } from '../sliding-integral.ts';
import { forEach } from './in-turns.ts';
import { slide } from './slide.ts';
import { optionsOf, windowBounds } from './window-bounds.ts';
import type { Compiler, WindowScope } from './window-functions.ts';

/** What a function of the time is asked for. */
interface OverTime {
  readonly of: Evaluate;
  /** Milliseconds of the unit that it is told in, where what the documents are sorted by is dates. */
  readonly unit: number | undefined;
}

function overTime(name: string, operand: Value, { scope, sorted }: WindowScope): OverTime {
  if (sorted.length !== 1) throw failedToParse(`${name} requires a non-compound sortBy`);
  const { input, unit } = optionsOf(operand, name, ['input', 'unit']);
  const size = unit === undefined ? undefined : unitMilliseconds(timeUnit(unit, 9));
  if (unit !== undefined && size === undefined) throw new DocDbError(5490710, "unit must be 'week' or smaller");
  if (input === undefined) throw failedToParse(`${name} requires an 'input' expression`);
  return { of: compileExpression(input, scope), unit: size };
}

/** `$derivative`: how much a value changes between the ends of a window, for each unit of what the partition is sorted by. */
export const derivative: Compiler = (operand, window, context) => {
  const { of, unit } = overTime('$derivative', operand, context);
  if (window === undefined) throw failedToParse('$derivative requires explicit window bounds');
  const bounds = windowBounds(window, context);
  return ({ envs, sortValues }) =>
    forEach(envs, (_env, index) => {
      const [from, to] = bounds(index, sortValues);
      const [first, last] = [envs[from], envs[to]];
      if (to < from || !first || !last) return null;
      const run = timeBetween(sortValues[from], sortValues[to], unit);
      const rise = difference([of(last), of(first)]);
      if (isNullish(rise)) throw new DocDbError(5624903, '$derivative input must not be null or missing');
      if (isZero(run)) return null;
      const slope = quotient([rise, run]) as Numeric;
      return unit === undefined ? slope : multiply(slope, BigInt(unit));
    });
};

function timeBetween(from: Value, to: Value, unit: number | undefined): Numeric {
  const dates = [from, to].filter((value) => value instanceof Date).length;
  if (unit !== undefined && dates < 2) throw new DocDbError(5624900, "$derivative with 'unit' expects the sortBy field to be a Date");
  if (unit === undefined && dates > 0) throw new DocDbError(5624901, "$derivative where the sortBy is a Date requires an 'unit'");
  if (unit === undefined && !(isNumber(from) && isNumber(to)))
    throw new DocDbError(5624902, "$derivative (with no 'unit') expects the sortBy field to be numeric");
  return difference([to, from]) as Numeric;
}

/** `$integral`: the area under a value over what the partition is sorted by. */
export const integral: Compiler = (operand, window, context) => {
  const { of, unit } = overTime('$integral', operand, context);
  const bounds = windowBounds(window, context);
  return function* ({ envs, sortValues }) {
    const points = yield* forEach(envs, (env, index): Point => [sortValues[index], of(env)]);
    return yield* slide(points, (point) => point, sortValues, bounds, new SlidingIntegral(unit));
  };
};
