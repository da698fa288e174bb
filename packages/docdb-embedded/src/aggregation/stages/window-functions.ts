import { type Numeric, toNumber } from '../../bson/arithmetic.ts';
import { Decimal128, type Doc, isDocument, isNumber, toDouble, type Value } from '../../bson/values.ts';
import { DocDbError, failedToParse } from '../../errors.ts';
import { checkWindowCount, compileAccumulator, isAccumulator } from '../accumulators.ts';
import { compileExpression, type Env, type Evaluate, type ExpressionScope } from '../expression.ts';
import { pause } from '../../interrupt.ts';
import { timeUnit, unitMilliseconds } from '../operators/date-arguments.ts';
import { type Pair, SlidingCovariance, SlidingDeviation } from '../sliding-statistics.ts';
import { edgesOf, growing, runningBackward, runningForward, shrinking } from './growing-window.ts';
import { slide } from './slide.ts';
import { isSliding, optionsOf, windowBounds } from './window-bounds.ts';

/** A partition in its order. */
export interface Partition {
  readonly envs: readonly Env[];
  /** Number of the tie that each document is in. */
  readonly ties: readonly number[];
  /** The value that each document is sorted by, where that is one. */
  readonly sortValues: readonly Value[];
}

/** Works out one field for each document of a partition. */
export type WindowFunction = (partition: Partition) => Value[];

/** What window functions are compiled with. */
export interface WindowScope {
  readonly scope: ExpressionScope;
  /** Whether each sort field ascends. */
  readonly sorted: readonly boolean[];
}

type Compiler = (operand: Value, window: Value, context: WindowScope) => WindowFunction;

function onlyOrder(name: string, of: (partition: Partition) => Value[]): Compiler {
  return (operand, window, { sorted }) => {
    if (window !== undefined) throw new DocDbError(5371601, `'window' field is not allowed in ${name}`);
    if (sorted.length !== 1)
      throw new DocDbError(5371602, `${name} must be specified with a top level sortBy expression with exactly one element`);
    if (!isDocument(operand) || Object.keys(operand).length > 0)
      throw new DocDbError(5371603, `${name} must be specified with '{}' as the value`);
    return of;
  };
}

/** A function of the pairs of numbers in a window. */
function covariance(sample: boolean): Compiler {
  return (operand, window, context) => {
    const list = Array.isArray(operand) && operand.length === 2 ? (operand as Value[]) : undefined;
    const parts = list?.map((part) => compileExpression(part, context.scope)) ?? [];
    const single = list ? undefined : compileExpression(operand, context.scope);
    const bounds = windowBounds(window, context);
    const pairOf = (env: Env): Pair | undefined => {
      const values = single ? single(env) : parts.map((part) => part(env));
      const [x, y] = Array.isArray(values) && values.length === 2 ? (values as Value[]) : [];
      return isNumber(x) && isNumber(y) ? [x, y] : undefined;
    };
    return ({ envs, sortValues }) => slide(envs.map(pairOf), sortValues, bounds, new SlidingCovariance(sample));
  };
}

const shift: Compiler = (operand, window, { scope, sorted }) => {
  if (window !== undefined) throw failedToParse("'window' field is not allowed in $shift");
  if (sorted.length === 0) throw failedToParse("'$shift' requires a sortBy");
  const options = optionsOf(operand, '$shift', ['output', 'by', 'default']);
  const { by } = options;
  if (options.output === undefined) throw failedToParse('$shift requires an output expression.');
  if (!isNumber(by) || !Number.isInteger(toNumber(by))) throw failedToParse("'$shift:by' field must be an integer");
  const output = compileExpression(options.output, scope);
  const fallback = compileExpression(options.default ?? null, scope);
  return ({ envs }) =>
    envs.map((env, index) => {
      const other = envs[index + toNumber(by)];
      return other ? (output(other) ?? null) : fallback(env);
    });
};

const movingAverage: Compiler = (operand, window, { scope, sorted }) => {
  if (window !== undefined) throw failedToParse("$expMovingAvg does not accept a 'window' field");
  if (sorted.length === 0) throw failedToParse('$expMovingAvg requires an explicit sortBy');
  const { input, N: count, alpha } = optionsOf(operand, '$expMovingAvg', ['input', 'N', 'alpha']);
  if (input === undefined || (count === undefined) === (alpha === undefined))
    throw failedToParse("$expMovingAvg needs 'input' and either 'N' or 'alpha'");
  if (count !== undefined && !(isNumber(count) && Number.isInteger(toNumber(count)) && toNumber(count) > 0))
    throw failedToParse("'N' has to be a positive integer");
  if (alpha !== undefined && !(isNumber(alpha) && toNumber(alpha) > 0 && toNumber(alpha) < 1))
    throw failedToParse("'alpha' must be between 0 and 1 (exclusive)");
  const factor = count === undefined ? toNumber(alpha) : 2 / (toNumber(count) + 1);
  const of = compileExpression(input, scope);
  return ({ envs }) => {
    let average: number | undefined;
    return envs.map((env) => {
      const value = of(env);
      if (isNumber(value)) average = average === undefined ? toNumber(value) : toNumber(value) * factor + average * (1 - factor);
      return average === undefined ? null : value instanceof Decimal128 ? Decimal128.fromString(String(average)) : toDouble(average);
    });
  };
};

/** The change of a value between the ends of a window, or the area under it, over what the partition is sorted by. */
function overTime(name: string, along: (points: readonly Point[]) => Along): Compiler {
  return (operand, window, { scope, sorted }) => {
    const { input, unit } = optionsOf(operand, name, ['input', 'unit']);
    if (input === undefined) throw failedToParse(`${name} requires an 'input' expression`);
    if (sorted.length !== 1 || sorted[0] !== true) throw failedToParse(`${name} requires a sortBy of a single ascending field`);
    if (name === '$derivative' && window === undefined) throw failedToParse('$derivative requires explicit window bounds');
    const size = unit === undefined ? undefined : unitMilliseconds(timeUnit(unit, 9));
    if (unit !== undefined && size === undefined) throw new DocDbError(5490704, "unit must be 'week' or smaller");
    const bounds = windowBounds(window, { scope, sorted });
    const evaluate = compileExpression(input, scope);
    const place = (value: Value): number => {
      if (size !== undefined) {
        if (!(value instanceof Date)) throw new DocDbError(5624900, `${name} with a unit expects the sortBy field to be a Date`);
        return value.getTime() / size;
      }
      if (!isNumber(value))
        throw new DocDbError(5624901, `${name} where the sortBy is a Date requires an 'unit'; otherwise it has to be a number`);
      return toNumber(value);
    };
    return ({ envs, sortValues }) => {
      const all = envs.map((env, index) => [place(sortValues[index]), evaluate(env)] as const);
      const points = all.flatMap(([at, value]): Point[] => (isNumber(value) ? [[at, toNumber(value)]] : []));
      // How many points are before each document.
      const before = [0];
      for (const [, value] of all) before.push((before.at(-1) ?? 0) + (isNumber(value) ? 1 : 0));
      const of = along(points);
      return envs.map((_env, index) => {
        const [from, to] = bounds(index, sortValues);
        const result = of(before[from] ?? points.length, before[Math.max(from, to + 1)] ?? points.length);
        return result === null ? null : toDouble(result);
      });
    };
  };
}

/** A value at a place of the order. */
type Point = readonly [number, number];
/** Works out something of the points from one to before another. */
type Along = (from: number, end: number) => number | null;

function slope(points: readonly Point[]): Along {
  return (from, end) => {
    const [first, last] = [points[from], points[end - 1]];
    if (!first || !last || end - from < 2 || first[0] === last[0]) return null;
    return (last[1] - first[1]) / (last[0] - first[0]);
  };
}

/** What begins where the last one began goes on from there. */
function area(points: readonly Point[]): Along {
  let begun = -1;
  let done = 0;
  let total = 0;
  return (from, end) => {
    if (from !== begun || end < done) [begun, done, total] = [from, from, 0];
    for (; done < end; done++) {
      const [x1, y1] = points[done - 1] ?? [0, 0];
      const [x2, y2] = points[done] ?? [0, 0];
      if (done > from) total += ((y1 + y2) / 2) * (x2 - x1);
    }
    return total;
  };
}

/** The value, or the last one that there was. */
const lastKnown: Compiler = (operand, window, { scope }) => {
  if (window !== undefined) throw failedToParse("'window' field is not allowed in $locf");
  const of = compileExpression(operand, scope);
  return ({ envs }) => carryForward(envs, of);
};

/** @returns the values, each missing one replaced by the one before it */
export function carryForward(envs: readonly Env[], of: Evaluate): Value[] {
  let last: Value = null;
  return envs.map((env) => {
    const value = of(env);
    if (value !== undefined && value !== null) last = value;
    return last;
  });
}

const linear: Compiler = (operand, window, { scope, sorted }) => {
  if (window !== undefined) throw failedToParse("'window' field is not allowed in $linearFill");
  if (sorted.length !== 1)
    throw new DocDbError(605001, '$linearFill must be specified with a top level sortBy expression with exactly one element');
  const of = compileExpression(operand, scope);
  return ({ envs, sortValues }) => interpolate(envs.map(of), sortValues);
};

/** @returns the values, each missing one between two known ones in proportion to its place */
export function interpolate(values: readonly Value[], places: readonly Value[]): Value[] {
  const place = (index: number): number => {
    const value = places[index];
    if (value instanceof Date) return value.getTime();
    if (isNumber(value)) return toNumber(value);
    throw new DocDbError(605002, '$linearFill needs numbers or dates to sort by');
  };
  const result = values.map((value) => value ?? null);
  let before = -1;
  values.forEach((value, index) => {
    if (value === undefined || value === null) return;
    if (!isNumber(value)) throw new DocDbError(605000, 'Value to be filled must be numeric or nullish');
    for (let at = before + 1; before >= 0 && at < index; at++) {
      const [from, to] = [toNumber(values[before]), toNumber(value)];
      const share = (place(at) - place(before)) / (place(index) - place(before));
      result[at] = toDouble(from + (to - from) * share);
    }
    before = index;
  });
  return result;
}

/** @returns the place of the first document of each one's tie */
function ranks(ties: readonly number[]): number[] {
  let first = 0;
  return ties.map((tie, index) => {
    if (ties[index - 1] !== tie) first = index;
    return first + 1;
  });
}

const FUNCTIONS: Readonly<Record<string, Compiler>> = {
  $documentNumber: onlyOrder('$documentNumber', ({ envs }) => envs.map((_env, index) => index + 1)),
  $rank: onlyOrder('$rank', ({ ties }) => ranks(ties)),
  $denseRank: onlyOrder('$denseRank', ({ ties }) => ties.map((tie) => tie + 1)),
  $shift: shift,
  $covariancePop: covariance(false),
  $covarianceSamp: covariance(true),
  $expMovingAvg: movingAverage,
  $derivative: overTime('$derivative', slope),
  $integral: overTime('$integral', area),
  $locf: lastKnown,
  $linearFill: linear,
};

/** Names of the functions that exist in windows only. */
export const windowFunctionNames: readonly string[] = Object.keys(FUNCTIONS);

/**
 * Compiles `{ $sum: '$a', window: { documents: [-1, 0] } }`.
 *
 * @throws DocDbError (9, …) for what is no window function
 */
export function compileWindowFunction(spec: Value, context: WindowScope): WindowFunction {
  if (!isDocument(spec)) throw failedToParse('a window function must be an object');
  const names = Object.keys(spec).filter((key) => key !== 'window');
  const name = names.find((key) => key in FUNCTIONS || isAccumulator(key)) ?? names[0] ?? '';
  if (!name.startsWith('$')) throw failedToParse(`Expected a $-prefixed window function, ${name}`);
  const own = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!own && !isAccumulator(name)) throw failedToParse(`Unrecognized window function, ${name}`);
  const other = names.find((key) => key !== name);
  if (other !== undefined)
    throw new DocDbError(RANKS.has(name) ? 5371601 : 9, `Window function ${name} found an unknown argument: ${other}`);
  if (own) return own(spec[name], spec.window, context);
  return overWindow(spec, name, context);
}

const RANKS: ReadonlySet<string> = new Set(['$documentNumber', '$rank', '$denseRank']);

function overWindow(spec: Doc, name: string, context: WindowScope): WindowFunction {
  const { scope } = context;
  const accumulate = compileAccumulator('output', { [name]: spec[name] }, scope);
  checkWindowCount(spec[name], scope);
  const bounds = windowBounds(spec.window, context);
  if ((name === '$stdDevPop' || name === '$stdDevSamp') && isSliding(spec.window)) {
    const of = compileExpression(spec[name], scope);
    const numberOf = (env: Env): Numeric | undefined => {
      const value = of(env);
      return isNumber(value) ? value : undefined;
    };
    return ({ envs, sortValues }) => slide(envs.map(numberOf), sortValues, bounds, new SlidingDeviation(name === '$stdDevSamp'));
  }
  const [low, high] = edgesOf(spec.window);
  if (low === 'unbounded' && high === 'unbounded')
    return ({ envs }) => {
      const value = accumulate(envs);
      return envs.map(() => value);
    };
  const forward = low === 'unbounded' ? runningForward(name, spec[name], scope) : undefined;
  if (forward) return ({ envs, sortValues }) => growing(envs, sortValues, bounds, forward());
  const backward = high === 'unbounded' ? runningBackward(name, spec[name], scope) : undefined;
  if (backward) return ({ envs, sortValues }) => shrinking(envs, sortValues, bounds, backward());
  return ({ envs, sortValues }) =>
    envs.map((_env, index) => {
      const [from, to] = bounds(index, sortValues);
      pause();
      return accumulate(envs.slice(from, Math.max(from, to + 1)));
    });
}
